//! Whether a thread stayed on its CPU.

use nix::sched::sched_getcpu;
use perf_event::events::Software;
use perf_event::{Builder, Counter};

/// Watches the calling thread.
pub struct MigrationWatch {
    /// The kernel's own count. It counts in kernel mode, which unprivileged users may not watch everywhere;
    /// then only the CPUs at both ends are known.
    counter: Option<Counter>,
    begin: Option<usize>,
}

impl MigrationWatch {
    /// Opens the kernel's counter, if it is allowed.
    pub fn open() -> MigrationWatch {
        let mut builder = Builder::new(Software::CPU_MIGRATIONS);
        builder.include_kernel().any_cpu();
        MigrationWatch {
            counter: builder.build().ok(),
            begin: None,
        }
    }

    /// Begins.
    pub fn start(&mut self) {
        self.begin = sched_getcpu().ok();
        if let Some(counter) = &mut self.counter {
            let started = counter.reset().and_then(|()| counter.enable());
            if started.is_err() {
                self.counter = None;
            }
        }
    }

    /// Changes of the CPU since the start, as far as they show.
    pub fn stop(&mut self) -> Option<u64> {
        let counted = self.counter.as_mut().and_then(|counter| {
            counter.disable().ok()?;
            counter.read().ok()
        });
        let moved = match (self.begin, sched_getcpu().ok()) {
            (Some(begin), Some(end)) => Some(u64::from(begin != end)),
            _ => None,
        };
        counted.max(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_seen_and_rest_is_none() {
        let cpus = crate::host::allowed_cpus();
        let pin = |cpu| crate::host::pin_this_thread(cpu).unwrap();
        pin(cpus[0]);
        let mut watch = MigrationWatch::open();
        watch.start();
        assert_eq!(watch.stop(), Some(0));
        let Some(&other) = cpus.get(1) else {
            eprintln!("skipped the move: there is one CPU only");
            return;
        };
        watch.start();
        pin(other);
        assert!(watch.stop() >= Some(1));
    }
}
