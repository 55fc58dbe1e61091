//! The seven sections, each for every system shown.

use super::bars;
use super::tables;
use crate::model::column::Units;
use crate::ui::node::{Tag, el, words};
use kemscope_schema::{Environment, FamilyRecord, Figure, Provenance, SourceKind, System};
use std::sync::Arc;

/// The sections' titles; their anchors are `s1` to `s7`.
pub const TITLES: [&str; 7] = [
    "Basic information",
    "Assessment environment",
    "Functional testing (KAT)",
    "Performance",
    "Resource consumption",
    "Transmission and storage",
    "Raw evidence",
];

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

/// A record and its system's description, once that is here.
#[derive(Clone)]
pub struct Shown {
    /// The record.
    pub record: Arc<FamilyRecord>,
    /// The system.
    pub system: Option<Arc<System>>,
}

impl Shown {
    /// The environment that holds for the record: its own, otherwise its system's.
    fn environment(&self) -> Option<&Environment> {
        let of_system = self.system.as_ref().map(|system| &system.environment);
        self.record.environment.as_ref().or(of_system)
    }

    /// The fixed clock, from which times of summary figures are derived.
    fn clock(&self) -> Option<Figure> {
        self.environment()?.fixed_clock_hz
    }
}

/// Files do not change once they are here: the same ones are the same content.
impl PartialEq for Shown {
    fn eq(&self, other: &Shown) -> bool {
        Arc::ptr_eq(&self.record, &other.record)
            && match (&self.system, &other.system) {
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                (a, b) => a.is_none() && b.is_none(),
            }
    }
}

/// All sections.
pub fn sections(shown: &[Shown], units: Units) -> Vec<Tag> {
    // One range for all systems, so that their bars compare.
    let range = bars::range(shown.iter().map(|one| (&*one.record, one.clock())), units);
    TITLES
        .iter()
        .zip(MEANINGS)
        .zip(1..)
        .map(|((title, meaning), number)| {
            let blocks = shown
                .iter()
                .map(|one| block(number, one, units, range, shown.len() > 1));
            el("section")
                .class("family-section")
                .attr("id", &format!("s{number}"))
                .attr("data-section", &number.to_string())
                .attr("tabindex", "-1")
                .attr("aria-label", title)
                .child(
                    el("h2")
                        .child(words("span", "num muted", &number.to_string()))
                        .text(&format!(" {title}")),
                )
                .child(el("p").text(meaning))
                .child(el("div").class("blocks").children(blocks))
        })
        .collect()
}

/// A section of one system.
fn block(
    number: usize,
    shown: &Shown,
    units: Units,
    range: Option<(f64, f64)>,
    several: bool,
) -> Tag {
    let (record, clock) = (&shown.record, shown.clock());
    let block = el("div").class("block").attr("data-system", &record.system);
    let block = block.child_if(several.then(|| words("h3", "mono", &record.system)));
    let block = block.child_if(note(number, record).map(|note| words("p", "muted", &note)));
    match number {
        1 => block.child(tables::basic::basic(record)),
        2 => match shown.environment() {
            Some(environment) => block.children(tables::environment::environment(environment)),
            None => block.child(words("p", "muted", "The system's description is not here.")),
        },
        3 => block.child(tables::kat::kat(record)),
        4 => block
            .child_if(range.and_then(|range| bars::bars(record, units, clock, range)))
            .child(tables::performance::performance(record, clock)),
        5 => block.child(tables::memory::memory(record)),
        6 => block
            .child_if(tables::sizes::bars(record))
            .child(tables::sizes::sizes(record))
            .children(tables::symmetric::symmetric(record)),
        _ => block.children(tables::evidence::evidence(record)),
    }
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
    if printed.is_some() {
        return printed.clone();
    }
    match (&record.source.kind, record.provenance, number) {
        (SourceKind::FieldFigures, ..) => not_published(number).map(str::to_owned),
        (_, Provenance::Measured, 7) => Some(format!(
            "Paths are relative to data/{}/; native-runner verify recomputes the figures from them.",
            record.system
        )),
        _ => None,
    }
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
