//! Cycle counters, best first: the hardware counter, then on x86 the time-stamp counter, then none.
//!
//! AArch64's `cntvct_el0` is a time base with a rate of its own, not cycles; it is not used.

mod perf;
#[cfg(target_arch = "x86_64")]
mod tsc;

use kemscope_schema::CycleSource;
use serde::{Deserialize, Serialize};
use std::io;

/// Counts cycles between two moments of one process.
pub trait CycleCounter {
    /// Begins to count.
    fn start(&mut self);
    /// Cycles since [`CycleCounter::start`]; `None` where the count cannot be relied on.
    fn stop(&mut self) -> Option<u64>;
}

/// Whether the hardware counter can be had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub enum PerfAvailability {
    /// It counts.
    Available,
    /// It does not.
    Unavailable {
        /// Name of the error, for example `ENOENT`.
        error: String,
    },
}

/// Tries the hardware counter of a CPU on a short loop, in a thread pinned to it.
pub fn probe_perf(cpu: u32) -> PerfAvailability {
    let probe = std::thread::Builder::new().spawn(move || count_a_loop(cpu));
    let counted = probe.and_then(|thread| {
        let gone = |_| io::Error::other("the probing thread ended early");
        thread.join().map_err(gone)?
    });
    match counted {
        Ok(Some(cycles)) if cycles > 0 => PerfAvailability::Available,
        Ok(Some(_)) => PerfAvailability::Unavailable {
            error: "the counter stays at 0".to_owned(),
        },
        Ok(None) => PerfAvailability::Unavailable {
            error: "the counter is taken by other programs".to_owned(),
        },
        Err(error) => PerfAvailability::Unavailable {
            error: errno_name(&error),
        },
    }
}

fn count_a_loop(cpu: u32) -> io::Result<Option<u64>> {
    crate::host::pin_this_thread(cpu)?;
    let mut counter = perf::PerfCounter::open(Some(cpu))?;
    counter.start();
    let mut x = 1u64;
    for i in 0..10_000u64 {
        x = std::hint::black_box(x.wrapping_mul(3).wrapping_add(i));
    }
    Ok(counter.stop())
}

/// The best source of a host: the hardware counter, else a time-stamp counter that runs at a constant
/// rate, which `constant_tsc` says of it.
pub fn best_source(perf: &PerfAvailability, constant_tsc: bool) -> Option<CycleSource> {
    match perf {
        PerfAvailability::Available => Some(CycleSource::Perf),
        PerfAvailability::Unavailable { .. } => constant_tsc.then_some(CycleSource::Tsc),
    }
}

/// Opens a counter of the given source for the calling thread on `cpu`.
///
/// # Errors
/// If this machine or the kernel does not give it, by the kernel's own word where there is one.
pub fn open(source: CycleSource, cpu: Option<u32>) -> Result<Box<dyn CycleCounter>, String> {
    match source {
        CycleSource::Perf => match perf::PerfCounter::open(cpu) {
            Ok(counter) => Ok(Box::new(counter)),
            Err(error) => Err(format!("perf_event_open: {}", errno_name(&error))),
        },
        #[cfg(target_arch = "x86_64")]
        CycleSource::Tsc => Ok(Box::new(tsc::TscCounter::default())),
        #[cfg(not(target_arch = "x86_64"))]
        CycleSource::Tsc => Err("only x86-64 has a time-stamp counter".to_owned()),
        CycleSource::Estimated => Err("estimates are not counted".to_owned()),
    }
}

fn errno_name(error: &io::Error) -> String {
    match error.raw_os_error() {
        // The enum's debug form is the errno's name.
        Some(code) => format!("{:?}", nix::errno::Errno::from_raw(code)),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env::consts::ARCH;

    #[test]
    fn an_open_counter_counts_forward() {
        let cpu = crate::host::allowed_cpus()[0];
        crate::host::pin_this_thread(cpu).unwrap();
        for source in [CycleSource::Perf, CycleSource::Tsc] {
            let mut counter = match open(source, Some(cpu)) {
                Ok(counter) => counter,
                // Every x86-64 machine has the time-stamp counter; hardware counters may be hidden.
                Err(error) => {
                    assert_ne!((source, ARCH), (CycleSource::Tsc, "x86_64"), "{error}");
                    continue;
                }
            };
            counter.start();
            let sum: u64 = (0..100_000u64).map(std::hint::black_box).sum();
            std::hint::black_box(sum);
            match counter.stop() {
                Some(cycles) => assert!(cycles > 1000, "{source:?}: {cycles}"),
                None => assert_eq!(source, CycleSource::Perf, "other programs share it"),
            }
        }
    }

    #[test]
    fn no_cpu_no_counter() {
        let PerfAvailability::Unavailable { error } = probe_perf(100_000) else {
            panic!("there is no such CPU");
        };
        assert_eq!(error, "EINVAL");
    }

    #[test]
    fn without_a_hardware_counter_only_a_constant_time_stamp_counter_will_do() {
        let none = PerfAvailability::Unavailable {
            error: "ENOENT".to_owned(),
        };
        assert_eq!(best_source(&none, true), Some(CycleSource::Tsc));
        assert_eq!(best_source(&none, false), None);
        let perf = best_source(&PerfAvailability::Available, false);
        assert_eq!(perf, Some(CycleSource::Perf));
    }
}
