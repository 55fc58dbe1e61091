//! The legend of colours: a chip per family; a click filters by it.

use super::node::{Tag, el, live_in, words};
use crate::model::filter::{Filter, Group, toggle};
use crate::model::palette;
use crate::model::row::Row;
use crate::state::dashboard::Dashboard;
use crate::state::reactive::memo;
use leptos::prelude::*;

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

/// Chips of all families that the other filters leave.
pub fn legend(dashboard: Dashboard, colours: Memo<Vec<String>>) -> Tag {
    let group = el("div")
        .class("legend no-print")
        .attr("role", "group")
        .attr("aria-label", "Families: choose to filter and colour");
    // Drawn anew only when families, colours or choice change, not with every filter.
    let families = memo(move || entries(&dashboard.rows.read(), &dashboard.view.read().filter));
    let chosen = memo(move || dashboard.view.read().filter.families.clone());
    live_in(group, move || {
        let rows = dashboard.rows.read();
        let (colours, chosen) = (colours.read(), chosen.read());
        let mut chips = Vec::new();
        for id in families.read().iter() {
            if let Some(row) = rows.iter().find(|row| row.data.family == *id) {
                chips.push(chip(dashboard, row, chosen.contains(id), &colours));
            }
        }
        chips
    })
}

/// The families that the other filters leave, and those chosen.
fn entries(rows: &[Row], filter: &Filter) -> Vec<String> {
    let mut noted: Vec<String> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for row in rows {
        let id = &row.data.family;
        let list = if is_noted(row) {
            &mut noted
        } else {
            &mut others
        };
        let wanted = filter.matches_but(row, Some(Group::Family)) || filter.families.contains(id);
        if wanted && list.last() != Some(id) && !list.contains(id) {
            list.push(id.clone());
        }
    }
    others.retain(|id| !noted.contains(id));
    // Those that are coloured without a choice come first; a choice moves none.
    noted.extend(others);
    noted
}

const CLASSES: [&str; palette::COLOURS] = [
    "fam-1", "fam-2", "fam-3", "fam-4", "fam-5", "fam-6", "fam-7", "fam-8",
];

fn chip(dashboard: Dashboard, row: &Row, chosen: bool, colours: &[String]) -> Tag {
    let (id, name) = (row.data.family.clone(), &row.family_name);
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
        .pressed(chosen)
        .child(el("span").attr("class", &format!("swatch {}", colour.unwrap_or(&""))))
        .child(words("span", "mono", &id))
        .text(&format!(" {name}"));
    chip.on_click(move || dashboard.update(|view| toggle(&mut view.filter.families, id.clone())))
}

/// The legend of shapes.
pub fn shapes() -> Tag {
    words("p", "muted", "Target: ○ 128 · △ 256 · □ 512 bits · ◇ other")
}
