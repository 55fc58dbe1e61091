//! The overview table.
//!
//! All rows are in the page: they can be found, printed and read aloud. Each row's element is made
//! once and kept; filtering and sorting only put the kept elements in place, which keeps both well
//! within a frame or two for hundreds of rows.

mod head;
mod keys;
mod rows;

use super::links;
use super::node::{Tag, el, live, live_in, words};
use super::tip::Tip;
use crate::browser::dom;
use crate::model::column::{Column, Units};
use crate::model::mark;
use crate::model::row::Row;
use crate::state::dashboard::Dashboard;
use crate::state::reactive::effect;
use leptos::prelude::*;
use rows::Pool;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent, MouseEvent, PointerEvent};

/// Columns in view: the system only where more than one is shown, the implementation only where there is more than one.
fn columns(dashboard: Dashboard) -> Vec<Column> {
    let rows = dashboard.rows.read();
    let first = rows.first().map(|row| &row.data.implementation);
    let several = rows
        .iter()
        .any(|row| Some(&row.data.implementation) != first);
    let systems = dashboard.systems.read().len() > 1;
    let mut columns = Column::ALL.to_vec();
    columns.retain(|column| match column {
        Column::System => systems,
        Column::Implementation => several,
        _ => true,
    });
    columns
}

/// Row and cell of an event's target.
fn cell_of(event: &Event) -> Option<(u32, Element)> {
    let cell = dom::closest(event.target(), "td, th[scope=row]")?;
    let row = cell.closest("tr[data-row]").ok()??;
    Some((row.get_attribute("data-row")?.parse().ok()?, cell))
}

/// Gives the table the tracks of its columns; on a phone the family stands below the instance and has none.
fn lay_out(dashboard: Dashboard, grid: Element) {
    effect(move || {
        let Some(grid) = grid.dyn_ref::<web_sys::HtmlElement>() else {
            return;
        };
        let mut columns = columns(dashboard);
        let (tracks, least) = Column::tracks(&columns);
        columns.retain(|column| *column != Column::Family);
        let (narrow, narrow_least) = Column::tracks(&columns);
        dom::style(grid, "--tracks", &tracks);
        dom::style(grid, "--least", &format!("{least}px"));
        dom::style(grid, "--tracks-narrow", &narrow);
        dom::style(grid, "--least-narrow", &format!("{narrow_least}px"));
    });
}

/// What the marks before figures mean, where there are any.
pub fn marks(rows: &[Row], units: Units) -> Vec<Tag> {
    let meanings = mark::meanings(&mark::of_rows(rows, units));
    meanings
        .map(|text| words("p", "muted marks", &text).attr("data-testid", "marks"))
        .into_iter()
        .collect()
}

/// What the table's handlers share.
#[derive(Clone)]
struct Table {
    dashboard: Dashboard,
    tip: Tip,
    pool: Rc<RefCell<Pool>>,
}

/// The table with its head; rows follow filters and order.
pub fn table(dashboard: Dashboard, tip: Tip) -> Tag {
    let table = Table {
        dashboard,
        tip,
        pool: Rc::default(),
    };
    let head = live_in(el("thead").attr("role", "rowgroup"), move || {
        let view = dashboard.view.read();
        vec![head::head(
            dashboard,
            &columns(dashboard),
            &view.sort,
            view.units,
        )]
    });
    let grid = el("table")
        .made(move |grid| lay_out(dashboard, grid.clone()))
        .class("grid")
        .attr("role", "grid")
        .attr("data-testid", "overview-table")
        .attr("aria-describedby", "table-help")
        .child(words(
            "caption",
            "visually-hidden",
            "Instances with sizes and speed",
        ))
        .child(head)
        .child(table.body());
    let help = "Arrow keys move between cells and read out where a figure comes from; Enter opens the family.";
    let help = words("p", "visually-hidden", help).attr("id", "table-help");
    on_cleanup(move || tip.hide());
    let returning = table.clone();
    let scroll = el("div")
        .class("table-scroll")
        .made(move |place| returning.remember(place))
        .on("scroll", move |_| tip.hide())
        .child(grid)
        .child(help);
    let legend = live("", move || marks(&dashboard.rows.read(), dashboard.units()));
    el("div").child(scroll).child(legend)
}

impl Table {
    /// The rows, with handlers for all of them at once.
    fn body(&self) -> Tag {
        let on = |handler: fn(&Table, &Event)| {
            let table = self.clone();
            move |event: &Event| handler(&table, event)
        };
        let table = self.clone();
        el("tbody")
            .attr("role", "rowgroup")
            .on("pointerover", on(Table::over))
            .on("pointerleave", on(Table::leave))
            .on("focusin", on(Table::focused))
            .on("focusout", on(|table, _| table.tip.hide()))
            .on("click", on(Table::clicked))
            .on("keydown", on(Table::pressed))
            .made(move |body| table.keep(body.clone()))
    }

