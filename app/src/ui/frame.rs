//! Header and footer of every page.

use super::menu::{Choice, Menu};
use super::node::{Tag, el, live, live_in, words};
use super::theme::theme_toggle;
use crate::browser::dom;
use crate::model::column::Units;
use crate::model::filter::toggle;
use crate::model::query::decode;
use crate::model::view::View;
use crate::state::dashboard::Dashboard;
use leptos::prelude::*;
use std::rc::Rc;

/// Name, navigation, and what holds for all pages: systems, units, theme.
pub fn header(dashboard: Dashboard) -> Tag {
    let tools = el("div")
        .class("tools")
        .child(systems(dashboard))
        .child(units(dashboard))
        .child(theme_toggle(dashboard));
    el("header")
        .class("top no-print")
        .child(live("", move || {
            let href = format!("./{}", dashboard.shared_query());
            vec![words("a", "brand", "KEMscope").attr("href", &href)]
        }))
        .child(navigation(dashboard))
        .child(tools)
}

/// Leads the focus to the content. A link would leave the page, because of its `<base>`.
pub fn skip_link() -> Tag {
    words("a", "skip", "Skip to content")
        .attr("href", "#main")
        .on("click", |event| {
            event.prevent_default();
            event.stop_propagation();
            focus_main();
        })
}

/// On paper: where the page is from and what it shows.
pub fn print_line(dashboard: Dashboard) -> Tag {
    let route = dashboard.nav.route();
    live("print-only", move || {
        let (route, view) = (route.read(), dashboard.view.read());
        let mut parts = vec!["KEMscope".to_owned()];
        // A family's page names its own systems.
        if !route.starts_with("family/") {
            parts.push(dashboard.systems.read().join(" + "));
        }
        parts.push(match view.units {
            Units::Cycles => "cycles per call".to_owned(),
            Units::Time => "time per call".to_owned(),
        });
        let chosen = View {
            filter: view.filter.clone(),
            sort: view.sort.clone(),
            ..View::default()
        };
        let chosen = decode(&chosen.to_query()).replace('&', "; ");
        if !chosen.is_empty() {
            parts.push(format!("filters and order: {chosen}"));
        }
        vec![words("p", "", &parts.join(" · ")).attr("data-testid", "print-line")]
    })
}

/// Gives the content the focus, without scrolling.
pub fn focus_main() {
    if let Some(main) = dom::document().and_then(|d| d.get_element_by_id("main")) {
        dom::focus_in_place(&main);
    }
}

fn navigation(dashboard: Dashboard) -> Tag {
    let route = dashboard.nav.route();
    let nav = el("nav").class("nav").attr("aria-label", "Pages");
    live_in(nav, move || {
        let here = route.read();
        let query = dashboard.shared_query();
        let link = |folder: &str, name: &str, label: &str| {
            // A family's page belongs to the families.
            let current = *here == name || (name == "families" && here.starts_with("family/"));
            el("a")
                .attr("href", &format!("{folder}{query}"))
                .attr("data-testid", &format!("nav-{name}"))
                .attr_if("aria-current", current.then_some("page"))
                .text(label)
        };
        vec![
            link("./", "", "Overview"),
            link("families/", "families", "Families"),
            link("systems/", "systems", "Systems & method"),
        ]
    })
}

/// Which systems are shown; any combination.
fn systems(dashboard: Dashboard) -> Tag {
    Menu {
        testid: "system-select",
        entry_testid: "system-",
        panel: "menu-panel right",
        label: Rc::new(move || match dashboard.systems.read().as_slice() {
            [] => "system".to_owned(),
            shown => shown.join(" + "),
        }),
        choices: Rc::new(move || {
            let shown = dashboard.systems.read();
            let mut choices = Vec::new();
            for entry in dashboard.entries() {
                choices.push(Choice {
                    chosen: shown.contains(&entry.id),
                    label: format!(
                        "{} · {} · {}",
                        entry.id,
                        entry.label,
                        entry.provenance.name()
                    ),
                    count: None,
                    fixed: if shown.as_slice() == [entry.id.clone()] {
                        "One system is always shown"
                    } else {
                        ""
                    },
                    value: entry.id,
                });
            }
            choices
        }),
        toggle: Rc::new(move |system| {
            let mut shown = dashboard.systems.get_untracked();
            toggle(&mut shown, system);
            dashboard.update(|view| view.systems = shown);
        }),
    }
    .tag()
}

/// Cycles or time.
fn units(dashboard: Dashboard) -> Tag {
    live_in(
        el("div")
            .class("seg")
            .attr("role", "group")
            .attr("aria-label", "Units of speed"),
        move || {
            let now = dashboard.units();
            let button = |units: Units, name: &str, title: &str| {
                words("button", "", name)
                    .attr("data-testid", &format!("units-{name}"))
                    .attr("title", title)
                    .pressed(now == units)
                    .on_click(move || dashboard.update(|view| view.units = units))
            };
            vec![
                button(
                    Units::Cycles,
                    "cycles",
                    "Cycles per call, from the source that the tooltip names",
                ),
                button(
                    Units::Time,
                    "time",
                    "Time per call; derived ones are labelled so",
                ),
            ]
        },
    )
}

/// Where the figures come from, in short.
pub fn footer(dashboard: Dashboard) -> Tag {
    let origin = "Figures of arm_1 and x86_1: independent measurements published at ngcc.dev; not self-assessments of the submitters, not results of NICCS. Figures of local systems: measured by KEMscope's own runner.";
    let links = live_in(el("p"), move || {
        let href = format!("systems/{}", dashboard.shared_query());
        let method = el("a").attr("href", &href).text("Systems and method");
        let files = el("a").attr("href", "data/index.json");
        vec![
            method,
            words("span", "", " · "),
            files.attr("rel", "external").text("data files"),
        ]
    });
    el("footer")
        .class("foot")
        .child(el("p").text(origin))
        .child(links)
}

/// The part of the page between header and footer.
pub fn main(page: impl Fn() -> Vec<Tag> + 'static) -> Tag {
    el("main")
        .attr("id", "main")
        .attr("tabindex", "-1")
        .child(live("", page))
}
