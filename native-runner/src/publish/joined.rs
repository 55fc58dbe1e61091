//! What runs say that were split into shards, or joined from them.

use crate::host::in_use::name_cores;
use kemscope_schema::run::{MergedShard, RunManifest, SplitInstance};
use kemscope_schema::{Environment, Overhead};
use std::collections::BTreeSet;

/// What a merged run says of all its shards.
#[derive(Clone, Debug, PartialEq)]
pub struct Common {
    /// The one CPU that trials were pinned to, where there is one.
    pub cpu: Option<u32>,
    /// All of them, where there are several.
    pub cpus: Vec<u32>,
    /// When the first one began.
    pub started_utc: String,
    /// When the last one was complete.
    pub ended_utc: Option<String>,
    /// The machines.
    pub environment: Environment,
}

impl Common {
    fn differences(&self, again: &Common) -> Vec<String> {
        let mut lines = Vec::new();
        let mut require = |same: bool, what: &str| {
            if !same {
                lines.push(format!("{what} is not that"));
            }
        };
        require((self.cpu, &self.cpus) == (again.cpu, &again.cpus), "cpu");
        require(self.started_utc == again.started_utc, "started_utc");
        require(self.ended_utc == again.ended_utc, "ended_utc");
        require(self.environment == again.environment, "environment");
        lines
    }
}

/// Shards ran on machines of one kind in one state: the first one's environment, with the findings of all, all
/// their cores and the whole time. Measured properties that are of a shard alone stay with it, and the overhead
/// is the largest.
pub fn common(shards: &[MergedShard]) -> Common {
    let mut cpus: BTreeSet<u32> = BTreeSet::new();
    for shard in shards {
        cpus.extend(shard.cpus.iter().chain(&shard.cpu));
    }
    let cpus: Vec<u32> = cpus.into_iter().collect();
    let mut environment = shards
        .first()
        .map(|shard| shard.environment.clone())
        .unwrap_or_default();
    for other in shards.iter().skip(1).map(|shard| &shard.environment) {
        for finding in &other.findings {
            if !environment
                .findings
                .iter()
                .any(|f| f.check == finding.check)
            {
                environment.findings.push(finding.clone());
            }
        }
        if environment.memory_mib != other.memory_mib {
            environment.memory_mib = None;
        }
        if environment.measured_clock_hz != other.measured_clock_hz {
            environment.measured_clock_hz = None;
        }
        let larger = |overhead: &Overhead| {
            environment
                .overhead
                .is_some_and(|own| overhead.empty_call_seconds > own.empty_call_seconds)
        };
        if other.overhead.as_ref().is_some_and(larger) {
            environment.overhead = other.overhead;
        }
    }
    name_cores(&mut environment, &cpus);
    let started_utc = shards.iter().map(|s| s.started_utc.clone()).min();
    let started_utc = started_utc.unwrap_or_default();
    let ended_utc = shards.iter().filter_map(|s| s.ended_utc.clone()).max();
    environment.campaign_start_utc = Some(started_utc.clone());
    environment.campaign_end_utc = ended_utc.clone();
    Common {
        cpu: match cpus.as_slice() {
            [cpu] => Some(*cpu),
            _ => None,
        },
        cpus: if cpus.len() > 1 { cpus } else { Vec::new() },
        started_utc,
        ended_utc,
        environment,
    }
}

/// What does not hold within the manifest of a shard or of a merged run. Empty for any other.
pub fn contradictions(manifest: &RunManifest) -> Vec<String> {
    let mut lines = Vec::new();
    let listed = |split: &[SplitInstance], shards: &[u32]| -> bool {
        let own: Vec<_> = split.iter().filter(|e| shards.contains(&e.shard)).collect();
        own.len() == manifest.instances.len()
            && own
                .iter()
                .zip(&manifest.instances)
                .all(|(entry, instance)| entry.is(instance))
    };
    if let Some(shard) = &manifest.shard
        && !listed(&shard.split, &[shard.number])
    {
        lines.push(format!(
            "manifest.json: the instances are not those of shard {}/{}",
            shard.number, shard.of
        ));
    }
    if let Some(merged) = &manifest.merged_from {
        let numbers: Vec<u32> = merged.shards.iter().map(|shard| shard.number).collect();
        let distinct: BTreeSet<&u32> = numbers.iter().collect();
        if distinct.len() != numbers.len() {
            lines.push("manifest.json: merged_from names a shard twice".to_owned());
        }
        if !listed(&merged.split, &numbers) {
            lines.push("manifest.json: the instances are not those of its shards".to_owned());
        }
        let again = common(&merged.shards);
        let own = Common {
            cpu: manifest.cpu,
            cpus: manifest.cpus.clone(),
            started_utc: manifest.started_utc.clone(),
            ended_utc: manifest.ended_utc.clone(),
            environment: manifest.environment.clone(),
        };
        for line in own.differences(&again) {
            lines.push(format!("manifest.json: {line} of its shards"));
        }
    }
    lines
}
