//! Title line and key facts of a family.

use crate::model::column::Units;
use crate::model::lines::FamilyLine;
use crate::model::row::Row;
use crate::ui::node::{Tag, el, words};
use kemscope_schema::{FamilyRecord, Operation, Provenance, format};
use std::sync::Arc;

/// Words of a speed with its unit.
fn speed(value: f64, units: Units) -> String {
    match units {
        Units::Cycles => format!("{}cycles", format::cycles(value)),
        Units::Time => format::seconds(value),
    }
}

/// The title line: identifier, name, basis.
pub fn title(record: &FamilyRecord) -> Tag {
    let family = &record.family;
    el("div")
        .class("page-head")
        .child(
            el("h1")
                .child(words("span", "mono", &family.id))
                .text(&format!(" {}", family.name)),
        )
        .child(words(
            "p",
            "muted",
            family.category.map_or("", |category| category.name()),
        ))
}

fn fact(name: &str, class: &'static str, value: &str) -> Tag {
    el("div")
        .child(el("dt").text(name))
        .child(words("dd", class, value))
}

/// The facts in a row. They come from the summaries, like the list of families: one rule for both.
pub fn facts(
    line: Option<&FamilyLine>,
    rows: &[Row],
    records: &[Arc<FamilyRecord>],
    units: Units,
) -> Tag {
    let mut facts = el("dl").class("facts num");
    if let Some(line) = line {
        let wire = line.wire.map(|(low, high)| {
            format!(
                "{} – {} bytes",
                format::grouped(low as u64),
                format::grouped(high as u64)
            )
        });
        let fastest = line
            .fastest
            .and_then(|at| rows.get(at as usize))
            .and_then(|row| {
                Some(format!(
                    "{} ({})",
                    speed(row.speed(Operation::Dec, units)?, units),
                    row.data.instance
                ))
            });
        facts = facts
            .child(fact("instances", "", &line.rows.to_string()))
            .child(fact("KAT", line.kat_class(), &line.kat_words()))
            .child(fact(
                "public key + ciphertext",
                "",
                wire.as_deref().unwrap_or("–"),
            ))
            .child(fact("fastest dec", "", fastest.as_deref().unwrap_or("–")));
    }
    for record in records {
        let origin = match record.provenance {
            Provenance::Measured => "measured by KEMscope's runner",
            Provenance::Imported => "imported, independent measurement",
        };
        facts = facts.child(fact(&record.system, "", origin));
    }
    facts
}
