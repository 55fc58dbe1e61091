//! How many calls, how many warm-ups, how long to wait: the published method's rules.

use kemscope_schema::PlanKind;
use kemscope_schema::run::{Plan, RunMethod, TRIALS_AT_LEAST};

/// Trials of an operation by the published method, each in a process of its own.
pub const TRIALS: u64 = 5;
/// An adaptive plan's most trials, unless the user says otherwise: enough for a scatter of twice the precision
/// that is asked.
pub const ADAPTIVE_TRIALS: u64 = 60;
/// An adaptive plan's time per operation, unless the user says otherwise.
pub const ADAPTIVE_BUDGET_SECONDS: f64 = 60.0;
/// At least so many calls in all, by the published method.
const CALLS_AT_LEAST: u64 = 100;
/// At most so many calls per trial.
const ITERATIONS_AT_MOST: u64 = 20_000;
/// A trial that would take longer gets fewer calls.
const LONGEST_TRIAL_SECONDS: f64 = 300.0;
/// Aim of a trial by the published method. The calibration call is a cold one, so that warm trials
/// take half of this to all of it.
const PUBLISHED_TRIAL_SECONDS: f64 = 1.0;
/// Aim of a quick trial.
const QUICK_TRIAL_SECONDS: f64 = 0.05;
/// Aim of an adaptive trial: long enough that clock and counter cost nothing, short enough that many fit into
/// the published method's time. What scatters is mostly the process (its address-space layout), not the call.
const ADAPTIVE_TRIAL_SECONDS: f64 = 0.1;
/// Nobody waits longer for keys.
const LONGEST_SET_UP_SECONDS: f64 = 86_400.0;
/// A process gets this much longer than its timed calls should take.
const TIMEOUT_FACTOR: f64 = 1.5;
/// … and this much beside, for loading and warm-ups.
const PUBLISHED_GRACE_SECONDS: f64 = 300.0;
/// The same for a quick trial.
const QUICK_GRACE_SECONDS: f64 = 60.0;

/// The plan for an operation of which one call took `call_seconds`, with `set_up_seconds` for what has to
/// happen before it can be called (keys, a ciphertext): a trial gets that time too. `method` bounds an adaptive
/// plan.
pub fn plan(kind: PlanKind, method: &RunMethod, call_seconds: f64, set_up_seconds: f64) -> Plan {
    // A clock that saw no time pass: any small number will do.
    let call = if call_seconds.is_finite() {
        call_seconds.max(1e-9)
    } else {
        LONGEST_TRIAL_SECONDS
    };
    let (aim, at_least, grace) = match kind {
        PlanKind::Published => (
            PUBLISHED_TRIAL_SECONDS,
            CALLS_AT_LEAST.div_ceil(TRIALS),
            PUBLISHED_GRACE_SECONDS,
        ),
        PlanKind::Quick => (QUICK_TRIAL_SECONDS, 1, QUICK_GRACE_SECONDS),
        PlanKind::Adaptive => (ADAPTIVE_TRIAL_SECONDS, 1, PUBLISHED_GRACE_SECONDS),
    };
    let adaptive = kind == PlanKind::Adaptive;
    let trials = match method.max_trials {
        _ if !adaptive => TRIALS,
        Some(most) => most.max(TRIALS_AT_LEAST),
        None => ADAPTIVE_TRIALS,
    };
    // Casts of floats saturate, so that even absurd quotients stay in range.
    let wanted = (aim / call).round() as u64;
    let affordable = (LONGEST_TRIAL_SECONDS / call).floor() as u64;
    let iterations = wanted
        .clamp(at_least, ITERATIONS_AT_MOST)
        .min(affordable)
        .max(1);
    let estimated = iterations as f64 * call;
    Plan {
        kind,
        trials,
        iterations,
        warmups: warmups(call),
        estimated_seconds_per_trial: estimated,
        timeout_seconds_per_trial: grace
            + TIMEOUT_FACTOR * (estimated + set_up_seconds.clamp(0.0, LONGEST_SET_UP_SECONDS)),
        precision: method.precision.filter(|_| adaptive),
        budget_seconds: adaptive
            .then_some(method.budget_seconds.unwrap_or(ADAPTIVE_BUDGET_SECONDS)),
    }
}

/// Whether trials of one plan can stand beside those of another: each does the same work.
pub fn same_work(a: &Plan, b: &Plan) -> bool {
    let work = |plan: &Plan| (plan.kind, plan.iterations, plan.warmups);
    work(a) == work(b)
}

/// What a trial takes: its set-up, the calls before the timed ones, and these, in seconds.
pub fn expected_trial_seconds(plan: &Plan, set_up_seconds: f64) -> f64 {
    let call = plan.estimated_seconds_per_trial / plan.iterations as f64;
    set_up_seconds + call * plan.warmups as f64 + plan.estimated_seconds_per_trial
}

/// What an operation takes, in seconds: all its trials, of an adaptive plan the fewest that there may be.
pub fn expected_seconds(plan: &Plan, set_up_seconds: f64) -> f64 {
    let trials = match plan.kind {
        PlanKind::Published | PlanKind::Quick => plan.trials,
        PlanKind::Adaptive => TRIALS_AT_LEAST,
    };
    trials as f64 * expected_trial_seconds(plan, set_up_seconds)
}

/// What an operation takes at most, in seconds, its repetitions aside: an adaptive plan goes on until its trials or
/// its time are used up.
pub fn longest_seconds(plan: &Plan, set_up_seconds: f64) -> f64 {
    let all = plan.trials as f64 * expected_trial_seconds(plan, set_up_seconds);
    let expected = expected_seconds(plan, set_up_seconds);
    match plan.budget_seconds {
        // The last trial may begin just before time is up.
        Some(budget) => {
            let last = expected_trial_seconds(plan, set_up_seconds);
            all.min(budget + last).max(expected)
        }
        None => all,
    }
}

