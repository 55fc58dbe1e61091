//! Raw files of a run directory (`runs/<system>-<UTC>/`): what the native runner writes while it
//! builds, checks and times, and what publication and verification recompute everything from.
//!
//! | file | type |
//! |---|---|
//! | `manifest.json` | [`RunManifest`] |
//! | `build/<family>/<instance>.json` | [`BuildResult`] |
//! | `kat/<family>/<instance>.json` | [`KatRun`] |
//! | `calibration/<family>/<instance>__<operation>.json` | [`Calibration`] |
//! | `records/<family>/<instance>__<operation>.json` | [`OperationRun`] |
//!
//! Paths inside the files are relative to the run directory and use `/`. Times are UTC, ISO 8601
//! without zone (`2026-09-28T15:05:46`).

use crate::environment::Environment;
use crate::family::Family;
use crate::instance::Sizes;
use crate::kat::{KatResult, KatStatus};
use crate::operation::Operation;
use crate::provenance::{CycleSource, PlanKind};
use crate::stats::{Statistics, StatisticsError, TrialSample};
use serde::{Deserialize, Serialize};

/// File `manifest.json`: what the run set out to do, where, and how far it got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct RunManifest {
    /// Major version of the contract.
    pub schema_version: u32,
    /// Name of the run: the name of its directory.
    pub run: String,
    /// Identifier of the system that is measured.
    pub system: String,
    /// Instruction set of the host: `aarch64`, `x86_64`.
    pub architecture: String,
    /// How far the run got.
    pub status: RunStatus,
    /// How thoroughly operations are timed.
    pub plan: PlanKind,
    /// What is done with each instance, in order.
    pub steps: Vec<RunStep>,
    /// The CPU that trials are pinned to.
    #[serde(default)]
    pub cpu: Option<u32>,
    /// Version of the runner that began the run.
    pub runner_version: String,
    /// The command line that began the run.
    pub command: Vec<String>,
    /// When the run began.
    pub started_utc: String,
    /// When it was complete.
    #[serde(default)]
    pub ended_utc: Option<String>,
    /// The host as it was found at the start, findings included.
    pub environment: Environment,
    /// Folder of further packages that instances come from, as given on the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packages: Option<String>,
    /// The instances in the order in which they are worked on.
    pub instances: Vec<RunInstance>,
}

/// How far a run got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    /// At work, or killed: `run --resume` continues it.
    Running,
    /// Stopped by its user: `run --resume` continues it.
    Interrupted,
    /// Every step was tried for every instance, well or not.
    Complete,
}

/// A step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RunStep {
    /// Compile the shared library.
    Build,
    /// Run the known-answer test.
    Kat,
    /// Time the operations.
    Measure,
}

/// One instance of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct RunInstance {
    /// The family it belongs to.
    pub family: Family,
    /// Name of the parameter set.
    pub name: String,
    /// Variant of the implementation, for example `clean`.
    pub implementation: String,
    /// Programming language.
    pub language: String,
    /// Where the source comes from: package and version.
    pub source: String,
    /// Claimed security target in bits, for schemes that claim one.
    #[serde(default)]
    pub target_bits: Option<u16>,
    /// Claimed NIST category, 1 to 5.
    #[serde(default)]
    pub nist_category: Option<u8>,
}

/// File `build/<family>/<instance>.json`: how the shared library came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct BuildResult {
    /// Major version of the contract.
    pub schema_version: u32,
    /// Identifier of the family.
    pub family: String,
    /// Name of the parameter set.
    pub instance: String,
    /// Variant of the implementation.
    pub implementation: String,
    /// Whether there is a library.
    pub status: BuildStatus,
    /// Name of the flag set of the last attempt: `guide`, or `harness-default` after `guide` failed.
    pub flag_set: String,
    /// The flags of the last attempt, in order.
    pub flags: Vec<String>,
    /// Why the build fell back to another flag set, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback_reason: Option<String>,
    /// The compiler with its version.
    pub compiler: String,
    /// The last attempt's compiler and linker commands, argument by argument.
    pub commands: Vec<Vec<String>>,
    /// SHA-256 over sources, flags and compiler: a library of the same digest is not built again.
    pub input_sha256: String,
    /// Path of the library in the run directory.
    #[serde(default)]
    pub library: Option<String>,
    /// SHA-256 of the library.
    #[serde(default)]
    pub library_sha256: Option<String>,
    /// Sum of the memory sizes of the library's loadable ELF segments, in bytes.
    #[serde(default)]
    pub elf_load_bytes: Option<u64>,
    /// Path of the build log in the run directory.
    pub log: String,
    /// SHA-256 of the build log.
    pub log_sha256: String,
    /// What went wrong, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// When the library was built; earlier than the run where an up-to-date one was at hand.
    pub built_utc: String,
}

