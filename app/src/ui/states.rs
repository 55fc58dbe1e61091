//! Designed states: loading, failed, left aside.

use super::node::{Tag, el, words};
use crate::state::dashboard::Dashboard;
use crate::state::store::Load;
use leptos::prelude::*;

/// Rows of the right height while figures are on their way.
pub fn skeleton(rows: usize) -> Tag {
    let rows = (0..rows).map(|_| el("div").class("skeleton"));
    el("div")
        .attr("role", "status")
        .attr("aria-label", "Loading")
        .attr("data-testid", "loading")
        .children(rows)
}

/// What failed and why, what still works, and a way to try again.
pub fn failed(dashboard: Dashboard, message: &str, rest: &str) -> Tag {
    let retry = words("button", "link", "Try again")
        .attr("data-testid", "retry")
        .on_click(move || dashboard.store.retry());
    el("div")
        .class("notice bad")
        .attr("role", "alert")
        .attr("data-testid", "error")
        .child(
            el("p")
                .child(words("strong", "status-bad", "⚠ Not readable: "))
                .text(message),
        )
        .child(el("p").text(&format!("{rest} ")).child(retry))
}

/// Index and summaries that failed, and parts of the address that were left aside.
pub fn notes(dashboard: Dashboard) -> Vec<Tag> {
    let mut tags = Vec::new();
    if let Load::Failed(message) = dashboard.store.index() {
        tags.push(failed(
            dashboard,
            &message,
            "Without the index nothing can be shown.",
        ));
    }
    let rest = if dashboard.rows.read().is_empty() {
        "No system that is chosen can be shown; others can be chosen at the top."
    } else {
        "The other systems are not affected."
    };
    for system in dashboard.systems.read().iter() {
        if let Load::Failed(message) = dashboard.store.summary(system) {
            tags.push(failed(dashboard, &message, rest));
        }
    }
    let ignored = dashboard.ignored.read();
    if !ignored.is_empty() {
        let note = el("p")
            .class("notice")
            .attr("role", "status")
            .attr("data-testid", "ignored");
        let note = note.text("This link names what does not exist here; it was left aside: ");
        tags.push(note.child(words("code", "", &ignored.join(", "))));
    }
    tags
}
