//! Statistics over trials: those of the published method exactly as it computes them, and what shows how
//! far they can be relied on.

mod series;
mod student;

pub use series::{Drift, Interval, autocorrelation, half_width};
pub use student::{Confidence, t_quantile};

use serde::{Deserialize, Serialize};

/// One trial: a number of calls timed as one loop in a process of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct TrialSample {
    /// Calls in the loop.
    pub measurements: u64,
    /// Duration of the loop in seconds.
    pub seconds: f64,
    /// Cycles of the loop, where something counted them.
    #[serde(default)]
    pub cycles: Option<u64>,
    /// Instructions of the loop, where something counted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<u64>,
}

impl TrialSample {
    /// Mean seconds per call of this trial.
    pub fn mean_seconds(&self) -> f64 {
        self.seconds / self.measurements as f64
    }
}

/// Statistics of an operation over its trials. Means are over all calls, medians over trial means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Number of trials.
    pub trials: u64,
    /// Calls in all.
    pub calls: u64,
    /// Calls per trial, where all trials have the same number.
    pub iterations: Option<u64>,
    /// Mean seconds per call.
    pub mean_seconds: f64,
    /// Median of the trial means, seconds per call.
    pub median_trial_seconds: f64,
    /// Smallest trial mean, seconds per call.
    pub min_trial_seconds: f64,
    /// Largest trial mean, seconds per call.
    pub max_trial_seconds: f64,
    /// Calls per second.
    pub ops_per_second: f64,
    /// Mean cycles per call, where every trial has cycles.
    pub mean_cycles: Option<f64>,
    /// Median of the trial means, cycles per call, where every trial has cycles.
    pub median_trial_cycles: Option<f64>,
    /// Mean instructions per call, where every trial has them.
    pub mean_instructions: Option<f64>,
    /// 95 % interval of the mean, seconds per call: Student's t over the trial means. `None` for one trial,
    /// and where trials have different numbers of calls and so no common scatter.
    pub interval_seconds: Option<Interval>,
    /// 95 % interval of the mean, cycles per call, where every trial has cycles.
    pub interval_cycles: Option<Interval>,
    /// Coefficient of variation of the trial means: standard deviation (n − 1) over mean.
    pub spread: Option<f64>,
    /// Change of the trial means from the first to the last, of three trials or more.
    pub drift: Option<Drift>,
}

/// Why no statistics can be made of trials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatisticsError {
    /// There are no trials.
    NoTrials,
    /// A trial (counted from 0) has no calls.
    NoCalls(usize),
    /// A trial's duration is not a positive finite number.
    BadSeconds(usize),
    /// The calls or cycles of all trials do not fit into 64 bits.
    TooLarge,
}

impl std::fmt::Display for StatisticsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StatisticsError::NoTrials => write!(f, "there are no trials"),
            StatisticsError::NoCalls(i) => write!(f, "trial {i} has no calls"),
            StatisticsError::BadSeconds(i) => {
                write!(f, "the duration of trial {i} is not a positive number")
            }
            StatisticsError::TooLarge => {
                write!(
                    f,
                    "the calls or cycles of all trials do not fit into 64 bits"
                )
            }
        }
    }
}

impl std::error::Error for StatisticsError {}

