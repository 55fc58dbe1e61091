//! The legend of colours: a chip per family; a click filters by it.

use super::node::{Tag, el, live_in, words};
use crate::model::filter::{Filter, Group, toggle};
use crate::model::palette;
use crate::model::row::Row;
use crate::state::dashboard::Dashboard;
use crate::state::reactive::memo;
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
    memo(move || {
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

struct Entry {
    noted: bool,
    id: String,
    name: Arc<str>,
}

/// Chips of all families that the other filters leave.
pub fn legend(dashboard: Dashboard, colours: Memo<Vec<String>>) -> Tag {
    let group = el("div")
        .class("legend no-print")
        .attr("role", "group")
        .attr("aria-label", "Families: choose to filter and colour");
    live_in(group, move || {
        let filter = &dashboard.view.read().filter;
        let colours = colours.read();
        entries(&dashboard.rows.read(), filter)
            .into_iter()
            .map(|entry| chip(dashboard, entry, filter, &colours))
            .collect()
    })
}

fn entries(rows: &[Row], filter: &Filter) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for row in rows {
        let id = &row.data.family;
        let wanted = filter.matches_but(row, Some(Group::Family)) || filter.families.contains(id);
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
}

const CLASSES: [&str; palette::COLOURS] = [
    "fam-1", "fam-2", "fam-3", "fam-4", "fam-5", "fam-6", "fam-7", "fam-8",
];

fn chip(
    dashboard: Dashboard,
    Entry { id, name, .. }: Entry,
    filter: &Filter,
    colours: &[String],
) -> Tag {
    let colour = colours
        .iter()
        .position(|family| *family == id)
        .and_then(|place| CLASSES.get(place));
    let chip = el("button")
        .class("legend-chip")
        .attr("data-testid", &format!("filter-family-{id}"))
        .attr(
            "title",
            &format!("Show {id} {name} alone, or beside the others chosen"),
        )
        .pressed(filter.families.contains(&id))
        .child(el("span").attr("class", &format!("swatch {}", colour.unwrap_or(&""))))
        .child(words("span", "mono", &id))
        .text(&format!(" {name}"));
    chip.on_click(move || dashboard.update(|view| toggle(&mut view.filter.families, id.clone())))
}

/// The legend of shapes.
pub fn shapes() -> Tag {
    words("p", "muted", "Target: ○ 128 · △ 256 · □ 512 bits · ◇ other")
}
