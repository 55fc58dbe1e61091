//! Whether two runs are the same in everything but time and place.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What differs from run to run, or between a run and one that was joined from shards.
const OF_THE_MOMENT: &[&str] = &[
    // Times.
    "built_utc",
    "started_utc",
    "ended_utc",
    "campaign_start_utc",
    "campaign_end_utc",
    "wall_seconds",
    "calibration_seconds",
    "load_average_start",
    "load_average_end",
    "overhead",
    "measured_clock_hz",
    "findings",
    // What is measured, and what the plan makes of it.
    "trials",
    "seconds",
    "iterations",
    "warmups",
    "estimated_seconds_per_trial",
    "timeout_seconds_per_trial",
    "entry_stack_bytes",
    "available_stack_bytes",
    // Profiles go on for a time.
    "operations",
    "calls",
    "total_ticks",
    "tick_hz",
    "tick_step",
    "tick_overhead",
    "cpu_seconds",
    "disturbed",
    "disturbed_retries",
    // How it came about.
    "run",
    "command",
    "shard",
    "merged_from",
];

/// Every file of a run directory, without what is of the moment.
pub fn essence(run: &Path) -> BTreeMap<PathBuf, String> {
    super::files_below(run)
        .into_iter()
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            !name.starts_with('.') && name != "run.log" && name != "private.json"
        })
        .map(|path| {
            let bytes = fs::read(run.join(&path)).unwrap();
            let text = match path.extension().and_then(|e| e.to_str()) {
                Some("json") => {
                    let mut value: Value = serde_json::from_slice(&bytes).unwrap();
                    strip(&mut value);
                    serde_json::to_string_pretty(&value).unwrap()
                }
                // Libraries and logs are the same to the last byte.
                _ => native_runner::files::sha256_hex(&bytes),
            };
            (path, text)
        })
        .collect()
}

/// Asserts that two runs are the same in everything but time and place.
pub fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (essence(one), essence(other));
    let paths = |run: &BTreeMap<PathBuf, String>| run.keys().cloned().collect::<Vec<_>>();
    assert_eq!(paths(&one), paths(&other));
    for (path, text) in &one {
        assert_eq!(Some(text), other.get(path), "{}", path.display());
    }
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|key, _| !OF_THE_MOMENT.contains(&&**key));
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}
