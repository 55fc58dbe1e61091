//! The x86 time-stamp counter: reference cycles at a constant rate, not core cycles.

use super::CycleCounter;
use std::arch::x86_64::{__rdtscp, _mm_lfence, _rdtsc};

/// Reads the time-stamp counter at both ends.
#[derive(Default)]
pub struct TscCounter {
    begin: u64,
}

impl CycleCounter for TscCounter {
    fn start(&mut self) {
        // SAFETY: LFENCE and RDTSC are part of every x86-64 processor (SSE2) and touch no memory.
        self.begin = unsafe {
            _mm_lfence();
            let ticks = _rdtsc();
            _mm_lfence();
            ticks
        };
    }

    fn stop(&mut self) -> Option<u64> {
        let mut processor = 0u32;
        // SAFETY: RDTSCP writes to the given variable alone; every x86-64 processor since 2008 has it.
        let end = unsafe {
            let ticks = __rdtscp(&mut processor);
            _mm_lfence();
            ticks
        };
        end.checked_sub(self.begin)
    }
}
