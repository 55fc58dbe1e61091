//! The manifest of a run.

use super::{Merged, Shard};
use crate::environment::Environment;
use crate::family::Family;
use crate::provenance::PlanKind;
use serde::{Deserialize, Deserializer, Serialize};

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
    /// Choices that go with the plan.
    #[serde(default, skip_serializing_if = "RunMethod::is_default")]
    pub method: RunMethod,
    /// What is done with each instance, in order.
    pub steps: Vec<RunStep>,
    /// The CPU that trials are pinned to; `None` where there are several.
    #[serde(default)]
    pub cpu: Option<u32>,
    /// All CPUs that trials were pinned to, where there are several. Each trial has its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cpus: Vec<u32>,
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
    /// Folders of the packages that instances come from, with a word in braces for what is private; `builtin` for
    /// the built-in packages, which are meant too where there is none.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "one_or_many"
    )]
    pub packages: Vec<String>,
    /// What ran the measuring processes, where they were emulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emulation: Option<Emulation>,
    /// Identity of the campaign: SHA-256 over what is measured (names, sources, flags, compiler) and how (plan,
    /// steps, limits). Runs of the same identity differ in nothing but place and time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign_sha256: Option<String>,
    /// Which part of the campaign this is, where it was split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The shards that the run was joined from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_from: Option<Merged>,
    /// The instances in the order in which they are worked on.
    pub instances: Vec<RunInstance>,
}

/// Runs of earlier versions have one folder, as a string.
fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(many) => many,
    })
}

impl RunManifest {
    /// Name of the run that measured an instance: this one's, or that of the shard it was joined from.
    pub fn run_of(&self, instance: &RunInstance) -> &str {
        let merged = self.merged_from.as_ref();
        match merged.and_then(|merged| merged.shard_of(instance)) {
            Some(shard) => &shard.run,
            None => &self.run,
        }
    }
}

/// An emulator that ran what was built for another machine. Times from it say nothing of a real processor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Emulation {
    /// Target triple of the libraries, for example `aarch64-unknown-linux-gnu`.
    pub target: String,
    /// The emulator's program.
    pub program: String,
    /// As it introduces itself.
    pub version: String,
    /// The native-runner for the target.
    pub runner: String,
}

/// Choices of a run beside its plan; they hold for all its operations, and when it is resumed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct RunMethod {
    /// For the adaptive plan: the half-width of the 95 % interval, relative to the mean, that ends an operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// For the adaptive plan: no operation gets more trials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_trials: Option<u64>,
    /// For the adaptive plan: no operation gets another trial after so many seconds, once it has five.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_seconds: Option<f64>,
    /// Whether disturbed trials are kept as they come instead of being repeated.
    #[serde(default, skip_serializing_if = "is_false")]
    pub keep_disturbed: bool,
}

impl RunMethod {
    /// Whether nothing was chosen.
    pub fn is_default(&self) -> bool {
        *self == RunMethod::default()
    }
}

fn is_false(value: &bool) -> bool {
    !value
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
    /// Count and time their calls to the symmetric primitives.
    Profile,
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
