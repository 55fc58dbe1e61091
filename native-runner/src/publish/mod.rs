//! From a run directory to a published data set.
//!
//! [`record`] makes the published record of an instance from its raw files and [`host`] the environment
//! from the manifests, both from nothing else, so that `verify` can make them again and compare.

pub mod changes;
mod contradiction;
pub mod host;
pub mod joined;
pub mod raw;
pub mod record;
pub mod timing;

use crate::host::in_use::processor;
use crate::run::Places;
use crate::store::{DataFolder, RawFile};
use anyhow::{Result, bail};
use changes::Change;
use kemscope_schema::identifier::is_private_system;
use kemscope_schema::run::{RunInstance, RunManifest, RunStatus, RunStep};
use kemscope_schema::{Environment, FamilyRecord, InstanceRecord, Provenance, Source, SourceKind};
use raw::RawInstance;
use std::collections::BTreeMap;
use std::path::Path;

/// What was published.
#[derive(Clone, Debug)]
pub struct Published {
    /// Identifier of the system.
    pub system: String,
    /// The instances of the run as published.
    pub instances: Vec<InstanceRecord>,
    /// What became of each instance of the system.
    pub changes: Vec<Change>,
    /// Number of reasons why the host is not fit to measure.
    pub findings: usize,
}

/// What is said about a publication beside the run itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// What people call the system; otherwise as an earlier publication says, else the processor's name.
    pub label: Option<&'a str>,
    /// Name of the host, which is never published unless somebody asks for it.
    pub host_name: Option<&'a str>,
    /// Name of the system that may have figures of an emulated processor. They stay marked.
    pub force_emulated: Option<&'a str>,
}

/// Publishes a run directory into a data folder. Families and instances that an earlier run measured
/// stay beside the new ones; the same instance is replaced.
///
/// # Errors
/// If the run is not a complete one of all steps, is of an emulated host or another host than the
/// system's, or a file of it is missing, damaged or not of this run.
pub fn publish(run: &Path, data: &DataFolder, options: Options<'_>) -> Result<Published> {
    let manifest = raw::manifest(run)?;
    refuse_unfit(&manifest, run, options.force_emulated)?;
    if let Some(line) = joined::contradictions(&manifest).first() {
        bail!(
            "{}: {line}; the run directory was altered, merge again",
            run.display()
        );
    }
    let mut files: Vec<RawFile> = Vec::new();
    let mut published = Vec::new();
    for instance in &manifest.instances {
        let raw = RawInstance::read(run, &manifest.run, instance)?;
        if let Some(line) = raw.contradictions(&manifest, instance).first() {
            bail!(
                "{}: {}/{}: {line}; the run directory was altered, measure again",
                run.display(),
                instance.family.id,
                instance.name
            );
        }
        refuse_private_folders(run, &raw.files)?;
        published.push((instance, record::instance(&manifest.run, instance, &raw)?));
        files.extend(raw.files);
    }
    let _lock = data.lock()?;
    let mut records = data.families(&manifest.system, &[])?;
    if let Some(other) = records
        .iter()
        .find(|r| r.provenance != Provenance::Measured)
    {
        bail!(
            "system {} holds imported figures (family {}); publish under another system name (run --system …)",
            manifest.system,
            other.family.id
        );
    }
    let before = records.clone();
    for (instance, record) in &published {
        place(&mut records, &manifest, instance, record.clone());
    }
    let runs = manifests(data, &manifest, &records)?;
    for family in &mut records {
        let own = runs_of(family)
            .into_iter()
            .filter_map(|name| runs.get(name));
        family.environment = host::environment(own);
    }
    let known = match data.entry(&manifest.system)? {
        Some(_) => Some(data.system(&manifest.system)?),
        None => None,
    };
    let label = match (options.label, &known) {
        (Some(label), _) => label.to_owned(),
        (None, Some(known)) => known.label.clone(),
        (None, None) => default_label(&manifest.system, &manifest.environment),
    };
    let host_name = options.host_name.map(str::to_owned);
    let stated = host::Stated {
        id: &manifest.system,
        label: &label,
        host_name: host_name.or_else(|| known.and_then(|known| known.host_name)),
    };
    let system = host::system(stated, &manifest.architecture, runs.values());
    data.write_system(&system, &records, &files)?;
    Ok(Published {
        system: manifest.system.clone(),
        findings: system.environment.findings.len(),
        changes: changes::between(&before, &records),
        instances: published.into_iter().map(|(_, record)| record).collect(),
    })
}

