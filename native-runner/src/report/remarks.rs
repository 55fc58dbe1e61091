//! Where figures come from, and what makes them doubtful.

use super::document::Fact;
use kemscope_schema::rejection::RejectionOutcome;
use kemscope_schema::{
    CycleSource, Environment, FamilyRecord, InstanceRecord, OperationRecord, PlanKind, Provenance,
    SourceKind, System,
};

/// The origin of a record's figures.
pub fn origin(record: &FamilyRecord) -> Vec<Fact> {
    let source = match record.source.kind {
        SourceKind::ReportPage => {
            "imported from the report page of this title; figures have the digits that it prints"
                .to_owned()
        }
        SourceKind::FieldFigures => format!(
            "imported from {}; figures have the digits that it prints",
            record.source.title
        ),
        SourceKind::RawRecords => format!(
            "imported from {}; statistics computed from its trials",
            record.source.title
        ),
        SourceKind::Run => format!(
            "measured by native-runner, run {}; every trial is kept and native-runner verify computes the figures again",
            runs(record)
        ),
    };
    let mut facts = vec![Fact::new("Origin", source)];
    if let Some(category) = record.family.category {
        facts.push(Fact::new("Mathematical basis", category.name()));
    }
    if let Some(digest) = &record.source.sha256 {
        facts.push(Fact::new("SHA-256 of the source", digest.clone()));
    }
    let sources = cycle_sources(record);
    if !sources.is_empty() {
        let words: Vec<String> = sources
            .iter()
            .map(|source| format!("{} – {}", source.name(), source.explanation()))
            .collect();
        facts.push(Fact::new("Cycles", words.join("; ")));
    }
    if record.provenance == Provenance::Measured {
        facts.push(Fact::new("Plan", plans(record)));
    }
    facts
}

fn runs(record: &FamilyRecord) -> String {
    let mut runs: Vec<&str> = record
        .instances
        .iter()
        .filter_map(|i| i.run.as_deref())
        .collect();
    runs.sort_unstable();
    runs.dedup();
    runs.join(", ")
}

fn timings(record: &FamilyRecord) -> impl Iterator<Item = kemscope_schema::Timing> + '_ {
    let operations = record.instances.iter().flat_map(|i| &i.operations);
    operations.filter_map(|operation| operation.timing)
}

fn cycle_sources(record: &FamilyRecord) -> Vec<CycleSource> {
    let mut sources = Vec::new();
    for source in timings(record).filter_map(|t| t.mean_cycles.and(t.cycle_source)) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources
}

fn plans(record: &FamilyRecord) -> String {
    let mut words: Vec<&str> = Vec::new();
    for plan in timings(record).filter_map(|t| t.plan) {
        let word = match plan {
            PlanKind::Published => {
                "the published one: five trials in fresh processes, at least 100 calls where time allows"
            }
            PlanKind::Adaptive => {
                "adaptive: at least five trials in fresh processes, until the 95 % interval is as narrow as was asked"
            }
            PlanKind::Quick => "quick: a first impression, not for quoting",
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    if words.is_empty() {
        "nothing was timed".to_owned()
    } else {
        words.join("; ")
    }
}

/// What the reader must know before quoting a figure of a family.
pub fn warnings(record: &FamilyRecord, system: &System) -> Vec<String> {
    let mut lines = host(record.environment.as_ref().unwrap_or(&system.environment));
    for instance in &record.instances {
        let name = label(record, instance);
        if !instance.kat.status.is_well() {
            let why = instance.kat.message.as_ref();
            let why = why.map_or_else(String::new, |why| format!(": {why}"));
            lines.push(format!("{name}: KAT {}{why}", instance.kat.status));
        }
        if let Some(rejection) = &instance.rejection
            && !matches!(
                rejection.outcome,
                RejectionOutcome::Implicit | RejectionOutcome::Error
            )
        {
            lines.push(format!("{name}: {}", rejection.outcome.explanation()));
        }
        for operation in &instance.operations {
            if let Some(failure) = &operation.failure {
                lines.push(format!(
                    "{name} {}: no figure: {failure}",
                    operation.operation
                ));
            }
        }
        if let Some(note) = &instance.note {
            lines.push(format!("{name}: {note}"));
        }
    }
    let quick = timings(record)
        .filter(|t| t.plan == Some(PlanKind::Quick))
        .count();
    if quick > 0 {
        lines.push(format!(
            "{quick} operations were measured quickly, for a first impression only"
        ));
    }
    for source in cycle_sources(record) {
        match source {
            CycleSource::Perf => {}
            CycleSource::Tsc => lines.push(
                "cycles are reference cycles of the time-stamp counter, not core cycles; they are marked (tsc)"
                    .to_owned(),
            ),
            CycleSource::Estimated => lines.push(
                "cycles were not counted but estimated from time and clock; they are marked (estimated)"
                    .to_owned(),
            ),
        }
    }
    lines
}

/// What makes a host's figures doubtful.
pub fn host(environment: &Environment) -> Vec<String> {
    let mut lines = Vec::new();
    if environment.emulated == Some(true) {
        lines.push(
            "the processor is emulated: times and cycles say nothing of a real one".to_owned(),
        );
    }
    for finding in &environment.findings {
        lines.push(format!(
            "host not fit to measure ({}): {}",
            finding.check, finding.message
        ));
    }
    lines
}

/// An instance's name, with its variant where the family has more than one of that name.
pub fn label(record: &FamilyRecord, instance: &InstanceRecord) -> String {
    let same = record.instances.iter().filter(|i| i.name == instance.name);
    match same.count() {
        0 | 1 => instance.name.clone(),
        _ => format!("{} ({})", instance.name, instance.implementation.variant),
    }
}

/// The word behind cycles that are no core cycles.
pub fn cycle_mark(source: Option<CycleSource>) -> Option<&'static str> {
    match source {
        Some(CycleSource::Perf) | None => None,
        Some(other) => Some(other.name()),
    }
}

/// What is to be marked in an operation's row.
pub fn marks(operation: &OperationRecord, environment: Option<&Environment>) -> Vec<String> {
    let mut marks = Vec::new();
    let timing = operation.timing.unwrap_or_default();
    if timing.plan == Some(PlanKind::Quick) {
        marks.push("quick".to_owned());
    }
    if timing.disturbed_trials > 0 {
        marks.push(format!("{} trials disturbed", timing.disturbed_trials));
    }
    if timing.precision_reached == Some(false) {
        marks.push("precision not reached".to_owned());
    }
    if let Some(drift) = timing.drift.filter(|_| timing.drift_notable) {
        marks.push(format!("drift {:+.1}%", 100.0 * drift));
    }
    if environment.and_then(|e| e.emulated) == Some(true) {
        marks.push("emulated".to_owned());
    }
    marks
}
