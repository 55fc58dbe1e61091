//! What measuring costs itself: a KEM that does nothing, measured as any other.

use super::buffers::Buffers;
use super::library::KemLibrary;
use super::session::Stop;
use super::trial::{Order, now, open_counter, time_calls};
use crate::counter::{Counts, CycleCounter};
use crate::host::pin_this_thread;
use kemscope_schema::{CycleSource, Operation, Overhead};
use std::time::Duration;

/// Calls of a loop, as many as a trial has at most.
const CALLS: u64 = 20_000;
/// Loops; their median counts, because other programs interrupt some.
const LOOPS: usize = 21;
/// Readings of the clock.
const READINGS: usize = 4000;

/// Measures loop, clock and counter on a CPU, in a thread pinned to it. Takes some ten milliseconds.
///
/// # Errors
/// If there is no such CPU, clock or counter, in a sentence.
pub fn measure(source: Option<CycleSource>, cpu: u32) -> Result<Overhead, String> {
    let probe = std::thread::Builder::new()
        .spawn(move || {
            pin_this_thread(cpu).map_err(|e| format!("cannot pin to CPU {cpu}: {}", e.desc()))?;
            on_this_thread(source, cpu).map_err(Stop::into_message)
        })
        .map_err(|e| format!("cannot start a thread: {e}"))?;
    probe
        .join()
        .unwrap_or_else(|_| Err("the probing thread ended early".to_owned()))
}

fn on_this_thread(source: Option<CycleSource>, cpu: u32) -> Result<Overhead, Stop> {
    let library = KemLibrary::empty();
    let mut buffers = library.buffers().map_err(Stop::harness)?;
    let mut counter = open_counter(source, Some(cpu))?;
    let mut of = |iterations| -> Result<Loops, Stop> {
        let order = Order::bare(Operation::Dec, iterations);
        Loops::run(&library, &mut buffers, &order, counter.as_deref_mut())
    };
    // The first loops meet cold caches.
    of(CALLS)?;
    let (calls, nothing) = (of(CALLS)?, of(0)?);
    let (clock_read_seconds, clock_step_seconds) = clock()?;
    let per_call = |all: f64| all / CALLS as f64;
    let counted = source.filter(|_| calls.cycles().is_some());
    Ok(Overhead {
        empty_call_seconds: per_call(calls.seconds()),
        empty_call_cycles: calls.cycles().map(per_call),
        empty_call_instructions: calls.instructions().map(per_call),
        cycle_source: counted,
        clock_read_seconds,
        clock_step_seconds,
        empty_trial_cycles: nothing.cycles(),
        empty_trial_seconds: nothing.seconds(),
    })
}

/// Several loops of the same order.
#[derive(Default)]
struct Loops {
    durations: Vec<Duration>,
    counts: Vec<Counts>,
}

impl Loops {
    fn run(
        library: &KemLibrary,
        buffers: &mut Buffers,
        order: &Order,
        mut counter: Option<&mut (dyn CycleCounter + 'static)>,
    ) -> Result<Loops, Stop> {
        let mut loops = Loops::default();
        for _ in 0..LOOPS {
            let timed = time_calls(library, buffers, order, counter.as_deref_mut())?;
            loops.durations.push(timed.duration);
            let counts = counter.as_deref_mut().map(CycleCounter::counts);
            loops.counts.extend(counts);
        }
        Ok(loops)
    }

    fn seconds(&self) -> f64 {
        let seconds = self.durations.iter().map(Duration::as_secs_f64).collect();
        median(seconds).unwrap_or(0.0)
    }

    fn cycles(&self) -> Option<f64> {
        median(
            self.counts
                .iter()
                .filter_map(|c| c.cycles)
                .map(|c| c as f64)
                .collect(),
        )
    }

    fn instructions(&self) -> Option<f64> {
        let counted = self.counts.iter().filter_map(|c| c.instructions);
        median(counted.map(|c| c as f64).collect())
    }
}

/// Duration of one reading of the clock, and its smallest step, in seconds.
fn clock() -> Result<(f64, f64), Stop> {
    let mut readings = Vec::with_capacity(READINGS);
    for _ in 0..READINGS {
        readings.push(now()?);
    }
    let steps: Vec<f64> = readings
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] => Some(b.checked_sub(*a)?.as_secs_f64()),
            _ => None,
        })
        .collect();
    let smallest = steps.iter().copied().filter(|step| *step > 0.0);
    let smallest = smallest.fold(f64::INFINITY, f64::min);
    let whole = match (readings.first(), readings.last()) {
        (Some(first), Some(last)) => last.saturating_sub(*first).as_secs_f64(),
        _ => 0.0,
    };
    let mean = whole / (READINGS - 1) as f64;
    // A coarse clock stands still between steps: then only the mean tells anything.
    let middle = median(steps).filter(|median| *median > 0.0);
    let step = if smallest.is_finite() { smallest } else { 0.0 };
    Ok((middle.unwrap_or(mean), step))
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_operation_takes_next_to_nothing() {
        let cpu = crate::host::allowed_cpus()[0];
        let overhead = measure(None, cpu).unwrap();
        // Even unoptimised and interrupted it is far below any operation of a KEM.
        assert!(overhead.empty_call_seconds < 1e-6, "{overhead:?}");
        assert!(overhead.empty_call_seconds > 0.0, "{overhead:?}");
        assert!(overhead.clock_read_seconds > 0.0, "{overhead:?}");
        assert!(overhead.empty_trial_seconds < overhead.empty_call_seconds * CALLS as f64);
        assert_eq!(
            (overhead.cycle_source, overhead.empty_call_cycles),
            (None, None)
        );
    }

    #[test]
    fn what_cannot_be_had_is_said() {
        let error = measure(None, 100_000).unwrap_err();
        assert!(error.contains("CPU 100000"), "{error}");
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_counter_counts_the_empty_operation_too() {
        let cpu = crate::host::allowed_cpus()[0];
        let overhead = measure(Some(CycleSource::Tsc), cpu).unwrap();
        assert_eq!(overhead.cycle_source, Some(CycleSource::Tsc));
        assert!(overhead.empty_call_cycles.unwrap() < 3000.0, "{overhead:?}");
        assert!(overhead.empty_trial_cycles.unwrap() > 0.0, "{overhead:?}");
    }
}
