//! The published record of an instance, made from its raw files alone.

use super::raw::RawInstance;
use super::timing;
use crate::files::sha256_hex;
use crate::profile::share;
use anyhow::{Context, Error, Result};
use kemscope_schema::run::{BuildStatus, End, MemoryRun, OperationRun, ProfileRun, RunInstance};
use kemscope_schema::{
    Evidence, EvidenceKind, Figure, Implementation, InstanceRecord, KatResult, KatStatus, Memory,
    Operation, OperationRecord, Timing,
};

/// Makes the record of an instance of the run `run`.
///
/// # Errors
/// If the trials of an operation are no measurements.
pub fn instance(run: &str, instance: &RunInstance, raw: &RawInstance) -> Result<InstanceRecord> {
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
            let profile = raw.profiles.iter().find(|p| p.operation == run.operation);
            let memory = raw.memory.iter().find(|m| m.operation == run.operation);
            operation(run, profile, memory).with_context(|| {
                format!("{}/{} {}", instance.family.id, instance.name, run.operation)
            })
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(InstanceRecord {
        target_bits: instance.target_bits,
        nist_category: instance.nist_category,
        implementation: Implementation {
            language: Some(instance.language.clone()),
            source: Some(instance.source.clone()),
            build_flags: built.map(|b| b.flag_set.clone()),
            flags: built.map(|b| b.flags.join(" ")),
            ..Implementation::of(&instance.implementation)
        },
        kat: kat(raw),
        rejection: raw.kat.as_ref().and_then(|kat| kat.rejection.clone()),
        sizes: sizes.unwrap_or_default(),
        operations,
        run: Some(run.to_owned()),
        evidence: evidence(run, raw),
        ..InstanceRecord::empty(&instance.name, &instance.implementation)
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

fn operation(
    run: &OperationRun,
    profile: Option<&ProfileRun>,
    memory: Option<&MemoryRun>,
) -> Result<OperationRecord> {
    let timing = if run.trials.is_empty() || run.failure.is_some() {
        None
    } else {
        Some(timed(run)?)
    };
    let largest = |values: Vec<Option<u64>>| values.into_iter().flatten().max();
    let heap = memory.and_then(MemoryRun::heap);
    let memory = Memory {
        elf_load_bytes: run.elf_load_bytes,
        baseline_rss_bytes: largest(run.trials.iter().map(|t| t.baseline_rss_bytes).collect()),
        peak_rss_bytes: largest(run.trials.iter().map(|t| t.peak_rss_bytes).collect()),
        stack_bytes: memory.and_then(MemoryRun::stack_bytes),
        heap_peak_bytes: heap.map(|heap| heap.peak_bytes),
        heap_allocations: heap.map(|heap| heap.allocations),
    };
    Ok(OperationRecord {
        timing,
        memory: (memory != Memory::default()).then_some(memory),
        profile: profile
            .map(share::published)
            .transpose()
            .map_err(Error::msg)?,
        failure: run.failure.as_ref().map(|f| f.message.clone()),
        ..OperationRecord::empty(run.operation)
    })
}

/// The statistics of the trials.
fn timed(run: &OperationRun) -> Result<Timing> {
    let precision = run.plan.and_then(|plan| plan.precision);
    let ended = run.plan.and_then(|plan| plan.end(&run.trials));
    let disturbed = run.trials.iter().filter(|trial| trial.disturbed);
    let repeated = run.trials.iter().map(|t| u64::from(t.disturbed_retries));
    Ok(Timing {
        plan: Some(run.plan_kind),
        precision: precision.map(Figure::exact),
        precision_reached: precision.map(|_| ended == Some(End::Precise)),
        disturbed_trials: disturbed.count() as u64,
        repeated_trials: repeated.sum(),
        ..timing::timing(&run.statistics()?, run.cycle_source())
    })
}

/// The evidence index: every raw file with its digest.
fn evidence(run: &str, raw: &RawInstance) -> Vec<Evidence> {
    raw.files
        .iter()
        .map(|file| Evidence {
            kind: kind(file.path.trim_start_matches(&format!("raw/{run}/"))),
            path: file.path.clone(),
            sha256: Some(sha256_hex(&file.bytes)),
            sha256_prefix: None,
        })
        .collect()
}

/// What a file of a run directory holds, by its place.
fn kind(path: &str) -> EvidenceKind {
    let folder = path.split('/').next().unwrap_or_default();
    let operation = Operation::ALL
        .into_iter()
        .find(|op| path.ends_with(&format!("__{op}.json")));
    let other = |label: &str| EvidenceKind::Other {
        label: label.to_owned(),
    };
    match (folder, operation, path.ends_with(".json")) {
        ("records", Some(operation), _) => EvidenceKind::Timing { operation },
        ("profiles", Some(operation), _) => EvidenceKind::HashProfile { operation },
        ("memory", Some(operation), _) => EvidenceKind::Memory { operation },
        ("calibration", Some(operation), _) => other(&format!("calibration {operation}")),
        ("kat", _, false) => EvidenceKind::KatLog,
        ("build", _, false) => EvidenceKind::BuildLog,
        ("kat", ..) => other("KAT result"),
        ("build", ..) => other("build result"),
        _ => other("run manifest"),
    }
}
