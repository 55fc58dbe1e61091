//! The overview table.
//!
//! All rows are in the page: they can be found, printed and read aloud. Each row's element is made
//! once and kept; filtering and sorting only put the kept elements in place, which keeps both well
//! within a frame or two for hundreds of rows.

mod head;
mod keys;
mod rows;

use crate::browser::dom;
use crate::model::column::Column;
use crate::state::dashboard::Dashboard;
use crate::ui::links;
use crate::ui::tip::Tip;
use head::Head;
use leptos::html;
use leptos::prelude::*;
use rows::Pool;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Columns in view: the system only where more than one is shown, the implementation only where there is more than one.
fn columns(dashboard: Dashboard) -> Memo<Vec<Column>> {
    Memo::new(move |_| {
        let rows = dashboard.rows.read();
        let first = rows.first().map(|row| &row.data.implementation);
        let several = rows
            .iter()
            .any(|row| Some(&row.data.implementation) != first);
        let systems = dashboard.systems.read().len() > 1;
        Column::ALL
            .into_iter()
            .filter(|column| match column {
                Column::System => systems,
                Column::Implementation => several,
                _ => true,
            })
            .collect()
    })
}

/// Row and cell of an event's target.
fn cell_of(event: &web_sys::Event) -> Option<(u32, Element)> {
    let cell = dom::closest(event.target(), "td, th[scope=row]")?;
    let row = cell.closest("tr[data-row]").ok()??;
    Some((row.get_attribute("data-row")?.parse().ok()?, cell))
}

/// The table with its head; rows follow filters and order.
#[component]
pub fn Table() -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let tip = Tip::use_tip();
    let columns = columns(dashboard);
    let body = NodeRef::<html::Tbody>::new();
    let pool = StoredValue::new_local(Pool::default());
    let units = Memo::new(move |_| dashboard.view.read().units);

    // New rows, columns or units: new elements.
    let version = Memo::new(move |before: Option<&u32>| {
        dashboard.rows.track();
        columns.track();
        units.track();
        before.map_or(0, |v| v.wrapping_add(1))
    });
    Effect::new(move |built: Option<u32>| {
        let version = version.get();
        let order = dashboard.sorted.get();
        let Some(body) = body.get() else {
            return version.wrapping_sub(1);
        };
        let query = dashboard.shared_query();
        pool.update_value(|pool| {
            if built != Some(version) {
                pool.reset(
                    &dashboard.rows.read_untracked(),
                    &columns.read_untracked(),
                    units.get_untracked(),
                    query,
                );
            }
            pool.place(&body, &order);
        });
        version
    });

    // The lit and the picked row carry their classes.
    Effect::new(move |before: Option<[Option<u32>; 2]>| {
        version.track();
        let now = [dashboard.lit.get(), dashboard.picked.get()];
        pool.with_value(|pool| {
            for (at, class) in ["lit", "picked"].into_iter().enumerate() {
                pool.mark(before.and_then(|b| b[at]), class, false);
                pool.mark(now[at], class, true);
            }
        });
        now
    });
    Effect::new(move |_| {
        if let Some(row) = dashboard.picked.get() {
            pool.with_value(|pool| pool.reveal(row));
        }
    });

    let explain = move |row: u32, cell: &Element| {
        let name = cell.get_attribute("data-col").unwrap_or_default();
        let units = units.get_untracked();
        let column = Column::ALL
            .into_iter()
            .find(|column| column.data_name(units) == name);
        let rows = dashboard.rows.read_untracked();
        if let Some((row, column)) = rows.get(row as usize).zip(column) {
            tip.show_beside(row.explain(column, units), cell);
        }
    };
    let open = move |row: u32| {
        let rows = dashboard.rows.read_untracked();
        if let Some(row) = rows.get(row as usize) {
            let query = untrack(|| dashboard.shared_query());
            let place =
                links::instance_anchor(&row.system, &row.data.instance, &row.data.implementation);
            dashboard
                .nav
                .go(&links::family_at(&row.data.family, &query, &place));
        }
    };
    let over = move |event: web_sys::PointerEvent| {
        if event.pointer_type() == "touch" {
            return;
        }
        if let Some((row, cell)) = cell_of(&event) {
            if dashboard.lit.get_untracked() != Some(row) {
                dashboard.lit.set(Some(row));
            }
            explain(row, &cell);
        }
    };
    let leave = move |_| {
        dashboard.lit.set(None);
        tip.hide();
    };
    let focused = move |event: web_sys::FocusEvent| {
        if let Some((row, cell)) = cell_of(&event) {
            dashboard.lit.set(Some(row));
            // Cells scrolled below the sticky head or column come into view by themselves; the words follow.
            explain(row, &cell);
        }
    };
    let clicked = move |event: web_sys::MouseEvent| {
        if dom::closest(event.target(), "a").is_some() {
            return;
        }
        if let Some((row, cell)) = cell_of(&event) {
            let touch = event
                .dyn_ref::<web_sys::PointerEvent>()
                .is_some_and(|e| e.pointer_type() == "touch");
            if touch {
                // A finger cannot hover: the first tap explains, the instance's link opens.
                dashboard.lit.set(Some(row));
                explain(row, &cell);
            } else if !selecting() {
                open(row);
            }
        }
    };
    let pressed = move |event: web_sys::KeyboardEvent| {
        let Some((row, cell)) = cell_of(&event) else {
            return;
        };
        match event.key().as_str() {
            "Enter" => {
                event.prevent_default();
                open(row);
            }
            "Escape" => tip.hide(),
            key => {
                if let Some(next) = keys::next(&cell, key) {
                    event.prevent_default();
                    pool.update_value(|pool| pool.rove(&cell, &next));
                }
            }
        }
    };
    on_cleanup(move || tip.hide());
    let rows_known = move || dashboard.rows.read().len() + 1;
    view! {
        <div class="table-scroll" on:scroll=move |_| tip.hide()>
            <table class="grid" role="grid" data-testid="overview-table" aria-rowcount=rows_known aria-describedby="table-help">
                <caption class="visually-hidden">"Instances with sizes and speed"</caption>
                <Head columns units/>
                <tbody
                    node_ref=body
                    on:pointerover=over
                    on:pointerleave=leave
                    on:focusin=focused
                    on:focusout=leave_focus(tip)
                    on:click=clicked
                    on:keydown=pressed
                ></tbody>
            </table>
            <p id="table-help" class="visually-hidden">
                "Arrow keys move between cells and read out where a figure comes from; Enter opens the family."
            </p>
        </div>
    }
    .into_any()
}

fn leave_focus(tip: Tip) -> impl Fn(web_sys::FocusEvent) {
    move |_| tip.hide()
}

/// Whether the reader is selecting text: a click then ends the selection and opens nothing.
fn selecting() -> bool {
    let selection = js_sys::Reflect::get(&js_sys::global(), &"getSelection".into())
        .ok()
        .and_then(|f| f.dyn_into::<js_sys::Function>().ok())
        .and_then(|f| f.call0(&js_sys::global()).ok());
    selection
        .and_then(|s| s.dyn_into::<js_sys::Object>().ok())
        .is_some_and(|s| !String::from(s.to_string()).is_empty())
}

/// Gives an element the focus.
fn focus(element: &Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
}
