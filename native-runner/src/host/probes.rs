//! What has to be tried out on a host instead of being read.

use crate::counter::{self, PerfAvailability};
use kemscope_schema::{CycleSource, Overhead};

/// What trying out showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Probes {
    /// Whether the hardware counter can be had.
    pub perf: PerfAvailability,
    /// The clock in hertz that a busy loop showed, where it was steady.
    pub clock_hz: Option<f64>,
    /// What measuring costs, or why that could not be measured; `None` where nobody tried.
    pub overhead: Option<Result<Overhead, String>>,
}

impl Probes {
    /// Of the hardware counter alone.
    pub fn of_counter(perf: PerfAvailability) -> Probes {
        Probes {
            perf,
            clock_hz: None,
            overhead: None,
        }
    }

    /// Tries counter and clock of a CPU.
    pub fn try_out(cpu: u32) -> Probes {
        Probes {
            perf: counter::probe_perf(cpu),
            clock_hz: counter::measure_clock(cpu),
            overhead: None,
        }
    }

    /// The best cycle source; an emulated processor has no clock to estimate with.
    pub fn cycle_source(&self, constant_tsc: bool, emulated: bool) -> Option<CycleSource> {
        let has_clock = self.clock_hz.is_some() && !emulated;
        counter::best_source(&self.perf, constant_tsc, has_clock)
    }
}
