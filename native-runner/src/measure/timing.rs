//! The course of one operation's timing.

use super::plan::{plan, same_work};
use crate::child::protocol::{Measured, Reply, Task};
use crate::executor::{ExecuteError, Execution, Executor, Target, unexpected};
use kemscope_schema::run::{Disturbance, Failure, Plan, RunMethod, Trial};
use kemscope_schema::{CycleSource, Operation, PlanKind};
use std::time::Duration;

/// How often a disturbed trial is repeated.
const RETRIES: u32 = 2;

/// What holds for all operations of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Published method, quick impression, or until an interval is narrow enough.
    pub kind: PlanKind,
    /// Choices that go with it.
    pub method: RunMethod,
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
    /// Trials of an interrupted run and the plan that they followed, if there are any. They count where
    /// the present plan asks for the same work.
    pub kept: Option<(Plan, Vec<Trial>)>,
    /// How long an exchange took: a trial needs as much before its own calls.
    pub set_up_seconds: f64,
}

/// Times an operation. `observe` hears of the plan and of every finished trial; its error ends the work.
///
/// A library's failure ends the operation and is part of the result; only what keeps the runner itself
/// from working is an error.
pub fn time_operation<E: From<ExecuteError>>(
    executor: &mut dyn Executor,
    mut timing: Timing<'_>,
    observe: &mut dyn FnMut(&Timed) -> Result<(), E>,
) -> Result<Timed, E> {
    let kept = timing.kept.take();
    let timing = &timing;
    let mut timed = Timed::default();
    let seconds = match timing.calibrated {
        Some(seconds) => seconds,
        None => match calibrate(
            executor,
            timing.target,
            timing.operation,
            timing.settings.call_timeout,
        )? {
            Ok(seconds) => seconds,
            Err(failure) => {
                timed.failure = Some(failure);
                return Ok(timed);
            }
        },
    };
    let plan = plan(
        timing.settings.kind,
        &timing.settings.method,
        seconds,
        timing.set_up_seconds,
    );
    timed.calibration_seconds = Some(seconds);
    timed.plan = Some(plan);
    if let Some((earlier, trials)) = kept
        && same_work(&earlier, &plan)
    {
        timed.trials = trials;
    }
    observe(&timed)?;
    while plan.end(&timed.trials).is_none() {
        let number = seed_number(&plan, timed.trials.len());
        match undisturbed_trial(executor, timing, &plan, number)? {
            Ok(trial) => timed.trials.push(trial),
            Err(failure) => {
                timed.failure = Some(failure);
                return Ok(timed);
            }
        }
        observe(&timed)?;
    }
    Ok(timed)
}

/// Duration of one call of an operation in a process of its own, in seconds. `call_timeout` is what a single call
/// gets.
///
/// # Errors
/// Only what keeps the runner itself from working; a library's failure is a result.
pub fn calibrate(
    executor: &mut dyn Executor,
    target: &Target,
    operation: Operation,
    call_timeout: Duration,
) -> Result<Result<f64, Failure>, ExecuteError> {
    let task = Task::Calibrate { operation };
    // Decapsulation needs two other calls before its own.
    let execution = executor.execute(target, &task, call_timeout * 3)?;
    Ok(match execution.outcome {
        Ok(Reply::Calibration { seconds }) => Ok(seconds),
        Ok(other) => Err(unexpected(&target.label, Some(operation), &other)),
        Err(failure) => Err(failure),
    })
}

/// By the published method all trials see the same random bytes. An adaptive plan's few calls per trial would then
/// be the same few keys over and over: there each trial has its own, and the interval covers what differs between
/// keys.
fn seed_number(plan: &Plan, trials: usize) -> u64 {
    match plan.kind {
        PlanKind::Published | PlanKind::Quick => 0,
        PlanKind::Adaptive => trials as u64,
    }
}

/// A trial, repeated while it is disturbed and repeats are left. The last one counts, and says so if it
/// is disturbed too.
fn undisturbed_trial(
    executor: &mut dyn Executor,
    timing: &Timing<'_>,
    plan: &Plan,
    seed_number: u64,
) -> Result<Result<Trial, Failure>, ExecuteError> {
    let settings = timing.settings;
    let most = if settings.method.keep_disturbed {
        0
    } else {
        RETRIES
    };
    let mut given_up = GivenUp::default();
    loop {
        let mut trial = match single_trial(executor, timing, plan, seed_number)? {
            Ok(trial) => trial,
            Err(failure) => return Ok(Err(failure)),
        };
        trial.disturbance = trial.disturbances(settings.cycle_source, settings.fixed_clock_hz);
        if given_up.attempts == most || trial.disturbance.is_empty() {
            return Ok(Ok(given_up.count_into(trial)));
        }
        given_up.add(&trial);
    }
}

/// Attempts at a trial that were disturbed and are repeated.
#[derive(Default)]
struct GivenUp {
    attempts: u32,
    causes: Vec<Disturbance>,
    seconds: f64,
}

impl GivenUp {
    fn add(&mut self, trial: &Trial) {
        self.attempts += 1;
        self.causes.extend(&trial.disturbance);
        self.causes.sort_unstable();
        self.causes.dedup();
        self.seconds += trial.wall_seconds;
    }

    /// The attempt that counts, with what went before.
    fn count_into(self, mut trial: Trial) -> Trial {
        trial.disturbed = !trial.disturbance.is_empty();
        trial.disturbed_retries = self.attempts;
        trial.retry_seconds = (self.attempts > 0).then_some(self.seconds);
        trial.retry_causes = self.causes;
        trial
    }
}

fn single_trial(
    executor: &mut dyn Executor,
    timing: &Timing<'_>,
    plan: &Plan,
    seed_number: u64,
) -> Result<Result<Trial, Failure>, ExecuteError> {
    let task = Task::Trial {
        operation: timing.operation,
        iterations: plan.iterations,
        warmups: plan.warmups,
        cycle_source: timing.settings.cycle_source,
        seed_number,
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
        Ok(other) => {
            let label = &timing.target.label;
            return Ok(Err(unexpected(label, Some(timing.operation), &other)));
        }
        Err(failure) => return Ok(Err(failure)),
    };
    Ok(Ok(Trial {
        measurements: measured.measurements,
        seconds: measured.seconds,
        cycles: measured.cycles,
        cycle_source: measured.cycle_source,
        instructions: measured.instructions,
        clock_hz: measured.clock_hz,
        cpu_seconds: measured.cpu_seconds,
        baseline_rss_bytes: measured.baseline_rss_bytes,
        peak_rss_bytes: measured.peak_rss_bytes,
        voluntary_context_switches: measured.voluntary_context_switches,
        involuntary_context_switches: measured.involuntary_context_switches,
        minor_page_faults: measured.minor_page_faults,
        major_page_faults: measured.major_page_faults,
        warmup_minor_page_faults: measured.warmup_minor_page_faults,
        migrations: measured.migrations,
        throttle_events: measured.throttle_events,
        seed_number,
        cpu: timing.target.cpu,
        started_utc,
        wall_seconds,
        disturbed_retries: 0,
        retry_causes: Vec::new(),
        retry_seconds: None,
        disturbed: false,
        disturbance: Vec::new(),
        command,
    }))
}

#[cfg(test)]
#[path = "timing_tests.rs"]
mod tests;
