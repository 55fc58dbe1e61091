//! Columns beyond those of the published pages. Each appears only where a record has something for it.

use super::document::Kind;
use super::remarks;
use crate::page::{Row, Section};
use kemscope_schema::{FamilyRecord, Figure, Timing, format};

/// A further column of a section's table.
#[derive(Clone, Copy)]
pub struct Extra {
    /// Its head.
    pub head: &'static str,
    /// What stands in it.
    pub kind: Kind,
    /// The cell of a row; `None` where nothing is known.
    pub cell: fn(&FamilyRecord, &Row<'_>) -> Option<String>,
}

/// The further columns of a section.
pub fn of(section: Section) -> &'static [Extra] {
    match section {
        Section::Kat => &KAT,
        Section::Performance => &PERFORMANCE,
        Section::Memory => &MEMORY,
        Section::Symmetric => &SYMMETRIC,
        _ => &[],
    }
}

const fn column(
    head: &'static str,
    kind: Kind,
    cell: fn(&FamilyRecord, &Row<'_>) -> Option<String>,
) -> Extra {
    Extra { head, kind, cell }
}

const KAT: [Extra; 3] = [
    column("implementation", Kind::Text, |_, row| {
        let instance = row.instance?;
        // The pages are all of reference implementations and do not say so.
        (instance.run.is_some()).then(|| instance.implementation.variant.clone())
    }),
    column("tampered ciphertext", Kind::Text, |_, row| {
        let outcome = row.instance?.rejection.as_ref()?.outcome;
        Some(outcome.name().to_owned())
    }),
    column("remark", Kind::Text, |_, row| {
        row.instance?.kat.message.clone()
    }),
];

fn timing(row: &Row<'_>) -> Option<Timing> {
    row.operation?.timing
}

/// The two ends of something that is known only with both.
fn range(low: Option<Figure>, high: Option<Figure>, print: fn(f64) -> String) -> Option<String> {
    let (low, high) = (low?.value, high?.value);
    Some(format!("{} … {}", print(low), print(high)))
}

/// Columns of the table that says how sure the figures of section 4 are.
pub const CERTAINTY: [Extra; 6] = [
    column("95 % interval, cycles", Kind::Figure, |_, row| {
        let timing = timing(row)?;
        let (low, high) = (timing.interval_low_cycles, timing.interval_high_cycles);
        range(low, high, format::cycles)
    }),
    column("95 % interval, time", Kind::Figure, |_, row| {
        let timing = timing(row)?;
        let (low, high) = (timing.interval_low_seconds, timing.interval_high_seconds);
        range(low, high, format::seconds)
    }),
    column("trial means", Kind::Figure, |_, row| {
        let timing = timing(row)?;
        let (low, high) = (timing.min_trial_seconds, timing.max_trial_seconds);
        range(low, high, format::seconds)
    }),
    column("spread", Kind::Figure, |_, row| {
        Some(format!("{:.2}%", 100.0 * timing(row)?.spread?.value))
    }),
    column("instructions", Kind::Figure, |_, row| {
        Some(format::cycles(timing(row)?.mean_instructions?.value))
    }),
    column("instr./cycle", Kind::Figure, |_, row| {
        Some(format!("{:.2}", timing(row)?.instructions_per_cycle?.value))
    }),
];

const PERFORMANCE: [Extra; 1] = [column("marks", Kind::Text, |record, row| {
    let marks = remarks::marks(row.operation?, record.environment.as_ref());
    (!marks.is_empty()).then(|| format!("⚠ {}", marks.join(", ")))
})];

const MEMORY: [Extra; 3] = [
    column("stack", Kind::Bytes, |_, row| {
        Some(row.operation?.memory?.stack_bytes?.to_string())
    }),
    column("heap peak", Kind::Bytes, |_, row| {
        Some(row.operation?.memory?.heap_peak_bytes?.to_string())
    }),
    column("heap requests", Kind::Figure, |_, row| {
        Some(row.operation?.memory?.heap_allocations?.to_string())
    }),
];

const SYMMETRIC: [Extra; 2] = [
    column("operations profiled", Kind::Figure, |_, row| {
        let profile = row.operation?.profile.as_ref()?;
        Some(profile.operations_profiled?.to_string())
    }),
    column("remark", Kind::Text, |_, row| {
        row.operation?.profile.as_ref()?.message.clone()
    }),
];
