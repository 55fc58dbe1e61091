//! Overview: plot and table of all instances, under the same filters.

use crate::model::filter::Filter;
use crate::state::dashboard::Dashboard;
use crate::state::reactive::memo;
use crate::ui::filters::filters;
use crate::ui::node::{Tag, el, live, words};
use crate::ui::plot::plot;
use crate::ui::states::{notes, skeleton};
use crate::ui::table::table;
use crate::ui::tip::Tip;
use leptos::prelude::*;

/// What there is to show: nothing yet, nothing at all, rows.
const LOADING: u32 = 0;
const NOTHING: u32 = 1;
const ROWS: u32 = 2;

/// The page.
pub fn overview(dashboard: Dashboard, tip: Tip) -> Vec<Tag> {
    dashboard.unsettle();
    let stage = memo(move || {
        // A system that is switched on keeps what is there on screen until its figures have come.
        if !dashboard.rows.read().is_empty() {
            ROWS
        } else if dashboard.is_loading() {
            LOADING
        } else {
            NOTHING
        }
    });
    let content = live("", move || match stage.get() {
        LOADING => vec![loading()],
        NOTHING => {
            dashboard.settle();
            Vec::new()
        }
        _ => vec![
            el("div").class("split").child(plot(dashboard, tip)).child(
                el("div")
                    .class("table-side")
                    .child(live("", move || empty(dashboard)))
                    .child(table(dashboard, tip)),
            ),
        ],
    });
    // Another page has no such row.
    on_cleanup(move || dashboard.lit.set(None));
    vec![
        words("h1", "visually-hidden", "Overview of all instances"),
        filters(dashboard),
        live("notes", move || notes(dashboard)),
        content,
    ]
}

/// Plot and rows of the right size, without content.
fn loading() -> Tag {
    let plot = el("div").class("plot").child(el("div").class("chart"));
    el("div")
        .class("split")
        .child(plot)
        .child(el("div").class("table-side").child(skeleton(24)))
}

/// What the filters leave nothing of.
fn empty(dashboard: Dashboard) -> Vec<Tag> {
    if !dashboard.filtered.read().is_empty() {
        return Vec::new();
    }
    let all = words("button", "link", "Show all")
        .on_click(move || dashboard.update(|view| view.filter = Filter::default()));
    let line = el("p").text("No instance fits these filters. ").child(all);
    vec![
        el("div")
            .class("notice")
            .attr("data-testid", "empty")
            .child(line),
    ]
}
