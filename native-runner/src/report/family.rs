//! The page of a family on a system, in the sections of the published report pages.

use super::document::{Column, Document, Fact, Kind, Table};
use super::extras;
use super::remarks;
use crate::page::{self, Row, Section};
use kemscope_schema::{
    EnvironmentItem, FamilyRecord, InstanceRecord, KatStatus, Provenance, SourceKind, System,
};

/// Makes the page.
pub fn document(record: &FamilyRecord, system: &System) -> Document {
    let mut document = Document {
        title: title(record, system),
        ..Document::default()
    };
    document.paragraph(record.notes.introduction.clone().unwrap_or_default());
    document.facts(remarks::origin(record));
    document.warnings(remarks::warnings(record, system));
    for section in Section::ALL {
        document.section(section.heading());
        for sentence in sentences(record, section) {
            document.paragraph(sentence);
        }
        match section {
            Section::Basic => document.facts(basic(record)),
            Section::Environment => document.table(environment(record, system)),
            _ => document.table(table(record, section)),
        }
    }
    document.paragraph(closing(record));
    document
}

fn title(record: &FamilyRecord, system: &System) -> String {
    if record.source.kind == SourceKind::ReportPage {
        return record.source.title.clone();
    }
    let architecture = match system.architecture.as_str() {
        "aarch64" => "AArch64",
        "x86_64" => "x86-64",
        other => other,
    };
    format!(
        "{} {} — performance on {architecture} (system {})",
        record.family.id, record.family.name, record.system
    )
}

/// The sentences of a section: those of the source, else what holds for all measurements of this runner.
fn sentences(record: &FamilyRecord, section: Section) -> Vec<String> {
    let notes = &record.notes;
    let own = match section {
        Section::Basic => &None,
        Section::Environment => &notes.environment,
        Section::Kat => &notes.kat,
        Section::Performance => &notes.performance,
        Section::Memory => &notes.memory,
        Section::Sizes => &notes.sizes,
        Section::Symmetric => &notes.profile,
        Section::Evidence => &notes.evidence,
    };
    let verdict = record
        .survey_verdict
        .as_ref()
        .filter(|_| section == Section::Symmetric);
    let mut sentences: Vec<String> = verdict
        .map(|verdict| format!("Survey verdict: {verdict}"))
        .into_iter()
        .collect();
    let general = match section {
        _ if record.provenance != Provenance::Measured => None,
        Section::Kat => Some(
            "Each library was built from the package's C sources and generated its known-answer text before anything was timed; PASS means that its SHA-256 is the expected one.",
        ),
        Section::Performance => Some(
            "Means are over all calls of all trials, each trial in a fresh process pinned to one CPU; cycles are counted in user mode.",
        ),
        Section::Memory => Some(
            "Static memory is the sum of the library's loadable ELF segments; resident sets are those of the measuring process, driver and libc included, so all are upper bounds.",
        ),
        Section::Sizes => Some("Sizes are those that the library's interface declares."),
        Section::Evidence => Some("Paths are relative to the system's data folder."),
        _ => None,
    };
    match own {
        Some(own) => sentences.extend(own.lines().map(str::to_owned)),
        None => sentences.extend(general.map(str::to_owned)),
    }
    sentences
}

fn closing(record: &FamilyRecord) -> String {
    match (&record.notes.scripts, record.provenance) {
        (Some(scripts), _) => scripts.clone(),
        (None, Provenance::Measured) => {
            "The method is docs/method.md of KEMscope; `native-runner verify` computes every figure again from the raw trials."
                .to_owned()
        }
        (None, Provenance::Imported) => String::new(),
    }
}

