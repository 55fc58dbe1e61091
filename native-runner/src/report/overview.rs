//! The table of many instances, of one system or several.

use super::document::{Column, Document, Kind, Table};
use super::remarks;
use anyhow::Result;
use kemscope_schema::summary::{SummaryOperation, SummaryRow};
use kemscope_schema::{
    CycleSource, Family, FamilyRecord, Figure, Operation, PlanKind, Provenance, System, derive,
    format,
};

/// An instance of the table.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Identifier of the system.
    pub system: String,
    /// The family.
    pub family: Family,
    /// Measured here or imported.
    pub provenance: Provenance,
    /// Name of the instance, with its variant where the family has more than one of that name.
    pub label: String,
    /// Its figures.
    pub row: SummaryRow,
    /// The system's fixed clock: times may be derived from cycles by it.
    pub fixed_clock_hz: Option<Figure>,
    /// Whether it ran on an emulated processor.
    pub emulated: bool,
}

/// The instances of a family on a system.
pub fn entries(record: &FamilyRecord, system: &System) -> Vec<Entry> {
    let environment = record.environment.as_ref().unwrap_or(&system.environment);
    let instances = record.instances.iter();
    instances
        .map(|instance| Entry {
            system: record.system.clone(),
            family: record.family.clone(),
            provenance: record.provenance,
            label: remarks::label(record, instance),
            row: SummaryRow::of(&record.family.id, instance),
            fixed_clock_hz: system.environment.fixed_clock_hz,
            emulated: environment.emulated == Some(true),
        })
        .collect()
}

impl Entry {
    fn marks(&self) -> Vec<&'static str> {
        let operations = Operation::ALL
            .into_iter()
            .filter_map(|op| self.row.operation(op));
        let quick = operations
            .into_iter()
            .any(|o| o.plan == Some(PlanKind::Quick));
        let marks = [(quick, "quick"), (self.emulated, "emulated")];
        marks
            .into_iter()
            .filter(|(set, _)| *set)
            .map(|(_, mark)| mark)
            .collect()
    }
}

/// The report: table, origins and warnings of the systems.
pub fn document(entries: &[Entry], systems: &[System]) -> Document {
    let names: Vec<&str> = systems.iter().map(|s| s.id.as_str()).collect();
    let mut document = Document {
        title: format!("KEM overview — {}", names.join(", ")),
        landscape: true,
        ..Document::default()
    };
    for system in systems {
        let environment = &system.environment;
        let clock = environment.clock.as_deref().unwrap_or("clock unknown");
        document.paragraph(format!(
            "{}: {}, {}, {clock}. {} figures.",
            system.id,
            system.label,
            system.architecture,
            match system.provenance {
                Provenance::Measured => "Measured",
                Provenance::Imported => "Imported",
            }
        ));
    }
    let warnings = systems.iter().flat_map(|system| {
        let lines = remarks::host(&system.environment).into_iter();
        lines.map(move |line| format!("{}: {line}", system.id))
    });
    document.warnings(warnings.collect());
    document.table(table(entries));
    document
}

/// The table for people.
pub fn table(entries: &[Entry]) -> Table {
    let several = |word: fn(&Entry) -> &str| {
        let mut words = entries.iter().map(word);
        let first = words.next();
        words.any(|word| Some(word) != first)
    };
    let several_systems = several(|entry| &entry.system);
    let several_variants = several(|entry| &entry.row.implementation);
    let marked = entries.iter().any(|entry| !entry.marks().is_empty());
    let mut columns = Vec::new();
    if several_systems {
        columns.push(Column::new("system", Kind::Text));
    }
    columns.push(Column::new("family", Kind::Text));
    columns.push(Column::new("instance", Kind::Name));
    if several_variants {
        columns.push(Column::new("implementation", Kind::Text));
    }
    columns.push(Column::new("target", Kind::Text));
    columns.push(Column::new("KAT", Kind::Text));
    for head in ["public key", "secret key", "ciphertext"] {
        columns.push(Column::new(head, Kind::Bytes));
    }
    for what in ["cycles", "time"] {
        for operation in Operation::ALL {
            columns.push(Column::new(format!("{operation} {what}"), Kind::Figure));
        }
    }
    columns.push(Column::new("symmetric", Kind::Figure));
    if marked {
        columns.push(Column::new("marks", Kind::Text));
    }
    let rows: Vec<Vec<String>> = entries
        .iter()
        .map(|entry| {
            let row = &entry.row;
            let mut cells = Vec::new();
            if several_systems {
                cells.push(entry.system.clone());
            }
            cells.push(format!("{} {}", entry.family.id, entry.family.name));
            cells.push(row.instance.clone());
            if several_variants {
                cells.push(row.implementation.clone());
            }
            cells.push(target(row));
            cells.push(kat(row));
            let sizes = [
                row.public_key_bytes,
                row.secret_key_bytes,
                row.ciphertext_bytes,
            ];
            cells.extend(sizes.map(|bytes| or_dash(bytes.map(|b| b.to_string()))));
            cells.extend(Operation::ALL.map(|op| or_dash(row.operation(op).and_then(cycles))));
            cells.extend(Operation::ALL.map(|op| {
                or_dash(
                    row.operation(op)
                        .and_then(|o| time(o, entry.fixed_clock_hz)),
                )
            }));
            cells.push(or_dash(
                derive::largest_hash_share(row).map(|share| format::share(share.value)),
            ));
            if marked {
                let marks = entry.marks();
                cells.push(if marks.is_empty() {
                    String::new()
                } else {
                    format!("⚠ {}", marks.join(", "))
                });
            }
            cells
        })
        .collect();
    let mut caption = "Sizes in bytes; cycles and time per call; symmetric: largest share of the symmetric primitives among the three operations.".to_owned();
    if rows.iter().flatten().any(|cell| cell.ends_with('†')) {
        caption.push_str(" †: derived from cycles and the fixed clock.");
    }
    Table {
        caption,
        columns,
        rows,
    }
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| crate::page::UNKNOWN.to_owned())
}

