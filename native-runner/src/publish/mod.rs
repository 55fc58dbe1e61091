//! From a run directory to a published data set.
//!
//! [`record`] makes the published record of an instance from its raw files and nothing else, so that
//! `verify` can make it again and compare.

pub mod raw;
pub mod record;
pub mod timing;

use crate::store::{DataFolder, RawFile};
use anyhow::{Result, bail};
use kemscope_schema::run::{RunManifest, RunStatus};
use kemscope_schema::{
    CycleSource, Environment, FamilyRecord, InstanceRecord, Operation, Provenance, SCHEMA_VERSION,
    SectionNotes, Source, SourceKind, System,
};
use raw::RawInstance;
use std::path::Path;

/// What was published.
#[derive(Clone, Debug)]
pub struct Published {
    /// Identifier of the system.
    pub system: String,
    /// The instances as published, with their families.
    pub instances: Vec<(String, InstanceRecord)>,
    /// Reasons why the host is not fit to measure, from the run.
    pub findings: usize,
}

/// Publishes a run directory into a data folder. Families and instances that an earlier run measured
/// stay beside the new ones; the same instance is replaced.
///
/// # Errors
/// If the run is not complete, is of an emulated host, or a file of it is missing or damaged.
pub fn publish(run: &Path, data: &DataFolder) -> Result<Published> {
    let manifest = raw::manifest(run)?;
    if manifest.status != RunStatus::Complete {
        bail!(
            "the run {} is not complete; go on with it by `native-runner run --resume {}`",
            manifest.run,
            run.display()
        );
    }
    if manifest.environment.emulated == Some(true) {
        bail!(
            "the run {} was made on an emulated processor; its times say nothing of a real one and are not published",
            manifest.run
        );
    }
    let present = data.families(&manifest.system)?;
    if let Some(other) = present
        .iter()
        .find(|r| r.provenance != Provenance::Measured)
    {
        bail!(
            "system {} holds imported figures (family {}); publish under another --system",
            manifest.system,
            other.family.id
        );
    }
    let mut records = present;
    let mut files: Vec<RawFile> = Vec::new();
    let mut published = Vec::new();
    let mut sources = Vec::new();
    for instance in &manifest.instances {
        let raw = RawInstance::read(run, instance)?;
        let record = record::instance(instance, &raw)?;
        sources.extend(raw.cycle_source());
        files.extend(raw.files);
        published.push((instance.family.id.clone(), record.clone()));
        place(&mut records, &manifest, instance, record);
    }
    let system = system(&manifest, &sources, data)?;
    data.write_system(&system, &records, &files)?;
    Ok(Published {
        system: manifest.system.clone(),
        instances: published,
        findings: manifest.environment.findings.len(),
    })
}

/// Puts an instance's record into its family's, replacing an earlier one of the same key.
fn place(
    records: &mut Vec<FamilyRecord>,
    manifest: &RunManifest,
    instance: &kemscope_schema::run::RunInstance,
    record: InstanceRecord,
) {
    let at = records
        .iter()
        .position(|r| r.family.id == instance.family.id);
    let at = at.unwrap_or_else(|| {
        records.push(FamilyRecord {
            schema_version: SCHEMA_VERSION,
            system: manifest.system.clone(),
            family: instance.family.clone(),
            provenance: Provenance::Measured,
            source: Source {
                kind: SourceKind::Run,
                title: manifest.run.clone(),
                sha256: None,
            },
            basic: None,
            environment: None,
            notes: SectionNotes::default(),
            survey_verdict: None,
            instances: Vec::new(),
        });
        records.len() - 1
    });
    let family = &mut records[at];
    family.source.title.clone_from(&manifest.run);
    family.environment = Some(manifest.environment.clone());
    let same = |i: &InstanceRecord| {
        i.name == record.name && i.implementation.variant == record.implementation.variant
    };
    match family.instances.iter().position(same) {
        Some(at) => family.instances[at] = record,
        None => family.instances.push(record),
    }
}

/// The system's file: the host as the run found it, with the cycle source that its trials had.
fn system(manifest: &RunManifest, sources: &[CycleSource], data: &DataFolder) -> Result<System> {
    let present = match data.entry(&manifest.system)? {
        Some(_) => Some(data.system(&manifest.system)?),
        None => None,
    };
    let environment = Environment {
        cycle_source: sources.first().copied(),
        campaign_start_utc: Some(manifest.started_utc.clone()),
        campaign_end_utc: manifest.ended_utc.clone(),
        ..manifest.environment.clone()
    };
    let processor = environment.processor.as_deref();
    Ok(System {
        schema_version: SCHEMA_VERSION,
        id: manifest.system.clone(),
        label: present.map(|s| s.label).unwrap_or_else(|| {
            format!(
                "{} (this machine)",
                processor.unwrap_or("unknown processor")
            )
        }),
        architecture: manifest.architecture.clone(),
        provenance: Provenance::Measured,
        environment,
    })
}

/// The operations in page order, for walking raw files.
pub(crate) const OPERATIONS: [Operation; 3] = Operation::ALL;
