//! The tables of sections 3 to 7.

use super::document::{Column, Kind, Table};
use super::extras::{self, Extra};
use super::remarks;
use crate::page::{self, Row, Section};
use kemscope_schema::{FamilyRecord, InstanceRecord, KatStatus, Provenance};

/// A section's table: the columns of the pages, and behind them what the record knows beyond these.
pub fn section(record: &FamilyRecord, section: Section) -> Table {
    let rows = page::rows(record, section);
    let mut columns: Vec<Column> = section
        .columns()
        .iter()
        .zip(kinds(section))
        .map(|((head, _), kind)| Column::new(*head, *kind))
        .collect();
    // The pages' head names the functions of the competition; packages with NIST's interface have others.
    if let (Section::Symmetric, Provenance::Measured) = (section, record.provenance)
        && let Some(share) = columns.get_mut(2)
    {
        share.head = "symmetric".to_owned();
    }
    let extras = known(extras::of(section), record, &rows);
    columns.extend(heads(&extras));
    let cells = |row: &Row<'_>| {
        let mut cells = row.cells.clone();
        if let (Some(instance), Some(name)) = (row.instance, cells.first_mut()) {
            *name = marked_name(record, instance, section);
        }
        if let (Section::Performance, Some(cycles)) = (section, cells.get_mut(2)) {
            let source = row.operation.and_then(|o| o.timing?.cycle_source);
            if let Some(mark) = remarks::cycle_mark(source).filter(|_| cycles != page::UNKNOWN) {
                cycles.push_str(&format!(" ({mark})"));
            }
        }
        cells.extend(more(&extras, record, row));
        cells
    };
    Table {
        caption: caption(section).to_owned(),
        rows: rows.iter().map(cells).collect(),
        columns,
    }
}

/// How sure the figures of section 4 are; without rows where nothing is known of that.
pub fn certainty(record: &FamilyRecord) -> Table {
    let rows = page::rows(record, Section::Performance);
    let extras = known(&extras::CERTAINTY, record, &rows);
    let mut columns = vec![
        Column::new("instance", Kind::Name),
        Column::new("operation", Kind::Text),
    ];
    columns.extend(heads(&extras));
    let cells = |row: &Row<'_>| {
        let key = row.cells.iter().skip(1).take(1).cloned();
        let name = row
            .instance
            .map(|i| marked_name(record, i, Section::Performance));
        let cells = name.into_iter().chain(key);
        cells.chain(more(&extras, record, row)).collect()
    };
    Table {
        caption: "How sure the figures are: 95 % intervals of the means by Student’s t over the trial means, smallest and largest trial mean, coefficient of variation of the trial means.".to_owned(),
        rows: if extras.is_empty() {
            Vec::new()
        } else {
            rows.iter().map(cells).collect()
        },
        columns,
    }
}

/// Those columns for which any row has something.
fn known(extras: &[Extra], record: &FamilyRecord, rows: &[Row<'_>]) -> Vec<Extra> {
    let any = |extra: &&Extra| rows.iter().any(|row| (extra.cell)(record, row).is_some());
    extras.iter().filter(any).copied().collect()
}

fn heads(extras: &[Extra]) -> impl Iterator<Item = Column> + '_ {
    extras
        .iter()
        .map(|extra| Column::new(extra.head, extra.kind))
}

fn more(extras: &[Extra], record: &FamilyRecord, row: &Row<'_>) -> Vec<String> {
    let cell = |extra: &Extra| (extra.cell)(record, row);
    let known = extras.iter().map(cell);
    known
        .map(|cell| cell.unwrap_or_else(|| page::UNKNOWN.to_owned()))
        .collect()
}

/// The name with the sign of a known-answer test that was not passed.
fn marked_name(record: &FamilyRecord, instance: &InstanceRecord, section: Section) -> String {
    let name = remarks::label(record, instance);
    let status = instance.kat.status;
    let silent = status.is_well() || status == KatStatus::NotRun;
    if silent || matches!(section, Section::Kat | Section::Evidence) {
        name
    } else {
        format!("{name} ⚠ KAT {status}")
    }
}

/// What stands in the columns of a section's table.
fn kinds(section: Section) -> &'static [Kind] {
    use Kind::{Bytes, Figure, Name, Path, Text};
    match section {
        Section::Basic => &[],
        Section::Environment => &[Text, Text],
        Section::Kat => &[Name, Text, Text],
        Section::Performance => &[Name, Text, Figure, Figure, Figure, Figure, Figure],
        Section::Memory => &[Name, Text, Bytes, Figure, Figure],
        Section::Sizes => &[Name, Bytes, Bytes, Bytes, Bytes],
        Section::Symmetric => &[Name, Text, Figure, Figure, Text],
        Section::Evidence => &[Name, Text, Path],
    }
}

/// What a section's table shows, with the units that its cells do not carry.
fn caption(section: Section) -> &'static str {
    match section {
        Section::Basic | Section::Environment => "",
        Section::Kat => "Outcome of the known-answer test of each library.",
        Section::Performance => {
            "Cycles and time per call (k, M, G: thousand, million, thousand million cycles); ops/s: calls per second; n: calls in all."
        }
        Section::Memory => {
            "Memory of each operation’s process; stack and heap, where they are given, are those of one call alone, in bytes."
        }
        Section::Sizes => "Sizes in bytes.",
        Section::Symmetric => "Share of each operation’s time, and mean calls per operation.",
        Section::Evidence => "Raw files behind the figures.",
    }
}
