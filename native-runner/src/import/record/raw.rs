//! The files of the public harness as they are.

use kemscope_schema::Operation;
use kemscope_schema::identifier::is_family_identifier;
use kemscope_schema::stats::TrialSample;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The harness's own schema version that is read.
const HARNESS_SCHEMA: u32 = 2;

/// A raw file, of either kind.
#[derive(Clone, Debug)]
pub enum Raw {
    Record(Box<Record>),
    Profile(HarnessProfile),
}

#[derive(Clone, Debug, Deserialize)]
pub struct Kind {
    pub schema: u32,
    pub candidate: String,
    pub label: String,
    pub operation: Operation,
    pub status: String,
    #[serde(default)]
    pub calls: Option<serde_json::Value>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Record {
    pub variant: String,
    pub flags: String,
    pub kat: Option<String>,
    pub library: Option<String>,
    pub library_sha256: Option<String>,
    pub kat_log: Option<String>,
    pub kat_log_sha256: Option<String>,
    pub environment: HarnessEnvironment,
    pub processes: Vec<Process>,
    pub trials: Vec<TrialSample>,
    pub mean_seconds: f64,
    pub median_trial_seconds: f64,
    pub min_trial_seconds: f64,
    pub max_trial_seconds: f64,
    pub mean_cycles: Option<f64>,
    pub median_trial_cycles: Option<f64>,
    pub operations_per_second: f64,
    pub measurements: u64,
    pub sizes: HarnessSizes,
    pub build_flags: Option<String>,
    pub baseline_rss_bytes: Option<u64>,
    pub peak_rss_bytes: Option<u64>,
    pub started_utc: Option<String>,
    pub ended_utc: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Process {
    pub status: Option<String>,
    pub trials: Vec<TrialSample>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct HarnessSizes {
    pub pk_bytes: Option<u64>,
    pub sk_bytes: Option<u64>,
    pub ct_bytes: Option<u64>,
    pub ss_bytes: Option<u64>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct HarnessEnvironment {
    pub architecture: Option<String>,
    pub cpu_model: Option<String>,
    pub machine: Option<String>,
    pub cpu_number: Option<u32>,
    pub virtualized: Option<bool>,
    pub memory_total_kib: Option<u64>,
    pub os: Option<String>,
    pub kernel: Option<String>,
    pub compiler: Option<String>,
    pub cmake: Option<String>,
    pub cpufreq_governor: Option<String>,
    pub cpufreq_min_khz: Option<String>,
    pub cpufreq_max_khz: Option<String>,
    pub cpufreq_boost: Option<String>,
    pub smt_control: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct HarnessProfile {
    pub total: Total,
    pub calls: Vec<Call>,
    pub share: BTreeMap<String, f64>,
    pub hash_share: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Total {
    pub operations: u64,
    pub ticks: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Call {
    #[serde(rename = "fn")]
    pub function: String,
    pub calls: u64,
    pub ticks: u64,
}

pub fn parse(text: &str) -> Result<(Kind, Raw), String> {
    let unfit = |e: serde_json::Error| format!("is not a raw record of the harness: {e}");
    let kind: Kind = serde_json::from_str(text).map_err(unfit)?;
    if kind.schema != HARNESS_SCHEMA {
        return Err(format!(
            "schema {} where {HARNESS_SCHEMA} was expected",
            kind.schema
        ));
    }
    if !is_family_identifier(&kind.candidate) {
        return Err(format!(
            "candidate “{}” is not an identifier",
            kind.candidate
        ));
    }
    if kind.status != "complete" {
        return Err(format!(
            "status “{}” where “complete” was expected; measure it again",
            kind.status
        ));
    }
    let raw = if kind.calls.is_some() {
        Raw::Profile(serde_json::from_str(text).map_err(unfit)?)
    } else {
        Raw::Record(serde_json::from_str(text).map_err(unfit)?)
    };
    Ok((kind, raw))
}
