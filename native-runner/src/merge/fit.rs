//! Whether shards belong together.

use super::Candidate;
use crate::host::difference;
use crate::publish::raw::RawInstance;
use kemscope_schema::run::{
    Failure, FailureKind, RunInstance, RunManifest, RunStatus, Shard, SplitInstance,
};
use std::collections::BTreeMap;
use std::path::Path;

/// Why these runs cannot be joined, a sentence each; empty if they can. They come in order of their numbers.
pub fn problems(candidates: &[Candidate], partial: bool) -> Vec<String> {
    let mut problems = Vec::new();
    let mut shards: Vec<(&Candidate, &Shard)> = Vec::new();
    for candidate in candidates {
        match &candidate.manifest.shard {
            Some(shard) => shards.push((candidate, shard)),
            None => problems.push(format!(
                "{}: is no shard, it was made without --shard",
                candidate.root.display()
            )),
        }
    }
    let Some(((first, shard), others)) = shards.split_first() else {
        if problems.is_empty() {
            problems.push("there is no shard among them".to_owned());
        }
        return problems;
    };
    for (other, theirs) in others {
        if let Some(what) = foreign((&first.manifest, shard), (&other.manifest, theirs)) {
            let (here, there) = (other.root.display(), first.root.display());
            problems.push(format!("{here} does not belong to {there}: {what}"));
        }
    }
    if problems.is_empty() {
        problems.extend(overlaps(&shards));
        if !partial {
            problems.extend(gaps(shard, &shards));
        }
        for (candidate, _) in &shards {
            problems.extend(unfinished(candidate));
        }
    }
    problems
}

/// What is not the same in two shards, if anything.
fn foreign(
    (first, first_shard): (&RunManifest, &Shard),
    (other, other_shard): (&RunManifest, &Shard),
) -> Option<String> {
    let words = |what: &str, first: &dyn std::fmt::Debug, other: &dyn std::fmt::Debug| {
        Some(format!("{what} is {other:?}, there {first:?}"))
    };
    if first.system != other.system {
        return words("the system", &first.system, &other.system);
    }
    let (here, there) = (
        (&*first.architecture, &first.environment),
        (&*other.architecture, &other.environment),
    );
    if let Some(found) = difference(here, there) {
        return words(&format!("the {}", found.what), &found.first, &found.second);
    }
    if first.plan != other.plan {
        return words("the plan", &first.plan.name(), &other.plan.name());
    }
    if first.method != other.method {
        return words("the method", &first.method, &other.method);
    }
    if first.steps != other.steps {
        return words("the list of steps", &first.steps, &other.steps);
    }
    if first.runner_version != other.runner_version {
        let (first, other) = (&first.runner_version, &other.runner_version);
        return words("the version of native-runner", first, other);
    }
    if first_shard.of != other_shard.of {
        return words("the number of shards", &first_shard.of, &other_shard.of);
    }
    if let Some(what) = other_split(&first_shard.split, &other_shard.split) {
        return Some(what);
    }
    if first.campaign_sha256 != other.campaign_sha256 || first.emulation != other.emulation {
        return Some(
            "other options (time-out, memory limit, emulator, known answers expected)".to_owned(),
        );
    }
    None
}

fn name(entry: &SplitInstance) -> String {
    format!(
        "{}/{}/{}",
        entry.family, entry.instance, entry.implementation
    )
}

fn other_split(first: &[SplitInstance], other: &[SplitInstance]) -> Option<String> {
    let names = |split: &[SplitInstance]| -> Vec<String> { split.iter().map(name).collect() };
    if names(first) != names(other) {
        return Some("it is of other instances".to_owned());
    }
    let mut pairs = first.iter().zip(other);
    if let Some((entry, _)) = pairs
        .clone()
        .find(|(a, b)| a.input_sha256 != b.input_sha256)
    {
        return Some(format!(
            "other sources, flags or compiler for {}, so another library",
            name(entry)
        ));
    }
    pairs
        .any(|(a, b)| a != b)
        .then(|| "it was split otherwise, by other --costs".to_owned())
}

/// Shards that are there twice, and whether that matters.
fn overlaps(shards: &[(&Candidate, &Shard)]) -> Vec<String> {
    let mut seen: BTreeMap<u32, &Candidate> = BTreeMap::new();
    let mut problems = Vec::new();
    for (candidate, shard) in shards {
        if let Some(first) = seen.insert(shard.number, candidate) {
            let other = candidate
                .manifest
                .instances
                .iter()
                .find(|i| library(&first.root, i) != library(&candidate.root, i));
            let libraries = other.map_or(String::new(), |instance| {
                format!(
                    ", with different libraries of {}/{}",
                    instance.family.id, instance.name
                )
            });
            problems.push(format!(
                "{} and {} are both shard {}/{}{libraries}: name one of them",
                first.root.display(),
                candidate.root.display(),
                shard.number,
                shard.of
            ));
        }
    }
    problems
}

fn library(root: &Path, instance: &RunInstance) -> Option<String> {
    let raw = RawInstance::read(root, "", instance).ok()?;
    raw.build?.library_sha256
}

/// Shards that are not there.
fn gaps(shard: &Shard, shards: &[(&Candidate, &Shard)]) -> Vec<String> {
    let here = |number: &u32| shards.iter().any(|(_, s)| s.number == *number);
    (1..=shard.of)
        .filter(|number| !here(number))
        .map(|number| {
            let own = shard.split.iter().filter(|entry| entry.shard == number);
            let names: Vec<String> = own.map(name).collect();
            let list = match names.as_slice() {
                [] => "no instances".to_owned(),
                names => names.join(", "),
            };
            format!(
                "shard {number}/{} is missing ({list}); --partial joins what there is",
                shard.of
            )
        })
        .collect()
}

/// What is still to be done in a shard, or done with other inputs than its campaign began with.
fn unfinished(candidate: &Candidate) -> Vec<String> {
    let root = candidate.root.display();
    if candidate.manifest.status != RunStatus::Complete {
        return vec![format!(
            "{root} is not complete: go on with it by `native-runner run --resume {root}`"
        )];
    }
    let mut problems = Vec::new();
    for instance in &candidate.manifest.instances {
        let raw = match RawInstance::read(&candidate.root, &candidate.manifest.run, instance) {
            Ok(raw) => raw,
            Err(error) => {
                problems.push(format!("{error:#}"));
                continue;
            }
        };
        let label = format!("{root}: {}/{}", instance.family.id, instance.name);
        let harness = |failure: &Option<Failure>| {
            failure
                .as_ref()
                .is_some_and(|f| f.kind == FailureKind::Harness)
        };
        if raw.kat.as_ref().is_some_and(|kat| harness(&kat.failure))
            || raw.operations.iter().any(|run| harness(&run.failure))
            || raw.profiles.iter().any(|run| harness(&run.failure))
            || raw.memory.iter().any(|run| harness(&run.failure))
        {
            problems.push(format!(
                "{label}: the measuring process itself failed: try again with `native-runner run --resume {root}`"
            ));
        }
        let split = candidate
            .manifest
            .shard
            .iter()
            .flat_map(|shard| &shard.split);
        let entry = split.into_iter().find(|entry| entry.is(instance));
        let known = |digest: &String| entry.is_some_and(|e| e.input_sha256.contains(digest));
        if raw
            .build
            .as_ref()
            .is_some_and(|build| !known(&build.input_sha256))
        {
            problems.push(format!(
                "{label}: its library was built from other sources, flags or compiler than the campaign began with"
            ));
        }
    }
    problems
}

#[cfg(test)]
#[path = "fit_tests.rs"]
mod tests;
