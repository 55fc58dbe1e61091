//! Header and footer of every page.

use super::menu::{CheckMenu, Choice};
use super::theme::ThemeToggle;
use crate::model::column::Units;
use crate::model::filter::toggle;
use crate::state::dashboard::Dashboard;
use leptos::prelude::*;

/// Name, navigation, and what holds for all pages: systems, units, theme.
#[component]
pub fn Header() -> impl IntoView {
    view! {
        <a class="skip" href="#main" on:click=skip>"Skip to content"</a>
        <header class="top no-print">
            <a class="brand" href="./">"KEMscope"</a>
            <nav class="nav" aria-label="Pages">
                <NavLink route="" label="Overview"/>
                <NavLink route="families" label="Families"/>
                <NavLink route="systems" label="Systems & method"/>
            </nav>
            <div class="tools">
                <SystemSelect/>
                <UnitSwitch/>
                <ThemeToggle/>
            </div>
        </header>
    }
    .into_any()
}

/// Leads the focus to the content; the link's own address would leave the page because of `<base>`.
fn skip(event: web_sys::MouseEvent) {
    use wasm_bindgen::JsCast;
    event.prevent_default();
    event.stop_propagation();
    let main = crate::browser::dom::document().and_then(|d| d.get_element_by_id("main"));
    if let Some(main) = main.and_then(|main| main.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = main.focus();
    }
}

#[component]
fn NavLink(route: &'static str, label: &'static str) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let here = dashboard.nav.route();
    let href = move || {
        let folder = if route.is_empty() {
            "./".to_owned()
        } else {
            format!("{route}/")
        };
        folder + &dashboard.shared_query()
    };
    let current = move || {
        let here = here.read();
        let here = here.as_deref().unwrap_or("?");
        // A family's page belongs to the families.
        (here == route || (route == "families" && here.starts_with("family/"))).then_some("page")
    };
    view! { <a href=href aria-current=current>{label}</a> }.into_any()
}

/// Which systems are shown; any combination.
#[component]
fn SystemSelect() -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let choices = Memo::new(move |_| {
        let shown = dashboard.systems.read();
        dashboard
            .entries()
            .into_iter()
            .map(|entry| Choice {
                chosen: shown.contains(&entry.id),
                label: format!(
                    "{} · {} · {}",
                    entry.id,
                    entry.label,
                    entry.provenance.name()
                ),
                count: None,
                value: entry.id,
            })
            .collect::<Vec<_>>()
    });
    let label = Signal::derive(move || {
        let shown = dashboard.systems.read();
        if shown.is_empty() {
            "system".to_owned()
        } else {
            shown.join(" + ")
        }
    });
    let on_toggle = Callback::new(move |system: String| {
        let mut shown = dashboard.systems.get_untracked();
        toggle(&mut shown, system);
        dashboard.update(|view| view.systems = shown);
    });
    view! { <CheckMenu label testid="system-select" entry_testid="system-" choices right=true on_toggle/> }.into_any()
}

/// Cycles or time.
#[component]
fn UnitSwitch() -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let button = move |units: Units, name: &'static str, title: &'static str| {
        view! {
            <button
                data-testid=format!("units-{name}")
                title=title
                aria-pressed=move || (dashboard.view.read().units == units).to_string()
                on:click=move |_| dashboard.update(|view| view.units = units)
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="seg" role="group" aria-label="Units of speed">
            {button(Units::Cycles, "cycles", "Cycles per call, from the source that the tooltip names")}
            {button(Units::Time, "time", "Time per call; derived ones are labelled so")}
        </div>
    }
    .into_any()
}

/// Where the figures come from, in short.
#[component]
pub fn Footer() -> impl IntoView {
    view! {
        <footer class="foot">
            <p>
                "Figures of arm_1 and x86_1: independent measurements published at ngcc.dev; not self-assessments of the submitters, not results of NICCS. Figures of local systems: measured by KEMscope's own runner."
            </p>
            <p><a href="systems/">"Systems and method"</a>" · "<a href="data/index.json" rel="external">"data files"</a></p>
        </footer>
    }
    .into_any()
}
