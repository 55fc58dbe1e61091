//! The x86 time-stamp counter: reference cycles at a constant rate, not core cycles.

use super::{Counts, CycleCounter};
use std::arch::x86_64::{_mm_lfence, _rdtsc};

/// Reads the time-stamp counter at both ends.
#[derive(Default)]
pub struct TscCounter {
    begin: u64,
    end: u64,
}

impl CycleCounter for TscCounter {
    fn start(&mut self) {
        self.begin = fenced_ticks();
    }

    fn stop(&mut self) {
        self.end = fenced_ticks();
    }

    fn counts(&mut self) -> Counts {
        Counts {
            cycles: self.end.checked_sub(self.begin),
            ..Counts::default()
        }
    }
}

/// The counter after everything before has ended and before anything after begins. RDTSCP would spare
/// the first fence, but some virtual machines mask it.
fn fenced_ticks() -> u64 {
    // SAFETY: LFENCE (SSE2) and RDTSC belong to every x86-64 processor and touch no memory. A kernel
    // that forbids user programs to read the counter (PR_SET_TSC) answers with SIGSEGV, which ends this
    // process and is reported; nothing is undefined.
    unsafe {
        _mm_lfence();
        let ticks = _rdtsc();
        _mm_lfence();
        ticks
    }
}
