//! Raw records and profiles of the public harness (its schema 2): one JSON per operation.
//!
//! Every statistic is computed again from the trials; a record whose own statistics say something
//! else is refused.

mod check;
mod environment;
mod profile;
mod raw;

use super::error::{ImportError, refuse_problems};
use crate::catalog;
use crate::publish::timing::timing;
use kemscope_schema::stats::Statistics;
use kemscope_schema::{
    CycleSource, Evidence, EvidenceKind, Family, FamilyRecord, Implementation, InstanceRecord,
    KatResult, KatStatus, Memory, Operation, OperationRecord, Provenance, Sizes, Source,
    SourceKind,
};
use raw::{Kind, Raw, Record};
use sha2::{Digest, Sha256};

/// What a set of raw files says: one record per candidate, and the architecture of the host.
#[derive(Clone, Debug)]
pub struct Imported {
    /// One record per candidate, in the order of the files.
    pub families: Vec<FamilyRecord>,
    /// Instruction set of the host, from the records.
    pub architecture: Option<String>,
}

/// Reads raw files, given as (file name, text), into family records of a system.
///
/// # Errors
/// If a file is not a complete record or profile of schema 2, two files say the same operation, or
/// a statistic differs from the one computed from the trials.
pub fn read(files: &[(String, String)], system: &str) -> Result<Imported, ImportError> {
    let mut imported = Imported {
        families: Vec::new(),
        architecture: None,
    };
    let mut parsed = Vec::new();
    for (file, text) in files {
        let (kind, raw) = raw::parse(text).map_err(|message| error(file, message))?;
        parsed.push((file, text, kind, raw));
    }
    // Records first: they say which variant an instance is, profiles do not.
    parsed.sort_by_key(|(_, _, _, raw)| matches!(raw, Raw::Profile(_)));
    for (file, text, kind, raw) in &parsed {
        let digest = format!("{:x}", Sha256::digest(text.as_bytes()));
        let record = family_of(&mut imported.families, kind, system)
            .and_then(|record| take(record, kind, raw, digest).map(|()| record))
            .map_err(|message| error(file, message))?;
        if let Raw::Record(raw) = raw {
            let architecture = raw.environment.architecture.clone();
            imported.architecture = imported.architecture.take().or(architecture);
            record
                .environment
                .get_or_insert_with(|| environment::environment(raw));
        }
        refuse_problems(file, record)?;
    }
    Ok(imported)
}

/// What one raw file says and what it refers to.
#[derive(Clone, Debug)]
pub struct Examined {
    /// Whether it is a record of trials; otherwise a profile.
    pub timed: bool,
    /// Candidate, label and operation: `kem-14/DTRU-648 enc`.
    pub key: String,
    /// Everything that does not follow from its trials or ticks.
    pub differences: Vec<String>,
    /// Files with their SHA-256, relative to the harness's data folder.
    pub attached: Vec<(String, String)>,
}

/// Computes everything that a raw file states of itself again.
///
/// # Errors
/// If it is not a complete record or profile of schema 2.
pub fn examine(text: &str) -> Result<Examined, String> {
    let (kind, raw) = raw::parse(text)?;
    let mut attached = Vec::new();
    let differences = match &raw {
        Raw::Profile(profile) => profile::profile(profile)?.1,
        Raw::Record(record) => {
            let pairs = [
                (&record.library, &record.library_sha256),
                (&record.kat_log, &record.kat_log_sha256),
            ];
            for (file, digest) in pairs {
                attached.extend(file.clone().zip(digest.clone()));
            }
            check::differences(record)
        }
    };
    Ok(Examined {
        timed: matches!(raw, Raw::Record(_)),
        key: format!("{}/{} {}", kind.candidate, kind.label, kind.operation),
        differences,
        attached,
    })
}

fn error(file: &str, message: String) -> ImportError {
    ImportError {
        file: file.to_owned(),
        line: None,
        section: None,
        message,
    }
}

/// Takes one file into its family's record.
fn take(record: &mut FamilyRecord, kind: &Kind, raw: &Raw, digest: String) -> Result<(), String> {
    let instance = match raw {
        Raw::Record(raw) => instance_of(record, &kind.label, Some(&raw.variant)),
        Raw::Profile(_) => instance_of(record, &kind.label, None),
    };
    let operation = kind.operation;
    let evidence = Evidence {
        kind: match raw {
            Raw::Record(_) => EvidenceKind::Timing { operation },
            Raw::Profile(_) => EvidenceKind::HashProfile { operation },
        },
        path: evidence_path(kind, raw),
        sha256: Some(digest),
        sha256_prefix: None,
    };
    if instance.evidence.iter().any(|e| e.kind == evidence.kind) {
        return Err(format!(
            "a second file with the {} of {}",
            evidence.kind.label(),
            kind.label
        ));
    }
    match raw {
        Raw::Record(raw) => take_record(instance, operation, raw)?,
        Raw::Profile(raw) => {
            let (profile, differences) = profile::profile(raw)?;
            if let Some(line) = differences.into_iter().next() {
                return Err(line);
            }
            operation_of(instance, operation).profile = Some(profile);
        }
    }
    instance.evidence.push(evidence);
    Ok(())
}

