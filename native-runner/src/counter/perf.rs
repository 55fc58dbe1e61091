//! The hardware counter of core cycles, user mode only (`perf_event_open`).

use super::CycleCounter;
use perf_event::events::Hardware;
use perf_event::{Builder, Counter};
use std::io;

/// An open hardware counter of the calling thread.
pub struct PerfCounter {
    counter: Counter,
    broken: bool,
}

impl PerfCounter {
    /// Opens the counter for the calling thread while it runs on `cpu`. Kernel and hypervisor are
    /// excluded, so that `perf_event_paranoid` 2 suffices.
    ///
    /// The CPU has to be named: chips with different cores have a counter unit per kind of core, and
    /// the kernel gives an event for any CPU to the first unit, which may be that of other cores.
    ///
    /// # Errors
    /// What `perf_event_open` answers.
    pub fn open(cpu: Option<u32>) -> io::Result<PerfCounter> {
        let mut builder = Builder::new(Hardware::CPU_CYCLES);
        builder.exclude_kernel(true).exclude_hv(true);
        match cpu {
            Some(cpu) => builder.one_cpu(cpu as usize),
            None => builder.any_cpu(),
        };
        Ok(PerfCounter {
            counter: builder.build()?,
            broken: false,
        })
    }
}

impl CycleCounter for PerfCounter {
    fn start(&mut self) {
        let started = self.counter.reset().and_then(|()| self.counter.enable());
        self.broken = started.is_err();
    }

    fn stop(&mut self) -> Option<u64> {
        self.counter.disable().ok()?;
        let read = self.counter.read_full().ok()?;
        // A counter that had to share the hardware, or whose unit is of other cores, saw only a part.
        let shared = match (read.time_enabled(), read.time_running()) {
            (Some(enabled), Some(running)) => running < enabled,
            _ => false,
        };
        (!self.broken && !shared).then(|| read.count())
    }
}
