//! The legend of colours: a chip per family; a click filters by it.

use crate::model::filter::{Group, toggle};
use crate::model::palette;
use crate::model::row::Row;
use crate::state::dashboard::Dashboard;
use leptos::prelude::*;
use std::sync::Arc;

/// Whether more than summary figures are known of the row's family: a printed or measured time stands only there.
fn is_noted(row: &Row) -> bool {
    row.data
        .keygen
        .as_ref()
        .is_some_and(|op| op.mean_seconds.is_some())
}

/// The coloured families, in the order of their colours.
pub fn coloured(dashboard: Dashboard) -> Memo<Vec<String>> {
    Memo::new(move |_| {
        let rows = dashboard.rows.read();
        let filter = &dashboard.view.read().filter;
        let mut in_view: Vec<&str> = Vec::new();
        let mut noted: Vec<&str> = Vec::new();
        for row in rows.iter() {
            let family = row.data.family.as_str();
            if in_view.last() != Some(&family) && !in_view.contains(&family) && filter.matches(row)
            {
                in_view.push(family);
            }
            if is_noted(row) && noted.last() != Some(&family) && !noted.contains(&family) {
                noted.push(family);
            }
        }
        palette::coloured(&filter.families, &in_view, &noted)
            .into_iter()
            .map(str::to_owned)
            .collect()
    })
}

#[derive(Clone, PartialEq)]
struct Entry {
    noted: bool,
    id: String,
    name: Arc<str>,
}

/// Chips of all families that the other filters leave.
#[component]
pub fn Legend(
    /// The coloured families.
    colours: Memo<Vec<String>>,
) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let entries = Memo::new(move |_| {
        let rows = dashboard.rows.read();
        let filter = &dashboard.view.read().filter;
        let mut entries: Vec<Entry> = Vec::new();
        for row in rows.iter() {
            let id = &row.data.family;
            let wanted =
                filter.matches_but(row, Some(Group::Family)) || filter.families.contains(id);
            if wanted
                && entries.last().is_none_or(|e| e.id != *id)
                && entries.iter().all(|e| e.id != *id)
            {
                entries.push(Entry {
                    noted: is_noted(row),
                    id: id.clone(),
                    name: row.family_name.clone(),
                });
            }
        }
        // Those that are coloured without a choice come first; a choice moves none.
        entries.sort_by_key(|entry| !entry.noted);
        entries
    });
    view! {
        <div class="legend no-print" role="group" aria-label="Families: choose to filter and colour">
            <For each=move || entries.get() key=|entry| entry.id.clone() let:entry>
                <Chip entry colours/>
            </For>
        </div>
    }
    .into_any()
}

#[component]
fn Chip(entry: Entry, colours: Memo<Vec<String>>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let id = StoredValue::new(entry.id.clone());
    let colour = Memo::new(move |_| {
        id.with_value(|id| colours.read().iter().position(|family| family == id))
    });
    let chosen =
        Memo::new(move |_| id.with_value(|id| dashboard.view.read().filter.families.contains(id)));
    let testid = format!("filter-family-{}", entry.id);
    let title = format!(
        "Show {} {} alone, or beside the others chosen",
        entry.id, entry.name
    );
    view! {
        <button
            class=move || match colour.get() {
                Some(place) => format!("legend-chip fam-{}", place + 1),
                None => "legend-chip".to_owned(),
            }
            data-testid=testid
            aria-pressed=move || chosen.get().to_string()
            title=title
            on:click=move |_| dashboard.update(|view| toggle(&mut view.filter.families, id.get_value()))
        >
            <span class="swatch" aria-hidden="true"></span>
            <span class="mono">{entry.id}</span>
            " "
            {entry.name.to_string()}
        </button>
    }
    .into_any()
}

/// The legend of shapes.
#[component]
pub fn Shapes() -> impl IntoView {
    view! { <p class="muted shapes">"Target: ○ 128 · △ 256 · □ 512 bits · ◇ other"</p> }
}
