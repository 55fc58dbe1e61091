//! Raw records and profiles of the public harness (its schema 2): one JSON per operation.
//!
//! Every statistic is computed again from the trials; a record whose own statistics say something
//! else is refused.

use super::error::ImportError;
use crate::catalog;
use kemscope_schema::identifier::is_identifier;
use kemscope_schema::stats::{Statistics, TrialSample};
use kemscope_schema::{
    CycleSource, Environment, Evidence, EvidenceKind, Family, FamilyRecord, Figure, Implementation,
    InstanceRecord, KatResult, KatStatus, Memory, Operation, OperationRecord, PrimitiveCalls,
    Profile, Provenance, SCHEMA_VERSION, SectionNotes, Sizes, Source, SourceKind, Timing,
};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The harness's own schema version that is read.
const HARNESS_SCHEMA: u32 = 2;
/// Hash functions of the symmetric share.
const HASHES: [&str; 3] = ["sm3hash", "pseudohash", "pseudoXOF"];
/// Largest relative difference between a statistic of the record and the one computed from its trials.
const TOLERANCE: f64 = 1e-9;

/// A raw file, of either kind.
#[derive(Clone, Debug)]
enum Raw {
    Record(Box<Record>),
    Profile(HarnessProfile),
}

#[derive(Clone, Debug, Deserialize)]
struct Kind {
    schema: u32,
    candidate: String,
    label: String,
    operation: Operation,
    status: String,
    #[serde(default)]
    calls: Option<serde_json::Value>,
}

