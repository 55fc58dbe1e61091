//! Verification of published data: every digest from the files, every statistic from the raw trials.

mod difference;

use crate::files;
use crate::publish::raw::RawInstance;
use crate::publish::record;
use crate::store::DataFolder;
use anyhow::Result;
use kemscope_schema::run::RunInstance;
use kemscope_schema::{FamilyRecord, InstanceRecord, KatStatus, Provenance, Summary, SystemEntry};
use std::path::Path;

/// What verification did and found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Files whose digest was computed.
    pub files: usize,
    /// Instances whose record was made again from its raw files.
    pub instances: usize,
    /// Operations whose statistics were computed again from their trials.
    pub operations: usize,
    /// Everything that does not hold, one line each.
    pub failures: Vec<String>,
}

/// Verifies a system of a data folder.
///
/// # Errors
/// Never for what is wrong with the data (that is in the report), only if the index cannot be read.
pub fn verify(data: &DataFolder, entry: &SystemEntry) -> Result<Report> {
    let mut report = Report::default();
    index_digests(data, entry, &mut report);
    let mut records = Vec::new();
    for family in &entry.families {
        match data.family(&entry.id, family) {
            Ok(record) => records.push(record),
            Err(error) => report.failures.push(format!("{error:#}")),
        }
    }
    if records.len() == entry.families.len() {
        summary(data, entry, &records, &mut report);
    }
    for record in records
        .iter()
        .filter(|r| r.provenance == Provenance::Measured)
    {
        for instance in &record.instances {
            verify_instance(data, record, instance, &mut report);
        }
    }
    Ok(report)
}

/// Compares the files with the digests of the index.
fn index_digests(data: &DataFolder, entry: &SystemEntry, report: &mut Report) {
    for file in &entry.files {
        report.files += 1;
        let path = data.root().join(&file.path);
        match files::read(&path) {
            Err(error) => report.failures.push(error.to_string()),
            Ok(bytes) => {
                let digest = files::sha256_hex(&bytes);
                if digest != file.sha256 {
                    report.failures.push(format!(
                        "{}: SHA-256 is {digest}, {} says {}",
                        path.display(),
                        DataFolder::index_name(&entry.id),
                        file.sha256
                    ));
                }
            }
        }
    }
}

/// Makes the summary again from the records.
fn summary(data: &DataFolder, entry: &SystemEntry, records: &[FamilyRecord], report: &mut Report) {
    let published = data.summary(&entry.id);
    let system = data.system(&entry.id);
    match (published, system) {
        (Ok(published), Ok(system)) => {
            let expected = Summary::of(&system, records);
            for line in difference::between(&published, &expected) {
                report.failures.push(format!(
                    "{}/summary.json: {line} from the records",
                    entry.id
                ));
            }
        }
        (published, system) => {
            let errors = [published.err(), system.err()];
            let lines = errors.iter().flatten().map(|e| format!("{e:#}"));
            report.failures.extend(lines);
        }
    }
}

/// Checks the evidence of an instance and makes its record again from it.
fn verify_instance(
    data: &DataFolder,
    family: &FamilyRecord,
    instance: &InstanceRecord,
    report: &mut Report,
) {
    report.instances += 1;
    let folder = data.root().join(&family.system);
    let key = format!("{}/{}/{}", family.system, family.family.id, instance.name);
    for evidence in &instance.evidence {
        report.files += 1;
        let path = folder.join(&evidence.path);
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
    match again(&folder, family, instance) {
        Err(error) => report.failures.push(format!("{key}: {error:#}")),
        Ok((expected, mut problems)) => {
            report.operations += expected
                .operations
                .iter()
                .filter(|o| o.timing.is_some())
                .count();
            report.failures.extend(
                difference::between(instance, &expected)
                    .into_iter()
                    .filter(|line| !line.starts_with("evidence["))
                    .map(|line| format!("{key}: {line} from the raw files")),
            );
            let prefixed = problems.drain(..).map(|p| format!("{key}: {p}"));
            report.failures.extend(prefixed);
        }
    }
}

/// The record made again from the evidence, and what does not hold within the evidence itself.
fn again(
    folder: &Path,
    family: &FamilyRecord,
    instance: &InstanceRecord,
) -> Result<(InstanceRecord, Vec<String>)> {
    let run_instance = RunInstance {
        family: family.family.clone(),
        name: instance.name.clone(),
        implementation: instance.implementation.variant.clone(),
        language: instance.implementation.language.clone().unwrap_or_default(),
        source: instance.implementation.source.clone().unwrap_or_default(),
        target_bits: instance.target_bits,
        nist_category: instance.nist_category,
    };
    let raw = RawInstance::read(&folder.join("raw"), &run_instance)?;
    let mut problems = Vec::new();
    if let Some(kat) = &raw.kat {
        let log = kat
            .log
            .as_ref()
            .and_then(|log| raw.files.iter().find(|f| f.path == format!("raw/{log}")));
        let digest = log.map(|file| files::sha256_hex(&file.bytes));
        if digest != kat.log_sha256 {
            problems.push(format!(
                "KAT log: SHA-256 is {}, the KAT result says {}",
                digest.as_deref().unwrap_or("unknown"),
                kat.log_sha256.as_deref().unwrap_or("nothing")
            ));
        }
        let passes = kat.result.text_sha256.is_some()
            && kat.result.text_sha256 == kat.result.expected_sha256;
        if kat.result.status == KatStatus::Pass && !passes {
            problems.push("KAT PASS without a text digest equal to the expected one".to_owned());
        }
    }
    Ok((record::instance(&run_instance, &raw)?, problems))
}
