//! A family's page: the seven sections of a report page, for every system shown that has it.

mod bars;
mod facts;
mod own_scatter;
mod sections;
mod tables;

pub use tables::environment::environment;

use crate::browser::dom;
use crate::model::filter::toggle;
use crate::model::lines;
use crate::model::query::decode;
use crate::model::row::Row;
use crate::state::dashboard::Dashboard;
use crate::state::reactive::{effect, memo};
use crate::state::store::Load;
use crate::ui::links;
use crate::ui::node::{Tag, el, live, words};
use crate::ui::states::{failed, notes, skeleton};
use crate::ui::tip::Tip;
use kemscope_schema::FamilyRecord;
use leptos::prelude::*;
use own_scatter::own_scatter;
use sections::{Shown, TITLES, sections};
use std::sync::Arc;

/// Which family, and on which systems.
#[derive(Clone, Copy)]
struct Subject {
    dashboard: Dashboard,
    id: StoredValue<String>,
    /// Systems that have it.
    having: Memo<Vec<String>>,
    /// Those of them that are shown: the ones that the address names, otherwise all.
    shown: Memo<Vec<String>>,
    /// The records that are here, in the order of `shown`.
    loaded: Memo<Vec<Shown>>,
    /// All rows of the systems shown: the family's field.
    rows: Memo<Arc<Vec<Row>>>,
    /// Whether the place that the address names has been brought into view.
    arrived: StoredValue<bool>,
}

/// The page. `id` is the family's identifier as in the address.
pub fn family(dashboard: Dashboard, tip: Tip, id: &str) -> Vec<Tag> {
    dashboard.unsettle();
    let id = StoredValue::new(decode(id));
    let having = memo(move || {
        let mut having = Vec::new();
        for entry in dashboard.entries() {
            if id.with_value(|id| entry.families.contains(id)) {
                having.push(entry.id);
            }
        }
        having
    });
    let shown = memo(move || {
        let having = having.read();
        let chosen = &dashboard.view.read().systems;
        let mut shown = having.clone();
        // A choice of systems that all lack the family would show nothing.
        if having.iter().any(|system| chosen.contains(system)) {
            shown.retain(|system| chosen.contains(system));
        }
        shown
    });
    let loaded = memo(move || {
        let mut loaded = Vec::new();
        for system in shown.read().iter() {
            let record = id.with_value(|id| dashboard.store.family(system, id));
            loaded.extend(record.ready().map(|record| Shown {
                record,
                system: dashboard.store.system(system).ready(),
            }));
        }
        loaded
    });
    let subject = Subject {
        dashboard,
        id,
        having,
        shown,
        loaded,
        rows: dashboard.rows_of(shown),
        arrived: StoredValue::new(false),
    };
    effect(move || {
        for system in shown.read().iter() {
            id.with_value(|id| dashboard.store.want_family(system, id));
            dashboard.store.want_summary(system);
            dashboard.store.want_system(system);
        }
    });
    effect(move || {
        if loaded.read().is_empty() && !subject.is_waiting() {
            // There will be no chart to wait for.
            dashboard.settle();
        }
    });
    // The chart waits for a record; it is not drawn anew with the rest.
    let there = memo(move || u32::from(!loaded.read().is_empty()));
    let chart = live("", move || {
        if there.get() == 1 {
            vec![own_scatter(dashboard, tip, id, subject.rows)]
        } else {
            Vec::new()
        }
    });
    let main = el("div")
        .class("family-main")
        .child(chart)
        .child(live("", move || subject.body()));
    let layout = el("div")
        .class("family-layout")
        .child(live("side no-print", move || subject.side()))
        .child(main);
    let page = el("div")
        .class("page family")
        .attr("data-testid", "family-page")
        .attr("data-family", &id.get_value());
    vec![page.child(live("", move || subject.head())).child(layout)]
}

impl Subject {
    /// The record on a system.
    fn record(self, system: &str) -> Load<Arc<FamilyRecord>> {
        self.id
            .with_value(|id| self.dashboard.store.family(system, id))
    }

    /// Whether a record is still on its way.
    fn is_waiting(self) -> bool {
        self.dashboard.store.index().is_loading()
            || self
                .shown
                .read()
                .iter()
                .any(|system| self.record(system).is_loading())
    }

