//! The hardware counters of core cycles and instructions, user mode only (`perf_event_open`).

use super::{Counts, CycleCounter};
use perf_event::events::{Event, Hardware};
use perf_event::{Builder, Counter, ReadFormat};
use std::io;
use std::time::Duration;

/// Open hardware counters of the calling thread: cycles, and beside them instructions where the processor has
/// a counter to spare.
pub struct PerfCounter {
    /// Cycles; leads the group.
    cycles: Counter,
    instructions: Option<Counter>,
    broken: bool,
}

impl PerfCounter {
    /// Opens the counters for the calling thread while it runs on `cpu`. Kernel and hypervisor are
    /// excluded, so that `perf_event_paranoid` 2 suffices.
    ///
    /// The CPU has to be named: chips with different cores have a counter unit per kind of core, and
    /// the kernel gives an event for any CPU to the first unit, which may be that of other cores.
    ///
    /// # Errors
    /// What `perf_event_open` answers for the cycles.
    pub fn open(cpu: Option<u32>) -> io::Result<PerfCounter> {
        PerfCounter::group(Hardware::CPU_CYCLES, Hardware::INSTRUCTIONS, cpu)
    }

    /// Both events in one group: they count over the very same time. A group that does not get onto the
    /// hardware as a whole, because something else holds a counter, would see nothing at all: then the
    /// first alone.
    fn group(first: impl Event, second: impl Event, cpu: Option<u32>) -> io::Result<PerfCounter> {
        let mut first = builder(first, cpu);
        first.read_format(
            ReadFormat::GROUP
                | ReadFormat::TOTAL_TIME_ENABLED
                | ReadFormat::TOTAL_TIME_RUNNING
                | ReadFormat::ID,
        );
        let mut both = PerfCounter {
            cycles: first.build()?,
            instructions: None,
            broken: false,
        };
        let Ok(second) = builder(second, cpu).build_with_group(&mut both.cycles) else {
            return Ok(both);
        };
        both.instructions = Some(second);
        if both.sees_a_loop() {
            return Ok(both);
        }
        drop(both);
        Ok(PerfCounter {
            cycles: first.build()?,
            instructions: None,
            broken: false,
        })
    }

    fn sees_a_loop(&mut self) -> bool {
        self.start();
        std::hint::black_box((0..1000u64).map(std::hint::black_box).sum::<u64>());
        self.stop();
        self.counts().cycles.is_some()
    }

    fn read(&mut self) -> io::Result<Reading> {
        let data = self.cycles.read_group()?;
        Ok(Reading {
            enabled: data.time_enabled(),
            running: data.time_running(),
            cycles: data.get(&self.cycles).map(|entry| entry.value()),
            instructions: self
                .instructions
                .as_ref()
                .and_then(|counter| data.get(counter))
                .map(|entry| entry.value()),
        })
    }
}

fn builder(event: impl Event, cpu: Option<u32>) -> Builder<'static> {
    let mut builder = Builder::new(event);
    builder.exclude_kernel(true).exclude_hv(true);
    match cpu {
        Some(cpu) => builder.one_cpu(cpu as usize),
        None => builder.any_cpu(),
    };
    builder
}

impl CycleCounter for PerfCounter {
    fn start(&mut self) {
        let started = self
            .cycles
            .reset_group()
            .and_then(|()| self.cycles.enable_group());
        self.broken = started.is_err();
    }

    fn stop(&mut self) {
        self.broken |= self.cycles.disable_group().is_err();
    }

    fn counts(&mut self) -> Counts {
        match self.read() {
            Ok(reading) if !self.broken => reading.counts(),
            _ => Counts::default(),
        }
    }
}

/// What the kernel answers for a group.
#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    /// Time for which the group was to count.
    enabled: Option<Duration>,
    /// Time for which it did.
    running: Option<Duration>,
    cycles: Option<u64>,
    instructions: Option<u64>,
}

impl Reading {
    /// The counts, unless the hardware had to be shared, or the unit is of other cores: then only a part was
    /// seen.
    fn counts(&self) -> Counts {
        let shared = match (self.enabled, self.running) {
            (Some(enabled), Some(running)) => running < enabled,
            _ => false,
        };
        if shared {
            return Counts::default();
        }
        Counts {
            cycles: self.cycles,
            instructions: self.instructions,
            clock_hz: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perf_event::events::Software;

    /// Readings of one second, as kernels answered them on machines with counters.
    #[test]
    fn recorded_readings() {
        let whole = Reading {
            enabled: Some(Duration::from_nanos(1_000_214_003)),
            running: Some(Duration::from_nanos(1_000_214_003)),
            cycles: Some(2_707_912_442),
            instructions: Some(9_411_003_871),
        };
        let counts = whole.counts();
        assert_eq!(counts.cycles, Some(2_707_912_442));
        assert_eq!(counts.instructions, Some(9_411_003_871));
        // Two programs took turns on one counter.
        let shared = Reading {
            running: Some(Duration::from_nanos(498_872_119)),
            ..whole
        };
        assert_eq!(shared.counts(), Counts::default());
        // A unit of the little cores, asked about a big one.
        let never = Reading {
            running: Some(Duration::ZERO),
            cycles: Some(0),
            instructions: Some(0),
            ..whole
        };
        assert_eq!(never.counts(), Counts::default());
        let cycles_alone = Reading {
            instructions: None,
            ..whole
        };
        assert_eq!(cycles_alone.counts().instructions, None);
        assert_eq!(cycles_alone.counts().cycles, whole.cycles);
    }

    /// Events of the kernel stand in for those of the hardware, which virtual machines lack.
    #[test]
    fn a_group_counts_both_events_over_the_same_time() {
        let mut group = match PerfCounter::group(Software::TASK_CLOCK, Software::TASK_CLOCK, None) {
            Ok(group) => group,
            Err(error) => {
                eprintln!("skipped: perf_event_open: {error}");
                return;
            }
        };
        group.start();
        std::hint::black_box((0..2_000_000u64).map(std::hint::black_box).sum::<u64>());
        group.stop();
        let counts = group.counts();
        let (first, second) = (counts.cycles.unwrap(), counts.instructions.unwrap());
        assert!(first > 100_000 && second > 100_000, "{counts:?}");
        assert!(first.abs_diff(second) < first / 2, "{counts:?}");
        // Stopped, it stands still.
        assert_eq!(group.counts(), counts);
        group.start();
        group.stop();
        assert!(group.counts().cycles.unwrap() < first);
    }
}
