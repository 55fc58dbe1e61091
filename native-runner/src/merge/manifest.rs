//! The manifest of a merged run, made from those of its shards.

use super::Candidate;
use crate::files;
use crate::publish::joined::common;
use crate::run::{MANIFEST, Places, Private};
use anyhow::{Context, Result};
use kemscope_schema::run::{Merged, MergedShard, RunInstance, RunManifest};
use std::path::Path;

/// The name of a run that was merged from shards like this one: its own name without its number.
pub fn name(shard: &RunManifest) -> String {
    let end = shard
        .shard
        .as_ref()
        .map(|s| format!("-{}-of-{}", s.number, s.of));
    let stem = end.and_then(|end| shard.run.strip_suffix(&*end));
    format!("{}-merged", stem.unwrap_or(&shard.run))
}

/// The manifest of the run `name`, made from shards that fit, in order of their numbers. It depends on them
/// and on the command line alone.
///
/// # Errors
/// If there is no shard.
pub fn joined(name: &str, shards: &[Candidate]) -> Result<RunManifest> {
    let first = shards.first().context("there is no shard")?;
    let shard = first.manifest.shard.clone().context("it is no shard")?;
    let hosts = hosts(shards);
    let merged = Merged {
        of: shard.of,
        split: shard.split,
        shards: shards
            .iter()
            .zip(hosts)
            .map(|(candidate, host)| one(&candidate.manifest, host))
            .collect(),
    };
    let all: Vec<&RunInstance> = shards.iter().flat_map(|s| &s.manifest.instances).collect();
    let instances = merged
        .split
        .iter()
        .filter_map(|entry| all.iter().find(|instance| entry.is(instance)))
        .map(|instance| (*instance).clone())
        .collect();
    let common = common(&merged.shards);
    Ok(RunManifest {
        run: name.to_owned(),
        cpu: common.cpu,
        cpus: common.cpus,
        command: std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        started_utc: common.started_utc,
        ended_utc: common.ended_utc,
        environment: common.environment,
        shard: None,
        merged_from: Some(merged),
        instances,
        ..first.manifest.clone()
    })
}

fn one(manifest: &RunManifest, host: Option<u32>) -> MergedShard {
    MergedShard {
        number: manifest.shard.as_ref().map_or(0, |shard| shard.number),
        run: manifest.run.clone(),
        host,
        cpu: manifest.cpu,
        cpus: manifest.cpus.clone(),
        runner_version: manifest.runner_version.clone(),
        command: manifest.command.clone(),
        started_utc: manifest.started_utc.clone(),
        ended_utc: manifest.ended_utc.clone(),
        environment: manifest.environment.clone(),
    }
}

/// Numbers for the hosts, in order of appearance: names are private.
fn hosts(shards: &[Candidate]) -> Vec<Option<u32>> {
    let mut names: Vec<&str> = Vec::new();
    let mut numbers = Vec::new();
    for shard in shards {
        let number = shard.private.host_name.as_deref().map(|name| {
            let known = names.iter().position(|known| *known == name);
            known.unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        });
        numbers.push(number.and_then(|at| u32::try_from(at + 1).ok()));
    }
    numbers
}

/// What the merged run keeps to itself: folders behind the words of the first shard, the host where all have
/// the same.
pub fn private(shards: &[Candidate]) -> Private {
    let first = shards.first().map(|shard| shard.private.clone());
    let mut private = first.unwrap_or_default();
    if shards
        .iter()
        .any(|s| s.private.host_name != private.host_name)
    {
        private.host_name = None;
    }
    private
}

/// Writes the manifest, words for the folders of this machine. Those of the shards' machines have theirs already.
///
/// # Errors
/// If it cannot be written.
pub fn write(root: &Path, manifest: &RunManifest) -> Result<()> {
    let path = root.join(MANIFEST);
    let text = files::json_text(&path, manifest)?;
    let hidden = Places::of_this_process(root).hide(&text);
    Ok(files::write_atomic(&path, hidden.as_bytes())?)
}
