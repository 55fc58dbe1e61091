//! The head of the table: names, units, sorting.

use crate::model::column::{Column, Units};
use crate::model::sort;
use crate::state::dashboard::Dashboard;
use leptos::prelude::*;

/// The head row.
#[component]
pub fn Head(
    /// Columns in view.
    columns: Memo<Vec<Column>>,
    /// Cycles or time.
    units: Memo<Units>,
) -> impl IntoView {
    view! {
        <thead>
            <tr>
                <For each=move || columns.get() key=|column| *column let:column>
                    <HeadCell column units/>
                </For>
            </tr>
        </thead>
    }
    .into_any()
}

/// One head: its button sorts; with shift held it sets the second key.
#[component]
fn HeadCell(column: Column, units: Memo<Units>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    // Place among the keys, and direction.
    let key = Memo::new(move |_| {
        let view = dashboard.view.read();
        view.sort
            .iter()
            .position(|key| key.column == column)
            .map(|at| (at, view.sort[at].descending))
    });
    let aria = move || match key.get() {
        Some((0, false)) => Some("ascending"),
        Some((0, true)) => Some("descending"),
        // Only the leading key is announced as the order; the second one says so in words.
        Some(_) => Some("other"),
        None => Some("none"),
    };
    let sign = move || match key.get() {
        None => "",
        Some((0, false)) => "▲",
        Some((0, true)) => "▼",
        Some((_, false)) => "▵²",
        Some((_, true)) => "▿²",
    };
    let clicked = move |event: web_sys::MouseEvent| {
        let add = event.shift_key();
        dashboard.update(|view| view.sort = sort::clicked(&view.sort, column, add));
    };
    view! {
        <th
            scope="col"
            class=if column.is_numeric() { "n" } else { "" }
            data-col=move || column.data_name(units.get())
            aria-sort=aria
        >
            <button data-sort=move || column.data_name(units.get()) on:click=clicked title=format!("{}. Click: sort; shift: second key", column.help())>
                <span>{column.title()}<span class="sort-sign" aria-hidden="true">{sign}</span></span>
                <small>{move || column.unit(units.get())}</small>
            </button>
        </th>
    }
    .into_any()
}
