//! The page of a family on a system, in the sections of the published report pages.

use super::document::{Column, Document, Fact, Kind, Table};
use super::remarks;
use super::tables;
use crate::page::{self, Section};
use kemscope_schema::{EnvironmentItem, FamilyRecord, Provenance, SourceKind, System};

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
            Section::Performance => {
                document.table(tables::section(record, section));
                document.table(tables::certainty(record));
            }
            _ => {
                let table = tables::section(record, section);
                // The pages leave such a section empty, and so does what can be read as one.
                if table.rows.is_empty() && record.source.kind != SourceKind::ReportPage {
                    document.paragraph("Nothing was measured or said of this.");
                }
                document.table(table);
            }
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
        Section::Symmetric => Some(
            "Shares are ticks within the symmetric primitives, and within the random generator, of the ticks of the whole operation, counted with link-time wrappers in a second library.",
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
            "The method is docs/method.md of KEMscope; native-runner verify computes every figure again from the raw trials."
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
