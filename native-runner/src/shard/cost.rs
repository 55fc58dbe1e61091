//! How long an instance will take, from how long its calls take.

use crate::campaign::work::{BUILD_SECONDS, KAT_SECONDS};
use crate::measure::{expected_seconds, plan};
use crate::package::KatForm;
use kemscope_schema::run::{RunMethod, RunStep};
use kemscope_schema::{Operation, PlanKind};

/// What is done with each instance of a campaign.
#[derive(Clone, Debug)]
pub struct Work {
    /// How thoroughly operations are timed.
    pub kind: PlanKind,
    /// Choices that go with it.
    pub method: RunMethod,
    /// Which steps.
    pub steps: Vec<RunStep>,
    /// Seconds after which a call counts as hanging.
    pub timeout_seconds: f64,
}

/// Seconds of one call of each operation, in the order of [`Operation::ALL`].
pub type Calls = [f64; 3];

/// Life of a measuring process beside its calls.
const PROCESS_SECONDS: f64 = 0.02;
/// Records of NIST's response texts, where all are generated.
const NIST_RECORDS: f64 = 100.0;
/// Records of the official texts of the NGCC driver.
const ICCS_RECORDS: f64 = 10.0;

impl Work {
    /// Seconds that an instance will take whose calls take so long and whose test has so many records.
    pub(super) fn seconds(&self, calls: Calls, records: f64) -> f64 {
        let exchange: f64 = calls.iter().sum();
        let mut seconds = 0.0;
        for step in &self.steps {
            seconds += match step {
                RunStep::Build => BUILD_SECONDS,
                // The text, and some exchanges with flipped bits.
                RunStep::Kat => KAT_SECONDS + (records + 3.0) * exchange,
                RunStep::Measure => self.measure_seconds(calls),
                RunStep::Profile => self.profile_seconds(calls),
            };
        }
        seconds
    }

    fn measure_seconds(&self, calls: Calls) -> f64 {
        let exchange = PROCESS_SECONDS + calls.iter().sum::<f64>();
        let timed: f64 = calls
            .iter()
            .map(|&call| {
                let plan = plan(self.kind, &self.method, call, exchange);
                expected_seconds(&plan, exchange)
            })
            .sum();
        // Before it there is one exchange for all, and for each operation a calibration and a look at its memory.
        timed + 7.0 * exchange
    }

    fn profile_seconds(&self, calls: Calls) -> f64 {
        let least = match self.kind {
            PlanKind::Quick => 0.2,
            PlanKind::Published | PlanKind::Adaptive => 1.0,
        };
        let exchange: f64 = calls.iter().sum();
        BUILD_SECONDS + Operation::ALL.len() as f64 * (least + 2.0 * exchange)
    }

    /// Seconds that an instance will take whose calls hang: its test with both flag sets, and an exchange.
    pub(super) fn hanging_seconds(&self) -> f64 {
        let kat = self.steps.contains(&RunStep::Kat);
        let measure = self.steps.contains(&RunStep::Measure);
        let calls = f64::from(u8::from(kat) * 2 + u8::from(measure) * 3);
        BUILD_SECONDS + calls * self.timeout_seconds
    }
}

/// Records of the text of a test.
pub(super) fn records(form: Option<KatForm>) -> f64 {
    match form {
        None | Some(KatForm::PqcleanFirst) => 1.0,
        Some(KatForm::Nist) => NIST_RECORDS,
        Some(KatForm::Iccs) => ICCS_RECORDS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(kind: PlanKind) -> Work {
        Work {
            kind,
            method: RunMethod::default(),
            steps: vec![RunStep::Build, RunStep::Kat, RunStep::Measure],
            timeout_seconds: 300.0,
        }
    }

    #[test]
    fn five_trials_of_a_second_and_what_comes_before_them() {
        let seconds = work(PlanKind::Published).seconds([1e-4; 3], 1.0);
        assert!((15.0..20.0).contains(&seconds), "{seconds}");
        let quick = work(PlanKind::Quick).seconds([1e-4; 3], 1.0);
        assert!((3.0..5.0).contains(&quick), "{quick}");
    }

    #[test]
    fn slow_keys_are_paid_for_in_each_trial_of_the_others() {
        let seconds = work(PlanKind::Published).seconds([30.0, 1e-4, 1e-4], 1.0);
        // Ten calls in each of five trials, and keys for the ten trials of enc and dec.
        assert!(seconds > 5.0 * 300.0 + 10.0 * 30.0, "{seconds}");
    }
}
