//! The line of filters above plot and table.

use super::menu::{Choice, Menu};
use super::node::{Tag, el, live_in, words};
use crate::browser::dom;
use crate::model::filter::{Filter, Group, toggle};
use crate::model::row::Row;
use crate::state::dashboard::Dashboard;
use crate::state::reactive::effect;
use kemscope_schema::{Category, KatStatus, TargetGroup};
use leptos::prelude::*;
use std::rc::Rc;
use wasm_bindgen::JsCast;

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
                fixed: "",
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
                fixed: "",
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
pub fn filters(dashboard: Dashboard) -> Tag {
    // On a phone the filters are folded away until asked for.
    const NARROW: &str = "(max-width: 699px)";
    let line = el("div")
        .class("filter-line")
        .child(targets(dashboard))
        .children(MENUS.map(|spec| menu(dashboard, spec)));
    let summary = live_in(el("summary").class("btn"), move || {
        let filter = &dashboard.view.read().filter;
        let active = filter.targets.len()
            + filter.families.len()
            + filter.categories.len()
            + filter.kats.len()
            + filter.implementations.len();
        vec![el("span").text(&if active == 0 {
            "Filters".to_owned()
        } else {
            format!("Filters ({active})")
        })]
    });
    let sheet = el("details")
        .class("filter-sheet")
        .attr_if("open", (!dom::media(NARROW)).then_some(""));
    let sheet = sheet.child(summary).child(line).made(|sheet| {
        let sheet = sheet.clone();
        if let Some(list) = web_sys::window().and_then(|w| w.match_media(NARROW).ok()?) {
            let listener = dom::listen(&list, "change", move |_| {
                let _ = sheet.toggle_attribute_with_force("open", !dom::media(NARROW));
            });
            let listener = StoredValue::new_local(listener);
            on_cleanup(move || listener.dispose());
        }
    });
    let section = el("section")
        .class("filters no-print")
        .attr("aria-label", "Filters");
    section
        .child(sheet)
        .child(search(dashboard))
        .child(counts(dashboard))
}

fn targets(dashboard: Dashboard) -> Tag {
    let chips = TargetGroup::ALL.map(|target| {
        let (sign, title) = match target {
            TargetGroup::Bits128 => ("○", "128 bits, or NIST category 1"),
            TargetGroup::Bits256 => ("△", "256 bits, or NIST category 5"),
            TargetGroup::Bits512 => ("□", "512 bits"),
            TargetGroup::Other => ("◇", "no target assigned, or one between the three"),
        };
        el("button")
            .class("chip")
            .attr("data-testid", &format!("filter-target-{}", target.name()))
            .attr("title", title)
            .pressed_while(move || dashboard.view.read().filter.targets.contains(&target))
            .child(el("span").attr("aria-hidden", "true").text(sign))
            .text(target.name())
            .on_click(move || dashboard.update(|view| toggle(&mut view.filter.targets, target)))
    });
    el("div")
        .class("targets")
        .attr("role", "group")
        .attr("aria-label", "Security target in bits")
        .children(chips)
}

fn menu(dashboard: Dashboard, spec: Spec) -> Tag {
    let Spec {
        group,
        name,
        testid,
        entry,
        chosen,
        read,
        toggle,
    } = spec;
    Menu {
        testid,
        entry_testid: entry,
        panel: "menu-panel",
        label: Rc::new(
            move || match chosen(&dashboard.view.read().filter).as_slice() {
                [] => name.to_owned(),
                [one] => format!("{name}: {one}"),
                many => format!("{name}: {}", many.len()),
            },
        ),
        choices: Rc::new(move || {
            let filter = &dashboard.view.read().filter;
            choices(&dashboard.rows.read(), filter, group, chosen(filter), read)
        }),
        toggle: Rc::new(move |value| dashboard.update(|view| toggle(&mut view.filter, value))),
    }
    .tag()
}

fn search(dashboard: Dashboard) -> Tag {
    let input = el("input")
        .attr("type", "search")
        .attr("data-testid", "search")
        .attr("placeholder", "family, instance, basis …")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .on("input", move |event| {
            let typed = dom::value_of(event);
            dashboard.update_in_burst(|view| view.filter.search = typed);
        })
        .on("change", move |_| dashboard.end_burst())
        .made(move |input| {
            let input = input.clone().dyn_into::<web_sys::HtmlInputElement>().ok();
            effect(move || {
                let text = &dashboard.view.read().filter.search;
                if let Some(input) = input.as_ref().filter(|input| input.value() != *text) {
                    input.set_value(text);
                }
            });
        });
    el("label")
        .class("field search")
        .child(el("span").attr("aria-hidden", "true").text("⌕"))
        .child(words("span", "visually-hidden", "Search"))
        .child(input)
}

fn counts(dashboard: Dashboard) -> Tag {
    let place = el("p")
        .class("counts num")
        .attr("role", "status")
        .attr("data-testid", "counts");
    live_in(place, move || {
        // Rows first: what follows from them may stay the same when they change.
        let all = dashboard.rows.read().len();
        let text = format!("{} of {all}", dashboard.filtered.read().len());
        let mut tags = vec![el("span").text(&text)];
        if !dashboard.view.read().filter.is_empty() {
            let reset = words("button", "link", "reset").attr("data-testid", "reset");
            tags.push(el("span").text(" · "));
            tags.push(reset.on_click(move || {
                dashboard.update(|view| view.filter = Filter::default());
                // The button goes away: the focus must not be lost with it.
                let search = dom::document()
                    .and_then(|d| d.query_selector("[data-testid=search]").ok().flatten());
                if let Some(search) = search {
                    dom::focus(&search);
                }
            }));
        }
        tags
    })
}
