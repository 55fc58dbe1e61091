//! Timing: calibration, plan, trials, and the record of an operation.

use super::{Disturbance, Failure, Generator};
use crate::environment::Environment;
use crate::instance::Sizes;
use crate::kat::KatStatus;
use crate::operation::Operation;
use crate::provenance::{CycleSource, PlanKind};
use crate::stats::{Statistics, StatisticsError, TrialSample};
use serde::{Deserialize, Serialize};

/// File `calibration/<family>/<instance>__<operation>.json`: the one call that a plan is made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Calibration {
    /// Major version of the contract.
    pub schema_version: u32,
    /// Identifier of the family.
    pub family: String,
    /// Name of the parameter set.
    pub instance: String,
    /// Variant of the implementation.
    pub implementation: String,
    /// The operation called.
    pub operation: Operation,
    /// SHA-256 of the library that was called.
    #[serde(default)]
    pub library_sha256: Option<String>,
    /// Duration of the one call, in seconds.
    pub seconds: f64,
    /// When it was made.
    pub started_utc: String,
}

/// How an operation is timed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// Published method, quick impression, or until an interval is narrow enough.
    pub kind: PlanKind,
    /// Number of trials, each in a process of its own; with a precision the most there may be.
    pub trials: u64,
    /// Timed calls per trial.
    pub iterations: u64,
    /// Calls before the timed ones.
    pub warmups: u64,
    /// Expected duration of a trial's timed calls, in seconds.
    pub estimated_seconds_per_trial: f64,
    /// After so many seconds a trial's process is ended.
    pub timeout_seconds_per_trial: f64,
    /// Where trials go on until the 95 % interval is narrow enough: its half-width relative to the mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// Where trials go on until the 95 % interval is narrow enough: no further trial is begun after so many
    /// seconds, once there are five.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_seconds: Option<f64>,
}

/// One trial: a fresh process with a number of timed calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Trial {
    /// Timed calls.
    pub measurements: u64,
    /// Duration of all timed calls, in seconds (CLOCK_MONOTONIC_RAW around the loop).
    pub seconds: f64,
    /// Cycles of all timed calls, where they were counted.
    #[serde(default)]
    pub cycles: Option<u64>,
    /// What counted them.
    #[serde(default)]
    pub cycle_source: Option<CycleSource>,
    /// Instructions of all timed calls, where they were counted beside the cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<u64>,
    /// For estimated cycles: the clock in hertz that a busy loop showed just before and after the calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_hz: Option<f64>,
    /// Processor time of the process during the timed calls, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// Resident set after the library was loaded and before keys were allocated, in bytes.
    #[serde(default)]
    pub baseline_rss_bytes: Option<u64>,
    /// High-water mark of the resident set (VmHWM) after the timed calls, in bytes.
    #[serde(default)]
    pub peak_rss_bytes: Option<u64>,
    /// Voluntary context switches during the timed calls.
    pub voluntary_context_switches: u64,
    /// Involuntary context switches during the timed calls.
    pub involuntary_context_switches: u64,
    /// Page faults served without I/O during the timed calls.
    pub minor_page_faults: u64,
    /// Page faults that needed I/O during the timed calls.
    pub major_page_faults: u64,
    /// Page faults served without I/O during the last call before the timed ones: what the operation needs
    /// itself. `None` without warm-ups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warmup_minor_page_faults: Option<u64>,
    /// How often the process changed its CPU during the timed calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migrations: Option<u64>,
    /// How often the core was throttled for its heat during the timed calls, where the kernel counts that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttle_events: Option<u64>,
    /// What was added to the generator's seed, which is otherwise the bytes 00 to 2f: the trial's number in an
    /// adaptive plan, 0 in the others.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seed_number: u64,
    /// The CPU that the process was pinned to.
    #[serde(default)]
    pub cpu: Option<u32>,
    /// When the process was started.
    pub started_utc: String,
    /// Life of the process in seconds, loading and set-up included.
    pub wall_seconds: f64,
    /// How often the trial had been repeated because it was disturbed.
    pub disturbed_retries: u32,
    /// What had disturbed the attempts that were given up, each cause once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retry_causes: Vec<Disturbance>,
    /// Life of the processes of the attempts that were given up, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_seconds: Option<f64>,
    /// Whether it was still disturbed after the last repetition.
    #[serde(default)]
    pub disturbed: bool,
    /// What disturbed it then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbance: Vec<Disturbance>,
    /// The command line of the process.
    pub command: Vec<String>,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

