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
    /// Opens the counter: kernel and hypervisor are excluded, so that `perf_event_paranoid` 2 suffices.
    pub fn open() -> io::Result<PerfCounter> {
        let counter = Builder::new(Hardware::CPU_CYCLES)
            .exclude_kernel(true)
            .exclude_hv(true)
            .build()?;
        Ok(PerfCounter {
            counter,
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
        // A counter that had to share the hardware saw only a part.
        let shared = match (read.time_enabled(), read.time_running()) {
            (Some(enabled), Some(running)) => running < enabled,
            _ => false,
        };
        (!self.broken && !shared).then(|| read.count())
    }
}