/// Section 1: as the source has it, else what the record knows.
fn basic(record: &FamilyRecord) -> Vec<Fact> {
    if let Some(basic) = &record.basic {
        let links = [
            ("Security evaluation", &basic.security_evaluation),
            ("Measurement method", &basic.measurement_method),
            ("Submission", &basic.submission),
        ];
        let rows = page::rows(record, Section::Basic);
        let facts = rows.into_iter().filter_map(|row| {
            let mut cells = row.cells.into_iter();
            let mut fact = Fact::new(cells.next()?, cells.next()?);
            let link = links.iter().find(|(label, _)| *label == fact.label);
            fact.href = link.and_then(|(_, text)| text.as_ref()?.href.clone());
            Some(fact)
        });
        return facts.collect();
    }
    let join = |mut words: Vec<&str>| {
        words.sort_unstable();
        words.dedup();
        words.join(", ")
    };
    let versions = record
        .instances
        .iter()
        .map(|i| i.implementation.variant.as_str());
    let names: Vec<&str> = {
        let mut names: Vec<&str> = record.instances.iter().map(|i| i.name.as_str()).collect();
        names.dedup();
        names
    };
    let sources = record
        .instances
        .iter()
        .filter_map(|i| i.implementation.source.as_deref());
    [
        (
            "Category",
            "public-key algorithm; function: key encapsulation".to_owned(),
        ),
        ("Algorithm", record.family.name.clone()),
        ("Implementation versions measured", join(versions.collect())),
        ("Parameter sets", names.join(", ")),
        ("Source code", join(sources.collect())),
    ]
    .into_iter()
    .filter(|(_, text)| !text.is_empty())
    .map(|(label, text)| Fact::new(label, text))
    .collect()
}

/// Section 2: the record's own environment, else the system's.
fn environment(record: &FamilyRecord, system: &System) -> Table {
    let mut items = match &record.environment {
        Some(environment) => environment.items(),
        None if record.source.kind == SourceKind::ReportPage => Vec::new(),
        None => system.environment.items(),
    };
    if record.provenance == Provenance::Measured {
        let environment = record.environment.as_ref().unwrap_or(&system.environment);
        let yes_no =
            |value: Option<bool>| value.map(|yes| if yes { "yes" } else { "no" }.to_owned());
        let more = [
            (
                "cycles counted by",
                environment.cycle_source.map(|s| s.name().to_owned()),
            ),
            (
                "clock by a busy loop",
                environment
                    .measured_clock_hz
                    .map(|hz| format!("{:.3} GHz", hz.value / 1e9)),
            ),
            ("virtual machine", yes_no(environment.virtualised)),
            ("emulated processor", yes_no(environment.emulated)),
            ("host name", system.host_name.clone()),
        ];
        items.extend(more.into_iter().filter_map(|(item, value)| {
            Some(EnvironmentItem {
                item: item.to_owned(),
                value: value?,
            })
        }));
    }
    Table {
        caption: "The machine, and how it was set up.".to_owned(),
        columns: vec![
            Column::new("item", Kind::Text),
            Column::new("value", Kind::Text),
        ],
        rows: items
            .into_iter()
            .map(|item| vec![item.item, item.value])
            .collect(),
    }
}

/// Sections 3 to 7: the columns of the pages, and behind them what the record knows beyond these.
fn table(record: &FamilyRecord, section: Section) -> Table {
    let rows = page::rows(record, section);
    let mut columns: Vec<Column> = section
        .columns()
        .iter()
        .zip(kinds(section))
        .map(|((head, _), kind)| Column::new(*head, *kind))
        .collect();
    let extras: Vec<extras::Extra> = extras::of(section)
        .iter()
        .filter(|extra| rows.iter().any(|row| (extra.cell)(record, row).is_some()))
        .copied()
        .collect();
    columns.extend(
        extras
            .iter()
            .map(|extra| Column::new(extra.head, extra.kind)),
    );
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
        let more = extras
            .iter()
            .map(|extra| (extra.cell)(record, row).unwrap_or_else(|| page::UNKNOWN.to_owned()));
        cells.extend(more);
        cells
    };
    Table {
        caption: caption(section).to_owned(),
        rows: rows.iter().map(cells).collect(),
        columns,
    }
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
