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
use crate::pages::families::Families;
use crate::pages::family::FamilyPage;
use crate::pages::overview::Overview;
use crate::pages::systems::Systems;
use crate::state::dashboard::Dashboard;
use crate::ui::frame::{Footer, Header};
use crate::ui::menu::close_menus_from_outside;
use crate::ui::tip::{Tip, TipBox};
use leptos::prelude::*;

/// The whole page: frame, and the page that the address names.
#[component]
fn App() -> impl IntoView {
    let dashboard = Dashboard::start();
    provide_context(dashboard);
    let tip = Tip::provide();
    close_menus_from_outside();
    let route = dashboard.nav.route();
    view! {
        <Header/>
        <main id="main" tabindex="-1">
            {move || {
                tip.hide();
                page(route.get().as_deref())
            }}
        </main>
        <Footer/>
        <TipBox tip/>
    }
}

fn page(route: Option<&str>) -> AnyView {
    let title = |name: &str| {
        if let Some(document) = dom::document() {
            document.set_title(&if name.is_empty() {
                "KEMscope".to_owned()
            } else {
                format!("{name} · KEMscope")
            });
        }
    };
    match route {
        Some("") => {
            title("");
            view! { <Overview/> }.into_any()
        }
        Some("families") => {
            title("Families");
            view! { <Families/> }.into_any()
        }
        Some("systems") => {
            title("Systems & method");
            view! { <Systems/> }.into_any()
        }
        Some(route) => match route
            .strip_prefix("family/")
            .filter(|id| !id.is_empty() && !id.contains('/'))
        {
            Some(id) => {
                title(id);
                view! { <FamilyPage id=id.to_owned()/> }.into_any()
            }
            None => unknown(route),
        },
        None => unknown(""),
    }
}

/// A page that does not exist.
fn unknown(route: &str) -> AnyView {
    dom::set_ready(true);
    view! {
        <div class="page" data-testid="not-found">
            <div class="page-head"><h1>"No such page"</h1></div>
            <p>"There is nothing at "<code>{route.to_owned()}</code>". "<a href="./">"Overview"</a>" · "<a href="families/">"Families"</a></p>
        </div>
    }
    .into_any()
}

fn main() {
    if let Some(boot) = dom::document().and_then(|d| d.get_element_by_id("boot")) {
        boot.remove();
    }
    mount_to_body(App);
}
