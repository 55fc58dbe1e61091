//! The KEMscope dashboard: a static page that loads published measurements of key-encapsulation
//! mechanisms and shows them, entirely in the browser.
//!
//! - [`model`]: pure logic (views, filters, order, words), tested natively
//! - [`state`]: signals for address, files and what follows from them
//! - [`browser`]: thin wrappers of the document, the network and the chart library
//! - [`ui`], [`pages`]: what is drawn

mod browser;
mod model;
mod pages;
mod state;
mod ui;

use crate::browser::dom;
use crate::pages::families::families;
use crate::pages::family::family;
use crate::pages::overview::overview;
use crate::pages::systems::systems;
use crate::state::dashboard::Dashboard;
use crate::ui::frame::{focus_main, footer, header, main as main_part, print_line, skip_link};
use crate::ui::menu::close_menus_from_outside;
use crate::ui::node::{Tag, el, mounted, words};
use crate::ui::tip::{Tip, tip_box};
use leptos::prelude::*;

/// The whole page: frame, and the page that the address names.
#[component]
fn App() -> impl IntoView {
    let dashboard = Dashboard::start();
    let tip = Tip::new();
    close_menus_from_outside();
    let route = dashboard.nav.route();
    let turned = StoredValue::new(false);
    let page = move || {
        tip.hide();
        let tags = page(dashboard, tip, &route.read());
        // Another page: who does not see it must be led to it. A place that the address names takes the focus itself.
        if turned.try_update_value(|turned| std::mem::replace(turned, true)) == Some(true)
            && dashboard.nav.fragment_untracked().is_empty()
        {
            dom::next_frame(focus_main);
        }
        tags
    };
    mounted(vec![
        skip_link(),
        header(dashboard),
        print_line(dashboard),
        main_part(page),
        footer(dashboard),
        tip_box(tip),
    ])
}

fn page(dashboard: Dashboard, tip: Tip, route: &str) -> Vec<Tag> {
    let title = |name: &str| {
        if let Some(document) = dom::document() {
            document.set_title(&if name.is_empty() {
                "KEMscope".to_owned()
            } else {
                format!("{name} · KEMscope")
            });
        }
    };
    let id = route
        .strip_prefix("family/")
        .filter(|id| !id.is_empty() && !id.contains('/'));
    match (route, id) {
        ("", _) => {
            title("");
            overview(dashboard, tip)
        }
        ("families", _) => {
            title("Families");
            families(dashboard)
        }
        ("systems", _) => {
            title("Systems & method");
            systems(dashboard)
        }
        (_, Some(id)) => {
            title(id);
            family(dashboard, tip, id)
        }
        (_, None) => {
            title("No such page");
            dashboard.unsettle();
            vec![unknown(dashboard, route)]
        }
    }
}

/// A page that does not exist.
fn unknown(dashboard: Dashboard, route: &str) -> Tag {
    dashboard.settle();
    let line = el("p")
        .text("There is nothing at ")
        .child(words("code", "", route))
        .text(". ");
    let query = untrack(|| dashboard.shared_query());
    let link = |href: &str, name: &str| el("a").attr("href", &format!("{href}{query}")).text(name);
    let line = line.child(link("./", "Overview")).text(" · ");
    el("div")
        .class("page")
        .attr("data-testid", "not-found")
        .child(
            el("div")
                .class("page-head")
                .child(el("h1").text("No such page")),
        )
        .child(line.child(link("families/", "Families")))
}

fn main() {
    if let Some(boot) = dom::document().and_then(|d| d.get_element_by_id("boot")) {
        boot.remove();
    }
    mount_to_body(App);
}
