//! Decisions of timing, with an executor that answers from a list.

use super::*;
use kemscope_schema::run::{End, FailureKind};
use std::collections::VecDeque;

const HZ: f64 = 2.0e9;

/// Answers in turn, and remembers what was asked.
struct Scripted {
    answers: VecDeque<Result<Reply, Failure>>,
    asked: Vec<Task>,
}

impl Scripted {
    fn new(answers: impl IntoIterator<Item = Result<Reply, Failure>>) -> Scripted {
        Scripted {
            answers: answers.into_iter().collect(),
            asked: vec![],
        }
    }
}

impl Executor for Scripted {
    fn execute(&mut self, _: &Target, task: &Task, _: Duration) -> Result<Execution, ExecuteError> {
        self.asked.push(task.clone());
        match self.answers.pop_front() {
            Some(outcome) => Ok(Execution {
                outcome,
                wall_seconds: 0.1,
                command: vec![],
            }),
            None => Err(ExecuteError::Interrupted),
        }
    }
}

fn calibration(seconds: f64) -> Result<Reply, Failure> {
    Ok(Reply::Calibration { seconds })
}

/// A trial of one second at the given clock.
fn trial(hz: f64, source: CycleSource) -> Result<Reply, Failure> {
    Ok(Reply::Trial(Measured {
        measurements: 10,
        seconds: 1.0,
        cycles: Some(hz as u64),
        cycle_source: Some(source),
        cpu_seconds: Some(0.9995),
        ..Measured::default()
    }))
}

/// A trial with one thing about it changed.
fn with(change: impl FnOnce(&mut Measured)) -> Result<Reply, Failure> {
    let mut answer = trial(HZ, CycleSource::Perf);
    if let Ok(Reply::Trial(measured)) = &mut answer {
        change(measured);
    }
    answer
}

fn crash() -> Result<Reply, Failure> {
    Err(Failure {
        kind: FailureKind::Crash,
        message: "boom".to_owned(),
        operation: None,
        signal: None,
        return_code: None,
        stderr: None,
    })
}

fn time(
    executor: &mut Scripted,
    fixed_clock_hz: Option<f64>,
    calibrated: Option<f64>,
) -> Result<Timed, ExecuteError> {
    go_on(executor, fixed_clock_hz, calibrated, None)
}

fn go_on(
    executor: &mut Scripted,
    fixed_clock_hz: Option<f64>,
    calibrated: Option<f64>,
    kept: Option<(Plan, Vec<Trial>)>,
) -> Result<Timed, ExecuteError> {
    let settings = settings(PlanKind::Published, fixed_clock_hz);
    by(executor, &settings, calibrated, kept)
}

fn settings(kind: PlanKind, fixed_clock_hz: Option<f64>) -> Settings {
    Settings {
        kind,
        method: RunMethod::default(),
        cycle_source: Some(CycleSource::Perf),
        fixed_clock_hz,
        call_timeout: Duration::from_secs(1),
    }
}

fn by(
    executor: &mut Scripted,
    settings: &Settings,
    calibrated: Option<f64>,
    kept: Option<(Plan, Vec<Trial>)>,
) -> Result<Timed, ExecuteError> {
    let target = Target {
        label: "f/X".to_owned(),
        library: "x.so".into(),
        abi: crate::abi::Abi::Nist,
        cpu: Some(3),
    };
    let timing = Timing {
        target: &target,
        operation: Operation::Enc,
        settings,
        now_utc: &|| "2026-01-02T03:04:05".to_owned(),
        calibrated,
        kept,
        set_up_seconds: 0.0,
    };
    time_operation(executor, timing, &mut |_| Ok(()))
}

#[test]
fn one_calibration_then_five_trials_of_the_plan() {
    let fine = || trial(HZ, CycleSource::Perf);
    let mut executor = Scripted::new([calibration(0.01), fine(), fine(), fine(), fine(), fine()]);
    let timed = time(&mut executor, None, None).unwrap();
    assert_eq!((timed.trials.len(), timed.failure), (5, None));
    let expected = Task::Trial {
        operation: Operation::Enc,
        iterations: 100,
        warmups: 3,
        cycle_source: Some(CycleSource::Perf),
        seed_number: 0,
    };
    assert_eq!(executor.asked.len(), 6);
    assert!(executor.asked[1..].iter().all(|task| *task == expected));
    assert_eq!(timed.trials[0].cpu, Some(3));
}

