//! The published record of an instance, made from its raw files alone.

use super::OPERATIONS;
use super::raw::RawInstance;
use super::timing;
use crate::files::sha256_hex;
use anyhow::{Context, Result};
use kemscope_schema::run::{BuildStatus, OperationRun, RunInstance};
use kemscope_schema::{
    Evidence, EvidenceKind, Implementation, InstanceRecord, KatResult, KatStatus, Memory,
    Operation, OperationRecord, Timing,
};

/// Makes the record.
///
/// # Errors
/// If the trials of an operation are no measurements.
pub fn instance(instance: &RunInstance, raw: &RawInstance) -> Result<InstanceRecord> {
    let built = raw.build.as_ref();
    let sizes = raw
        .kat
        .as_ref()
        .and_then(|kat| kat.sizes)
        .or_else(|| raw.operations.first().map(|o| o.sizes));
    let operations = raw
        .operations
        .iter()
        .map(|run| {
            operation(run).with_context(|| {
                format!("{}/{} {}", instance.family.id, instance.name, run.operation)
            })
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(InstanceRecord {
        name: instance.name.clone(),
        target_bits: instance.target_bits,
        nist_category: instance.nist_category,
        implementation: Implementation {
            variant: instance.implementation.clone(),
            language: Some(instance.language.clone()),
            source: Some(instance.source.clone()),
            build_flags: built.map(|b| b.flag_set.clone()),
            flags: built.map(|b| b.flags.join(" ")),
        },
        kat: kat(raw),
        sizes: sizes.unwrap_or_default(),
        operations,
        evidence: evidence(raw),
        note: None,
    })
}

fn kat(raw: &RawInstance) -> KatResult {
    match (&raw.kat, &raw.build) {
        (Some(kat), _) => kat.result.clone(),
        (None, Some(build)) if build.status == BuildStatus::Failed => KatResult {
            message: build.message.clone(),
            ..KatResult::of(KatStatus::BuildFail)
        },
        (None, _) => KatResult::of(KatStatus::NotRun),
    }
}

fn operation(run: &OperationRun) -> Result<OperationRecord> {
    let timing = if run.trials.is_empty() || run.failure.is_some() {
        None
    } else {
        Some(timed(run)?)
    };
    let largest = |values: Vec<Option<u64>>| values.into_iter().flatten().max();
    let memory = Memory {
        elf_load_bytes: run.elf_load_bytes,
        baseline_rss_bytes: largest(run.trials.iter().map(|t| t.baseline_rss_bytes).collect()),
        peak_rss_bytes: largest(run.trials.iter().map(|t| t.peak_rss_bytes).collect()),
    };
    Ok(OperationRecord {
        operation: run.operation,
        timing,
        memory: (memory != Memory::default()).then_some(memory),
        profile: None,
        failure: run.failure.as_ref().map(|f| f.message.clone()),
    })
}

/// The statistics of the trials.
fn timed(run: &OperationRun) -> Result<Timing> {
    Ok(Timing {
        plan: Some(run.plan_kind),
        ..timing::timing(&run.statistics()?, run.cycle_source())
    })
}

/// The evidence index: every raw file with its digest.
fn evidence(raw: &RawInstance) -> Vec<Evidence> {
    raw.files
        .iter()
        .map(|file| Evidence {
            kind: kind(&file.path),
            path: file.path.clone(),
            sha256: Some(sha256_hex(&file.bytes)),
            sha256_prefix: None,
        })
        .collect()
}

fn kind(path: &str) -> EvidenceKind {
    let is_json = path.ends_with(".json");
    let operation = OPERATIONS
        .into_iter()
        .find(|op: &Operation| path.ends_with(&format!("__{op}.json")));
    if let Some(operation) = operation {
        EvidenceKind::Timing { operation }
    } else if path.starts_with("raw/kat/") && !is_json {
        EvidenceKind::KatLog
    } else if path.starts_with("raw/build/") && !is_json {
        EvidenceKind::BuildLog
    } else {
        let label = if path.starts_with("raw/kat/") {
            "KAT result"
        } else {
            "build result"
        };
        EvidenceKind::Other {
            label: label.to_owned(),
        }
    }
}
