//! Bars of keygen, enc and dec with the symmetric share as their darker part.

use crate::model::column::Units;
use crate::model::geometry::{decades, extent, fraction};
use crate::state::dashboard::Dashboard;
use kemscope_schema::{
    FamilyRecord, Figure, Operation, OperationRecord, SummaryOperation, derive, format,
};
use leptos::prelude::*;

/// The speed of an operation in the units in use, its words, and its symmetric share.
fn speed(record: &OperationRecord, units: Units, clock: Option<Figure>) -> Option<(f64, String)> {
    let summary = SummaryOperation::of(record);
    match units {
        Units::Cycles => summary
            .mean_cycles
            .map(|cycles| (cycles.value, format::cycles(cycles.value))),
        Units::Time => derive::seconds(&summary, clock)
            .map(|time| (time.figure.value, format::seconds(time.figure.value))),
    }
}

/// The bars of one record.
#[component]
pub fn Bars(record: FamilyRecord) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let clock = super::tables::clock(dashboard, &record);
    let record = StoredValue::new(record);
    let lines = move || {
        let units = dashboard.view.read().units;
        let clock = clock.get();
        record.with_value(|record| {
            let measured: Vec<_> = record.instances.iter().filter(|instance| !instance.operations.is_empty()).collect();
            let values = measured.iter().flat_map(|i| &i.operations).filter_map(|op| speed(op, units, clock).map(|(value, _)| value));
            let range = decades(extent(values)?);
            let rows: Vec<AnyView> = measured
                .iter()
                .map(|instance| {
                    let cells: Vec<AnyView> = Operation::ALL
                        .into_iter()
                        .map(|op| bar(instance.operation(op).and_then(|r| Some((r, speed(r, units, clock)?))), range, op))
                        .collect();
                    view! { <div class="bar-name mono">{instance.name.clone()}</div>{cells} }.into_any()
                })
                .collect();
            Some(view! {
                <figure class="bars" data-testid="bars">
                    <div class="bar-grid num">
                        <div></div>
                        {Operation::ALL.map(|op| view! { <div class="bar-head">{op.name()}</div> }.into_any()).into_iter().collect::<Vec<_>>()}
                        {rows}
                    </div>
                    <figcaption class="muted">
                        "Length: "
                        {match units { Units::Cycles => "cycles", Units::Time => "time" }}
                        " per call on a logarithmic scale, one for all bars. The darker part of a bar is the symmetric share of its length, not of the scale."
                    </figcaption>
                </figure>
            })
        })
    };
    view! { {lines} }.into_any()
}

fn bar(
    figures: Option<(&OperationRecord, (f64, String))>,
    range: (f64, f64),
    operation: Operation,
) -> AnyView {
    let Some((record, (value, text))) = figures else {
        return view! { <div class="bar-cell muted">"–"</div> }.into_any();
    };
    let share = record
        .profile
        .as_ref()
        .and_then(|profile| profile.hash_share);
    let length = 2.0 + 98.0 * fraction(value, range, true);
    let dark = share.map_or(0.0, |share| share.value * 100.0);
    let words = share.map_or_else(String::new, |share| {
        format!(" · {}", format::share(share.value))
    });
    let label = format!("{operation} {text}{words}");
    view! {
        <div class="bar-cell" title=label>
            <span class="bar-track" aria-hidden="true">
                <span class="bar-fill" style:width=format!("{length:.1}%")><span class="bar-dark" style:width=format!("{dark:.1}%")></span></span>
            </span>
            <span class="bar-words">{text}<span class="muted">{words}</span></span>
        </div>
    }
    .into_any()
}
