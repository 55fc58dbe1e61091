//! The line of filters above plot and table.

use super::menu::{CheckMenu, Choice};
use crate::model::filter::{Filter, Group, toggle};
use crate::model::row::Row;
use crate::state::dashboard::Dashboard;
use crate::state::nav::Step;
use kemscope_schema::{Category, KatStatus, TargetGroup};
use leptos::prelude::*;

/// Entries of a group's menu with the number of rows that each would show: what occurs in the rows
/// (first seen first), and what is chosen though it does not occur.
fn choices(
    rows: &[Row],
    filter: &Filter,
    group: Group,
    chosen: Vec<String>,
    read: impl Fn(&Row) -> Option<(String, String)>,
) -> Vec<Choice> {
    let mut out: Vec<Choice> = Vec::new();
    for row in rows {
        let Some((value, label)) = read(row) else {
            continue;
        };
        let shows = usize::from(filter.matches_but(row, Some(group)));
        match out.iter_mut().find(|choice| choice.value == value) {
            Some(choice) => choice.count = choice.count.map(|count| count + shows),
            None => out.push(Choice {
                chosen: chosen.contains(&value),
                value,
                label,
                count: Some(shows),
            }),
        }
    }
    for value in chosen {
        if !out.iter().any(|choice| choice.value == value) {
            out.push(Choice {
                label: value.clone(),
                value,
                count: Some(0),
                chosen: true,
            });
        }
    }
    out
}

/// One of the menus: group, name, what is chosen, what a row offers, and how a choice is toggled.
struct Spec {
    group: Group,
    name: &'static str,
    testid: &'static str,
    entry: &'static str,
    chosen: fn(&Filter) -> Vec<String>,
    read: fn(&Row) -> Option<(String, String)>,
    toggle: fn(&mut Filter, String),
}

const MENUS: [Spec; 4] = [
    Spec {
        group: Group::Family,
        name: "family",
        testid: "filter-family",
        entry: "family-option-",
        chosen: |filter| filter.families.clone(),
        read: |row| {
            Some((
                row.data.family.clone(),
                format!("{} {}", row.data.family, row.family_name),
            ))
        },
        toggle: |filter, value| toggle(&mut filter.families, value),
    },
    Spec {
        group: Group::Category,
        name: "basis",
        testid: "filter-category",
        entry: "filter-category-",
        chosen: |filter| {
            filter
                .categories
                .iter()
                .map(|c| c.name().to_owned())
                .collect()
        },
        read: |row| {
            row.category
                .map(|c| (c.name().to_owned(), c.name().to_owned()))
        },
        toggle: |filter, value| {
            if let Some(category) = Category::from_name(&value) {
                toggle(&mut filter.categories, category);
            }
        },
    },
    Spec {
        group: Group::Kat,
        name: "KAT",
        testid: "filter-kat",
        entry: "filter-kat-",
        chosen: |filter| filter.kats.iter().map(|k| k.name().to_owned()).collect(),
        read: |row| {
            Some((
                row.data.kat.name().to_owned(),
                row.data.kat.label().to_owned(),
            ))
        },
        toggle: |filter, value| {
            if let Some(status) = KatStatus::from_word(&value) {
                toggle(&mut filter.kats, status);
            }
        },
    },
    Spec {
        group: Group::Implementation,
        name: "implementation",
        testid: "filter-implementation",
        entry: "filter-implementation-",
        chosen: |filter| filter.implementations.clone(),
        read: |row| {
            Some((
                row.data.implementation.clone(),
                row.data.implementation.clone(),
            ))
        },
        toggle: |filter, value| toggle(&mut filter.implementations, value),
    },
];

/// All filters, the search box and the counts.
#[component]
pub fn Filters() -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let filter = Memo::new(move |_| dashboard.view.read().filter.clone());
    let active = Memo::new(move |_| {
        let filter = filter.read();
        filter.targets.len()
            + filter.families.len()
            + filter.categories.len()
            + filter.kats.len()
            + filter.implementations.len()
    });
    view! {
        <section class="filters no-print" aria-label="Filters">
            <details class="filter-sheet" open=true>
                <summary class="btn">"Filters"{move || match active.get() { 0 => String::new(), n => format!(" ({n})") }}</summary>
                <div class="filter-line">
                    <div class="targets" role="group" aria-label="Security target in bits">
                        {TargetGroup::ALL.into_iter().map(|target| view! { <TargetChip target filter/> }).collect::<Vec<_>>()}
                    </div>
                    {MENUS.into_iter().map(|spec| view! { <FilterMenu spec filter/> }).collect::<Vec<_>>()}
                </div>
            </details>
            <Search filter/>
            <Counts filter/>
        </section>
    }
    .into_any()
}

#[component]
fn TargetChip(target: TargetGroup, filter: Memo<Filter>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let (sign, title) = match target {
        TargetGroup::Bits128 => ("○", "128 bits, or NIST category 1"),
        TargetGroup::Bits256 => ("△", "256 bits, or NIST category 5"),
        TargetGroup::Bits512 => ("□", "512 bits"),
        TargetGroup::Other => ("◇", "no target assigned, or one between the three"),
    };
    view! {
        <button
            class="chip"
            data-testid=format!("filter-target-{}", target.name())
            title=title
            aria-pressed=move || filter.read().targets.contains(&target).to_string()
            on:click=move |_| dashboard.update(|view| toggle(&mut view.filter.targets, target))
        >
            <span aria-hidden="true">{sign}</span>
            {target.name()}
        </button>
    }
    .into_any()
}

#[component]
fn FilterMenu(spec: Spec, filter: Memo<Filter>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let Spec {
        group,
        name,
        testid,
        entry,
        chosen,
        read,
        toggle,
    } = spec;
    let choices = Memo::new(move |_| {
        choices(
            &dashboard.rows.read(),
            &filter.read(),
            group,
            chosen(&filter.read()),
            read,
        )
    });
    let label = Signal::derive(move || match chosen(&filter.read()).as_slice() {
        [] => name.to_owned(),
        [one] => format!("{name}: {one}"),
        many => format!("{name}: {}", many.len()),
    });
    let on_toggle = Callback::new(move |value: String| {
        dashboard.update(|view| toggle(&mut view.filter, value))
    });
    view! { <CheckMenu label testid entry_testid=entry choices on_toggle/> }.into_any()
}

#[component]
fn Search(filter: Memo<Filter>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let text = Memo::new(move |_| filter.read().search.clone());
    view! {
        <label class="field search">
            <span aria-hidden="true">"⌕"</span>
            <span class="visually-hidden">"Search"</span>
            <input
                type="search"
                data-testid="search"
                placeholder="family, instance, basis …"
                autocomplete="off"
                spellcheck="false"
                prop:value=move || text.get()
                on:input=move |event| {
                    let typed = event_target_value(&event);
                    dashboard.update_by(Step::Replace, |view| view.filter.search = typed);
                }
            />
        </label>
    }
    .into_any()
}

#[component]
fn Counts(filter: Memo<Filter>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    view! {
        <p class="counts num" role="status" data-testid="counts">
            {move || dashboard.filtered.read().len()}
            " of "
            {move || dashboard.rows.read().len()}
            {move || {
                (!filter.read().is_empty()).then(|| {
                    view! {
                        " · "
                        <button class="link" data-testid="reset" on:click=move |_| dashboard.update(|view| view.filter = Filter::default())>
                            "reset"
                        </button>
                    }
                })
            }}
        </p>
    }
    .into_any()
}
