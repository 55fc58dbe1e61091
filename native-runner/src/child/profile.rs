//! Profiled calls: how often an operation calls the symmetric primitives, and how long it is in them.

use super::protocol::{Profiled, Reply};
use super::recorder::Recorder;
use super::session::{Session, Stop};
use super::trial::now;
use kemscope_schema::Operation;
use kemscope_schema::run::FailureKind;
use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The clock's rate is taken over at least so long.
const RATE_TIME: Duration = Duration::from_millis(20);

/// What to profile.
pub struct Order {
    /// The operation.
    pub operation: Operation,
    /// Most operations to profile.
    pub operations: u64,
    /// After this time no further operation is begun; one is always profiled.
    pub at_most: Duration,
    /// Calls before them.
    pub warmups: u64,
}

/// Profiles an operation, on the inputs that it is timed on.
pub fn run(session: &mut Session<'_>, order: &Order) -> Result<Reply, Stop> {
    let operation = order.operation;
    let recorder = session
        .library
        .recorder()
        .map_err(|message| Stop::of(FailureKind::LoadFail, message))?;
    session.set_up(operation)?;
    for _ in 0..order.warmups {
        session.checked_call(operation)?;
    }
    session.announce(operation)?;
    let cost = recorder.cost();
    let cpu_begin = cpu_time()?;
    let (begin, first_tick) = (now()?, recorder.now());
    let (mut operations, mut total_ticks, mut code) = (0, 0_u64, 0);
    recorder.record(true);
    while operations == 0
        || (operations < order.operations && elapsed_since(begin)? < order.at_most)
    {
        let before = recorder.now();
        code |= session.call(operation);
        // Under emulators the clock can step back.
        total_ticks += recorder.now().saturating_sub(before);
        operations += 1;
    }
    recorder.record(false);
    let seconds = elapsed_since(begin)?.as_secs_f64();
    let cpu_seconds = cpu_time()?.saturating_sub(cpu_begin).as_secs_f64();
    session.check(operation, code)?;
    Ok(Reply::Profile(Profiled {
        operations,
        total_ticks,
        seconds,
        cpu_seconds,
        tick_source: recorder.source(),
        tick_hz: rate(&recorder, begin, first_tick)?,
        tick_cost: cost,
        rows: recorder.rows(),
    }))
}

fn elapsed_since(begin: Duration) -> Result<Duration, Stop> {
    Ok(now()?.saturating_sub(begin))
}

/// Processor time of this thread.
fn cpu_time() -> Result<Duration, Stop> {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)
        .map(Duration::from)
        .map_err(|e| Stop::harness(format!("CLOCK_THREAD_CPUTIME_ID: {}", e.desc())))
}

/// Ticks per second since `begin`, when the clock showed `first_tick`.
fn rate(recorder: &Recorder, begin: Duration, first_tick: u64) -> Result<f64, Stop> {
    while elapsed_since(begin)? < RATE_TIME {
        std::hint::spin_loop();
    }
    let (time, ticks) = (elapsed_since(begin)?, recorder.now());
    Ok(ticks.saturating_sub(first_tick) as f64 / time.as_secs_f64())
}