impl Trial {
    /// What statistics are made of.
    pub fn sample(&self) -> TrialSample {
        TrialSample {
            measurements: self.measurements,
            seconds: self.seconds,
            cycles: self.cycles,
            instructions: self.instructions,
        }
    }
}

/// File `records/<family>/<instance>__<operation>.json`: an operation with every trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct OperationRun {
    /// Major version of the contract.
    pub schema_version: u32,
    /// Name of the run.
    pub run: String,
    /// Identifier of the system.
    pub system: String,
    /// Identifier of the family.
    pub family: String,
    /// Name of the parameter set.
    pub instance: String,
    /// Variant of the implementation.
    pub implementation: String,
    /// The operation.
    pub operation: Operation,
    /// Outcome of the known-answer test of the same library, `not-run` where the run has none.
    pub kat: KatStatus,
    /// Whether decapsulating an honest ciphertext gave the encapsulated secret before timing began;
    /// `None` where that could not be tried because an operation failed.
    #[serde(default)]
    pub honest_decapsulation: Option<bool>,
    /// Published method, quick impression, or until an interval is narrow enough.
    pub plan_kind: PlanKind,
    /// The plan; `None` where already calibration failed.
    #[serde(default)]
    pub plan: Option<Plan>,
    /// Duration of the calibration call, in seconds.
    #[serde(default)]
    pub calibration_seconds: Option<f64>,
    /// The trials in order; fewer than planned after a failure.
    pub trials: Vec<Trial>,
    /// What stopped it, if something did.
    #[serde(default)]
    pub failure: Option<Failure>,
    /// Generator behind `randombytes`, seeded before each trial with the bytes 00 to 2f (and the trial's seed number
    /// in an adaptive plan).
    pub generator: Generator,
    /// Path of the library in the run directory.
    #[serde(default)]
    pub library: Option<String>,
    /// SHA-256 of the library.
    #[serde(default)]
    pub library_sha256: Option<String>,
    /// Sum of the memory sizes of the library's loadable ELF segments, in bytes.
    #[serde(default)]
    pub elf_load_bytes: Option<u64>,
    /// Name of the flag set.
    pub flag_set: String,
    /// The flags given to the compiler.
    pub flags: Vec<String>,
    /// Sizes that the library's interface declares.
    #[serde(default)]
    pub sizes: Sizes,
    /// The host, findings included.
    pub environment: Environment,
    /// Load averages over 1, 5 and 15 minutes at the start.
    #[serde(default)]
    pub load_average_start: Option<[f64; 3]>,
    /// Load averages over 1, 5 and 15 minutes at the end.
    #[serde(default)]
    pub load_average_end: Option<[f64; 3]>,
    /// When the operation was begun.
    pub started_utc: String,
    /// When it was done.
    pub ended_utc: String,
}

impl OperationRun {
    /// Statistics over all trials.
    ///
    /// # Errors
    /// If there are no trials, or one is not usable.
    pub fn statistics(&self) -> Result<Statistics, StatisticsError> {
        let samples: Vec<TrialSample> = self.trials.iter().map(Trial::sample).collect();
        Statistics::of(&samples)
    }

    /// What counted the cycles, where all trials agree on it.
    pub fn cycle_source(&self) -> Option<CycleSource> {
        let first = self.trials.first()?.cycle_source;
        let same = self.trials.iter().all(|trial| trial.cycle_source == first);
        if same { first } else { None }
    }
}