#[derive(Clone, Debug, Deserialize)]
struct Record {
    variant: String,
    flags: String,
    kat: Option<String>,
    kat_log: Option<String>,
    kat_log_sha256: Option<String>,
    environment: HarnessEnvironment,
    processes: Vec<Process>,
    trials: Vec<TrialSample>,
    mean_seconds: f64,
    median_trial_seconds: f64,
    min_trial_seconds: f64,
    max_trial_seconds: f64,
    mean_cycles: Option<f64>,
    median_trial_cycles: Option<f64>,
    operations_per_second: f64,
    measurements: u64,
    sizes: HarnessSizes,
    build_flags: Option<String>,
    baseline_rss_bytes: Option<u64>,
    peak_rss_bytes: Option<u64>,
    started_utc: Option<String>,
    ended_utc: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Process {
    trials: Vec<TrialSample>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct HarnessSizes {
    pk_bytes: Option<u64>,
    sk_bytes: Option<u64>,
    ct_bytes: Option<u64>,
    ss_bytes: Option<u64>,
}

#[derive(Clone, Debug, Deserialize)]
struct HarnessEnvironment {
    architecture: Option<String>,
    cpu_model: Option<String>,
    machine: Option<String>,
    cpu_number: Option<u32>,
    virtualized: Option<bool>,
    memory_total_kib: Option<u64>,
    os: Option<String>,
    kernel: Option<String>,
    compiler: Option<String>,
    cmake: Option<String>,
    cpufreq_governor: Option<String>,
    cpufreq_min_khz: Option<String>,
    cpufreq_max_khz: Option<String>,
    cpufreq_boost: Option<String>,
    smt_control: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct HarnessProfile {
    total: Total,
    calls: Vec<Call>,
    share: BTreeMap<String, f64>,
    hash_share: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Total {
    operations: u64,
    ticks: u64,
}

#[derive(Clone, Debug, Deserialize)]
struct Call {
    #[serde(rename = "fn")]
    function: String,
    calls: u64,
    ticks: u64,
}

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
    for (file, text) in files {
        let fail = |message: String| ImportError {
            file: file.clone(),
            line: None,
            section: None,
            message,
        };
        let (kind, raw) = parse(text).map_err(fail)?;
        let digest = format!("{:x}", Sha256::digest(text.as_bytes()));
        let record = family_of(&mut imported.families, &kind, system).map_err(fail)?;
        if let Raw::Record(raw) = &raw {
            let architecture = raw.environment.architecture.clone();
            imported.architecture = imported.architecture.take().or(architecture);
            record.environment.get_or_insert_with(|| environment(raw));
        }
        let instance = instance_of(record, &kind.label);
        let evidence = Evidence {
            kind: match raw {
                Raw::Record(_) => EvidenceKind::Timing {
                    operation: kind.operation,
                },
                Raw::Profile(_) => EvidenceKind::HashProfile {
                    operation: kind.operation,
                },
            },
            path: evidence_path(&kind, &raw),
            sha256: Some(digest),
            sha256_prefix: None,
        };
        if instance.evidence.iter().any(|e| e.kind == evidence.kind) {
            return Err(fail(format!(
                "a second file with the {} of {}",
                evidence.kind.label(),
                kind.label
            )));
        }
        instance.evidence.push(evidence);
        match raw {
            Raw::Record(raw) => take_record(instance, kind.operation, &raw).map_err(fail)?,
            Raw::Profile(raw) => {
                operation_of(instance, kind.operation).profile = Some(profile(&raw).map_err(fail)?);
            }
        }
    }
    Ok(imported)
}

fn parse(text: &str) -> Result<(Kind, Raw), String> {
    let unfit = |e: serde_json::Error| format!("is not a raw record of the harness: {e}");
    let kind: Kind = serde_json::from_str(text).map_err(unfit)?;
    if kind.schema != HARNESS_SCHEMA {
        return Err(format!(
            "schema {} where {HARNESS_SCHEMA} was expected",
            kind.schema
        ));
    }
    if !is_identifier(&kind.candidate) {
        return Err(format!(
            "candidate “{}” is not an identifier",
            kind.candidate
        ));
    }
    if kind.status != "complete" {
        return Err(format!(
            "status “{}” where “complete” was expected; measure it again",
            kind.status
        ));
    }
    let raw = if kind.calls.is_some() {
        Raw::Profile(serde_json::from_str(text).map_err(unfit)?)
    } else {
        Raw::Record(serde_json::from_str(text).map_err(unfit)?)
    };
    Ok((kind, raw))
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
            families.push(FamilyRecord {
                schema_version: SCHEMA_VERSION,
                system: system.to_owned(),
                family,
                provenance: Provenance::Imported,
                source: Source {
                    kind: SourceKind::RawRecords,
                    title: "raw records of the public harness".to_owned(),
                    sha256: None,
                },
                basic: None,
                environment: None,
                notes: SectionNotes::default(),
                survey_verdict: None,
                instances: Vec::new(),
            });
            families.len() - 1
        }
    };
    Ok(&mut families[at])
}

fn instance_of<'a>(record: &'a mut FamilyRecord, name: &str) -> &'a mut InstanceRecord {
    let at = record.instances.iter().position(|i| i.name == name);
    let at = at.unwrap_or_else(|| {
        record.instances.push(InstanceRecord {
            name: name.to_owned(),
            target_bits: None,
            nist_category: None,
            implementation: Implementation {
                variant: "reference".to_owned(),
                language: None,
                source: None,
                build_flags: None,
                flags: None,
            },
            kat: KatResult::of(KatStatus::NotRun),
            sizes: Sizes::default(),
            operations: Vec::new(),
            evidence: Vec::new(),
            note: None,
        });
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
        instance.operations.insert(
            at,
            OperationRecord {
                operation,
                timing: None,
                memory: None,
                profile: None,
                failure: None,
            },
        );
    }
    &mut instance.operations[at]
}

