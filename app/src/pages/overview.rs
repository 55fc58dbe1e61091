//! Overview: plot and table of all instances, under the same filters.

use crate::browser::dom;
use crate::model::filter::Filter;
use crate::state::dashboard::Dashboard;
use crate::state::store::{Load, summary_path};
use crate::ui::filters::Filters;
use crate::ui::plot::Plot;
use crate::ui::states::{Failed, Skeleton};
use crate::ui::table::Table;
use leptos::prelude::*;

/// What there is to show.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Loading,
    Nothing,
    Rows,
}

/// The page.
#[component]
pub fn Overview() -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    dom::set_ready(false);
    let stage = Memo::new(move |_| {
        let index = dashboard.store.index.read();
        let summaries = dashboard.store.summaries.read();
        let systems = dashboard.systems.read();
        let loading = systems
            .iter()
            .any(|id| matches!(summaries.get(&summary_path(id)), None | Some(Load::Loading)));
        match &*index {
            Load::Loading => Stage::Loading,
            Load::Failed(_) => Stage::Nothing,
            Load::Ready(_) if loading => Stage::Loading,
            Load::Ready(_) if dashboard.rows.read().is_empty() => Stage::Nothing,
            Load::Ready(_) => Stage::Rows,
        }
    });
    // A system that is switched on keeps what is there on screen until its figures have come.
    let begun = Memo::new(move |before: Option<&Stage>| match (stage.get(), before) {
        (Stage::Loading, Some(Stage::Rows)) => Stage::Rows,
        (stage, _) => stage,
    });
    view! {
        <h1 class="visually-hidden">"Overview of all instances"</h1>
        <Filters/>
        <Notes/>
        {move || match begun.get() {
            Stage::Loading => view! {
                <div class="split">
                    <div class="plot"><div class="chart"></div></div>
                    <div class="table-side"><Skeleton rows=24/></div>
                </div>
            }.into_any(),
            Stage::Nothing => {
                dom::set_ready(true);
                ().into_any()
            }
            Stage::Rows => view! {
                <div class="split">
                    <Plot/>
                    <div class="table-side">
                        <Empty/>
                        <Table/>
                    </div>
                </div>
            }.into_any(),
        }}
    }
    .into_any()
}

/// What the filters leave nothing of.
#[component]
fn Empty() -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let empty = Memo::new(move |_| dashboard.filtered.read().is_empty());
    view! {
        {move || empty.get().then(|| view! {
            <div class="notice" data-testid="empty">
                <p>
                    "No instance fits these filters. "
                    <button class="link" on:click=move |_| dashboard.update(|view| view.filter = Filter::default())>"Show all"</button>
                </p>
            </div>
        })}
    }
    .into_any()
}

/// Files that failed, and parts of the address that were left aside.
#[component]
pub fn Notes() -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let failures = Memo::new(move |_| {
        let mut failures = Vec::new();
        if let Load::Failed(message) = &*dashboard.store.index.read() {
            failures.push((message.clone(), "Without the index nothing can be shown."));
        }
        let summaries = dashboard.store.summaries.read();
        for system in dashboard.systems.read().iter() {
            if let Some(Load::Failed(message)) = summaries.get(&summary_path(system)) {
                failures.push((message.clone(), "The other systems are not affected."));
            }
        }
        failures
    });
    view! {
        {move || failures.get().into_iter().map(|(message, rest)| view! { <Failed message rest/> }).collect::<Vec<_>>()}
        {move || {
            let ignored = dashboard.ignored.get();
            (!ignored.is_empty()).then(|| view! {
                <p class="notice" role="status" data-testid="ignored">
                    "This link names what does not exist here; it was left aside: "
                    <code>{ignored.join(", ")}</code>
                </p>
            })
        }}
    }
    .into_any()
}
