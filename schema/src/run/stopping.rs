//! When an operation has trials enough.

use super::{Plan, Trial};
use crate::provenance::PlanKind;
use crate::stats::{autocorrelation, half_width};

/// No operation of an adaptive plan has fewer trials: with fewer, the width of the interval itself is a guess.
pub const TRIALS_AT_LEAST: u64 = 5;

/// Why no further trial is needed or allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The number that was planned is reached.
    Planned,
    /// The interval is as narrow as was asked.
    Precise,
    /// The interval is wider than was asked, and trials or time are used up.
    Exhausted,
}

impl Plan {
    /// Whether these trials are enough, and why.
    pub fn end(&self, trials: &[Trial]) -> Option<End> {
        let count = trials.len() as u64;
        let Some(precision) = self.precision.filter(|_| self.kind == PlanKind::Adaptive) else {
            return (count >= self.trials).then_some(End::Planned);
        };
        if count < TRIALS_AT_LEAST {
            return None;
        }
        let means: Vec<f64> = trials.iter().map(|t| t.sample().mean_seconds()).collect();
        if stopping_half_width(&means).is_some_and(|width| width <= precision) {
            return Some(End::Precise);
        }
        let spent: f64 = trials
            .iter()
            .map(|t| t.wall_seconds + t.retry_seconds.unwrap_or(0.0))
            .sum();
        let late = self.budget_seconds.is_some_and(|budget| spent >= budget);
        (count >= self.trials || late).then_some(End::Exhausted)
    }

    /// Where the first trials that were enough end among these: an operation has exactly so many. `None` where
    /// even all are not enough.
    pub fn first_end(&self, trials: &[Trial]) -> Option<(usize, End)> {
        (0..=trials.len()).find_map(|count| Some((count, self.end(trials.get(..count)?)?)))
    }
}

