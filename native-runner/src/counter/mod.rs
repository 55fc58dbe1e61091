//! Cycle counters, best first: the hardware counter; on x86 the time-stamp counter; on AArch64 an estimate from
//! the clock that a busy loop shows; none.
//!
//! AArch64's `cntvct_el0` is a time base with a rate of its own, not cycles; it is not used.

pub mod clock;
mod estimate;
mod migrations;
mod perf;
#[cfg(target_arch = "x86_64")]
mod tsc;

pub use migrations::MigrationWatch;

use kemscope_schema::CycleSource;
use serde::{Deserialize, Serialize};
use std::io;

/// Counts cycles between two moments of one process.
pub trait CycleCounter {
    /// Begins to count.
    fn start(&mut self);
    /// Ends.
    fn stop(&mut self);
    /// What was counted between the latest [`CycleCounter::start`] and [`CycleCounter::stop`]. May take
    /// milliseconds: to be asked when nothing is measured any more.
    fn counts(&mut self) -> Counts;
}

/// What a counter saw; `None` where there is no count, or none that can be relied on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Cycles.
    pub cycles: Option<u64>,
    /// Instructions.
    pub instructions: Option<u64>,
    /// The clock in hertz that cycles were estimated with.
    pub clock_hz: Option<f64>,
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
    counter.stop();
    Ok(counter.counts().cycles)
}

/// Measures the clock of a CPU, in a thread pinned to it.
pub fn measure_clock(cpu: u32) -> Option<f64> {
    let probe = std::thread::Builder::new().spawn(move || {
        crate::host::pin_this_thread(cpu).ok()?;
        clock::measure()
    });
    probe.ok()?.join().ok()?
}

/// The best source of a host: the hardware counter, else a time-stamp counter that runs at a constant
/// rate, which `constant_tsc` says of it, else an estimate where there is a clock to estimate with.
pub fn best_source(
    perf: &PerfAvailability,
    constant_tsc: bool,
    measured_clock: bool,
) -> Option<CycleSource> {
    match perf {
        PerfAvailability::Available => Some(CycleSource::Perf),
        PerfAvailability::Unavailable { .. } if constant_tsc => Some(CycleSource::Tsc),
        PerfAvailability::Unavailable { .. } => measured_clock.then_some(CycleSource::Estimated),
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
        CycleSource::Estimated => Ok(Box::new(estimate::Estimate::open())),
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
        for source in [CycleSource::Perf, CycleSource::Tsc, CycleSource::Estimated] {
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
            counter.stop();
            match counter.counts().cycles {
                Some(cycles) => assert!(cycles > 1000, "{source:?}: {cycles}"),
                // Other programs share it, or do not leave the clock alone.
                None => assert_ne!(source, CycleSource::Tsc),
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
    fn without_a_hardware_counter_the_next_best_will_do() {
        let none = PerfAvailability::Unavailable {
            error: "ENOENT".to_owned(),
        };
        assert_eq!(best_source(&none, true, true), Some(CycleSource::Tsc));
        let estimated = Some(CycleSource::Estimated);
        assert_eq!(best_source(&none, false, true), estimated);
        assert_eq!(best_source(&none, false, false), None);
        let perf = best_source(&PerfAvailability::Available, false, true);
        assert_eq!(perf, Some(CycleSource::Perf));
    }
}
