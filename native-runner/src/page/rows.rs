//! Prints the sections of a family record as the report pages print them.

use super::section::Section;
use kemscope_schema::csv::primitive_calls_text;
use kemscope_schema::{
    Environment, Evidence, FamilyRecord, Figure, InstanceRecord, LinkedText, OperationRecord,
    Timing, UnknownShare, format,
};

/// What stands for an unknown figure.
pub const UNKNOWN: &str = "–";

/// A row of a section's table.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// The instance that it is about; none in sections 1 and 2.
    pub instance: Option<&'a InstanceRecord>,
    /// The operation that it is about, where it is about one.
    pub operation: Option<&'a OperationRecord>,
    /// The cells as printed.
    pub cells: Vec<String>,
}

/// The rows of a section's table, in the order of the pages.
pub fn rows(record: &FamilyRecord, section: Section) -> Vec<Row<'_>> {
    match section {
        Section::Basic => basic(record).into_iter().map(general).collect(),
        Section::Environment => record
            .environment
            .iter()
            .flat_map(Environment::items)
            .map(|item| general(vec![item.item, item.value]))
            .collect(),
        Section::Kat => each_instance(record, |i| vec![kat(i)]),
        Section::Sizes => each_instance(record, |i| vec![sizes(i)]),
        Section::Evidence => each_instance(record, evidence),
        Section::Performance => each_operation(record, performance),
        Section::Memory => each_operation(record, memory),
        Section::Symmetric => each_operation(record, symmetric),
    }
}

fn general<'a>(cells: Vec<String>) -> Row<'a> {
    Row {
        instance: None,
        operation: None,
        cells,
    }
}

fn each_instance(
    record: &FamilyRecord,
    rows: impl Fn(&InstanceRecord) -> Vec<Vec<String>>,
) -> Vec<Row<'_>> {
    let of = |instance| {
        rows(instance).into_iter().map(move |cells| Row {
            instance: Some(instance),
            ..general(cells)
        })
    };
    record.instances.iter().flat_map(of).collect()
}

/// The rows of operations; name and operation stand before the cells.
fn each_operation(
    record: &FamilyRecord,
    cells: impl Fn(&OperationRecord) -> Option<Vec<String>>,
) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for instance in &record.instances {
        for operation in &instance.operations {
            if let Some(figures) = cells(operation) {
                let key = [instance.name.clone(), operation.operation.name().to_owned()];
                rows.push(Row {
                    instance: Some(instance),
                    operation: Some(operation),
                    cells: key.into_iter().chain(figures).collect(),
                });
            }
        }
    }
    rows
}

fn kat(instance: &InstanceRecord) -> Vec<String> {
    vec![
        instance.name.clone(),
        or_dash(instance.implementation.build_flags.clone()),
        instance.kat.status.label().to_owned(),
    ]
}

fn sizes(instance: &InstanceRecord) -> Vec<String> {
    let s = instance.sizes;
    let sizes = [
        s.public_key_bytes,
        s.secret_key_bytes,
        s.ciphertext_bytes,
        s.shared_secret_bytes,
    ];
    let mut cells = vec![instance.name.clone()];
    cells.extend(sizes.map(|bytes| or_dash(bytes.map(|b| b.to_string()))));
    cells
}

fn evidence(instance: &InstanceRecord) -> Vec<Vec<String>> {
    let row = |e: &Evidence| {
        let digest = e.sha256.as_ref().map(|d| format!(" (sha256 {d})"));
        let prefix = e.sha256_prefix.as_ref().map(|d| format!(" (sha256 {d}…)"));
        let item = e.kind.label() + &digest.or(prefix).unwrap_or_default();
        vec![instance.name.clone(), item, e.path.clone()]
    };
    instance.evidence.iter().map(row).collect()
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| UNKNOWN.to_owned())
}

fn printed(figure: Option<Figure>, print: impl Fn(f64) -> String) -> String {
    or_dash(figure.map(|f| print(f.value)))
}

/// Section 1 as (label, words).
fn basic(record: &FamilyRecord) -> Vec<Vec<String>> {
    let Some(basic) = &record.basic else {
        return Vec::new();
    };
    let words = |text: &Option<LinkedText>| text.as_ref().map(|t| t.text.clone());
    let sets = (!basic.parameter_sets.is_empty()).then(|| basic.parameter_sets.join(", "));
    [
        ("Category", words(&basic.category)),
        ("Algorithm", words(&basic.algorithm)),
        (
            "Implementation versions measured",
            words(&basic.implementation_versions),
        ),
        ("Parameter sets", sets),
        ("Security evaluation", words(&basic.security_evaluation)),
        ("Measurement method", words(&basic.measurement_method)),
        ("Submission", words(&basic.submission)),
    ]
    .into_iter()
    .filter_map(|(label, text)| Some(vec![label.to_owned(), text?]))
    .collect()
}

fn performance(operation: &OperationRecord) -> Option<Vec<String>> {
    let timing = operation.timing?;
    Some(vec![
        printed(timing.mean_cycles, format::cycles),
        printed(timing.mean_seconds, format::seconds),
        printed(timing.ops_per_second, format::ops_per_second),
        printed(timing.median_trial_seconds, format::seconds),
        calls(&timing),
    ])
}

fn calls(timing: &Timing) -> String {
    let n = match (timing.calls, timing.calls_at_least) {
        (Some(n), _) => n.to_string(),
        (None, Some(n)) => format!("≥ {n}"),
        (None, None) => return UNKNOWN.to_owned(),
    };
    match (timing.trials, timing.iterations) {
        (Some(trials), Some(iterations)) => format!("{n} ({trials} × {iterations})"),
        _ => n,
    }
}

fn memory(operation: &OperationRecord) -> Option<Vec<String>> {
    let memory = operation.memory?;
    Some(vec![
        or_dash(memory.elf_load_bytes.map(|b| b.to_string())),
        or_dash(memory.baseline_rss_bytes.map(format::kib)),
        or_dash(memory.peak_rss_bytes.map(format::kib)),
    ])
}

fn symmetric(operation: &OperationRecord) -> Option<Vec<String>> {
    let profile = operation.profile.as_ref()?;
    let share = |figure: Option<Figure>, unknown: Option<UnknownShare>| match (figure, unknown) {
        (Some(figure), _) => format::share(figure.value),
        (None, Some(UnknownShare::Undetermined)) => "??%".to_owned(),
        (None, None) => UNKNOWN.to_owned(),
    };
    Some(vec![
        share(profile.hash_share, profile.hash_share_unknown),
        share(profile.drng_share, profile.drng_share_unknown),
        primitive_calls_text(&profile.primitive_calls),
    ])
}
