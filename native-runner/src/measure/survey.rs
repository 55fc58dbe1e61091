//! What timing would take, from calibration calls alone.

use super::plan::{expected_seconds, longest_seconds, plan};
use super::timing::{Settings, calibrate};
use crate::child::protocol::{Reply, Task};
use crate::executor::{ExecuteError, Executor, Target, unexpected};
use kemscope_schema::Operation;
use kemscope_schema::run::Plan;

/// An operation with the plan that it would be timed by.
#[derive(Clone, Debug, PartialEq)]
pub struct Surveyed {
    /// The library.
    pub target: Target,
    /// The operation.
    pub operation: Operation,
    /// Duration of its calibration call in seconds.
    pub call_seconds: f64,
    /// How long an honest exchange took, its process included, in seconds: a trial needs as much before its calls.
    pub set_up_seconds: f64,
    /// The plan.
    pub plan: Plan,
}

impl Surveyed {
    /// What timing it takes, in seconds; of an adaptive plan at least.
    pub fn expected_seconds(&self) -> f64 {
        expected_seconds(&self.plan, self.set_up_seconds)
    }

    /// What timing it takes at most, repetitions aside, in seconds.
    pub fn longest_seconds(&self) -> f64 {
        longest_seconds(&self.plan, self.set_up_seconds)
    }
}

/// What a survey found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// The operations, the cheapest first: the order in which a run times them.
    pub operations: Vec<Surveyed>,
    /// What cannot be timed, and why, one sentence each.
    pub complaints: Vec<String>,
}

/// Makes an honest exchange with each library and one call of each operation.
///
/// # Errors
/// Only what keeps the runner itself from working; a library's failure is a complaint.
pub fn survey(
    executor: &mut dyn Executor,
    targets: &[Target],
    settings: &Settings,
) -> Result<Survey, ExecuteError> {
    let mut found = Survey::default();
    for target in targets {
        let timeout = settings.call_timeout * 3;
        let exchange = executor.execute(target, &Task::RoundTrip, timeout)?;
        match exchange.outcome {
            Ok(Reply::RoundTrip { .. }) => {}
            Ok(other) => {
                let failure = unexpected(&target.label, None, &other);
                found.complaints.push(failure.message);
                continue;
            }
            Err(failure) => {
                found.complaints.push(failure.message);
                continue;
            }
        }
        let set_up_seconds = exchange.wall_seconds;
        for operation in Operation::ALL {
            match calibrate(executor, target, operation, settings.call_timeout)? {
                Ok(call_seconds) => found.operations.push(Surveyed {
                    target: target.clone(),
                    operation,
                    call_seconds,
                    set_up_seconds,
                    plan: plan(
                        settings.kind,
                        &settings.method,
                        call_seconds,
                        set_up_seconds,
                    ),
                }),
                Err(failure) => found.complaints.push(failure.message),
            }
        }
    }
    // Stable: among equals the order of the instances.
    found
        .operations
        .sort_by(|a, b| a.expected_seconds().total_cmp(&b.expected_seconds()));
    Ok(found)
}
