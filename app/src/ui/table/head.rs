//! The head of the table: names, units, sorting.

use crate::model::column::{Column, Units};
use crate::model::sort::{self, SortKey};
use crate::state::dashboard::Dashboard;
use crate::ui::node::{Tag, el, words};
use wasm_bindgen::JsCast;

/// The head row.
pub fn head(dashboard: Dashboard, columns: &[Column], keys: &[SortKey], units: Units) -> Tag {
    el("tr").attr("role", "row").children(
        columns
            .iter()
            .map(|column| head_cell(dashboard, *column, keys, units)),
    )
}

/// One head: its button sorts; with shift held it sets the second key.
fn head_cell(dashboard: Dashboard, column: Column, keys: &[SortKey], units: Units) -> Tag {
    // Place among the keys, and direction. Only the leading key is announced as the order.
    let at = keys.iter().position(|key| key.column == column);
    let descending = at
        .and_then(|at| keys.get(at))
        .is_some_and(|key| key.descending);
    let (aria, sign) = match (at, descending) {
        (None, _) => ("none", ""),
        (Some(0), false) => ("ascending", "▲"),
        (Some(0), true) => ("descending", "▼"),
        (Some(_), false) => ("other", "▵²"),
        (Some(_), true) => ("other", "▿²"),
    };
    let name = column.data_name(units);
    let button = el("button")
        .attr("data-sort", name)
        .attr("data-testid", &format!("sort-{}", column.name()))
        .attr(
            "title",
            &format!("{}. Click: sort; shift: second key", column.help()),
        )
        .child(
            el("span")
                .text(column.title())
                .child(words("span", "sort-sign", sign).attr("aria-hidden", "true")),
        )
        .child(el("small").text(column.unit(units)))
        .on("click", move |event| {
            let add = event
                .dyn_ref::<web_sys::MouseEvent>()
                .is_some_and(|click| click.shift_key());
            dashboard.update(|view| view.sort = sort::clicked(&view.sort, column, add));
        });
    el("th")
        .class(if column.is_numeric() { "n" } else { "" })
        .attr("scope", "col")
        .attr("role", "columnheader")
        .attr("data-col", name)
        .attr("aria-sort", aria)
        .child(button)
}
