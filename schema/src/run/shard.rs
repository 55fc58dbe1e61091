//! Campaigns that were split into shards, and joined again.

use super::RunInstance;
use crate::environment::Environment;
use serde::{Deserialize, Serialize};

/// What part of a campaign a run did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Shard {
    /// Its number, from 1.
    pub number: u32,
    /// Number of shards.
    pub of: u32,
    /// All instances of the campaign in order: the same list in each of its shards.
    pub split: Vec<SplitInstance>,
}

/// An instance of a campaign, and the shard that it falls to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct SplitInstance {
    /// Identifier of the family.
    pub family: String,
    /// Name of the parameter set.
    pub instance: String,
    /// Variant of the implementation.
    pub implementation: String,
    /// Number of its shard, from 1.
    pub shard: u32,
    /// Time that it was expected to take, in seconds.
    pub expected_seconds: f64,
    /// SHA-256 over sources, flags and compiler, for each flag set that may be built with.
    pub input_sha256: Vec<String>,
}

/// What a run was joined from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Merged {
    /// Number of shards of the campaign.
    pub of: u32,
    /// All instances of the campaign in order, each with its shard.
    pub split: Vec<SplitInstance>,
    /// The shards that are in the run, by number.
    pub shards: Vec<MergedShard>,
}

/// A shard that was joined with others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct MergedShard {
    /// Its number, from 1.
    pub number: u32,
    /// Name of the run that did it: its records bear that name.
    pub run: String,
    /// The machine it ran on, counted from 1: shards with the same number ran on the same one. `None` where the
    /// run does not know its host's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<u32>,
    /// The CPU that trials were pinned to; each trial has its own.
    #[serde(default)]
    pub cpu: Option<u32>,
    /// All CPUs that trials were pinned to, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cpus: Vec<u32>,
    /// Version of the runner that began it.
    pub runner_version: String,
    /// The command line that began it.
    pub command: Vec<String>,
    /// When it began.
    pub started_utc: String,
    /// When it was complete.
    #[serde(default)]
    pub ended_utc: Option<String>,
    /// The host as it was found at the start, findings included.
    pub environment: Environment,
}

impl SplitInstance {
    /// Whether this is the entry of an instance.
    pub fn is(&self, instance: &RunInstance) -> bool {
        self.family == instance.family.id
            && self.instance == instance.name
            && self.implementation == instance.implementation
    }
}

impl Merged {
    /// The shard that an instance is from, if that is here.
    pub fn shard_of(&self, instance: &RunInstance) -> Option<&MergedShard> {
        let entry = self.split.iter().find(|entry| entry.is(instance))?;
        self.shards.iter().find(|shard| shard.number == entry.shard)
    }

    /// Numbers of the shards that are not here.
    pub fn missing(&self) -> Vec<u32> {
        let here = |number: &u32| self.shards.iter().any(|shard| shard.number == *number);
        (1..=self.of).filter(|number| !here(number)).collect()
    }
}