#[test]
fn an_earlier_calibration_is_not_repeated() {
    let mut executor = Scripted::new((0..5).map(|_| trial(HZ, CycleSource::Perf)));
    let timed = time(&mut executor, None, Some(0.5)).unwrap();
    assert_eq!(timed.plan.unwrap().iterations, 20);
    assert_eq!(executor.asked.len(), 5);
}

#[test]
fn a_trial_below_the_fixed_clock_is_repeated_at_most_twice() {
    let slow = || trial(0.9 * HZ, CycleSource::Perf);
    let fine = || trial(0.96 * HZ, CycleSource::Perf);
    let mut executor = Scripted::new([
        calibration(0.01),
        slow(),
        fine(),
        slow(),
        slow(),
        slow(),
        fine(),
        fine(),
        fine(),
    ]);
    let timed = time(&mut executor, Some(HZ), None).unwrap();
    let retries: Vec<u32> = timed.trials.iter().map(|t| t.disturbed_retries).collect();
    assert_eq!(retries, [1, 2, 0, 0, 0]);
    // The second one stayed slow.
    let disturbed: Vec<bool> = timed.trials.iter().map(|t| t.disturbed).collect();
    assert_eq!(disturbed, [false, true, false, false, false]);
}

#[test]
fn a_shared_counter_disturbs_a_trial() {
    let without_cycles = || with(|m| (m.cycles, m.cycle_source) = (None, None));
    let mut executor = Scripted::new((0..15).map(|_| without_cycles()));
    let timed = time(&mut executor, None, Some(0.01)).unwrap();
    assert_eq!(executor.asked.len(), 15);
    for trial in &timed.trials {
        assert!(trial.disturbed && trial.disturbed_retries == 2);
        assert_eq!(trial.disturbance, [Disturbance::CounterShared]);
        assert_eq!(trial.retry_causes, [Disturbance::CounterShared]);
    }
}

#[test]
fn repetitions_tell_their_causes_and_their_time() {
    let lost = || with(|m| m.cpu_seconds = Some(0.9));
    let moved = || {
        with(|m| {
            m.migrations = Some(1);
            m.cpu_seconds = Some(0.9);
        })
    };
    let fine = || trial(HZ, CycleSource::Perf);
    let answers = [lost(), moved(), fine(), fine(), fine(), fine(), fine()];
    let mut executor = Scripted::new(answers);
    let timed = time(&mut executor, None, Some(0.01)).unwrap();
    let first = &timed.trials[0];
    assert_eq!((first.disturbed_retries, first.disturbed), (2, false));
    let causes = [Disturbance::CpuTimeLost, Disturbance::Migrated];
    assert_eq!(first.retry_causes, causes);
    assert_eq!(first.retry_seconds, Some(0.2));
    assert!(first.disturbance.is_empty());
    let second = &timed.trials[1];
    assert_eq!((second.disturbed_retries, second.retry_seconds), (0, None));
}

#[test]
fn disturbed_trials_are_kept_where_that_was_asked() {
    let mut settings = settings(PlanKind::Published, None);
    settings.method.keep_disturbed = true;
    let mut executor = Scripted::new((0..5).map(|_| with(|m| m.major_page_faults = 3)));
    let timed = by(&mut executor, &settings, Some(0.01), None).unwrap();
    assert_eq!(executor.asked.len(), 5);
    for trial in &timed.trials {
        assert!(trial.disturbed && trial.disturbed_retries == 0);
        assert_eq!(trial.disturbance, [Disturbance::MajorPageFaults]);
    }
}

fn adaptive() -> Settings {
    let mut settings = settings(PlanKind::Adaptive, None);
    settings.method.precision = Some(0.01);
    settings
}

/// Trials of these durations.
fn lasting(seconds: &[f64]) -> Scripted {
    Scripted::new(seconds.iter().map(|&seconds| {
        with(|m| {
            m.seconds = seconds;
            m.cpu_seconds = Some(seconds);
        })
    }))
}