fn take_record(
    instance: &mut InstanceRecord,
    operation: Operation,
    raw: &Record,
) -> Result<(), String> {
    let of_processes: Vec<TrialSample> = raw
        .processes
        .iter()
        .flat_map(|p| p.trials.iter().copied())
        .collect();
    if of_processes != raw.trials {
        return Err("trials are not those of its processes".to_owned());
    }
    let statistics = Statistics::of(&raw.trials).map_err(|e| e.to_string())?;
    compare(raw, &statistics)?;
    instance.implementation = Implementation {
        variant: raw.variant.clone(),
        language: Some("C".to_owned()),
        source: None,
        build_flags: Some(raw.flags.clone()),
        flags: raw.build_flags.clone(),
    };
    if let Some(word) = &raw.kat {
        let status = KatStatus::from_word(word)
            .ok_or_else(|| format!("kat: “{word}” where a status like PASS was expected"))?;
        instance.kat = KatResult::of(status);
    }
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
    instance.sizes = Sizes {
        public_key_bytes: raw.sizes.pk_bytes,
        secret_key_bytes: raw.sizes.sk_bytes,
        ciphertext_bytes: raw.sizes.ct_bytes,
        shared_secret_bytes: raw.sizes.ss_bytes,
    };
    let record = operation_of(instance, operation);
    record.timing = Some(timing(&statistics, CycleSource::Perf));
    record.memory = Some(Memory {
        elf_load_bytes: None,
        baseline_rss_bytes: raw.baseline_rss_bytes,
        peak_rss_bytes: raw.peak_rss_bytes,
    });
    Ok(())
}

/// The contract's timing of computed statistics, all digits kept.
fn timing(statistics: &Statistics, source: CycleSource) -> Timing {
    Timing {
        mean_cycles: statistics.mean_cycles.map(Figure::exact),
        cycle_source: statistics.mean_cycles.map(|_| source),
        mean_seconds: Some(Figure::exact(statistics.mean_seconds)),
        median_trial_seconds: Some(Figure::exact(statistics.median_trial_seconds)),
        min_trial_seconds: Some(Figure::exact(statistics.min_trial_seconds)),
        max_trial_seconds: Some(Figure::exact(statistics.max_trial_seconds)),
        median_trial_cycles: statistics.median_trial_cycles.map(Figure::exact),
        ops_per_second: Some(Figure::exact(statistics.ops_per_second)),
        calls: Some(statistics.calls),
        calls_at_least: None,
        trials: Some(statistics.trials),
        iterations: statistics.iterations,
        plan: None,
    }
}

/// Holds the record's own statistics against those of its trials.
fn compare(raw: &Record, statistics: &Statistics) -> Result<(), String> {
    if raw.measurements != statistics.calls {
        return Err(format!(
            "measurements is {}, its trials have {}",
            raw.measurements, statistics.calls
        ));
    }
    let pairs = [
        (
            "mean_seconds",
            Some(raw.mean_seconds),
            Some(statistics.mean_seconds),
        ),
        (
            "median_trial_seconds",
            Some(raw.median_trial_seconds),
            Some(statistics.median_trial_seconds),
        ),
        (
            "min_trial_seconds",
            Some(raw.min_trial_seconds),
            Some(statistics.min_trial_seconds),
        ),
        (
            "max_trial_seconds",
            Some(raw.max_trial_seconds),
            Some(statistics.max_trial_seconds),
        ),
        (
            "operations_per_second",
            Some(raw.operations_per_second),
            Some(statistics.ops_per_second),
        ),
        ("mean_cycles", raw.mean_cycles, statistics.mean_cycles),
        (
            "median_trial_cycles",
            raw.median_trial_cycles,
            statistics.median_trial_cycles,
        ),
    ];
    for (field, stated, computed) in pairs {
        let agree = match (stated, computed) {
            (Some(a), Some(b)) => close(a, b),
            (None, None) => true,
            _ => false,
        };
        if !agree {
            let show = |v: Option<f64>| v.map_or_else(|| "null".to_owned(), |v| v.to_string());
            return Err(format!(
                "{field} is {}, its trials give {}",
                show(stated),
                show(computed)
            ));
        }
    }
    Ok(())
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE * a.abs().max(b.abs())
}