fn warmups(call_seconds: f64) -> u64 {
    if call_seconds < 0.05 {
        3
    } else if call_seconds < 5.0 {
        1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(kind: PlanKind, call_seconds: f64, set_up_seconds: f64) -> Plan {
        super::plan(kind, &RunMethod::default(), call_seconds, set_up_seconds)
    }

    #[test]
    fn the_published_examples() {
        // The sample record: a cold call of 90.3 µs led to 11073 iterations and 3 warm-ups.
        let sample = plan(PlanKind::Published, 1.0 / 11073.0, 0.0);
        assert_eq!(
            (sample.iterations, sample.warmups, sample.trials),
            (11073, 3, 5)
        );
        assert!((sample.estimated_seconds_per_trial - 1.0).abs() < 1e-9);
        assert!((sample.timeout_seconds_per_trial - 301.5).abs() < 1e-9);
        // 100 calls in all at 1.05 s each; n=85 where 100 calls would take more than 5 minutes a trial.
        assert_eq!(plan(PlanKind::Published, 1.05, 0.0).iterations, 20);
        assert_eq!(plan(PlanKind::Published, 17.5, 0.0).iterations, 17);
    }

    #[test]
    fn bounds_hold() {
        assert_eq!(plan(PlanKind::Published, 1e-7, 0.0).iterations, 20_000);
        assert_eq!(plan(PlanKind::Published, 0.0, 0.0).iterations, 20_000);
        assert_eq!(plan(PlanKind::Published, 1000.0, 0.0).iterations, 1);
        assert_eq!(plan(PlanKind::Published, f64::INFINITY, 0.0).iterations, 1);
        assert!(plan(PlanKind::Published, 1000.0, 0.0).timeout_seconds_per_trial > 1000.0);
    }

    #[test]
    fn a_trial_gets_the_time_of_its_set_up() {
        let quick = |set_up| plan(PlanKind::Quick, 0.01, set_up).timeout_seconds_per_trial;
        assert!((quick(200.0) - quick(0.0) - 300.0).abs() < 1e-9);
        let (slow, fast) = (
            plan(PlanKind::Quick, 0.01, 200.0),
            plan(PlanKind::Quick, 0.01, 0.0),
        );
        assert!(same_work(&slow, &fast));
        assert!(!same_work(&fast, &plan(PlanKind::Published, 0.01, 0.0)));
    }

    #[test]
    fn quick_trials_take_about_fifty_milliseconds() {
        assert_eq!(plan(PlanKind::Quick, 50e-6, 0.0).iterations, 1000);
        assert_eq!(plan(PlanKind::Quick, 0.2, 0.0).iterations, 1);
        assert_eq!(plan(PlanKind::Quick, 0.02, 0.0).iterations, 3);
    }

    #[test]
    fn warmups_follow_the_duration_of_a_call() {
        let warmups = |seconds| plan(PlanKind::Published, seconds, 0.0).warmups;
        assert_eq!(
            [warmups(0.049), warmups(0.05), warmups(4.9), warmups(5.0)],
            [3, 1, 1, 0]
        );
    }

    #[test]
    fn adaptive_trials_are_short_and_bounded() {
        let method = RunMethod {
            precision: Some(0.005),
            ..RunMethod::default()
        };
        let plan = super::plan(PlanKind::Adaptive, &method, 100e-6, 0.0);
        assert_eq!((plan.iterations, plan.trials), (1000, ADAPTIVE_TRIALS));
        assert_eq!(plan.precision, Some(0.005));
        assert_eq!(plan.budget_seconds, Some(ADAPTIVE_BUDGET_SECONDS));
        let bounded = RunMethod {
            max_trials: Some(2),
            budget_seconds: Some(7.0),
            ..method
        };
        let plan = super::plan(PlanKind::Adaptive, &bounded, 3.0, 0.0);
        assert_eq!((plan.iterations, plan.trials), (1, 5));
        assert_eq!(plan.budget_seconds, Some(7.0));
        // The published plan knows neither.
        let plan = super::plan(PlanKind::Published, &bounded, 3.0, 0.0);
        assert_eq!(
            (plan.trials, plan.precision, plan.budget_seconds),
            (5, None, None)
        );
    }

    #[test]
    fn what_an_operation_takes() {
        // 100 calls of 10 ms and three before them, with 0.2 s of set-up.
        let published = plan(PlanKind::Published, 0.01, 0.2);
        let trial = expected_trial_seconds(&published, 0.2);
        assert!((trial - 1.23).abs() < 1e-9, "{trial}");
        assert!((expected_seconds(&published, 0.2) - 6.15).abs() < 1e-9);
        assert_eq!(
            longest_seconds(&published, 0.2),
            expected_seconds(&published, 0.2)
        );
        // Ten calls of a trial.
        let adaptive = plan(PlanKind::Adaptive, 0.01, 0.2);
        assert!((expected_seconds(&adaptive, 0.2) - 5.0 * 0.33).abs() < 1e-9);
        assert!((longest_seconds(&adaptive, 0.2) - 60.0 * 0.33).abs() < 1e-9);
        // Slow calls: time is up before the trials are.
        let slow = plan(PlanKind::Adaptive, 4.0, 1.0);
        assert!((longest_seconds(&slow, 1.0) - 69.0).abs() < 1e-9);
        let slower = plan(PlanKind::Adaptive, 100.0, 1.0);
        assert!((longest_seconds(&slower, 1.0) - 505.0).abs() < 1e-9);
    }
}
