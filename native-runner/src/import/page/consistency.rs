//! What must hold between the sections of a page: nothing missing, figures that fit each other.

use super::table::Tables;
use crate::import::error::ImportError;
use crate::page::Section;
use kemscope_schema::{
    Environment, EvidenceKind, FamilyRecord, InstanceRecord, KatStatus, Operation, OperationRecord,
    Sizes,
};

/// Largest relative distance of calls per second from the inverse of the mean time: both are printed
/// with three digits.
const RATE_TOLERANCE: f64 = 0.02;
/// Largest relative distance of the cycles from mean time × fixed clock. Wide enough for every real
/// page; a unit read wrongly is off by a thousand.
const CLOCK_TOLERANCE: f64 = 0.25;

/// Checks a page's record.
///
/// # Errors
/// Names the section and what is missing or does not fit.
pub fn check(file: &str, tables: &Tables, record: &FamilyRecord) -> Result<(), ImportError> {
    let fail = |section: Section, message: String| ImportError {
        file: file.to_owned(),
        line: tables.rows(section).last().map(|row| row.line),
        section: Some(section.heading().to_owned()),
        message,
    };
    if record.instances.is_empty() {
        return Err(fail(
            Section::Kat,
            "no instances were found; at least one was expected".to_owned(),
        ));
    }
    let has = |section: Section| !tables.rows(section).is_empty();
    for instance in &record.instances {
        let name = &instance.name;
        if has(Section::Sizes) && instance.sizes == Sizes::default() {
            return Err(fail(
                Section::Sizes,
                format!("the row of “{name}” is missing"),
            ));
        }
        operations(instance, has).map_err(|(section, message)| fail(section, message))?;
        for operation in &instance.operations {
            figures(operation, record.environment.as_ref()).map_err(|(section, message)| {
                fail(
                    section,
                    format!("“{name} {}”: {message}", operation.operation),
                )
            })?;
        }
    }
    Ok(())
}

/// An instance that has one operation must have all, in every section that has a table.
fn operations(
    instance: &InstanceRecord,
    has: impl Fn(Section) -> bool,
) -> Result<(), (Section, String)> {
    if instance.operations.is_empty() && instance.kat.status == KatStatus::BuildFail {
        return Ok(());
    }
    for operation in Operation::ALL {
        let record = instance.operation(operation);
        let has_evidence = |kind: EvidenceKind| instance.evidence.iter().any(|e| e.kind == kind);
        let present = [
            (
                Section::Performance,
                record.is_some_and(|o| o.timing.is_some()),
            ),
            (Section::Memory, record.is_some_and(|o| o.memory.is_some())),
            (
                Section::Symmetric,
                record.is_some_and(|o| o.profile.is_some()),
            ),
            (
                Section::Evidence,
                has_evidence(EvidenceKind::Timing { operation }),
            ),
        ];
        for (section, present) in present {
            if has(section) && !present {
                return Err((
                    section,
                    format!("the row of “{} {operation}” is missing", instance.name),
                ));
            }
        }
    }
    Ok(())
}

/// The figures of one operation must fit each other.
fn figures(
    operation: &OperationRecord,
    environment: Option<&Environment>,
) -> Result<(), (Section, String)> {
    let off = |a: f64, b: f64| (a - b).abs() / b.abs().max(f64::MIN_POSITIVE);
    if let Some(timing) = operation.timing {
        let seconds = timing.mean_seconds.map(|f| f.value);
        if let (Some(seconds), Some(rate)) = (seconds, timing.ops_per_second)
            && off(rate.value * seconds, 1.0) > RATE_TOLERANCE
        {
            return Err((
                Section::Performance,
                format!(
                    "{} operations per second do not fit a mean time of {seconds} s",
                    rate.value
                ),
            ));
        }
        let clock = environment.and_then(|e| e.fixed_clock_hz);
        if let (Some(seconds), Some(cycles), Some(clock)) = (seconds, timing.mean_cycles, clock)
            && off(cycles.value, seconds * clock.value) > CLOCK_TOLERANCE
        {
            return Err((
                Section::Performance,
                format!(
                    "{} cycles do not fit a mean time of {seconds} s at {} Hz",
                    cycles.value, clock.value
                ),
            ));
        }
    }
    if let Some(memory) = operation.memory
        && let (Some(baseline), Some(peak)) = (memory.baseline_rss_bytes, memory.peak_rss_bytes)
        && baseline > peak
    {
        return Err((
            Section::Memory,
            format!("the baseline RSS of {baseline} bytes is above the peak of {peak}"),
        ));
    }
    if let Some(profile) = &operation.profile {
        let share = |f: Option<kemscope_schema::Figure>| f.map_or(0.0, |f| f.value);
        // Both shares are rounded to whole percents.
        if share(profile.hash_share) + share(profile.drng_share) > 1.01 {
            return Err((
                Section::Symmetric,
                "the shares together are more than the whole".to_owned(),
            ));
        }
        let mut names: Vec<&str> = profile
            .primitive_calls
            .iter()
            .map(|c| c.primitive.as_str())
            .collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err((
                Section::Symmetric,
                format!("the primitive “{}” appears twice", twice[0]),
            ));
        }
    }
    Ok(())
}
