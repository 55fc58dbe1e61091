//! A record's own statistics against those of its trials.

use super::raw::Record;
use kemscope_schema::stats::Statistics;

/// Largest relative difference between a statistic of the record and the one computed from its trials.
const TOLERANCE: f64 = 1e-9;

/// Holds the record's own statistics against those of its trials.
pub fn compare(raw: &Record, statistics: &Statistics) -> Result<(), String> {
    if raw.measurements != statistics.calls {
        return Err(format!(
            "measurements is {}, its trials have {}",
            raw.measurements, statistics.calls
        ));
    }
    let pairs = [
        (
            "mean_seconds",
            Some(raw.mean_seconds),
            Some(statistics.mean_seconds),
        ),
        (
            "median_trial_seconds",
            Some(raw.median_trial_seconds),
            Some(statistics.median_trial_seconds),
        ),
        (
            "min_trial_seconds",
            Some(raw.min_trial_seconds),
            Some(statistics.min_trial_seconds),
        ),
        (
            "max_trial_seconds",
            Some(raw.max_trial_seconds),
            Some(statistics.max_trial_seconds),
        ),
        (
            "operations_per_second",
            Some(raw.operations_per_second),
            Some(statistics.ops_per_second),
        ),
        ("mean_cycles", raw.mean_cycles, statistics.mean_cycles),
        (
            "median_trial_cycles",
            raw.median_trial_cycles,
            statistics.median_trial_cycles,
        ),
    ];
    for (field, stated, computed) in pairs {
        let agree = match (stated, computed) {
            (Some(a), Some(b)) => close(a, b),
            (None, None) => true,
            _ => false,
        };
        if !agree {
            let show = |v: Option<f64>| v.map_or_else(|| "null".to_owned(), |v| v.to_string());
            return Err(format!(
                "{field} is {}, its trials give {}",
                show(stated),
                show(computed)
            ));
        }
    }
    Ok(())
}

/// Equal up to the rounding of another order of summation.
pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE * a.abs().max(b.abs())
}