fn refuse_unfit(manifest: &RunManifest, run: &Path, forced: Option<&str>) -> Result<()> {
    if manifest.status != RunStatus::Complete {
        bail!(
            "the run {} is not complete; go on with it by `native-runner run --resume {}`",
            manifest.run,
            run.display()
        );
    }
    if !is_whole(manifest) {
        bail!(
            "the run {} only did part of a campaign; published are runs of `native-runner run`, which builds, tests and times",
            manifest.run
        );
    }
    let emulated = manifest.environment.emulated == Some(true);
    match forced {
        None if emulated => bail!(
            "the run {} was made on an emulated processor; its times say nothing of a real one and are not published; to have them all the same, marked as emulated, say --force-emulated {}",
            manifest.run,
            manifest.system
        ),
        Some(name) if name != manifest.system => bail!(
            "--force-emulated names system {name}, the run {} is of system {}",
            manifest.run,
            manifest.system
        ),
        Some(_) if !emulated => bail!(
            "--force-emulated: the run {} was not made on an emulated processor; publish it without",
            manifest.run
        ),
        _ => {}
    }
    Ok(())
}

/// Published files say nothing of where things lie on the machine that measured. Runs keep that out of
/// their records from the start, as the digests of published files are those of the records.
fn refuse_private_folders(run: &Path, files: &[RawFile]) -> Result<()> {
    let places = Places::of_this_process(run);
    for file in files {
        // Known-answer texts are made of hex digits, and may be large.
        let text = std::str::from_utf8(&file.bytes).unwrap_or_default();
        if !file.path.contains("/kat/")
            && let Some(folder) = places.named_in(text)
        {
            bail!(
                "{}: {} names {folder}, a folder of this machine, which is not for publishing; the run was made by an older native-runner: measure again",
                run.display(),
                file.path
            );
        }
    }
    Ok(())
}

/// Whether a run did all steps of a campaign.
pub fn is_whole(manifest: &RunManifest) -> bool {
    [RunStep::Build, RunStep::Kat, RunStep::Measure]
        .iter()
        .all(|step| manifest.steps.contains(step))
}

/// Puts an instance's record into its family's, replacing an earlier one of the same key.
fn place(
    records: &mut Vec<FamilyRecord>,
    manifest: &RunManifest,
    instance: &RunInstance,
    record: InstanceRecord,
) {
    let at = records
        .iter()
        .position(|r| r.family.id == instance.family.id);
    let at = at.unwrap_or_else(|| {
        let source = Source {
            kind: SourceKind::Run,
            title: manifest.run.clone(),
            sha256: None,
        };
        records.push(FamilyRecord::empty(
            &manifest.system,
            instance.family.clone(),
            Provenance::Measured,
            source,
        ));
        records.len() - 1
    });
    let family = &mut records[at];
    family.source.title.clone_from(&manifest.run);
    let same = |i: &InstanceRecord| {
        i.name == record.name && i.implementation.variant == record.implementation.variant
    };
    match family.instances.iter().position(same) {
        Some(at) => family.instances[at] = record,
        None => family.instances.push(record),
    }
}

/// Names of the runs that a family's instances were measured in, each once.
pub fn runs_of(family: &FamilyRecord) -> Vec<&str> {
    let mut names: Vec<&str> = family
        .instances
        .iter()
        .filter_map(|i| i.run.as_deref())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The manifests of all runs that the records refer to, by name: the new one, and those kept with
/// the published evidence. All must be of one host.
fn manifests(
    data: &DataFolder,
    new: &RunManifest,
    records: &[FamilyRecord],
) -> Result<BTreeMap<String, RunManifest>> {
    let mut runs = BTreeMap::from([(new.run.clone(), new.clone())]);
    for name in records.iter().flat_map(runs_of) {
        if !runs.contains_key(name) {
            let old = raw::manifest(&data.raw_folder(&new.system, name))?;
            host::refuse_other(new, &old)?;
            runs.insert(name.to_owned(), old);
        }
    }
    Ok(runs)
}

fn default_label(system: &str, environment: &Environment) -> String {
    let processor = processor(environment).unwrap_or("unknown processor");
    if is_private_system(system) {
        format!("{processor} (this machine)")
    } else {
        processor.to_owned()
    }
}
