//! Prints the sections of a family record as the report pages print them.

use super::outline::Section;
use kemscope_schema::csv::primitive_calls_text;
use kemscope_schema::{
    FamilyRecord, Figure, InstanceRecord, LinkedText, Timing, UnknownShare, format,
};

const UNKNOWN: &str = "–";

/// The rows of a section's table, in the order of the pages.
pub fn rows(record: &FamilyRecord, section: Section) -> Vec<Vec<String>> {
    match section {
        Section::Basic => basic(record),
        Section::Environment => record
            .environment
            .iter()
            .flat_map(|environment| environment.items())
            .map(|item| vec![item.item, item.value])
            .collect(),
        Section::Kat => each_instance(record, |i| {
            let flags = i.implementation.build_flags.clone();
            vec![vec![
                i.name.clone(),
                flags.unwrap_or_else(|| UNKNOWN.to_owned()),
                i.kat.status.label().to_owned(),
            ]]
        }),
        Section::Performance => each_instance(record, performance),
        Section::Memory => each_instance(record, memory),
        Section::Sizes => each_instance(record, |i| {
            let s = i.sizes;
            let mut row = vec![i.name.clone()];
            row.extend(
                [
                    s.public_key_bytes,
                    s.secret_key_bytes,
                    s.ciphertext_bytes,
                    s.shared_secret_bytes,
                ]
                .map(|bytes| or_dash(bytes.map(|b| b.to_string()))),
            );
            vec![row]
        }),
        Section::Symmetric => each_instance(record, symmetric),
        Section::Evidence => each_instance(record, |i| {
            i.evidence
                .iter()
                .map(|e| {
                    let digest = e.sha256.as_ref().map(|d| format!(" (sha256 {d})"));
                    let prefix = e.sha256_prefix.as_ref().map(|d| format!(" (sha256 {d}…)"));
                    let item = e.kind.label() + &digest.or(prefix).unwrap_or_default();
                    vec![i.name.clone(), item, e.path.clone()]
                })
                .collect()
        }),
    }
}

fn each_instance(
    record: &FamilyRecord,
    rows: impl Fn(&InstanceRecord) -> Vec<Vec<String>>,
) -> Vec<Vec<String>> {
    record.instances.iter().flat_map(rows).collect()
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

fn performance(instance: &InstanceRecord) -> Vec<Vec<String>> {
    instance
        .operations
        .iter()
        .filter_map(|o| {
            let timing = o.timing?;
            Some(vec![
                instance.name.clone(),
                o.operation.name().to_owned(),
                printed(timing.mean_cycles, format::cycles),
                printed(timing.mean_seconds, format::seconds),
                printed(timing.ops_per_second, format::ops_per_second),
                printed(timing.median_trial_seconds, format::seconds),
                calls(&timing),
            ])
        })
        .collect()
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

fn memory(instance: &InstanceRecord) -> Vec<Vec<String>> {
    instance
        .operations
        .iter()
        .filter_map(|o| {
            let memory = o.memory?;
            Some(vec![
                instance.name.clone(),
                o.operation.name().to_owned(),
                or_dash(memory.elf_load_bytes.map(|b| b.to_string())),
                or_dash(memory.baseline_rss_bytes.map(format::kib)),
                or_dash(memory.peak_rss_bytes.map(format::kib)),
            ])
        })
        .collect()
}

fn symmetric(instance: &InstanceRecord) -> Vec<Vec<String>> {
    let share = |figure: Option<Figure>, unknown: Option<UnknownShare>| match (figure, unknown) {
        (Some(figure), _) => format::share(figure.value),
        (None, Some(UnknownShare::Undetermined)) => "??%".to_owned(),
        (None, None) => UNKNOWN.to_owned(),
    };
    instance
        .operations
        .iter()
        .filter_map(|o| {
            let p = o.profile.as_ref()?;
            Some(vec![
                instance.name.clone(),
                o.operation.name().to_owned(),
                share(p.hash_share, p.hash_share_unknown),
                share(p.drng_share, p.drng_share_unknown),
                primitive_calls_text(&p.primitive_calls),
            ])
        })
        .collect()
}