impl Statistics {
    /// Computes the statistics of trials.
    ///
    /// # Errors
    /// If there are no trials, one has no calls or no positive duration, or sums are too large.
    pub fn of(trials: &[TrialSample]) -> Result<Statistics, StatisticsError> {
        let first = trials.first().ok_or(StatisticsError::NoTrials)?;
        for (i, trial) in trials.iter().enumerate() {
            if trial.measurements == 0 {
                return Err(StatisticsError::NoCalls(i));
            }
            if !(trial.seconds.is_finite() && trial.seconds > 0.0) {
                return Err(StatisticsError::BadSeconds(i));
            }
        }
        let calls = checked_sum(trials.iter().map(|t| t.measurements))?;
        let seconds: f64 = trials.iter().map(|t| t.seconds).sum();
        let trial_seconds: Vec<f64> = trials.iter().map(TrialSample::mean_seconds).collect();
        let trial_cycles: Option<Vec<f64>> = trials
            .iter()
            .map(|t| t.cycles.map(|c| c as f64 / t.measurements as f64))
            .collect();
        let cycles = sum_of(trials, |t| t.cycles)?;
        let instructions = sum_of(trials, |t| t.instructions)?;
        let mean_seconds = seconds / calls as f64;
        let mean_cycles = cycles.map(|c| c as f64 / calls as f64);
        let iterations = trials
            .iter()
            .all(|t| t.measurements == first.measurements)
            .then_some(first.measurements);
        // Means of different numbers of calls scatter differently.
        let alike: &[f64] = match iterations {
            Some(_) => &trial_seconds,
            None => &[],
        };
        let alike_cycles = trial_cycles.as_deref().filter(|_| iterations.is_some());
        Ok(Statistics {
            trials: trials.len() as u64,
            calls,
            iterations,
            mean_seconds,
            median_trial_seconds: median(&trial_seconds),
            min_trial_seconds: trial_seconds.iter().copied().fold(f64::INFINITY, f64::min),
            max_trial_seconds: trial_seconds.iter().copied().fold(0.0, f64::max),
            ops_per_second: 1.0 / mean_seconds,
            mean_cycles,
            median_trial_cycles: trial_cycles.as_deref().map(median),
            mean_instructions: instructions.map(|i| i as f64 / calls as f64),
            interval_seconds: series::interval(alike, mean_seconds),
            interval_cycles: alike_cycles
                .zip(mean_cycles)
                .and_then(|(values, mean)| series::interval(values, mean)),
            spread: series::deviation(alike).map(|deviation| deviation / series::mean(alike)),
            drift: series::drift(alike),
        })
    }

    /// Half the width of the 95 % interval relative to the mean.
    pub fn relative_half_width(&self) -> Option<f64> {
        let interval = self.interval_seconds?;
        Some((interval.high - self.mean_seconds) / self.mean_seconds)
    }

    /// Instructions per cycle, where both were counted.
    pub fn instructions_per_cycle(&self) -> Option<f64> {
        match (self.mean_instructions, self.mean_cycles) {
            (Some(instructions), Some(cycles)) if cycles > 0.0 => Some(instructions / cycles),
            _ => None,
        }
    }
}

/// Sum over all trials, where every trial has the count.
fn sum_of(
    trials: &[TrialSample],
    count: impl Fn(&TrialSample) -> Option<u64>,
) -> Result<Option<u64>, StatisticsError> {
    let all: Option<Vec<u64>> = trials.iter().map(count).collect();
    all.map(|counts| checked_sum(counts.into_iter()))
        .transpose()
}

fn checked_sum(mut values: impl Iterator<Item = u64>) -> Result<u64, StatisticsError> {
    values
        .try_fold(0u64, u64::checked_add)
        .ok_or(StatisticsError::TooLarge)
}