/// Outcome of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BuildStatus {
    /// There is a library.
    Built,
    /// No flag set gave a library.
    Failed,
}

/// File `kat/<family>/<instance>.json`: the known-answer test of an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct KatRun {
    /// Major version of the contract.
    pub schema_version: u32,
    /// Identifier of the family.
    pub family: String,
    /// Name of the parameter set.
    pub instance: String,
    /// Variant of the implementation.
    pub implementation: String,
    /// Outcome, digest of the text and the digest it was compared with.
    pub result: KatResult,
    /// The deterministic generator that fed the test.
    pub generator: Generator,
    /// Path of the log in the run directory: the generated KAT text. `None` where none was generated.
    #[serde(default)]
    pub log: Option<String>,
    /// SHA-256 of the log.
    #[serde(default)]
    pub log_sha256: Option<String>,
    /// SHA-256 of the library that was tested.
    #[serde(default)]
    pub library_sha256: Option<String>,
    /// Sizes that the library's interface declares.
    #[serde(default)]
    pub sizes: Option<Sizes>,
    /// What stopped the test, if something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// When it began.
    pub started_utc: String,
    /// Wall-clock time of the test in seconds.
    pub wall_seconds: f64,
}

/// A deterministic random generator behind `randombytes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Generator {
    /// AES-256 CTR_DRBG as in the NIST known-answer tests, without derivation function.
    NistCtrDrbg,
    /// SHAKE-256 with a domain byte, as in HQC's known-answer tests.
    HqcShake,
}

/// Why an operation or a test did not end well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// Kind of failure.
    pub kind: FailureKind,
    /// What happened, in a sentence that names instance and operation.
    pub message: String,
    /// The operation in which it happened, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    /// Name of the signal that ended the process, for example `SIGSEGV`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// The non-zero value that the library returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub return_code: Option<i32>,
    /// The end of what the process wrote to its standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// Kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// There is no library.
    BuildFail,
    /// The library could not be loaded or lacks a function.
    LoadFail,
    /// A function returned a non-zero value, or honest decapsulation gave another secret.
    CryptoFail,
    /// A signal ended the process.
    Crash,
    /// The process did not end in time.
    Timeout,
    /// The library reached outside a buffer of its own declared size.
    Overflow,
    /// The measuring process itself failed (pinning, memory, protocol).
    Harness,
}

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
    /// Duration of the one call, in seconds.
    pub seconds: f64,
    /// When it was made.
    pub started_utc: String,
}

/// How an operation is timed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// Published method or quick impression.
    pub kind: PlanKind,
    /// Number of trials, each in a process of its own.
    pub trials: u64,
    /// Timed calls per trial.
    pub iterations: u64,
    /// Calls before the timed ones.
    pub warmups: u64,
    /// Expected duration of a trial's timed calls, in seconds.
    pub estimated_seconds_per_trial: f64,
    /// After so many seconds a trial's process is ended.
    pub timeout_seconds_per_trial: f64,
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
    /// The CPU that the process was pinned to.
    #[serde(default)]
    pub cpu: Option<u32>,
    /// When the process was started.
    pub started_utc: String,
    /// Life of the process in seconds, loading and set-up included.
    pub wall_seconds: f64,
    /// How often the trial had been repeated because the clock was below 95 % of the fixed clock.
    pub disturbed_retries: u32,
    /// The command line of the process.
    pub command: Vec<String>,
}

impl Trial {
    /// What statistics are made of.
    pub fn sample(&self) -> TrialSample {
        TrialSample {
            measurements: self.measurements,
            seconds: self.seconds,
            cycles: self.cycles,
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
    /// Published method or quick impression.
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
    /// Generator behind `randombytes`, seeded with the bytes 00 to 2f before each trial.
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
