//! Trial means as a series in time: scatter, trend, and dependence on the one before.

use super::student::{Confidence, t_quantile};
use serde::{Deserialize, Serialize};

/// A change over the trials smaller than this is not worth telling.
const NOTABLE_DRIFT: f64 = 0.01;

/// A range that holds the true mean with a confidence of 95 %, under the assumptions of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end; not below zero, as what is measured cannot be.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// How trial means changed from the first to the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// Change along the least-squares line from the first trial to the last, relative to the mean; negative
    /// where trials became faster.
    pub relative: f64,
    /// Whether it is worth telling: at least one per cent, and a slope that differs from zero with a
    /// confidence of 99 %. Among a campaign's hundreds of operations a smaller confidence would name some
    /// that only scatter.
    pub notable: bool,
}

/// Mean of the values; zero of none.
pub(super) fn mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.iter().sum::<f64>() / values.len() as f64
}

/// Standard deviation of a sample (n − 1); `None` below two values.
pub(super) fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// Half the width of the 95 % interval of the mean (Student's t); `None` below two values.
pub fn half_width(values: &[f64]) -> Option<f64> {
    let deviation = deviation(values)?;
    let count = values.len();
    Some(t_quantile(Confidence::P95, (count - 1) as u64) * deviation / (count as f64).sqrt())
}

/// Interval around `centre`.
pub(super) fn interval(values: &[f64], centre: f64) -> Option<Interval> {
    let half = half_width(values)?;
    Some(Interval {
        low: (centre - half).max(0.0),
        high: centre + half,
    })
}

/// Trend of at least three values with a positive mean.
pub(super) fn drift(values: &[f64]) -> Option<Drift> {
    let count = values.len();
    let mean = mean(values);
    if count < 3 || mean <= 0.0 {
        return None;
    }
    let middle = (count - 1) as f64 / 2.0;
    let place = |i: usize| i as f64 - middle;
    let of_places: f64 = (0..count).map(|i| place(i) * place(i)).sum();
    let along: f64 = values
        .iter()
        .enumerate()
        .map(|(i, v)| place(i) * (v - mean))
        .sum();
    let slope = along / of_places;
    let rest: f64 = values
        .iter()
        .enumerate()
        .map(|(i, v)| {
            let off = v - mean - slope * place(i);
            off * off
        })
        .sum();
    let error = (rest / (count - 2) as f64 / of_places).sqrt();
    let relative = slope * (count - 1) as f64 / mean;
    let surely = slope.abs() > t_quantile(Confidence::P99, (count - 2) as u64) * error;
    Some(Drift {
        relative,
        notable: surely && relative.abs() >= NOTABLE_DRIFT,
    })
}

/// Correlation of each value with the one before, −1 to 1; zero where nothing scatters.
pub fn autocorrelation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    if squares <= 0.0 {
        return 0.0;
    }
    let products: f64 = values
        .windows(2)
        .map(|pair| match pair {
            [a, b] => (a - mean) * (b - mean),
            _ => 0.0,
        })
        .sum();
    (products / squares).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_interval_of_a_textbook_sample() {
        // n = 5, mean 10, standard deviation √2.5: 10 ± 2.776 · 1.5811 / √5.
        let values = [8.0, 9.0, 10.0, 11.0, 12.0];
        let half = half_width(&values).unwrap();
        assert!((half - 1.963_243_161_477_6).abs() < 1e-12, "{half}");
        let interval = interval(&values, 10.0).unwrap();
        assert_eq!((interval.low, interval.high), (10.0 - half, 10.0 + half));
    }

    #[test]
    fn a_steady_rise_is_a_drift_and_a_scatter_is_none() {
        let rise = drift(&[1.00, 1.01, 1.02, 1.03, 1.04]).unwrap();
        assert!(rise.notable, "{rise:?}");
        assert!((rise.relative - 0.04 / 1.02).abs() < 1e-12);
        // Sure but small: half a per cent.
        assert!(!drift(&[1.000, 1.001, 1.002, 1.003, 1.004]).unwrap().notable);
        // Large but not sure.
        assert!(!drift(&[1.0, 1.2, 0.9, 1.3, 1.1]).unwrap().notable);
        assert_eq!(drift(&[1.0, 2.0]), None);
        let fall = drift(&[1.04, 1.03, 1.02, 1.01, 1.00]).unwrap();
        assert!(fall.notable && fall.relative < 0.0);
    }

    #[test]
    fn neighbours_that_hang_together_are_seen() {
        assert!(autocorrelation(&[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]) > 0.4);
        assert!(autocorrelation(&[1.0, 2.0, 1.0, 2.0, 1.0, 2.0]) < -0.5);
        assert_eq!(autocorrelation(&[1.0, 1.0]), 0.0);
        assert_eq!(autocorrelation(&[]), 0.0);
    }

    fn values() -> impl Strategy<Value = Vec<f64>> {
        proptest::collection::vec(1e-9..1e3f64, 3..40)
    }

    proptest! {
        #[test]
        fn an_interval_holds_its_centre_and_scales_with_the_unit(values in values(), unit in 1e-3..1e3f64) {
            let centre = mean(&values);
            let plain = interval(&values, centre).unwrap();
            prop_assert!(plain.low >= 0.0 && plain.low <= centre && centre <= plain.high);
            let scaled: Vec<f64> = values.iter().map(|v| v * unit).collect();
            let half = half_width(&scaled).unwrap();
            let expected = half_width(&values).unwrap() * unit;
            prop_assert!((half - expected).abs() <= 1e-9 * (expected + centre * unit));
        }

        #[test]
        fn a_drift_turns_its_sign_with_the_order_and_not_with_the_unit(values in values(), unit in 1e-3..1e3f64) {
            let there = drift(&values).unwrap();
            let mut back = values.clone();
            back.reverse();
            let back = drift(&back).unwrap();
            prop_assert!((there.relative + back.relative).abs() <= 1e-9 * (1.0 + there.relative.abs()));
            let scaled: Vec<f64> = values.iter().map(|v| v * unit).collect();
            let scaled = drift(&scaled).unwrap();
            prop_assert!((there.relative - scaled.relative).abs() <= 1e-9 * (1.0 + there.relative.abs()));
        }

        #[test]
        fn a_pure_line_drifts_by_its_rise(start in 1.0..10.0f64, step in -0.02..0.02f64, count in 3usize..30) {
            let line: Vec<f64> = (0..count).map(|i| start + step * i as f64).collect();
            let drift = drift(&line).unwrap();
            let expected = step * (count - 1) as f64 / mean(&line);
            prop_assert!((drift.relative - expected).abs() < 1e-9);
        }

        #[test]
        fn autocorrelation_is_a_correlation(values in values()) {
            prop_assert!((-1.0..=1.0).contains(&autocorrelation(&values)));
        }
    }
}
