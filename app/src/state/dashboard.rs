//! The state that all parts of the dashboard share, and what follows from it.

use super::nav::{Nav, Step};
use super::reactive::{effect, memo};
use super::store::Store;
use crate::browser::dom;
use crate::model::column::Units;
use crate::model::row::{Row, rows_of};
use crate::model::sort;
use crate::model::view::View;
use kemscope_schema::{Index, SystemEntry};
use leptos::prelude::*;
use std::sync::Arc;

/// Shared state; cheap to copy into every closure.
#[derive(Clone, Copy)]
pub struct Dashboard {
    /// Where the reader is.
    pub nav: Nav,
    /// What has been fetched.
    pub store: Store,
    /// The view that the address describes.
    pub view: Memo<View>,
    /// Parts of the address that were not understood.
    pub ignored: Memo<Vec<String>>,
    /// Systems shown: those chosen that exist, otherwise the first of the index.
    pub systems: Memo<Vec<String>>,
    /// All rows of the systems shown.
    pub rows: Memo<Arc<Vec<Row>>>,
    /// Indices of the rows that pass the filters, in the order of the data.
    pub filtered: Memo<Arc<Vec<u32>>>,
    /// The same in the order of the table.
    pub sorted: Memo<Arc<Vec<u32>>>,
    /// The row under the pointer, in table or plot.
    pub lit: RwSignal<Option<u32>>,
    /// The row chosen by a click in a plot.
    pub picked: RwSignal<Option<u32>>,
    /// Where the table was when the reader left the overview: its scrolling in pixels, and the row with the focus.
    pub left: StoredValue<Option<(i32, Option<u32>)>>,
    /// Rises with every change of theme, so that charts take the new colours.
    pub theme: RwSignal<u32>,
    /// Whether the page has drawn all that it draws by itself: its chart, or the reason for having none.
    settled: RwSignal<bool>,
    /// The query that the burst of changes going on has written last.
    burst: StoredValue<Option<String>>,
}

impl Dashboard {
    /// Sets everything up and begins to fetch.
    pub fn start() -> Dashboard {
        let nav = Nav::start();
        let store = Store::start();
        let view = memo(move || {
            let mut view = View::from_query(&nav.query()).0;
            if let Some(index) = store.index().ready() {
                keep_known(&mut view, &index);
            }
            view
        });
        let systems = memo(move || {
            store
                .index()
                .ready()
                .map(|index| shown_systems(&view.read(), &index))
                .unwrap_or_default()
        });
        let ignored = memo(move || {
            let (named, mut ignored) = View::from_query(&nav.query());
            if let Some(index) = store.index().ready() {
                ignored.extend(missing(&named, &index));
            }
            ignored
        });
        let rows = rows_on(store, systems);
        let filtered = memo(move || Arc::new(view.read().filter.apply(&rows.read())));
        let sorted = memo(move || {
            // Rows first, here and wherever something that follows from them is read too: that may stay the same when they
            // change, and the change would be missed.
            let rows = rows.read();
            let mut indices = filtered.get().to_vec();
            let view = view.read();
            sort::sort(&mut indices, &rows, &view.sort, view.units);
            Arc::new(indices)
        });
        let dashboard = Dashboard {
            nav,
            store,
            view,
            ignored,
            systems,
            rows,
            filtered,
            sorted,
            lit: RwSignal::new(None),
            picked: RwSignal::new(None),
            left: StoredValue::new(None),
            theme: RwSignal::new(0),
            settled: RwSignal::new(false),
            burst: StoredValue::new(None),
        };
        dashboard.announce_ready();
        effect(move || {
            for system in systems.read().iter() {
                store.want_summary(system);
            }
        });
        // Row numbers mean other rows once the systems change.
        effect(move || {
            rows.track();
            dashboard.lit.set(None);
            dashboard.picked.set(None);
            dashboard.left.set_value(None);
        });
        dashboard
    }

    /// Says on the page whether it is complete: settled, and no file that is wanted on its way.
    fn announce_ready(self) {
        let ready = move || self.settled.get() && !self.store.is_loading();
        effect(move || {
            if ready() {
                dom::next_frame(move || {
                    if untrack(ready) {
                        dom::set_ready(true);
                    }
                });
            } else {
                dom::set_ready(false);
            }
        });
    }