fn target(row: &SummaryRow) -> String {
    match (row.target_bits, row.nist_category) {
        (Some(bits), _) => bits.to_string(),
        (None, Some(category)) => format!("category {category}"),
        (None, None) => crate::page::UNKNOWN.to_owned(),
    }
}

fn kat(row: &SummaryRow) -> String {
    if row.kat.is_well() {
        row.kat.to_string()
    } else {
        format!("⚠ {}", row.kat)
    }
}

fn cycles(operation: &SummaryOperation) -> Option<String> {
    let printed = format::cycles(operation.mean_cycles?.value);
    Some(match remarks::cycle_mark(operation.cycle_source) {
        Some(mark) => format!("{printed} ({mark})"),
        None => printed,
    })
}

fn time(operation: &SummaryOperation, fixed_clock_hz: Option<Figure>) -> Option<String> {
    let time = derive::seconds(operation, fixed_clock_hz)?;
    let printed = format::seconds(time.figure.value);
    Some(if time.derived {
        format!("{printed} †")
    } else {
        printed
    })
}

/// The table for programs: numbers in plain units, empty means unknown. Times are those that were measured or
/// printed; none are derived.
///
/// # Errors
/// Never for entries of published records.
pub fn csv(entries: &[Entry]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut head: Vec<String> = [
        "system",
        "family",
        "algorithm",
        "basis",
        "instance",
        "implementation",
        "target_bits",
        "nist_category",
        "kat",
        "public_key_bytes",
        "secret_key_bytes",
        "ciphertext_bytes",
        "shared_secret_bytes",
    ]
    .map(str::to_owned)
    .to_vec();
    for operation in Operation::ALL {
        for what in [
            "cycles",
            "cycle_source",
            "seconds",
            "symmetric_share",
            "plan",
        ] {
            head.push(format!("{operation}_{what}"));
        }
    }
    head.extend(["emulated", "provenance"].map(str::to_owned));
    writer.write_record(&head)?;
    let whole = |value: Option<u64>| value.map(|v| v.to_string()).unwrap_or_default();
    let figure = |figure: Option<Figure>| {
        figure
            .map(|f| format::shortest(f.value))
            .unwrap_or_default()
    };
    for entry in entries {
        let row = &entry.row;
        let category = entry.family.category.map(|category| category.name());
        let mut cells = vec![
            entry.system.clone(),
            entry.family.id.clone(),
            entry.family.name.clone(),
            category.unwrap_or_default().to_owned(),
            row.instance.clone(),
            row.implementation.clone(),
            whole(row.target_bits.map(u64::from)),
            whole(row.nist_category.map(u64::from)),
            row.kat.label().to_owned(),
            whole(row.public_key_bytes),
            whole(row.secret_key_bytes),
            whole(row.ciphertext_bytes),
            whole(row.shared_secret_bytes),
        ];
        for operation in Operation::ALL {
            let o = row.operation(operation).copied().unwrap_or_default();
            let source = o.mean_cycles.and(o.cycle_source).map(CycleSource::name);
            cells.push(figure(o.mean_cycles));
            cells.push(source.unwrap_or_default().to_owned());
            cells.push(figure(o.mean_seconds));
            cells.push(figure(o.hash_share));
            cells.push(o.plan.map(PlanKind::name).unwrap_or_default().to_owned());
        }
        cells.push(entry.emulated.to_string());
        cells.push(entry.provenance.name().to_owned());
        writer.write_record(&cells)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