#[test]
fn an_adaptive_operation_ends_when_its_interval_is_narrow() {
    let mut steady = lasting(&[1.0; 60]);
    let timed = by(&mut steady, &adaptive(), Some(1e-3), None).unwrap();
    assert_eq!(timed.trials.len(), 5);
    let plan = timed.plan.unwrap();
    assert_eq!((plan.iterations, plan.precision), (100, Some(0.01)));

    // ± 1.4 % to begin with, narrower with every trial.
    let restless: Vec<f64> = (0..60).map(|i| 1.0 + 0.02 * f64::from(i % 2)).collect();
    let timed = by(&mut lasting(&restless), &adaptive(), Some(1e-3), None).unwrap();
    assert!(
        (6..20).contains(&timed.trials.len()),
        "{}",
        timed.trials.len()
    );
    let plan = timed.plan.unwrap();
    assert_eq!(plan.end(&timed.trials), Some(End::Precise));
}

#[test]
fn an_adaptive_operation_ends_with_its_trials_or_its_time() {
    let wild: Vec<f64> = (0..60).map(|i| 1.0 + f64::from(i % 2)).collect();
    let mut settings = adaptive();
    settings.method.max_trials = Some(7);
    let timed = by(&mut lasting(&wild), &settings, Some(1e-3), None).unwrap();
    assert_eq!(timed.trials.len(), 7);
    // Every process lives for 0.1 s.
    settings.method.max_trials = None;
    settings.method.budget_seconds = Some(0.85);
    let timed = by(&mut lasting(&wild), &settings, Some(1e-3), None).unwrap();
    assert_eq!(timed.trials.len(), 9);
    assert_eq!(timed.plan.unwrap().end(&timed.trials), Some(End::Exhausted));
}

#[test]
fn an_interrupted_adaptive_operation_goes_on() {
    let wild: Vec<f64> = (0..60).map(|i| 1.0 + f64::from(i % 2)).collect();
    let mut settings = adaptive();
    settings.method.max_trials = Some(8);
    let mut timed = by(&mut lasting(&wild), &settings, Some(1e-3), None).unwrap();
    timed.trials.truncate(6);
    let kept = Some((timed.plan.unwrap(), timed.trials));
    let mut executor = lasting(&wild);
    let timed = by(&mut executor, &settings, Some(1e-3), kept).unwrap();
    assert_eq!((timed.trials.len(), executor.asked.len()), (8, 2));
    // Each trial has random bytes of its own.
    let seeds: Vec<u64> = timed.trials.iter().map(|t| t.seed_number).collect();
    assert_eq!(seeds, [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn trials_of_an_interrupted_run_count_where_the_plan_is_the_same() {
    let fine = |count| Scripted::new((0..count).map(|_| trial(HZ, CycleSource::Perf)));
    let mut whole = time(&mut fine(5), None, Some(0.5)).unwrap();
    whole.trials.truncate(3);
    let kept = || Some((whole.plan.unwrap(), whole.trials.clone()));
    let mut executor = fine(5);
    let timed = go_on(&mut executor, None, Some(0.5), kept()).unwrap();
    assert_eq!((timed.trials.len(), executor.asked.len()), (5, 2));
    let mut executor = fine(5);
    let timed = go_on(&mut executor, None, Some(0.001), kept()).unwrap();
    assert_eq!((timed.trials.len(), executor.asked.len()), (5, 5));
}

#[test]
fn reference_cycles_and_unknown_clocks_never_repeat_a_trial() {
    for (source, fixed) in [(CycleSource::Tsc, Some(HZ)), (CycleSource::Perf, None)] {
        let answers = (0..5).map(|_| trial(0.5 * HZ, source));
        let mut executor = Scripted::new(answers);
        let timed = time(&mut executor, fixed, Some(0.01)).unwrap();
        assert!(timed.trials.iter().all(|t| t.disturbed_retries == 0));
    }
}

#[test]
fn a_failure_ends_the_operation_and_keeps_what_was_measured() {
    let mut executor = Scripted::new([calibration(0.01), trial(HZ, CycleSource::Perf), crash()]);
    let timed = time(&mut executor, None, None).unwrap();
    assert_eq!(timed.trials.len(), 1);
    assert_eq!(timed.failure.unwrap().message, "boom");

    let timed = time(&mut Scripted::new([crash()]), None, None).unwrap();
    assert_eq!((timed.plan, timed.trials.len()), (None, 0));
    assert!(timed.failure.is_some());
}

#[test]
fn an_interruption_is_no_result() {
    let mut executor = Scripted::new([calibration(0.01)]);
    let error = time(&mut executor, None, None).unwrap_err();
    assert!(matches!(error, ExecuteError::Interrupted));
}
