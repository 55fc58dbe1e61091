//! Timed calls.

use super::buffers::Buffers;
use super::library::KemLibrary;
use super::protocol::{Measured, Reply};
use super::session::{Session, Stop};
use crate::counter::{self, Counts, CycleCounter, MigrationWatch};
use crate::drbg;
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
    /// Number of the seed.
    pub seed_number: u64,
    /// The CPU that this process is pinned to.
    pub cpu: Option<u32>,
}

impl Order {
    /// Calls alone.
    pub fn bare(operation: Operation, iterations: u64) -> Order {
        Order {
            operation,
            iterations,
            warmups: 0,
            cycle_source: None,
            seed_number: 0,
            cpu: None,
        }
    }
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
    session.set_up_with(operation, &drbg::trial_seed(order.seed_number))?;
    let warmup_minor_page_faults = warm_up(session, order)?;
    session.announce(operation)?;
    let mut counter = open_counter(order.cycle_source, order.cpu)?;
    let mut migrations = MigrationWatch::open();
    let throttled = throttle_events(order.cpu);
    let before = usage()?;
    migrations.start();
    let timed = time_calls(
        &session.library,
        &mut session.buffers,
        order,
        counter.as_deref_mut(),
    )?;
    let migrations = migrations.stop();
    let after = usage()?;
    let throttle_events = match (throttled, throttle_events(order.cpu)) {
        (Some(before), Some(after)) => Some(after.saturating_sub(before)),
        _ => None,
    };
    let peak_rss_bytes = resident_bytes("VmHWM");
    let counts = counter.map_or(Counts::default(), |mut counter| counter.counts());
    session.check(operation, timed.code)?;
    Ok(Reply::Trial(Measured {
        measurements: order.iterations,
        seconds: timed.duration.as_secs_f64(),
        cycles: counts.cycles,
        cycle_source: counts.cycles.and(order.cycle_source),
        instructions: counts.instructions,
        clock_hz: counts.clock_hz,
        cpu_seconds: Some(timed.cpu.as_secs_f64()),
        baseline_rss_bytes,
        peak_rss_bytes,
        voluntary_context_switches: grown(&before, &after, Usage::voluntary_context_switches),
        involuntary_context_switches: grown(&before, &after, Usage::involuntary_context_switches),
        minor_page_faults: grown(&before, &after, Usage::minor_page_faults),
        major_page_faults: grown(&before, &after, Usage::major_page_faults),
        warmup_minor_page_faults,
        migrations,
        throttle_events,
    }))
}

/// Makes the calls before the timed ones; answers how many pages the last of them was missing, which is what
/// the operation itself asks for anew in every call.
fn warm_up(session: &mut Session<'_>, order: &Order) -> Result<Option<u64>, Stop> {
    let mut faults = None;
    for _ in 0..order.warmups {
        let before = usage()?;
        session.checked_call(order.operation)?;
        faults = Some(grown(&before, &usage()?, Usage::minor_page_faults));
    }
    Ok(faults)
}

/// How often the core was throttled since the machine was started, where the kernel counts that.
fn throttle_events(cpu: Option<u32>) -> Option<u64> {
    crate::host::throttle_events(&crate::host::Root::system(), cpu?)
}

/// The counter that was asked for. Doing without it would leave cycles open and nobody would know why.
pub fn open_counter(
    source: Option<CycleSource>,
    cpu: Option<u32>,
) -> Result<Option<Box<dyn CycleCounter>>, Stop> {
    let Some(source) = source else {
        return Ok(None);
    };
    let opened = counter::open(source, cpu);
    opened.map(Some).map_err(|error| {
        let name = source.name();
        Stop::harness(format!("the cycle counter `{name}` cannot be had: {error}"))
    })
}

/// What a loop took.
pub struct Timed {
    /// Time of the calls.
    pub duration: Duration,
    /// Processor time of this process meanwhile.
    pub cpu: Duration,
    /// All return values, or-ed: zero only if all were.
    pub code: c_int,
}

/// Times calls of an operation.
pub fn time_calls(
    library: &KemLibrary,
    buffers: &mut Buffers,
    order: &Order,
    counter: Option<&mut (dyn CycleCounter + 'static)>,
) -> Result<Timed, Stop> {
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
    let cpu_begin = processor_time()?;
    if let Some(counter) = counter.as_deref_mut() {
        counter.start();
    }
    let begin = now()?;
    for _ in 0..iterations {
        code |= call();
    }
    let duration = match iterations {
        // Without a call a coarse clock may well stand still.
        0 => now()?.saturating_sub(begin),
        _ => since(begin)?,
    };
    if let Some(counter) = counter {
        counter.stop();
    }
    Ok(Timed {
        duration,
        cpu: processor_time()?.saturating_sub(cpu_begin),
        code,
    })
}

/// CLOCK_MONOTONIC_RAW: not slewed by time synchronisation.
pub fn now() -> Result<Duration, Stop> {
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

/// Processor time of this process with all its threads: what the calls had of the CPU. Time that a hypervisor or
/// another program took is missing in it.
fn processor_time() -> Result<Duration, Stop> {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)
        .map(Duration::from)
        .map_err(|e| Stop::harness(format!("CLOCK_PROCESS_CPUTIME_ID: {}", e.desc())))
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
    fn processor_time_does_not_run_while_nothing_is_done() {
        let pause = Duration::from_millis(20);
        let timed = loop_of(1, None, || {
            std::thread::sleep(pause);
            0
        });
        let timed = timed.unwrap_or_else(|_| panic!("the clock failed"));
        assert!(timed.duration >= pause, "{:?}", timed.duration);
        assert!(timed.cpu < timed.duration, "{:?}", timed.cpu);
    }

    #[test]
    fn a_counter_that_cannot_be_had_is_no_missing_figure() {
        assert!(open_counter(None, Some(0)).is_ok_and(|counter| counter.is_none()));
        // There is no such CPU, so the hardware counter cannot be had.
        let stop = open_counter(Some(CycleSource::Perf), Some(100_000)).err();
        let event = stop.unwrap().into_event();
        let Event::Failed { kind, message, .. } = event else {
            panic!("no failure");
        };
        assert_eq!(kind, FailureKind::Harness);
        assert!(message.contains("`perf` cannot be had"), "{message}");
    }
}
