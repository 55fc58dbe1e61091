//! Timed calls.

use super::protocol::{Measured, Reply};
use super::session::{Session, Stop};
use crate::counter::{self, CycleCounter};
use kemscope_schema::{CycleSource, Operation};
use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::time::{ClockId, clock_gettime};
use std::ffi::c_int;
use std::time::Duration;

/// What to time.
pub struct Order {
    /// The operation.
    pub operation: Operation,
    /// Timed calls.
    pub iterations: u64,
    /// Calls before them.
    pub warmups: u64,
    /// What to count cycles with.
    pub cycle_source: Option<CycleSource>,
    /// The CPU that this process is pinned to.
    pub cpu: Option<u32>,
}

/// Times one call.
pub fn calibrate(session: &mut Session<'_>, operation: Operation) -> Result<Reply, Stop> {
    session.set_up(operation)?;
    session.announce(operation)?;
    let begin = now()?;
    let code = session.call(operation);
    let seconds = since(begin)?.as_secs_f64();
    session.check(operation, code)?;
    Ok(Reply::Calibration { seconds })
}

/// Times many calls in one loop.
pub fn run(
    session: &mut Session<'_>,
    order: &Order,
    baseline_rss_bytes: Option<u64>,
) -> Result<Reply, Stop> {
    let operation = order.operation;
    session.set_up(operation)?;
    for _ in 0..order.warmups {
        session.checked_call(operation)?;
    }
    session.announce(operation)?;
    let mut counter = open_counter(order)?;
    let before = usage()?;
    let timed = time_calls(session, order, counter.as_deref_mut())?;
    let after = usage()?;
    session.check(operation, timed.code)?;
    Ok(Reply::Trial(Measured {
        measurements: order.iterations,
        seconds: timed.duration.as_secs_f64(),
        cycles: timed.cycles,
        cycle_source: timed.cycles.and(order.cycle_source),
        baseline_rss_bytes,
        peak_rss_bytes: resident_bytes("VmHWM"),
        voluntary_context_switches: grown(&before, &after, Usage::voluntary_context_switches),
        involuntary_context_switches: grown(&before, &after, Usage::involuntary_context_switches),
        minor_page_faults: grown(&before, &after, Usage::minor_page_faults),
        major_page_faults: grown(&before, &after, Usage::major_page_faults),
    }))
}

/// The counter that was asked for. Doing without it would leave cycles open and nobody would know why.
fn open_counter(order: &Order) -> Result<Option<Box<dyn CycleCounter>>, Stop> {
    let Some(source) = order.cycle_source else {
        return Ok(None);
    };
    let opened = counter::open(source, order.cpu);
    opened.map(Some).map_err(|error| {
        let name = source.name();
        Stop::harness(format!("the cycle counter `{name}` cannot be had: {error}"))
    })
}

struct Timed {
    duration: Duration,
    cycles: Option<u64>,
    /// All return values, or-ed: zero only if all were.
    code: c_int,
}

fn time_calls(
    session: &mut Session<'_>,
    order: &Order,
    counter: Option<&mut (dyn CycleCounter + 'static)>,
) -> Result<Timed, Stop> {
    let (library, buffers) = (&session.library, &mut session.buffers);
    // One loop per operation, so that nothing but the call stands in it.
    match order.operation {
        Operation::Keygen => loop_of(order.iterations, counter, || library.keygen(buffers)),
        Operation::Enc => loop_of(order.iterations, counter, || library.enc(buffers)),
        Operation::Dec => loop_of(order.iterations, counter, || library.dec(buffers)),
    }
}

fn loop_of(
    iterations: u64,
    mut counter: Option<&mut (dyn CycleCounter + 'static)>,
    mut call: impl FnMut() -> c_int,
) -> Result<Timed, Stop> {
    let mut code = 0;
    if let Some(counter) = counter.as_deref_mut() {
        counter.start();
    }
    let begin = now()?;
    for _ in 0..iterations {
        code |= call();
    }
    let duration = since(begin)?;
    let cycles = counter.and_then(|c| c.stop());
    Ok(Timed {
        duration,
        cycles,
        code,
    })
}

/// CLOCK_MONOTONIC_RAW: not slewed by time synchronisation.
fn now() -> Result<Duration, Stop> {
    clock_gettime(ClockId::CLOCK_MONOTONIC_RAW)
        .map(Duration::from)
        .map_err(|e| Stop::harness(format!("CLOCK_MONOTONIC_RAW: {}", e.desc())))
}

/// Time since an earlier moment. No call takes no time: a clock that stood still or ran backwards is broken, and
/// there is no figure.
fn since(begin: Duration) -> Result<Duration, Stop> {
    now()?
        .checked_sub(begin)
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| Stop::harness("the clock did not advance (CLOCK_MONOTONIC_RAW)".to_owned()))
}

fn usage() -> Result<Usage, Stop> {
    getrusage(UsageWho::RUSAGE_SELF).map_err(|e| Stop::harness(format!("getrusage: {}", e.desc())))
}

fn grown<T: TryInto<i64>>(before: &Usage, after: &Usage, field: impl Fn(&Usage) -> T) -> u64 {
    let value = |usage| field(usage).try_into().unwrap_or(0);
    u64::try_from(value(after) - value(before)).unwrap_or(0)
}

/// A size of `/proc/self/status` (`VmRSS`, `VmHWM`) in bytes.
pub fn resident_bytes(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    parse_status(&status, field)
}

fn parse_status(status: &str, field: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::child::protocol::Event;
    use kemscope_schema::run::FailureKind;

    #[test]
    fn status_sizes_are_kib() {
        let status = "VmPeak:\t  9000 kB\nVmHWM:\t    1476 kB\nVmRSS:\t 1412 kB\n";
        assert_eq!(parse_status(status, "VmHWM"), Some(1476 * 1024));
        assert_eq!(parse_status(status, "VmSwap"), None);
    }

    #[test]
    fn a_loop_makes_every_call_and_keeps_the_worst_code() {
        let mut calls = 0;
        let timed = loop_of(7, None, || {
            calls += 1;
            if calls == 3 { 4 } else { 0 }
        });
        let timed = timed.unwrap_or_else(|_| panic!("the clock failed"));
        assert_eq!((calls, timed.code), (7, 4));
    }

    #[test]
    fn a_counter_that_cannot_be_had_is_no_missing_figure() {
        let order = |cycle_source| Order {
            operation: Operation::Enc,
            iterations: 1,
            warmups: 0,
            cycle_source,
            cpu: Some(0),
        };
        assert!(open_counter(&order(None)).is_ok_and(|counter| counter.is_none()));
        let stop = open_counter(&order(Some(CycleSource::Estimated))).err();
        let event = stop.unwrap().into_event();
        let Event::Failed { kind, message, .. } = event else {
            panic!("no failure");
        };
        assert_eq!(kind, FailureKind::Harness);
        assert!(message.contains("`estimated` cannot be had"), "{message}");
    }
}
