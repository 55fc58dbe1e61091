//! Cycles as time multiplied with the clock that a busy loop shows just before and after.

use super::clock;
use super::{Counts, CycleCounter};
use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Takes the time, and the core's clock at both ends.
pub struct Estimate {
    before: Option<f64>,
    begin: Option<Duration>,
    end: Option<Duration>,
}

impl Estimate {
    /// Measures the clock of the core that the calling thread is pinned to.
    pub fn open() -> Estimate {
        Estimate {
            before: clock::measure(),
            begin: None,
            end: None,
        }
    }
}

fn now() -> Option<Duration> {
    clock_gettime(ClockId::CLOCK_MONOTONIC_RAW)
        .ok()
        .map(Duration::from)
}

impl CycleCounter for Estimate {
    fn start(&mut self) {
        self.begin = now();
    }

    fn stop(&mut self) {
        self.end = now();
    }

    fn counts(&mut self) -> Counts {
        let after = clock::measure();
        let clock_hz = clock::same(self.before, after);
        // What comes next begins where this ended.
        self.before = after;
        Counts {
            cycles: cycles(self.begin, self.end, clock_hz),
            instructions: None,
            clock_hz,
        }
    }
}

fn cycles(begin: Option<Duration>, end: Option<Duration>, clock_hz: Option<f64>) -> Option<u64> {
    let elapsed = end?.checked_sub(begin?)?;
    Some((elapsed.as_secs_f64() * clock_hz?).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_times_clock() {
        let at = |ms| Some(Duration::from_millis(ms));
        assert_eq!(cycles(at(1000), at(1500), Some(2.4e9)), Some(1_200_000_000));
        assert_eq!(cycles(at(1000), at(1500), None), None);
        assert_eq!(cycles(at(1000), None, Some(2.4e9)), None);
    }
}
