//! The course of one operation's timing.

use super::plan::plan;
use crate::child::protocol::{Measured, Reply, Task};
use crate::executor::{ExecuteError, Execution, Executor, Target};
use kemscope_schema::run::{Failure, FailureKind, Plan, Trial};
use kemscope_schema::{CycleSource, Operation, PlanKind};
use std::time::Duration;

/// A trial below this fraction of the fixed clock was disturbed.
const UNDISTURBED_FRACTION: f64 = 0.95;
/// How often a disturbed trial is repeated.
const RETRIES: u32 = 2;

/// What holds for all operations of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Published method or quick impression.
    pub kind: PlanKind,
    /// What to count cycles with.
    pub cycle_source: Option<CycleSource>,
    /// The clock in hertz, where it is held.
    pub fixed_clock_hz: Option<f64>,
    /// A single call that takes longer is ended.
    pub call_timeout: Duration,
}

/// What came of timing an operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timed {
    /// Duration of the calibration call in seconds.
    pub calibration_seconds: Option<f64>,
    /// The plan made from it.
    pub plan: Option<Plan>,
    /// The trials, as many as went well.
    pub trials: Vec<Trial>,
    /// What stopped it.
    pub failure: Option<Failure>,
}

/// One operation to be timed.
pub struct Timing<'a> {
    /// The library.
    pub target: &'a Target,
    /// The operation.
    pub operation: Operation,
    /// What holds for the run.
    pub settings: &'a Settings,
    /// Time of day for the records.
    pub now_utc: &'a dyn Fn() -> String,
    /// Duration of an earlier calibration call in seconds, if there was one.
    pub calibrated: Option<f64>,
}

/// Times an operation. `observe` hears of the plan and of every finished trial.
///
/// A library's failure ends the operation and is part of the result; only what keeps the runner itself
/// from working is an error.
pub fn time_operation(
    executor: &mut dyn Executor,
    timing: &Timing<'_>,
    observe: &mut dyn FnMut(&Timed),
) -> Result<Timed, ExecuteError> {
    let mut timed = Timed::default();
    let seconds = match timing.calibrated {
        Some(seconds) => seconds,
        None => match calibrate(executor, timing)? {
            Ok(seconds) => seconds,
            Err(failure) => {
                timed.failure = Some(failure);
                return Ok(timed);
            }
        },
    };
    let plan = plan(timing.settings.kind, seconds);
    timed.calibration_seconds = Some(seconds);
    timed.plan = Some(plan);
    observe(&timed);
    for _ in 0..plan.trials {
        match undisturbed_trial(executor, timing, &plan)? {
            Ok(trial) => timed.trials.push(trial),
            Err(failure) => {
                timed.failure = Some(failure);
                return Ok(timed);
            }
        }
        observe(&timed);
    }
    Ok(timed)
}

fn calibrate(
    executor: &mut dyn Executor,
    timing: &Timing<'_>,
) -> Result<Result<f64, Failure>, ExecuteError> {
    let task = Task::Calibrate {
        operation: timing.operation,
    };
    // Decapsulation needs two other calls before its own.
    let timeout = timing.settings.call_timeout * 3;
    let execution = executor.execute(timing.target, &task, timeout)?;
    Ok(match execution.outcome {
        Ok(Reply::Calibration { seconds }) => Ok(seconds),
        Ok(other) => Err(unexpected(timing, &other)),
        Err(failure) => Err(failure),
    })
}

/// A trial, repeated while the clock was too low and repeats are left. The last one counts.
fn undisturbed_trial(
    executor: &mut dyn Executor,
    timing: &Timing<'_>,
    plan: &Plan,
) -> Result<Result<Trial, Failure>, ExecuteError> {
    let mut retries = 0;
    loop {
        let trial = match single_trial(executor, timing, plan, retries)? {
            Ok(trial) => trial,
            Err(failure) => return Ok(Err(failure)),
        };
        if retries == RETRIES || !disturbed(&trial, timing.settings.fixed_clock_hz) {
            return Ok(Ok(trial));
        }
        retries += 1;
    }
}

/// Whether the core ran slower than its fixed clock; unknown counts as undisturbed.
fn disturbed(trial: &Trial, fixed_clock_hz: Option<f64>) -> bool {
    match (trial.cycle_source, trial.cycles, fixed_clock_hz) {
        (Some(CycleSource::Perf), Some(cycles), Some(fixed)) if trial.seconds > 0.0 => {
            (cycles as f64) / trial.seconds < UNDISTURBED_FRACTION * fixed
        }
        _ => false,
    }
}

fn single_trial(
    executor: &mut dyn Executor,
    timing: &Timing<'_>,
    plan: &Plan,
    disturbed_retries: u32,
) -> Result<Result<Trial, Failure>, ExecuteError> {
    let task = Task::Trial {
        operation: timing.operation,
        iterations: plan.iterations,
        warmups: plan.warmups,
        cycle_source: timing.settings.cycle_source,
    };
    let started_utc = (timing.now_utc)();
    let timeout = Duration::from_secs_f64(plan.timeout_seconds_per_trial);
    let Execution {
        outcome,
        wall_seconds,
        command,
    } = executor.execute(timing.target, &task, timeout)?;
    let measured: Measured = match outcome {
        Ok(Reply::Trial(measured)) => measured,
        Ok(other) => return Ok(Err(unexpected(timing, &other))),
        Err(failure) => return Ok(Err(failure)),
    };
    Ok(Ok(Trial {
        measurements: measured.measurements,
        seconds: measured.seconds,
        cycles: measured.cycles,
        cycle_source: measured.cycle_source,
        baseline_rss_bytes: measured.baseline_rss_bytes,
        peak_rss_bytes: measured.peak_rss_bytes,
        voluntary_context_switches: measured.voluntary_context_switches,
        involuntary_context_switches: measured.involuntary_context_switches,
        minor_page_faults: measured.minor_page_faults,
        major_page_faults: measured.major_page_faults,
        cpu: timing.target.cpu,
        started_utc,
        wall_seconds,
        disturbed_retries,
        command,
    }))
}

fn unexpected(timing: &Timing<'_>, reply: &Reply) -> Failure {
    Failure {
        kind: FailureKind::Harness,
        message: format!(
            "{} {}: the measuring process answered another question: {reply:?}",
            timing.target.label, timing.operation
        ),
        operation: Some(timing.operation),
        signal: None,
        return_code: None,
        stderr: None,
    }
}

#[cfg(test)]
#[path = "timing_tests.rs"]
mod tests;