/// Median of a non-empty list; the mean of the two middle values where their number is even.
/// Zero for an empty list.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match (sorted.get(middle), sorted.len() % 2) {
        (None, _) => 0.0,
        (Some(&upper), 0) => (sorted[middle - 1] + upper) / 2.0,
        (Some(&value), _) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(measurements: u64, seconds: f64, cycles: Option<u64>) -> TrialSample {
        TrialSample {
            measurements,
            seconds,
            cycles,
            instructions: None,
        }
    }

    #[test]
    fn equals_the_published_statistics_of_a_harness_record() {
        // DTRU-648 enc of the public harness: two trials and the statistics printed for them.
        let statistics = Statistics::of(&[
            trial(11_073, 0.532514375, Some(1_435_110_013)),
            trial(11_073, 0.532612813, Some(1_435_390_104)),
        ])
        .unwrap();
        assert_eq!(statistics.calls, 22_146);
        assert_eq!(statistics.iterations, Some(11_073));
        assert_eq!(statistics.mean_seconds, 4.8095691682470874e-05);
        assert_eq!(statistics.median_trial_seconds, 4.8095691682470874e-05);
        assert_eq!(statistics.min_trial_seconds, 4.809124672627111e-05);
        assert_eq!(statistics.max_trial_seconds, 4.810013663867064e-05);
        assert_eq!(statistics.mean_cycles, Some(129_617.09189018334));
        assert_eq!(statistics.median_trial_cycles, Some(129_617.09189018334));
        assert!((statistics.ops_per_second - 20_791.8831192205).abs() < 1e-8);
    }

    #[test]
    fn one_trial_without_cycles_leaves_cycles_unknown() {
        let statistics =
            Statistics::of(&[trial(10, 1.0, Some(100)), trial(20, 1.0, None)]).unwrap();
        assert_eq!(statistics.mean_cycles, None);
        assert_eq!(statistics.median_trial_cycles, None);
        assert_eq!(statistics.iterations, None);
        assert_eq!(statistics.mean_seconds, 2.0 / 30.0);
        // Trials of different lengths have no common scatter.
        assert_eq!(
            (
                statistics.interval_seconds,
                statistics.spread,
                statistics.drift
            ),
            (None, None, None)
        );
    }

    #[test]
    fn reliability_of_equal_trials() {
        let trials = [8.0, 9.0, 10.0, 11.0, 12.0].map(|ms| trial(100, ms * 0.1, Some(1000)));
        let statistics = Statistics::of(&trials).unwrap();
        let interval = statistics.interval_seconds.unwrap();
        assert!((interval.low - 0.008_036_756_838_522).abs() < 1e-12);
        assert!((interval.high - 0.011_963_243_161_478).abs() < 1e-12);
        assert!((statistics.spread.unwrap() - 0.158_113_883_008_419).abs() < 1e-12);
        let relative = statistics.relative_half_width().unwrap();
        assert!((relative - 0.196_324_316_147_8).abs() < 1e-12);
        let drift = statistics.drift.unwrap();
        assert!(drift.notable && (drift.relative - 0.4).abs() < 1e-12);
        let cycles = statistics.interval_cycles.unwrap();
        assert_eq!((cycles.low, cycles.high), (10.0, 10.0));
        // One trial tells nothing of its scatter.
        let one = Statistics::of(&trials[..1]).unwrap();
        assert_eq!((one.interval_seconds, one.spread), (None, None));
    }

    #[test]
    fn instructions_count_only_where_every_trial_has_them() {
        let mut trials = [trial(10, 1.0, Some(100)), trial(10, 1.0, Some(300))];
        trials[0].instructions = Some(200);
        let statistics = Statistics::of(&trials).unwrap();
        assert_eq!(statistics.instructions_per_cycle(), None);
        trials[1].instructions = Some(600);
        let statistics = Statistics::of(&trials).unwrap();
        assert_eq!(statistics.mean_instructions, Some(40.0));
        assert_eq!(statistics.instructions_per_cycle(), Some(2.0));
    }

    #[test]
    fn what_is_no_measurement_is_refused() {
        assert_eq!(Statistics::of(&[]), Err(StatisticsError::NoTrials));
        assert_eq!(
            Statistics::of(&[trial(1, 1.0, None), trial(0, 1.0, None)]),
            Err(StatisticsError::NoCalls(1))
        );
        assert_eq!(
            Statistics::of(&[trial(1, f64::NAN, None)]),
            Err(StatisticsError::BadSeconds(0))
        );
        assert_eq!(
            Statistics::of(&[trial(1, 1.0, Some(u64::MAX)), trial(1, 1.0, Some(1))]),
            Err(StatisticsError::TooLarge)
        );
    }
}
