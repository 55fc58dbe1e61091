//! One honest exchange before timing.

use super::{Campaign, CampaignError};
use crate::child::protocol::{Reply, Task};
use crate::executor::{Execution, Target, unexpected};
use kemscope_schema::run::{Failure, FailureKind};
use kemscope_schema::{Operation, Sizes};

/// What an honest exchange before timing showed.
pub(super) struct Exchange {
    /// Whether both sides have the same secret.
    pub agrees: Option<bool>,
    /// Sizes that the library declares.
    pub sizes: Option<Sizes>,
    /// What went wrong.
    pub failure: Option<Failure>,
    /// Life of its process in seconds: loading, key generation, encapsulation, decapsulation.
    pub wall_seconds: f64,
}

impl Exchange {
    fn of(label: &str, execution: Execution) -> Exchange {
        let (agrees, sizes, failure) = match execution.outcome {
            Ok(Reply::RoundTrip { sizes }) => (Some(true), Some(sizes), None),
            Ok(other) => (None, None, Some(unexpected(label, None, &other))),
            Err(failure) => {
                let refuted = failure.kind == FailureKind::CryptoFail
                    && failure.operation == Some(Operation::Dec)
                    && failure.return_code.is_none();
                (refuted.then_some(false), None, Some(failure))
            }
        };
        Exchange {
            agrees,
            sizes,
            failure,
            wall_seconds: execution.wall_seconds,
        }
    }

    /// The failure that would meet `operation` too: its own, or that of one it cannot do without.
    /// Every process sees the same random bytes, so there is no point in trying again.
    pub fn foregone(&self, operation: Operation) -> Option<Failure> {
        let failure = self.failure.as_ref()?;
        let hit = failure.operation.is_none_or(|failed| failed <= operation);
        hit.then(|| failure.clone())
    }
}

impl Campaign<'_> {
    /// One honest exchange: does decapsulation give what encapsulation gave?
    pub(super) fn exchange(&mut self, target: &Target) -> Result<Exchange, CampaignError> {
        let timeout = self.settings.call_timeout * 3;
        let execution = self.executor.execute(target, &Task::RoundTrip, timeout)?;
        Ok(Exchange::of(&target.label, execution))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_answer_is_a_failure_of_the_harness() {
        let execution = Execution {
            outcome: Ok(Reply::Calibration { seconds: 1.0 }),
            wall_seconds: 2.0,
            command: vec![],
        };
        let exchange = Exchange::of("toy/x", execution);
        assert_eq!(exchange.agrees, None);
        for operation in Operation::ALL {
            let failure = exchange.foregone(operation).unwrap();
            assert_eq!(failure.kind, FailureKind::Harness);
        }
    }
}
