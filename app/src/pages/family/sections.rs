//! The seven sections, each for every system shown.

use super::SECTIONS;
use super::bars::Bars;
use super::tables;
use kemscope_schema::{FamilyRecord, Provenance, SourceKind};
use leptos::prelude::*;
use std::sync::Arc;

/// What the figures of a section mean and how they were obtained, in a sentence.
const MEANINGS: [&str; 7] = [
    "What was measured, and where its description and its security evaluation are.",
    "The machine, its clock and its tools during the campaign: figures of other machines do not compare without them.",
    "Before timing, each library must reproduce the published known-answer vectors; figures of one that does not are those of another algorithm.",
    "Mean cycles and time per call over all calls of all trials, each trial in a fresh pinned process; the median of the trial means stands beside them.",
    "Memory of the measuring process: upper bounds, with driver and C library included.",
    "Bytes that are sent and kept: public key and ciphertext travel, the secret key stays.",
    "The raw files behind the figures; each can be checked against its digest.",
];

/// All sections.
#[component]
pub fn Sections(records: Vec<Arc<FamilyRecord>>) -> impl IntoView {
    let body = |number: usize, record: &FamilyRecord| {
        match number {
        1 => tables::basic::basic(record),
        2 => view! { <tables::environment::EnvironmentTable system=record.system.clone() own=record.environment.clone()/> }.into_any(),
        3 => tables::kat::kat(record),
        4 => view! { <Bars record=record.clone()/>{tables::performance::performance(record)} }.into_any(),
        5 => tables::memory::memory(record),
        6 => view! { {tables::sizes::sizes(record)} {tables::symmetric::symmetric(record)} }.into_any(),
        _ => tables::evidence::evidence(record),
    }
    };
    let several = records.len() > 1;
    SECTIONS
        .iter()
        .zip(MEANINGS)
        .zip(1..)
        .map(|((title, meaning), number)| {
            let blocks: Vec<AnyView> = records
                .iter()
                .map(|record| {
                    view! {
                        <div class="block" data-system=record.system.clone()>
                            {several.then(|| view! { <h3 class="mono">{record.system.clone()}</h3> })}
                            {note(number, record).map(|note| view! { <p class="muted">{note}</p> })}
                            {body(number, record)}
                        </div>
                    }
                    .into_any()
                })
                .collect();
            view! {
                <section class="family-section" id=format!("s{number}") tabindex="-1" aria-label=*title data-section=number.to_string()>
                    <h2><span class="num muted">{number}</span>" "{*title}</h2>
                    <p>{meaning}</p>
                    <div class="blocks">{blocks}</div>
                </section>
            }
            .into_any()
        })
        .collect::<Vec<_>>()
}

/// The source's own sentence in a section; for families of which only summary figures are published, what is missing.
fn note(number: usize, record: &FamilyRecord) -> Option<String> {
    let notes = &record.notes;
    let printed = match number {
        1 => &notes.introduction,
        3 => &notes.kat,
        5 => &notes.memory,
        6 => &notes.sizes,
        7 => &notes.evidence,
        _ => &None,
    };
    printed.clone().or_else(|| (record.source.kind == SourceKind::FieldFigures).then(|| not_published(number)).flatten().map(str::to_owned)).or_else(|| {
        (number == 7 && record.provenance == Provenance::Measured)
            .then(|| format!("Paths are relative to data/{}/; native-runner verify recomputes the figures from them.", record.system))
    })
}

/// What published summary figures do not contain.
fn not_published(number: usize) -> Option<&'static str> {
    match number {
        1 => Some(
            "There is no report page of this family on this system: only cycles, sizes and symmetric shares are published.",
        ),
        4 => Some(
            "Published are mean cycles alone; times are derived from them and the fixed clock, numbers of calls are lower bounds where the source says only “≥ 100”.",
        ),
        5 => Some("Memory is not published for this family on this system."),
        6 => Some(
            "Secret keys, shared secrets and the share of the DRNG are not published for this family on this system.",
        ),
        7 => Some("No raw files are published with the summary figures."),
        _ => None,
    }
}