/// Takes newly read records into what an earlier import brought: the same operation of the same
/// instance and variant is replaced, everything else stays.
pub fn merge(present: &mut FamilyRecord, new: FamilyRecord) {
    for mut instance in new.instances {
        let same = |i: &&mut InstanceRecord| {
            i.name == instance.name && i.implementation.variant == instance.implementation.variant
        };
        let Some(old) = present.instances.iter_mut().find(same) else {
            present.instances.push(instance);
            continue;
        };
        for mut earlier in std::mem::take(&mut old.operations) {
            let fresh = operation_of(&mut instance, earlier.operation);
            fresh.timing = fresh.timing.or(earlier.timing);
            fresh.memory = fresh.memory.or(earlier.memory);
            fresh.profile = fresh.profile.take().or(earlier.profile.take());
        }
        for earlier in std::mem::take(&mut old.evidence) {
            if !instance.evidence.iter().any(|e| e.kind == earlier.kind) {
                instance.evidence.push(earlier);
            }
        }
        if instance.kat.status == KatStatus::NotRun {
            instance.kat = old.kat.clone();
        }
        if instance.sizes == Sizes::default() {
            instance.sizes = old.sizes;
        }
        instance.target_bits = instance.target_bits.or(old.target_bits);
        *old = instance;
    }
    present.environment = new.environment.or(present.environment.take());
}

fn evidence_path(kind: &Kind, raw: &Raw) -> String {
    let folder = match raw {
        Raw::Record(_) => "records",
        Raw::Profile(_) => "profile",
    };
    let Kind {
        candidate,
        label,
        operation,
        ..
    } = kind;
    format!("{folder}/{candidate}/{label}__{operation}.json")
}

fn family_of<'a>(
    families: &'a mut Vec<FamilyRecord>,
    kind: &Kind,
    system: &str,
) -> Result<&'a mut FamilyRecord, String> {
    let at = families.iter().position(|r| r.family.id == kind.candidate);
    let at = match at {
        Some(at) => at,
        None => {
            let family = catalog::family(&kind.candidate)
                .map_err(|e| e.to_string())?
                .unwrap_or_else(|| Family {
                    id: kind.candidate.clone(),
                    name: kind.candidate.clone(),
                    category: None,
                });
            let source = Source {
                kind: SourceKind::RawRecords,
                title: "raw records of the public harness".to_owned(),
                sha256: None,
            };
            families.push(FamilyRecord::empty(
                system,
                family,
                Provenance::Imported,
                source,
            ));
            families.len() - 1
        }
    };
    Ok(&mut families[at])
}

/// The instance of a label and variant; without a variant the first of the label.
fn instance_of<'a>(
    record: &'a mut FamilyRecord,
    name: &str,
    variant: Option<&str>,
) -> &'a mut InstanceRecord {
    let same = |i: &InstanceRecord| {
        i.name == name && variant.is_none_or(|v| i.implementation.variant == v)
    };
    let at = record.instances.iter().position(same);
    let at = at.unwrap_or_else(|| {
        let variant = variant.unwrap_or("reference");
        record.instances.push(InstanceRecord::empty(name, variant));
        record.instances.len() - 1
    });
    &mut record.instances[at]
}

/// The record of an operation, in page order among its neighbours.
fn operation_of(instance: &mut InstanceRecord, operation: Operation) -> &mut OperationRecord {
    let at = instance
        .operations
        .partition_point(|o| o.operation < operation);
    if instance.operations.get(at).map(|o| o.operation) != Some(operation) {
        instance
            .operations
            .insert(at, OperationRecord::empty(operation));
    }
    &mut instance.operations[at]
}

fn take_record(
    instance: &mut InstanceRecord,
    operation: Operation,
    raw: &Record,
) -> Result<(), String> {
    if let Some(line) = check::differences(raw).into_iter().next() {
        return Err(line);
    }
    let statistics = Statistics::of(&raw.trials).map_err(|e| e.to_string())?;
    let implementation = Implementation {
        variant: raw.variant.clone(),
        language: Some("C".to_owned()),
        source: None,
        build_flags: Some(raw.flags.clone()),
        flags: raw.build_flags.clone(),
    };
    let status = match &raw.kat {
        None => KatStatus::NotRun,
        Some(word) => KatStatus::from_word(word)
            .ok_or_else(|| format!("kat: “{word}” where a status like PASS was expected"))?,
    };
    let sizes = Sizes {
        public_key_bytes: raw.sizes.pk_bytes,
        secret_key_bytes: raw.sizes.sk_bytes,
        ciphertext_bytes: raw.sizes.ct_bytes,
        shared_secret_bytes: raw.sizes.ss_bytes,
    };
    let timed = |e: &Evidence| matches!(e.kind, EvidenceKind::Timing { .. });
    if instance.evidence.iter().any(timed) {
        // The operations of one instance are of one library.
        let same = instance.implementation == implementation
            && instance.kat.status == status
            && instance.sizes == sizes;
        if !same {
            return Err(format!(
                "flags, KAT or sizes of {} differ from those of its other operations",
                instance.name
            ));
        }
    }
    instance.implementation = implementation;
    instance.kat = KatResult::of(status);
    instance.sizes = sizes;
    if let Some(path) = &raw.kat_log
        && !instance
            .evidence
            .iter()
            .any(|e| e.kind == EvidenceKind::KatLog)
    {
        instance.evidence.insert(
            0,
            Evidence {
                kind: EvidenceKind::KatLog,
                path: path.clone(),
                sha256: raw.kat_log_sha256.clone(),
                sha256_prefix: None,
            },
        );
    }
    let record = operation_of(instance, operation);
    record.timing = Some(timing(&statistics, Some(CycleSource::Perf)));
    record.memory = Some(Memory {
        elf_load_bytes: None,
        baseline_rss_bytes: raw.baseline_rss_bytes,
        peak_rss_bytes: raw.peak_rss_bytes,
        ..Memory::default()
    });
    Ok(())
}
