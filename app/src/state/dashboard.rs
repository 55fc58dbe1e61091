//! The state that all parts of the dashboard share, and what follows from it.

use super::nav::{Nav, Step};
use super::store::{Load, Store, summary_path};
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
    /// Rises with every change of theme, so that charts take the new colours.
    pub theme: RwSignal<u32>,
}

impl Dashboard {
    /// Sets everything up and begins to fetch.
    pub fn start() -> Dashboard {
        let nav = Nav::start();
        let store = Store::start();
        let query = nav.query();
        let parsed = Memo::new(move |_| View::from_query(&query.read()));
        let view = Memo::new(move |_| parsed.read().0.clone());
        let systems = Memo::new(move |_| shown_systems(&view.read(), &store.index.read()));
        let ignored = Memo::new(move |_| {
            let mut ignored = parsed.read().1.clone();
            ignored.extend(missing(&view.read(), &store.index.read()));
            ignored
        });
        let rows = Memo::new(move |_| {
            let summaries = store.summaries.read();
            let mut rows = Vec::new();
            for system in systems.read().iter() {
                if let Some(summary) = summaries.get(&summary_path(system)).and_then(Load::ready) {
                    rows.extend(rows_of(summary));
                }
            }
            Arc::new(rows)
        });
        // Memos of their own: a change of axes must neither filter nor sort again.
        let filter = Memo::new(move |_| view.read().filter.clone());
        let order = Memo::new(move |_| (view.read().sort.clone(), view.read().units));
        let filtered = Memo::new(move |_| Arc::new(filter.read().apply(&rows.read())));
        let sorted = Memo::new(move |_| {
            let mut indices = filtered.get().to_vec();
            let (keys, units) = order.get();
            sort::sort(&mut indices, &rows.read(), &keys, units);
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
            theme: RwSignal::new(0),
        };
        Effect::new(move |_| {
            for system in systems.read().iter() {
                store.want_summary(system);
            }
        });
        // Row numbers mean other rows once the systems change.
        Effect::new(move |_| {
            rows.track();
            dashboard.lit.set(None);
            dashboard.picked.set(None);
        });
        dashboard
    }

    /// Changes the view, as a step of its own in the history.
    pub fn update(self, change: impl FnOnce(&mut View)) {
        self.update_by(Step::Push, change);
    }

    /// Changes the view and says what going back does.
    pub fn update_by(self, step: Step, change: impl FnOnce(&mut View)) {
        let mut view = self.view.get_untracked();
        change(&mut view);
        self.nav.set_query(&view.to_query(), step);
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

    /// The systems of the index; empty until it is here.
    pub fn entries(self) -> Vec<SystemEntry> {
        self.store
            .index
            .read()
            .ready()
            .map(|index| index.systems.clone())
            .unwrap_or_default()
    }
}

fn shown_systems(view: &View, index: &Load<Index>) -> Vec<String> {
    let Load::Ready(index) = index else {
        return Vec::new();
    };
    let chosen: Vec<String> = index
        .systems
        .iter()
        .filter(|entry| view.systems.contains(&entry.id))
        .map(|entry| entry.id.clone())
        .collect();
    if chosen.is_empty() {
        index
            .systems
            .first()
            .map(|entry| entry.id.clone())
            .into_iter()
            .collect()
    } else {
        chosen
    }
}

/// Systems and families that the address names and that do not exist.
fn missing(view: &View, index: &Load<Index>) -> Vec<String> {
    let Load::Ready(index) = index else {
        return Vec::new();
    };
    let no_system = view
        .systems
        .iter()
        .filter(|id| index.systems.iter().all(|entry| entry.id != **id));
    let no_family = view.filter.families.iter().filter(|id| {
        index
            .systems
            .iter()
            .all(|entry| !entry.families.contains(*id))
    });
    no_system
        .map(|id| format!("sys={id}"))
        .chain(no_family.map(|id| format!("fam={id}")))
        .collect()
}