    /// Keeps the rows as filters, order and view say.
    fn keep(&self, body: Element) {
        let (dashboard, pool) = (self.dashboard, self.pool.clone());
        effect(move || {
            let (rows, units, query) = (
                dashboard.rows.get(),
                dashboard.units(),
                dashboard.shared_query(),
            );
            let order = dashboard.sorted.get();
            let mut pool = pool.borrow_mut();
            pool.set(&rows, columns(dashboard), units, query);
            pool.place(&body, &order);
        });
        // The lit and the picked row carry their classes.
        let pool = self.pool.clone();
        effect(move || {
            dashboard.sorted.track();
            pool.borrow_mut().mark("lit", dashboard.lit.get());
        });
        let pool = self.pool.clone();
        effect(move || {
            let picked = dashboard.picked.get();
            pool.borrow_mut().mark("picked", picked);
            if let Some(row) = picked {
                pool.borrow().reveal(row);
            }
        });
    }

    /// Keeps where the table is for when the reader comes back, and goes there if that is now.
    fn remember(&self, place: &Element) {
        let dashboard = self.dashboard;
        if let Some((top, row)) = dashboard.left.get_value()
            && dashboard.nav.has_returned()
        {
            let (pool, place) = (self.pool.clone(), place.clone());
            // The rows are put in place by an effect that runs before the next frame.
            dom::next_frame(move || {
                place.set_scroll_top(top);
                let cell = row.and_then(|row| {
                    let cell = format!("tr[data-row=\"{row}\"] th");
                    place.query_selector(&cell).ok().flatten()
                });
                if let Some(cell) = cell {
                    pool.borrow_mut().rove(&cell, &cell);
                    dom::focus_in_place(&cell);
                }
            });
        }
        let kept = StoredValue::new_local(place.clone());
        on_cleanup(move || {
            let place = kept.try_get_value();
            let focused = dom::document().and_then(|document| document.active_element());
            let row = focused
                .and_then(|element| element.closest("tr[data-row]").ok().flatten())
                .and_then(|row| row.get_attribute("data-row")?.parse().ok());
            if let Some(place) = place {
                dashboard.left.set_value(Some((place.scroll_top(), row)));
            }
        });
    }

    fn explain(&self, row: u32, cell: &Element) {
        let units = untrack(|| self.dashboard.units());
        let name = cell.get_attribute("data-col").unwrap_or_default();
        let column = Column::ALL
            .into_iter()
            .find(|column| column.data_name(units) == name);
        let rows = self.dashboard.rows.read_untracked();
        if let Some((row, column)) = rows.get(row as usize).zip(column) {
            self.tip.show_beside(row.explain(column, units), cell);
        }
    }

    fn light(&self, row: Option<u32>) {
        if self.dashboard.lit.get_untracked() != row {
            self.dashboard.lit.set(row);
        }
    }

    /// Opens the family's page at the instance.
    fn open(&self, row: u32) {
        let rows = self.dashboard.rows.read_untracked();
        if let Some(row) = rows.get(row as usize) {
            let query = untrack(|| self.dashboard.shared_query());
            let place =
                links::instance_anchor(&row.system, &row.data.instance, &row.data.implementation);
            self.dashboard
                .nav
                .go(&links::family_at(&row.data.family, &query, &place));
        }
    }

    fn over(&self, event: &Event) {
        let touch = event
            .dyn_ref::<PointerEvent>()
            .is_some_and(|e| e.pointer_type() == "touch");
        if let Some((row, cell)) = cell_of(event).filter(|_| !touch) {
            self.light(Some(row));
            self.explain(row, &cell);
        }
    }

    fn leave(&self, _: &Event) {
        self.light(None);
        self.tip.hide();
    }

    fn focused(&self, event: &Event) {
        if let Some((row, cell)) = cell_of(event) {
            self.light(Some(row));
            self.explain(row, &cell);
        }
    }

    fn clicked(&self, event: &Event) {
        if dom::closest(event.target(), "a").is_some() {
            return;
        }
        // Such clicks ask for another tab, which only the instance's link can give, or extend a selection.
        let elsewhere = event.dyn_ref::<MouseEvent>().is_some_and(|click| {
            click.ctrl_key() || click.meta_key() || click.shift_key() || click.alt_key()
        });
        if let Some((row, cell)) = cell_of(event).filter(|_| !elsewhere) {
            if event
                .dyn_ref::<PointerEvent>()
                .is_some_and(|e| e.pointer_type() == "touch")
            {
                // A finger cannot hover: a tap explains, the instance's link opens.
                self.light(Some(row));
                self.explain(row, &cell);
            } else if !dom::is_selecting() {
                self.open(row);
            }
        }
    }

    fn pressed(&self, event: &Event) {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        // With these keys held it is a command of the browser.
        if event.alt_key() || event.ctrl_key() || event.meta_key() {
            return;
        }
        let key = event.key();
        let Some((row, cell)) = cell_of(event) else {
            return;
        };
        if key == "Enter" {
            event.prevent_default();
            self.open(row);
        } else if key == "Escape" {
            self.tip.hide();
        } else if let Some(next) = keys::next(&cell, &key) {
            event.prevent_default();
            self.pool.borrow_mut().rove(&cell, &next);
            // Focusing runs the handlers of the focus at once; they must find the pool free.
            dom::focus(&next);
        }
    }
}
