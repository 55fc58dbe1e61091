//! Cycle counters, best first: the hardware counter, then on x86 the time-stamp counter, then none.
//!
//! AArch64's `cntvct_el0` is a time base with a rate of its own, not cycles; it is not used.

mod perf;
#[cfg(target_arch = "x86_64")]
mod tsc;

use kemscope_schema::CycleSource;
use serde::{Deserialize, Serialize};

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

/// Tries the hardware counter on a short loop.
pub fn probe_perf() -> PerfAvailability {
    match perf::PerfCounter::open() {
        Ok(mut counter) => {
            counter.start();
            let mut x = 1u64;
            for i in 0..10_000u64 {
                x = std::hint::black_box(x.wrapping_mul(3).wrapping_add(i));
            }
            match counter.stop() {
                Some(cycles) if cycles > 0 => PerfAvailability::Available,
                _ => PerfAvailability::Unavailable {
                    error: "the counter stays at 0".to_owned(),
                },
            }
        }
        Err(error) => PerfAvailability::Unavailable {
            error: errno_name(&error),
        },
    }
}

/// The best source of this host.
pub fn best_source(perf: &PerfAvailability) -> Option<CycleSource> {
    match perf {
        PerfAvailability::Available => Some(CycleSource::Perf),
        PerfAvailability::Unavailable { .. } if cfg!(target_arch = "x86_64") => {
            Some(CycleSource::Tsc)
        }
        PerfAvailability::Unavailable { .. } => None,
    }
}

/// Opens a counter of the given source for the calling thread; `None` where it cannot be had.
pub fn open(source: CycleSource) -> Option<Box<dyn CycleCounter>> {
    match source {
        CycleSource::Perf => perf::PerfCounter::open()
            .ok()
            .map(|c| Box::new(c) as Box<dyn CycleCounter>),
        #[cfg(target_arch = "x86_64")]
        CycleSource::Tsc => Some(Box::new(tsc::TscCounter::default())),
        #[cfg(not(target_arch = "x86_64"))]
        CycleSource::Tsc => None,
        CycleSource::Estimated => None,
    }
}

fn errno_name(error: &std::io::Error) -> String {
    match error.raw_os_error() {
        // The enum's debug form is the errno's name.
        Some(code) => format!("{:?}", nix::errno::Errno::from_raw(code)),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_counter_counts_forward() {
        for source in [CycleSource::Perf, CycleSource::Tsc] {
            let Some(mut counter) = open(source) else {
                continue;
            };
            counter.start();
            let sum: u64 = (0..100_000u64).map(std::hint::black_box).sum();
            std::hint::black_box(sum);
            if let Some(cycles) = counter.stop() {
                assert!(cycles > 1000, "{source:?}: {cycles}");
            }
        }
    }

    #[test]
    fn without_a_hardware_counter_only_x86_has_reference_cycles() {
        let none = PerfAvailability::Unavailable {
            error: "ENOENT".to_owned(),
        };
        let expected = cfg!(target_arch = "x86_64").then_some(CycleSource::Tsc);
        assert_eq!(best_source(&none), expected);
        assert_eq!(
            best_source(&PerfAvailability::Available),
            Some(CycleSource::Perf)
        );
    }
}