/// Half the width of the 95 % interval relative to the mean, wider where trials hang together: they tell less
/// than as many independent ones, by the factor (1 + r) / (1 − r) in the variance for a correlation r of
/// neighbours. A negative one, which few trials show by chance alone, makes nothing narrower.
fn stopping_half_width(means: &[f64]) -> Option<f64> {
    let half = half_width(means)?;
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    let r = autocorrelation(means).clamp(0.0, 0.99);
    Some(half / mean * ((1.0 + r) / (1.0 - r)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn trial(seconds: f64) -> Trial {
        let record = format!(
            r#"{{"measurements": 100, "seconds": {seconds}, "voluntary_context_switches": 0,
                "involuntary_context_switches": 0, "minor_page_faults": 0, "major_page_faults": 0,
                "started_utc": "", "wall_seconds": 1.0, "disturbed_retries": 0, "command": []}}"#
        );
        serde_json::from_str(&record).unwrap()
    }

    fn trials(seconds: &[f64]) -> Vec<Trial> {
        seconds.iter().copied().map(trial).collect()
    }

    fn adaptive(precision: f64, most: u64, budget_seconds: Option<f64>) -> Plan {
        Plan {
            kind: PlanKind::Adaptive,
            trials: most,
            iterations: 100,
            warmups: 3,
            estimated_seconds_per_trial: 0.1,
            timeout_seconds_per_trial: 60.0,
            precision: Some(precision),
            budget_seconds,
        }
    }

    #[test]
    fn a_fixed_plan_ends_with_its_last_trial() {
        let plan = Plan {
            kind: PlanKind::Published,
            precision: None,
            ..adaptive(0.1, 5, None)
        };
        let steady = trials(&[1.0; 5]);
        assert_eq!(plan.end(&steady[..4]), None);
        assert_eq!(plan.end(&steady), Some(End::Planned));
        assert_eq!(plan.first_end(&steady), Some((5, End::Planned)));
    }

    #[test]
    fn never_before_five_trials() {
        let steady = trials(&[1.0; 5]);
        let plan = adaptive(0.005, 50, Some(0.0));
        assert_eq!(plan.end(&steady[..4]), None);
        assert_eq!(plan.end(&steady), Some(End::Precise));
    }

    #[test]
    fn narrow_enough_exhausted_or_late() {
        // ± 19.6 % of the mean.
        let scattered = trials(&[8.0, 11.0, 9.0, 12.0, 10.0]);
        assert_eq!(adaptive(0.20, 50, None).end(&scattered), Some(End::Precise));
        assert_eq!(adaptive(0.19, 50, None).end(&scattered), None);
        assert_eq!(
            adaptive(0.19, 5, None).end(&scattered),
            Some(End::Exhausted)
        );
        let late = adaptive(0.19, 50, Some(5.0));
        assert_eq!(late.end(&scattered), Some(End::Exhausted));
        let mut repeated = scattered.clone();
        repeated[0].retry_seconds = Some(2.0);
        assert_eq!(adaptive(0.19, 50, Some(6.9)).end(&scattered), None);
        assert!(adaptive(0.19, 50, Some(6.9)).end(&repeated).is_some());
    }

    #[test]
    fn trials_that_hang_together_count_for_less() {
        let mixed = trials(&[8.0, 11.0, 9.0, 12.0, 10.0]);
        let rising = trials(&[8.0, 9.0, 10.0, 11.0, 12.0]);
        let plan = adaptive(0.20, 50, None);
        assert_eq!(plan.end(&mixed), Some(End::Precise));
        assert_eq!(plan.end(&rising), None);
    }

    proptest! {
        #[test]
        fn an_operation_ends_once_and_within_its_bounds(
            means in proptest::collection::vec(0.9..1.1f64, 1..60),
            precision in 0.001..0.1f64,
            most in 5u64..40,
        ) {
            let plan = adaptive(precision, most, None);
            let all = trials(&means);
            match plan.first_end(&all) {
                None => prop_assert!((all.len() as u64) < most),
                Some((count, end)) => {
                    prop_assert!((TRIALS_AT_LEAST..=most).contains(&(count as u64)));
                    prop_assert_eq!(plan.end(&all[..count]), Some(end));
                    prop_assert!((0..count).all(|n| plan.end(&all[..n]).is_none()));
                }
            }
        }
    }

    /// Normal noise from a fixed seed: the sum of twelve uniform numbers.
    fn noise(state: &mut u64) -> f64 {
        let uniform = |state: &mut u64| {
            // The generator of Knuth's MMIX.
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (*state >> 11) as f64 / (1u64 << 53) as f64
        };
        (0..12).map(|_| uniform(state)).sum::<f64>() - 6.0
    }

    /// Looking after every trial whether to stop costs confidence; this is how much. docs/method.md quotes it.
    #[test]
    fn stopping_early_keeps_the_confidence_above_nine_tenths() {
        let mut state = 1;
        // Scatter of the trial means in units of the precision that is asked: from none to much.
        for scatter in [0.3, 0.7, 1.0, 1.5, 2.5] {
            let (rounds, mut held, mut precise) = (1000, 0, 0);
            for _ in 0..rounds {
                let means: Vec<f64> = (0..60)
                    .map(|_| 1.0 + 0.005 * scatter * noise(&mut state))
                    .collect();
                let all = trials(&means);
                let plan = adaptive(0.005, 60, None);
                let (count, end) = plan.first_end(&all).unwrap();
                let kept = &means[..count];
                let mean = kept.iter().sum::<f64>() / count as f64;
                held += usize::from((mean - 1.0).abs() <= half_width(kept).unwrap());
                precise += usize::from(end == End::Precise && (mean - 1.0).abs() <= 0.005);
            }
            assert!(held * 100 >= rounds * 91, "{scatter}: {held} of {rounds}");
            assert!(
                precise * 100 >= rounds * 92,
                "{scatter}: {precise} of {rounds}"
            );
        }
    }
}
