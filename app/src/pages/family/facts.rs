//! Title line and key facts of a family.

use super::sections::Shown;
use crate::model::column::Units;
use crate::model::lines::FamilyLine;
use crate::model::number;
use crate::model::row::Row;
use crate::ui::node::{Tag, el, words};
use kemscope_schema::{FamilyRecord, Operation, Provenance};

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
pub fn facts(line: Option<&FamilyLine>, rows: &[Row], shown: &[Shown], units: Units) -> Tag {
    let mut facts = el("dl").class("facts num");
    if let Some(line) = line {
        let wire = line
            .wire
            .map(|wire| format!("{} bytes", number::range(wire)));
        let best = line.fastest.and_then(|at| rows.get(at as usize));
        let fastest = best.and_then(|row| {
            let speed = number::speed(row.speed(Operation::Dec, units)?, units);
            Some(format!("{speed} ({}, {})", row.data.instance, row.system))
        });
        let mark = best.and_then(|row| row.mark(Operation::Dec, units));
        facts = facts
            .child(fact("instances", "", &line.instances.to_string()))
            .child(fact("KAT", line.kat_class(), &line.kat_words()))
            .child(fact(
                "public key + ciphertext",
                "",
                wire.as_deref().unwrap_or("–"),
            ))
            .child(
                el("div")
                    .child(el("dt").text("fastest dec"))
                    .child(words("dd", "", fastest.as_deref().unwrap_or("–")).mark(mark))
                    .child_if(mark.map(|mark| words("dd", "muted marks", mark.meaning()))),
            );
    }
    for Shown { record, .. } in shown {
        let origin = match record.provenance {
            Provenance::Measured => "measured by KEMscope's runner",
            Provenance::Imported => "imported, independent measurement",
        };
        facts = facts.child(fact(&record.system, "", origin));
    }
    facts
}
