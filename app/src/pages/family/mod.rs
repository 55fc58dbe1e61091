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
    /// Those of them that are shown: the chosen ones, otherwise the first.
    shown: Memo<Vec<String>>,
    /// Whether the place that the address names has been brought into view.
    arrived: StoredValue<bool>,
}

/// The page. `id` is the family's identifier as in the address.
pub fn family(dashboard: Dashboard, tip: Tip, id: &str) -> Vec<Tag> {
    dom::set_ready(false);
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
        let mut shown = dashboard.systems.get();
        shown.retain(|system| having.contains(system));
        if shown.is_empty() {
            shown.extend(having.first().cloned());
        }
        shown
    });
    let subject = Subject {
        dashboard,
        id,
        having,
        shown,
        arrived: StoredValue::new(false),
    };
    effect(move || {
        for system in shown.read().iter() {
            id.with_value(|id| dashboard.store.want_family(system, id));
            dashboard.store.want_system(system);
        }
    });
    // The chart waits for a record; it is not drawn anew with the rest.
    let there = memo(move || u32::from(!subject.records().is_empty()));
    let chart = live("", move || {
        if there.get() == 1 {
            vec![own_scatter(dashboard, tip, id)]
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

    /// The records that are here.
    fn records(self) -> Vec<Arc<FamilyRecord>> {
        let mut records = Vec::new();
        for system in self.shown.read().iter() {
            records.extend(self.record(system).ready());
        }
        records
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
            let line = line.child(el("a").attr("href", "families/").text("All families"));
            tags.push(
                el("div")
                    .class("notice warn")
                    .attr("role", "alert")
                    .attr("data-testid", "unknown-family")
                    .child(line),
            );
            dom::next_frame(|| dom::set_ready(true));
        }
        for system in self.shown.read().iter() {
            if let Load::Failed(message) = self.record(system) {
                tags.push(failed(
                    dashboard,
                    &message,
                    "All other families and systems are not affected.",
                ));
                dom::next_frame(|| dom::set_ready(true));
            }
        }
        if matches!(dashboard.store.index(), Load::Failed(_)) {
            dom::next_frame(|| dom::set_ready(true));
        }
        let records = self.records();
        if let Some(first) = records.first() {
            tags.push(facts::title(first).child(self.chips()));
            let units = dashboard.units();
            let rows = dashboard.rows.read();
            let lines = lines::families(&rows, units);
            let line = lines.iter().find(|line| line.id == first.family.id);
            tags.push(facts::facts(line, &rows, &records, units));
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
            let mut after = shown.clone();
            toggle(&mut after, system.clone());
            words("button", "chip", &system)
                .attr("data-testid", &format!("family-system-{system}"))
                .attr("aria-pressed", pressed)
                .on_click(move || {
                    if !after.is_empty() {
                        self.dashboard
                            .update(|view| view.systems.clone_from(&after));
                    }
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
        if self.records().is_empty() {
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
        let records = self.records();
        if records.is_empty() {
            let waiting = self
                .shown
                .read()
                .iter()
                .any(|system| self.record(system).is_loading());
            let loading = waiting || dashboard.store.index().is_loading();
            return if loading {
                vec![skeleton(24)]
            } else {
                Vec::new()
            };
        }
        let mut shown = Vec::new();
        for record in records {
            let system = dashboard.store.system(&record.system).ready();
            let environment = record
                .environment
                .clone()
                .or_else(|| system.map(|system| system.environment.clone()));
            shown.push(Shown {
                record,
                environment,
            });
        }
        if !self.arrived.get_value() {
            self.arrived.set_value(true);
            dom::next_frame(move || dashboard.nav.scroll_to_fragment());
        }
        sections(&shown, dashboard.units())
    }
}
