//! Measured systems: records and environments made again from the raw files.

use super::{Report, difference};
use crate::files;
use crate::publish::raw::{self, RawInstance};
use crate::publish::{host, joined, record, runs_of};
use crate::store::DataFolder;
use anyhow::{Context, Result};
use kemscope_schema::identifier::is_plain_path;
use kemscope_schema::run::RunManifest;
use kemscope_schema::{FamilyRecord, InstanceRecord, Provenance, System};

/// Makes the system's file again from the manifests of its runs.
pub fn system(
    data: &DataFolder,
    published: &System,
    records: &[FamilyRecord],
    report: &mut Report,
) {
    if published.provenance != Provenance::Measured {
        return;
    }
    let mut names: Vec<&str> = records.iter().flat_map(runs_of).collect();
    names.sort_unstable();
    names.dedup();
    let runs: Result<Vec<RunManifest>> = names
        .iter()
        .map(|run| raw::manifest(&data.raw_folder(&published.id, run)))
        .collect();
    match runs {
        Err(error) => report.failures.push(format!("{error:#}")),
        Ok(runs) => {
            let architecture = runs.first().map_or("", |run| run.architecture.as_str());
            let stated = host::Stated {
                id: &published.id,
                label: &published.label,
                host_name: published.host_name.clone(),
            };
            let again = host::system(stated, architecture, runs.iter());
            let lines = difference::between(published, &again);
            let lines = lines
                .iter()
                .map(|line| format!("{}/system.json: {line} from the manifests", published.id));
            report.failures.extend(lines);
        }
    }
}

/// Checks the measured families among the records.
pub fn families(data: &DataFolder, records: &[FamilyRecord], report: &mut Report) {
    for family in records
        .iter()
        .filter(|r| r.provenance == Provenance::Measured)
    {
        environment(data, family, report);
        for instance in &family.instances {
            digests(data, family, instance, report);
            match again(data, family, instance) {
                Err(error) => {
                    let line = format!("{}: {error:#}", key(family, instance));
                    report.failures.push(line);
                }
                Ok((expected, contradictions)) => {
                    report.instances += 1;
                    let timed = expected.operations.iter().filter(|o| o.timing.is_some());
                    report.operations += timed.count();
                    let lines = difference::between(instance, &expected);
                    let lines = lines
                        .iter()
                        .map(|line| format!("{line} from the raw files"));
                    let lines = lines.chain(contradictions);
                    let key = key(family, instance);
                    report
                        .failures
                        .extend(lines.map(|line| format!("{key}: {line}")));
                }
            }
        }
    }
}

fn key(family: &FamilyRecord, instance: &InstanceRecord) -> String {
    format!("{}/{}/{}", family.system, family.family.id, instance.name)
}

/// Makes the family's environment again from the manifests of its runs.
fn environment(data: &DataFolder, family: &FamilyRecord, report: &mut Report) {
    let runs: Result<Vec<RunManifest>> = runs_of(family)
        .into_iter()
        .map(|run| raw::manifest(&data.raw_folder(&family.system, run)))
        .collect();
    let place = format!("{}/{}.json", family.system, family.family.id);
    match runs {
        Err(error) => report.failures.push(format!("{place}: {error:#}")),
        Ok(runs) => {
            let lines = difference::between(&family.environment, &host::environment(runs.iter()));
            let lines = lines
                .iter()
                .map(|line| format!("{place}: environment.{line} from the manifests"));
            report.failures.extend(lines);
        }
    }
}

/// Compares the evidence files with the digests of the record.
fn digests(
    data: &DataFolder,
    family: &FamilyRecord,
    instance: &InstanceRecord,
    report: &mut Report,
) {
    let key = key(family, instance);
    for evidence in &instance.evidence {
        report.files += 1;
        if !is_plain_path(&evidence.path) {
            let line = format!(
                "{key}: evidence “{}” is no path within the system's folder",
                evidence.path
            );
            report.failures.push(line);
            continue;
        }
        let path = data.root().join(&family.system).join(&evidence.path);
        match files::read(&path) {
            Err(error) => report.failures.push(format!("{key}: {error}")),
            Ok(bytes) => {
                let digest = files::sha256_hex(&bytes);
                if Some(&digest) != evidence.sha256.as_ref() {
                    report.failures.push(format!(
                        "{key}: {} ({}): SHA-256 is {digest}, the record says {}",
                        path.display(),
                        evidence.kind.label(),
                        evidence.sha256.as_deref().unwrap_or("nothing")
                    ));
                }
            }
        }
    }
}

/// The record made again from the evidence, and what does not hold within the evidence itself.
/// Nothing is taken from the record under test but its key and the name of its run.
fn again(
    data: &DataFolder,
    family: &FamilyRecord,
    instance: &InstanceRecord,
) -> Result<(InstanceRecord, Vec<String>)> {
    let run = instance
        .run
        .as_deref()
        .context("the record names no run that measured it")?;
    let folder = data.raw_folder(&family.system, run);
    let manifest = raw::manifest(&folder)?;
    let listed = manifest
        .instances
        .iter()
        .find(|i| {
            i.family.id == family.family.id
                && i.name == instance.name
                && i.implementation == instance.implementation.variant
        })
        .with_context(|| format!("is not among the instances of the run {run}"))?;
    let raw = RawInstance::read(&folder, run, listed)?;
    let mut contradictions = raw.contradictions(&manifest, listed);
    contradictions.extend(joined::contradictions(&manifest));
    if listed.family != family.family {
        contradictions.push(format!(
            "family “{}” is “{}” in the run",
            family.family.name, listed.family.name
        ));
    }
    Ok((record::instance(run, listed, &raw)?, contradictions))
}
