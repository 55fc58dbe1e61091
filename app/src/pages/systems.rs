//! Systems and method: the machines, how the figures were obtained, and where they come from.

use super::family::environment;
use crate::state::dashboard::Dashboard;
use crate::state::reactive::effect;
use crate::state::store::Load;
use crate::ui::node::{Tag, el, live, words};
use crate::ui::states::{failed, notes, skeleton};
use kemscope_schema::{CycleSource, Provenance, SystemEntry};

/// The page.
pub fn systems(dashboard: Dashboard) -> Vec<Tag> {
    dashboard.unsettle();
    effect(move || {
        for entry in dashboard.entries() {
            dashboard.store.want_system(&entry.id);
        }
    });
    vec![live("page prose", move || page(dashboard))]
}

fn page(dashboard: Dashboard) -> Vec<Tag> {
    let mut tags = vec![
        el("div")
            .class("page-head")
            .attr("data-testid", "systems-page")
            .child(el("h1").text("Systems & method")),
    ];
    tags.extend(notes(dashboard));
    let entries = dashboard.entries();
    let mut waiting = dashboard.store.index().is_loading();
    for entry in &entries {
        let load = dashboard.store.system(&entry.id);
        waiting |= load.is_loading();
        let panel = panel(&entry.id)
            .child(title(entry))
            .child(words("p", "muted", &about(entry)));
        tags.push(match load {
            Load::Ready(system) => panel.children(environment(&system.environment)),
            Load::Failed(message) => panel.child(failed(
                dashboard,
                &message,
                "The other systems are not affected.",
            )),
            Load::Loading => panel.child(skeleton(6)),
        });
    }
    if !waiting {
        dashboard.settle();
    }
    tags.extend(method());
    tags
}

fn panel(label: &str) -> Tag {
    el("section").class("panel").attr("aria-label", label)
}

fn title(entry: &SystemEntry) -> Tag {
    el("h2")
        .child(words("span", "mono", &entry.id))
        .text(&format!(" {}", entry.label))
}

fn about(entry: &SystemEntry) -> String {
    let origin = match entry.provenance {
        Provenance::Measured => {
            "measured by KEMscope's own runner; the raw trials are kept beside the figures"
        }
        Provenance::Imported => "imported: independent measurements published at ngcc.dev",
    };
    format!(
        "{} · {} families · {origin}",
        entry.architecture,
        entry.families.len()
    )
}

/// The method in words, and the origin of the figures.
const TEXTS: [(&str, &[&str]); 3] = [
    (
        "How the figures are obtained",
        &[
            "The random generator is seeded with the bytes 00 to 2f. One call calibrates the plan; then five trials follow, each in a fresh process with a fresh address layout, pinned to one core, of a fixed number of calls: 0.5 to 1 second per trial, at least 100 calls in all, at most 20 000 per trial, fewer where five minutes would not do. Warm-up calls precede where an operation is short.",
            "The mean is over all calls of all trials; the median of the five trial means stands beside it. A trial below 95 % of the fixed clock is repeated up to twice. Honest decapsulation is checked before timing. Memory is that of the trial's process: resident set before and at its peak, and the library's loadable segments.",
            "The quick profile, which `cargo xtask up` uses for this machine, takes five trials of about 50 ms instead: a first impression, and every such figure says so.",
            "The symmetric share is the part of an operation spent in the placeholder hash functions (sm3hash, pseudohash, pseudoXOF), measured with link-time wrappers on the same inputs; nested calls count once, the generator counts apart. The overview shows the largest share among the three operations.",
        ],
    ),
    (
        "What counted the cycles",
        &[
            "Times that no one measured are derived from core cycles where the clock was fixed, and say so; reference cycles are never converted. Virtual machines often have no hardware counter and no fixed clock: the runner then says what it found, and every record carries it.",
        ],
    ),
    (
        "Where the figures come from",
        &[
            "arm_1 and x86_1 are independent measurements of the candidates of the NGCC competition, round 1, published at ngcc.dev. They are not self-assessments of the submitters, and not results of NICCS. Five families have full report pages on arm_1; of the rest, mean cycles, sizes, symmetric shares and test outcomes are published. Each figure is kept with its printed precision.",
            "Systems named local were measured on the machine that built this page, from the PQClean sources of ML-KEM, HQC and Classic McEliece. `native-runner verify` recomputes their statistics from the raw trials.",
            "Where two families have an instance of one name, they stay apart by their family; an implementation is named wherever there is more than one.",
        ],
    ),
];

/// A paragraph; words between back-ticks are code.
fn paragraph(text: &str) -> Tag {
    let mut tag = el("p");
    for (at, part) in text.split('`').enumerate() {
        tag = if at % 2 == 1 {
            tag.child(words("code", "", part))
        } else {
            tag.text(part)
        };
    }
    tag
}

fn method() -> impl Iterator<Item = Tag> {
    TEXTS.iter().map(|(title, paragraphs)| {
        let mut panel = panel(title).child(el("h2").text(title));
        if title.contains("cycles") {
            let sources = [CycleSource::Perf, CycleSource::Tsc, CycleSource::Estimated];
            panel = panel.child(el("dl").class("items").children(sources.map(|source| {
                el("div")
                    .child(el("dt").text(source.name()))
                    .child(el("dd").text(source.explanation()))
            })));
        }
        panel.children(paragraphs.iter().map(|text| paragraph(text)))
    })
}