    /// Called by a page that begins.
    pub fn unsettle(self) {
        dom::set_ready(false);
        self.settled.set(false);
    }

    /// Called by a page that has drawn all that it draws by itself; files may still be on their way.
    pub fn settle(self) {
        if !self.settled.get_untracked() {
            self.settled.set(true);
        }
    }

    /// All rows of some systems, as far as their summaries are here.
    pub fn rows_of(self, systems: Memo<Vec<String>>) -> Memo<Arc<Vec<Row>>> {
        rows_on(self.store, systems)
    }

    /// Changes the view, as a step of its own in the history.
    pub fn update(self, change: impl FnOnce(&mut View)) {
        let mut view = self.view.get_untracked();
        change(&mut view);
        self.end_burst();
        self.nav.set_query(&view.to_query(), Step::Push);
    }

    /// Changes the view as one of a burst of changes (typing), which is one step of the history: going back leads to what
    /// was before the first of them.
    pub fn update_in_burst(self, change: impl FnOnce(&mut View)) {
        let mut view = self.view.get_untracked();
        change(&mut view);
        let query = view.to_query();
        // The burst goes on if the address is still the one that it wrote.
        let now = untrack(|| self.nav.query());
        if query == now {
            return;
        }
        let goes_on = self.burst.with_value(|last| last.as_ref() == Some(&now));
        let step = if goes_on { Step::Replace } else { Step::Push };
        self.nav.set_query(&query, step);
        self.burst.set_value(Some(query));
    }

    /// Ends a burst: the next change is a step of its own.
    pub fn end_burst(self) {
        self.burst.set_value(None);
    }

    /// Cycles or time.
    pub fn units(self) -> Units {
        self.view.read().units
    }

    /// The query that links to other pages carry: systems and units.
    pub fn shared_query(self) -> String {
        let query = self.view.read().shared().to_query();
        if query.is_empty() {
            query
        } else {
            format!("?{query}")
        }
    }

    /// Whether index or summaries are still on their way.
    pub fn is_loading(self) -> bool {
        self.store.index().is_loading()
            || self
                .systems
                .read()
                .iter()
                .any(|id| self.store.summary(id).is_loading())
    }

    /// The systems of the index; empty until it is here.
    pub fn entries(self) -> Vec<SystemEntry> {
        self.store
            .index()
            .ready()
            .map(|index| index.systems.clone())
            .unwrap_or_default()
    }
}

fn rows_on(store: Store, systems: Memo<Vec<String>>) -> Memo<Arc<Vec<Row>>> {
    memo(move || {
        let mut rows = Vec::new();
        for system in systems.read().iter() {
            if let Some(summary) = store.summary(system).ready() {
                rows.extend(rows_of(&summary));
            }
        }
        Arc::new(rows)
    })
}

fn shown_systems(view: &View, index: &Index) -> Vec<String> {
    let mut shown = Vec::new();
    for entry in &index.systems {
        if view.systems.contains(&entry.id) {
            shown.push(entry.id.clone());
        }
    }
    if shown.is_empty() {
        shown.extend(index.systems.first().map(|entry| entry.id.clone()));
    }
    shown
}

fn has_system(index: &Index, id: &str) -> bool {
    index.systems.iter().any(|entry| entry.id == id)
}

fn has_family(index: &Index, id: &str) -> bool {
    index
        .systems
        .iter()
        .any(|entry| entry.families.iter().any(|family| family == id))
}

/// Leaves aside systems and families that do not exist, so that an old link shows what it can.
fn keep_known(view: &mut View, index: &Index) {
    view.systems.retain(|id| has_system(index, id));
    view.filter.families.retain(|id| has_family(index, id));
}

/// Systems and families that the address names and that do not exist.
fn missing(view: &View, index: &Index) -> Vec<String> {
    let mut missing = Vec::new();
    for id in view.systems.iter().filter(|id| !has_system(index, id)) {
        missing.push(format!("sys={id}"));
    }
    for id in view
        .filter
        .families
        .iter()
        .filter(|id| !has_family(index, id))
    {
        missing.push(format!("fam={id}"));
    }
    missing
}
