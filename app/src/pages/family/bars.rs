//! Bars of keygen, enc and dec with the symmetric share as their stronger part.

use super::tables::name_of;
use crate::model::column::Units;
use crate::model::geometry::{decades, extent, fraction};
use crate::model::mark::{self, Mark};
use crate::ui::node::{Tag, el, words};
use kemscope_schema::{
    FamilyRecord, Figure, Operation, OperationRecord, SummaryOperation, derive, format,
};

/// The speed of an operation in the units in use.
fn speed(record: &OperationRecord, units: Units, clock: Option<Figure>) -> Option<f64> {
    let summary = SummaryOperation::of(record);
    match units {
        Units::Cycles => summary.mean_cycles.map(|cycles| cycles.value),
        Units::Time => derive::seconds(&summary, clock).map(|time| time.figure.value),
    }
}

/// The range of the bars of some records with their systems' fixed clocks; `None` where nothing was measured.
pub fn range<'a>(
    records: impl Iterator<Item = (&'a FamilyRecord, Option<Figure>)>,
    units: Units,
) -> Option<(f64, f64)> {
    let mut values = Vec::new();
    for (record, clock) in records {
        for operation in record.instances.iter().flat_map(|i| &i.operations) {
            values.extend(speed(operation, units, clock));
        }
    }
    extent(values.into_iter()).map(decades)
}

/// The bars of one record on a common range; `None` where nothing was measured.
pub fn bars(
    record: &FamilyRecord,
    units: Units,
    clock: Option<Figure>,
    range: (f64, f64),
) -> Option<Tag> {
    self::range(std::iter::once((record, clock)), units)?;
    let mut marks = Vec::new();
    let mut cells = vec![el("div")];
    cells.extend(Operation::ALL.map(|op| words("div", "bar-head", op.name())));
    for instance in record
        .instances
        .iter()
        .filter(|instance| !instance.operations.is_empty())
    {
        cells.push(words("div", "bar-name mono", &name_of(record, instance)));
        for op in Operation::ALL {
            let figures = instance
                .operation(op)
                .and_then(|record| Some((record, speed(record, units, clock)?)));
            cells.push(match figures {
                Some((record, value)) => {
                    let mark = Mark::of(&SummaryOperation::of(record), units, clock);
                    marks.extend(mark);
                    let text = match units {
                        Units::Cycles => format::cycles(value),
                        Units::Time => format::seconds(value),
                    };
                    bar(record, fraction(value, range, true), &text, mark)
                }
                None => words("div", "bar-cell muted", "–"),
            });
        }
    }
    let what = if units == Units::Cycles {
        "cycles"
    } else {
        "time"
    };
    let mut caption = format!(
        "Length: {what} per call on a logarithmic scale, one for all bars. The stronger part of a bar is the symmetric share of its length, not of the scale."
    );
    if let Some(meanings) = mark::meanings(&mark::occurring(marks.into_iter())) {
        caption.push_str(&format!(" {meanings}."));
    }
    let figure = el("figure").class("bars").attr("data-testid", "bars");
    Some(
        figure
            .child(el("div").class("bar-grid num").children(cells))
            .child(words("figcaption", "muted", &caption)),
    )
}

fn bar(record: &OperationRecord, place: f64, text: &str, mark: Option<Mark>) -> Tag {
    let share = record
        .profile
        .as_ref()
        .and_then(|profile| profile.hash_share);
    let dark = share.map_or(0.0, |share| share.value * 100.0);
    let part = share.map_or_else(String::new, |share| {
        format!(" · {}", format::share(share.value))
    });
    let fill = el("span")
        .class("bar-fill")
        .style("--w", &format!("{:.1}%", 2.0 + 98.0 * place));
    let fill = fill.child(
        el("span")
            .class("bar-dark")
            .style("--w", &format!("{dark:.1}%")),
    );
    el("div")
        .class("bar-cell")
        .attr("title", &format!("{} {text}{part}", record.operation))
        .child(
            el("span")
                .class("bar-track")
                .attr("aria-hidden", "true")
                .child(fill),
        )
        .child(
            words("span", "bar-words", text)
                .mark(mark)
                .child(words("span", "muted", &part)),
        )
}