    /// Notes, failures, title and facts.
    fn head(self) -> Vec<Tag> {
        let dashboard = self.dashboard;
        let mut tags = notes(dashboard);
        if !dashboard.entries().is_empty() && self.having.read().is_empty() {
            let line = el("p")
                .text("No system has a family ")
                .child(words("code", "", &self.id.get_value()))
                .text(". ");
            let all = format!("families/{}", dashboard.shared_query());
            let line = line.child(el("a").attr("href", &all).text("All families"));
            tags.push(
                el("div")
                    .class("notice warn")
                    .attr("role", "alert")
                    .attr("data-testid", "unknown-family")
                    .child(line),
            );
        }
        for system in self.shown.read().iter() {
            if let Load::Failed(message) = self.record(system) {
                tags.push(failed(
                    dashboard,
                    &message,
                    "All other families and systems are not affected.",
                ));
            }
        }
        for system in self.shown.read().iter() {
            let of_notes = dashboard.systems.read().contains(system);
            if let Load::Failed(message) = dashboard.store.summary(system)
                && !of_notes
            {
                tags.push(failed(
                    dashboard,
                    &message,
                    "The other systems are not affected.",
                ));
            }
        }
        let loaded = self.loaded.read();
        if let Some(first) = loaded.first() {
            tags.push(facts::title(&first.record).child(self.chips()));
            let units = dashboard.units();
            let rows = self.rows.read();
            let lines = lines::families(&rows, units);
            let line = lines.iter().find(|line| line.id == first.record.family.id);
            tags.push(facts::facts(line, &rows, &loaded, units));
        }
        tags
    }

    /// The systems to choose from.
    fn chips(self) -> Tag {
        let shown = self.shown.get();
        let chips = self.having.get().into_iter().map(|system| {
            let pressed = if shown.contains(&system) {
                "true"
            } else {
                "false"
            };
            // In the whole choice of the view: it may hold systems that lack this family.
            let mut after = self.dashboard.view.read().systems.clone();
            for system in &shown {
                if !after.contains(system) {
                    after.push(system.clone());
                }
            }
            toggle(&mut after, system.clone());
            let last = shown.as_slice() == [system.clone()];
            let chip = words("button", "chip", &system)
                .attr("data-testid", &format!("family-system-{system}"))
                .attr("aria-pressed", pressed);
            if last {
                return chip
                    .attr("aria-disabled", "true")
                    .attr("title", "One system is always shown");
            }
            chip.on_click(move || {
                self.dashboard
                    .update(|view| view.systems.clone_from(&after));
            })
        });
        el("div")
            .class("chips no-print")
            .attr("role", "group")
            .attr("aria-label", "Systems that have this family")
            .children(chips)
    }

    /// The index of the sections.
    fn side(self) -> Vec<Tag> {
        if self.loaded.read().is_empty() {
            return Vec::new();
        }
        let query = self.dashboard.shared_query();
        let items = TITLES.iter().zip(1..).map(|(title, number)| {
            let href = self
                .id
                .with_value(|id| links::family_at(id, &query, &format!("s{number}")));
            el("li").child(
                el("a")
                    .attr("href", &href)
                    .text(&format!("{number} {title}")),
            )
        });
        vec![
            el("nav")
                .attr("aria-label", "Sections")
                .child(el("ol").children(items)),
        ]
    }

    /// The sections.
    fn body(self) -> Vec<Tag> {
        let dashboard = self.dashboard;
        let loaded = self.loaded.read();
        if loaded.is_empty() {
            return if self.is_waiting() {
                vec![skeleton(24)]
            } else {
                Vec::new()
            };
        }
        if !self.arrived.get_value() {
            dom::next_frame(move || self.arrive());
        }
        sections(&loaded, dashboard.units())
    }

    /// Brings the place that the address names into view, once: it may stand in a record that is still to come.
    fn arrive(self) {
        // The reader may have left the page meanwhile.
        if self.arrived.try_get_value() == Some(false)
            && (self.dashboard.nav.scroll_to_fragment() || !untrack(|| self.is_waiting()))
        {
            self.arrived.set_value(true);
        }
    }
}
