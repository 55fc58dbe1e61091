//! A family's page: the seven sections of a report page, for every system shown that has it.

mod bars;
mod facts;
mod own_scatter;
mod sections;
mod tables;

use crate::browser::dom;
use crate::model::query::decode;
use crate::state::dashboard::Dashboard;
use crate::state::store::{Load, family_path};
use crate::ui::links;
use crate::ui::states::{Failed, Skeleton};
use facts::Facts;
use kemscope_schema::FamilyRecord;
use leptos::prelude::*;
use own_scatter::OwnScatter;
use sections::Sections;
use std::sync::Arc;
pub use tables::environment::items as environment_items;

/// The sections: number, title; their anchors are `s1` to `s7`.
const SECTIONS: [&str; 7] = [
    "Basic information",
    "Assessment environment",
    "Functional testing (KAT)",
    "Performance",
    "Resource consumption",
    "Transmission and storage",
    "Raw evidence",
];

/// The page. `id` is the family's identifier as in the address.
#[component]
pub fn FamilyPage(id: String) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    dom::set_ready(false);
    let id = StoredValue::new(decode(&id));
    // Systems that have the family, and those of them to show: the chosen ones, otherwise the first.
    let having = Memo::new(move |_| {
        let entries = dashboard.entries();
        id.with_value(|id| {
            entries
                .into_iter()
                .filter(|entry| entry.families.contains(id))
                .map(|entry| entry.id)
                .collect::<Vec<_>>()
        })
    });
    let shown = Memo::new(move |_| {
        let having = having.read();
        let chosen: Vec<String> = dashboard
            .systems
            .read()
            .iter()
            .filter(|system| having.contains(system))
            .cloned()
            .collect();
        if chosen.is_empty() {
            having.first().cloned().into_iter().collect()
        } else {
            chosen
        }
    });
    Effect::new(move |_| {
        for system in shown.read().iter() {
            id.with_value(|id| dashboard.store.want_family(system, id));
            dashboard.store.want_system(system);
        }
    });
    let records = Memo::new(move |_| {
        let families = dashboard.store.families.read();
        let path = |system: &String| id.with_value(|id| family_path(system, id));
        shown
            .read()
            .iter()
            .map(|system| {
                families
                    .get(&path(system))
                    .cloned()
                    .unwrap_or(Load::Loading)
            })
            .filter_map(|load| load.ready().cloned())
            .collect::<Vec<Arc<FamilyRecord>>>()
    });
    let failures = Memo::new(move |_| {
        let families = dashboard.store.families.read();
        let path = |system: &String| id.with_value(|id| family_path(system, id));
        shown
            .read()
            .iter()
            .filter_map(|system| match families.get(&path(system)) {
                Some(Load::Failed(message)) => Some(message.clone()),
                _ => None,
            })
            .collect::<Vec<_>>()
    });
    let unknown = Memo::new(move |_| {
        dashboard.store.index.read().ready().is_some() && having.read().is_empty()
    });
    let settled = Memo::new(move |_| {
        unknown.get()
            || matches!(*dashboard.store.index.read(), Load::Failed(_))
            || (!shown.read().is_empty()
                && records.read().len() + failures.read().len() == shown.read().len())
    });
    view! {
        <div class="page family" data-testid="family-page" data-family=move || id.get_value()>
            <super::overview::Notes/>
            {move || unknown.get().then(|| view! {
                <div class="notice warn" role="alert" data-testid="unknown-family">
                    <p>"No system has a family " <code>{id.get_value()}</code> ". "<a href="families/">"All families"</a></p>
                </div>
            })}
            {move || failures
                .get()
                .into_iter()
                .map(|message| view! { <Failed message rest="All other families and systems are not affected."/> })
                .collect::<Vec<_>>()}
            {move || {
                if !settled.get() {
                    return view! { <Skeleton rows=24/> }.into_any();
                }
                let records = records.get();
                if records.is_empty() {
                    dom::next_frame(|| dom::set_ready(true));
                    return ().into_any();
                }
                dom::next_frame(move || dashboard.nav.scroll_to_fragment());
                view! { <Body records having/> }.into_any()
            }}
        </div>
    }
    .into_any()
}

#[component]
fn Body(records: Vec<Arc<FamilyRecord>>, having: Memo<Vec<String>>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let id = records
        .first()
        .map(|record| record.family.id.clone())
        .unwrap_or_default();
    let index = {
        let id = id.clone();
        move || {
            let query = dashboard.shared_query();
            SECTIONS
                .iter()
                .zip(1..)
                .map(|(title, number)| {
                    let href = links::family_at(&id, &query, &format!("s{number}"));
                    view! { <li><a href=href><span class="num">{number}</span>" "{*title}</a></li> }
                })
                .collect::<Vec<_>>()
        }
    };
    view! {
        <Facts records=records.clone() having/>
        <div class="family-layout">
            <nav class="side no-print" aria-label="Sections"><ol>{index}</ol></nav>
            <div class="family-main">
                <OwnScatter id/>
                <Sections records/>
            </div>
        </div>
    }
    .into_any()
}
