//! The ratio of two operations' speeds from their trials, with its interval.

use super::student;
use serde::Serialize;

/// A ratio with what trials say of its certainty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Probability of a difference at least as large, were both equally fast.
    pub p_value: f64,
}

/// Ratio of the geometric means of trial means, `b` to `a`, with its confidence interval: Welch's interval
/// on the logarithms. `None` where one side has fewer than two trials.
///
/// Logarithms because noise of timing is multiplicative, because then the interval of a to b is the reciprocal
/// one, and because it is always finite and positive; Welch because the two sides were measured in
/// processes of their own and need not scatter alike.
pub fn welch(a: &[f64], b: &[f64], confidence: f64) -> Option<(f64, Interval)> {
    let (a, b) = (Logs::of(a)?, Logs::of(b)?);
    let difference = b.mean - a.mean;
    let (part_a, part_b) = (a.variance / a.count, b.variance / b.count);
    let error = (part_a + part_b).sqrt();
    let ratio = difference.exp();
    if error == 0.0 {
        let p_value = if difference == 0.0 { 1.0 } else { 0.0 };
        let interval = Interval {
            low: ratio,
            high: ratio,
            p_value,
        };
        return Some((ratio, interval));
    }
    let degrees = (part_a + part_b).powi(2)
        / (part_a.powi(2) / (a.count - 1.0) + part_b.powi(2) / (b.count - 1.0));
    let half = student::quantile(confidence, degrees) * error;
    let interval = Interval {
        low: (difference - half).exp(),
        high: (difference + half).exp(),
        p_value: student::two_sided(difference / error, degrees),
    };
    Some((ratio, interval))
}

struct Logs {
    count: f64,
    mean: f64,
    variance: f64,
}

impl Logs {
    fn of(values: &[f64]) -> Option<Logs> {
        if values.len() < 2 {
            return None;
        }
        let count = values.len() as f64;
        let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        let mean = logs.iter().sum::<f64>() / count;
        let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
        Some(Logs {
            count,
            mean,
            variance: squares / (count - 1.0),
        })
    }
}

/// p-values adjusted for their number by Holm's method: whoever calls all below 5 % significant errs in one
/// of twenty tables, not in one of twenty rows.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&i, &j| p_values[i].total_cmp(&p_values[j]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        let factor = (p_values.len() - rank) as f64;
        largest = largest.max((p_values[i] * factor).min(1.0));
        adjusted[i] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_interval_is_that_of_welch_on_logarithms() {
        // Logarithms 0, 1, 2 and 1, 2, 3: difference 1, variances 1, error sqrt(2/3), 4 degrees of freedom.
        let e = std::f64::consts::E;
        let a = [1.0, e, e * e];
        let b = a.map(|value| value * e);
        let (ratio, interval) = welch(&a, &b, 0.95).unwrap();
        assert!((ratio - e).abs() < 1e-12);
        let half = 2.776_445_105 * (2.0f64 / 3.0).sqrt();
        assert!((interval.low.ln() - (1.0 - half)).abs() < 1e-8);
        assert!((interval.high.ln() - (1.0 + half)).abs() < 1e-8);
        assert!(
            (interval.p_value - 0.287_864).abs() < 1e-5,
            "{}",
            interval.p_value
        );
    }

    #[test]
    fn trials_without_scatter_are_certain() {
        let (ratio, interval) = welch(&[2.0, 2.0], &[2.0, 2.0], 0.95).unwrap();
        assert_eq!((ratio, interval.p_value), (1.0, 1.0));
        let (ratio, interval) = welch(&[2.0, 2.0], &[3.0, 3.0], 0.95).unwrap();
        assert_eq!(interval.p_value, 0.0);
        assert!((ratio - 1.5).abs() < 1e-12);
        assert_eq!(welch(&[1.0], &[1.0, 2.0], 0.95), None);
    }

    #[test]
    fn adjusted_values_are_holms() {
        assert_eq!(holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
        assert_eq!(holm(&[0.5, 0.9]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_ratio_and_is_reciprocal(
            a in proptest::collection::vec(1e-6f64..1e-3, 2..8),
            b in proptest::collection::vec(1e-6f64..1e-3, 2..8),
        ) {
            let (ratio, forth) = welch(&a, &b, 0.95).unwrap();
            let (inverse, back) = welch(&b, &a, 0.95).unwrap();
            prop_assert!(forth.low <= ratio && ratio <= forth.high);
            prop_assert!((ratio * inverse - 1.0).abs() < 1e-9);
            prop_assert!((forth.low * back.high - 1.0).abs() < 1e-6);
            // The interval leaves 1 out exactly where the difference is significant.
            let outside = forth.low > 1.0 || forth.high < 1.0;
            prop_assert!(outside == (forth.p_value < 0.05) || (forth.p_value - 0.05).abs() < 1e-9);
        }
    }
}
