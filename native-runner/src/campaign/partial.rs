//! Trials of an operation that is not complete yet: an interruption costs one trial, not five.

use kemscope_schema::SCHEMA_VERSION;
use kemscope_schema::run::{Plan, Trial};
use serde::{Deserialize, Serialize};

/// File `records/<family>/<instance>__<operation>.partial.json`. It is removed when the record is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Partial {
    /// Major version of the contract.
    pub schema_version: u32,
    /// SHA-256 of the library that was timed.
    pub library_sha256: Option<String>,
    /// When the operation was begun.
    pub started_utc: String,
    /// Load averages then.
    pub load_average_start: Option<[f64; 3]>,
    /// The plan that the trials follow; `None` before it is made.
    pub plan: Option<Plan>,
    /// The trials so far.
    pub trials: Vec<Trial>,
}

impl Partial {
    /// Of an operation that begins now.
    pub fn begin(
        library_sha256: Option<String>,
        started_utc: String,
        load_average_start: Option<[f64; 3]>,
    ) -> Partial {
        Partial {
            schema_version: SCHEMA_VERSION,
            library_sha256,
            started_utc,
            load_average_start,
            plan: None,
            trials: Vec::new(),
        }
    }
}
