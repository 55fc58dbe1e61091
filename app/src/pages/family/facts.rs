//! Title line and key facts of a family.

use crate::model::filter::toggle;
use crate::model::lines;
use crate::model::row::Row;
use crate::state::dashboard::Dashboard;
use kemscope_schema::{FamilyRecord, Operation, Provenance, format};
use leptos::prelude::*;
use std::sync::Arc;

/// Title, systems to choose from, facts in a row.
#[component]
pub fn Facts(records: Vec<Arc<FamilyRecord>>, having: Memo<Vec<String>>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let family = records.first().map(|record| record.family.clone());
    let id = family
        .as_ref()
        .map(|family| family.id.clone())
        .unwrap_or_default();
    let shown: Vec<String> = records.iter().map(|record| record.system.clone()).collect();
    let shown_now = StoredValue::new(shown.clone());
    // The facts come from the summaries, like the list of families: one rule for both.
    let facts = Memo::new(move |_| {
        let rows: Vec<Row> = dashboard
            .rows
            .read()
            .iter()
            .filter(|row| row.data.family == id)
            .cloned()
            .collect();
        let units = dashboard.view.read().units;
        let line = lines::families(&rows, units).into_iter().next()?;
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
                let value = row.speed(Operation::Dec, units)?;
                let speed = match units {
                    crate::model::column::Units::Cycles => {
                        let text = format::cycles(value);
                        let space = if text.contains(' ') { "" } else { " " };
                        format!("{text}{space}cycles")
                    }
                    crate::model::column::Units::Time => format::seconds(value),
                };
                Some(format!("{speed} ({})", row.data.instance))
            });
        Some((line.rows, line.well, wire, fastest))
    });
    let chips = move || {
        let shown = shown_now.get_value();
        having
            .get()
            .into_iter()
            .map(|system| {
                let pressed = shown.contains(&system);
                let testid = format!("family-system-{system}");
                let value = system.clone();
                let shown = shown.clone();
                let choose = move |_| {
                    let mut shown = shown.clone();
                    toggle(&mut shown, value.clone());
                    if !shown.is_empty() {
                        dashboard.update(|view| view.systems = shown);
                    }
                };
                view! {
                    <button class="chip" data-testid=testid aria-pressed=pressed.to_string() on:click=choose>
                        {system}
                    </button>
                }
            })
            .collect::<Vec<_>>()
    };
    let provenance = records
        .iter()
        .map(|record| match record.provenance {
            Provenance::Measured => format!("{}: measured by KEMscope's runner", record.system),
            Provenance::Imported => format!("{}: imported, independent measurement", record.system),
        })
        .collect::<Vec<_>>()
        .join(" · ");
    view! {
        <div class="page-head">
            <h1>
                <span class="mono">{family.as_ref().map(|f| f.id.clone())}</span>
                " "
                {family.as_ref().map(|f| f.name.clone())}
            </h1>
            <p class="muted">{family.as_ref().and_then(|f| f.category).map(|c| c.name())}</p>
            <div class="chips no-print" role="group" aria-label="Systems that have this family">{chips}</div>
        </div>
        <dl class="facts num">
            {move || facts.get().map(|(rows, well, wire, fastest)| view! {
                <div><dt>"instances"</dt><dd>{rows}</dd></div>
                <div><dt>"KAT"</dt><dd class=if well == rows { "status-good" } else { "status-bad" }>
                    {if well == rows { format!("{well} of {rows} pass") } else { format!("⚠ {well} of {rows} pass") }}
                </dd></div>
                <div><dt>"public key + ciphertext"</dt><dd>{wire.unwrap_or_else(|| "–".to_owned())}</dd></div>
                <div><dt>"fastest dec"</dt><dd>{fastest.unwrap_or_else(|| "–".to_owned())}</dd></div>
            })}
            <div><dt>"origin"</dt><dd>{provenance}</dd></div>
        </dl>
    }
    .into_any()
}