fn profile(raw: &HarnessProfile) -> Result<Profile, String> {
    if raw.total.ticks == 0 || raw.total.operations == 0 {
        return Err("total has no ticks or no operations".to_owned());
    }
    let mut ticks: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for call in &raw.calls {
        let sum = ticks.entry(&call.function).or_default();
        sum.0 += call.calls;
        sum.1 += call.ticks;
    }
    let share_of = |ticks: u64| ticks as f64 / raw.total.ticks as f64;
    for (function, (_, sum)) in &ticks {
        let stated = raw.share.get(*function).copied();
        if !stated.is_some_and(|s| close(s, share_of(*sum))) {
            return Err(format!(
                "share of {function} is {}, its ticks give {}",
                stated.map_or_else(|| "missing".to_owned(), |s| s.to_string()),
                share_of(*sum)
            ));
        }
    }
    let hash_ticks: u64 = HASHES
        .iter()
        .filter_map(|name| ticks.get(name))
        .map(|(_, t)| t)
        .sum();
    let hash_share = share_of(hash_ticks);
    if !close(raw.hash_share, hash_share) {
        return Err(format!(
            "hash_share is {}, its ticks give {hash_share}",
            raw.hash_share
        ));
    }
    let drng_ticks = ticks.get("drng").map_or(0, |(_, t)| *t);
    Ok(Profile {
        hash_share: Some(Figure::exact(hash_share)),
        hash_share_unknown: None,
        drng_share: Some(Figure::exact(share_of(drng_ticks))),
        drng_share_unknown: None,
        primitive_calls: ticks
            .iter()
            .map(|(name, (calls, _))| PrimitiveCalls {
                primitive: (*name).to_owned(),
                calls: Figure::exact(*calls as f64 / raw.total.operations as f64),
            })
            .collect(),
    })
}

fn environment(raw: &Record) -> Environment {
    let e = &raw.environment;
    let khz = |text: &Option<String>| text.as_deref().and_then(|t| t.parse::<u64>().ok());
    let fixed = khz(&e.cpufreq_min_khz)
        .zip(khz(&e.cpufreq_max_khz))
        .and_then(|(min, max)| (min == max).then_some(max));
    Environment {
        processor: e.cpu_model.as_ref().map(|model| match e.cpu_number {
            Some(cpu) => format!("{model} (CPU {cpu}, one core)"),
            None => model.clone(),
        }),
        machine: e.machine.clone(),
        clock: clock_text(e, fixed),
        fixed_clock_hz: fixed.map(|khz| Figure::exact(khz as f64 * 1e3)),
        memory_mib: e.memory_total_kib.map(|kib| kib / 1024),
        os: e.os.clone(),
        kernel: e.kernel.clone(),
        compiler: e.compiler.clone(),
        build_tool: e.cmake.clone(),
        campaign_start_utc: seconds_of(&raw.started_utc),
        campaign_end_utc: seconds_of(&raw.ended_utc),
        cycle_source: raw.mean_cycles.map(|_| CycleSource::Perf),
        virtualised: e.virtualized,
        emulated: None,
        findings: Vec::new(),
        additional: Vec::new(),
    }
}

/// The clock in the words of the report pages.
fn clock_text(e: &HarnessEnvironment, fixed_khz: Option<u64>) -> Option<String> {
    let governor = e.cpufreq_governor.as_ref()?;
    let mut text = match fixed_khz {
        Some(khz) => format!(
            "fixed {:.2} GHz (governor {governor}, minimum = maximum)",
            khz as f64 / 1e6
        ),
        None => format!("not fixed (governor {governor})"),
    };
    if let Some(boost) = &e.cpufreq_boost {
        text += if boost == "0" {
            ", boost off"
        } else {
            ", boost on"
        };
    }
    match e.smt_control.as_deref() {
        Some("notsupported") => text += ", SMT none",
        Some(other) => text += &format!(", SMT {other}"),
        None => {}
    }
    Some(text)
}

/// The time down to the second, without fraction and zone.
fn seconds_of(time: &Option<String>) -> Option<String> {
    time.as_ref().and_then(|t| t.get(..19)).map(str::to_owned)
}
