//! What a record says of itself against its trials.

use super::raw::Record;
use kemscope_schema::stats::Statistics;

/// Largest relative difference between a statistic of the record and the one computed from its trials.
const TOLERANCE: f64 = 1e-9;

/// Everything in a record that does not follow from its trials; empty if all is well.
pub fn differences(raw: &Record) -> Vec<String> {
    let mut lines = Vec::new();
    let statuses = raw.processes.iter().filter_map(|p| p.status.as_deref());
    for status in statuses.filter(|status| *status != "complete") {
        lines.push(format!(
            "a process has status “{status}” where “complete” was expected"
        ));
    }
    let of_processes = raw.processes.iter().flat_map(|p| &p.trials);
    if of_processes.ne(&raw.trials) {
        lines.push("trials are not those of its processes".to_owned());
    }
    match Statistics::of(&raw.trials) {
        Err(error) => lines.push(error.to_string()),
        Ok(statistics) => lines.extend(compare(raw, &statistics)),
    }
    lines
}

/// The record's own statistics against those of its trials.
fn compare(raw: &Record, statistics: &Statistics) -> Vec<String> {
    let mut lines = Vec::new();
    if raw.measurements != statistics.calls {
        lines.push(format!(
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
            lines.push(format!(
                "{field} is {}, its trials give {}",
                show(stated),
                show(computed)
            ));
        }
    }
    lines
}

/// Equal up to the rounding of another order of summation.
pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE * a.abs().max(b.abs())
}
