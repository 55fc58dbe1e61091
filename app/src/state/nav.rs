//! Navigation: the page's address as a signal, and ways to change it.
//!
//! All state that a link restores is in the address. The router works below the base path of the document, so that the
//! dashboard can live anywhere on a static host.

use super::reactive::memo;
use crate::browser::dom;
use crate::model::place;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::{MouseEvent, Url};

/// A place within the dashboard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Route without slashes at its ends (`family/kem-14`); `None` outside the base path.
    pub route: Option<String>,
    /// Query string without `?`.
    pub query: String,
    /// Fragment without `#`.
    pub fragment: String,
}

/// Whether going back leads to the view before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A step of its own in the history.
    Push,
    /// Takes the place of the present one (typing in a search box).
    Replace,
}

/// The navigation of the page.
#[derive(Clone, Copy)]
pub struct Nav {
    place: RwSignal<Place>,
    base: StoredValue<String>,
    /// Whether the last step was one back or forward.
    returned: StoredValue<bool>,
}

/// The place of an address, absolute or from the root of the site, if it is one of this site's.
fn place_of(base: &str, address: &str) -> Option<Place> {
    let url = Url::new_with_base(address, &dom::base_uri()).ok()?;
    let here = web_sys::window()?.location().origin().ok()?;
    (url.origin() == here).then(|| Place {
        route: place::route(base, &url.pathname()).map(str::to_owned),
        query: url.search().trim_start_matches('?').to_owned(),
        fragment: url.hash().trim_start_matches('#').to_owned(),
    })
}

fn current(base: &str) -> Place {
    web_sys::window()
        .and_then(|w| w.location().href().ok())
        .and_then(|href| place_of(base, &href))
        .unwrap_or_default()
}

impl Nav {
    /// Starts navigation: fixes the base, follows back and forward, takes over clicks on links of this site.
    pub fn start() -> Nav {
        let base = place::base_path(&dom::base_uri()).to_owned();
        if let Some(origin) = web_sys::window().and_then(|w| w.location().origin().ok()) {
            dom::fix_base(&format!("{origin}{base}"));
        }
        let nav = Nav {
            place: RwSignal::new(current(&base)),
            base: StoredValue::new(base),
            returned: StoredValue::new(false),
        };
        if let Some(window) = web_sys::window() {
            let popped = dom::listen(&window, "popstate", move |_| nav.refresh());
            let clicked = dom::listen(&window, "click", move |event| nav.follow(&event));
            // They live as long as the page.
            popped.forget();
            clicked.forget();
        }
        nav
    }

    /// The route alone, or `?` outside the base path.
    pub fn route(self) -> Memo<String> {
        memo(move || {
            self.place
                .with(|place| place.route.clone())
                .unwrap_or_else(|| "?".to_owned())
        })
    }

    /// Whether the reader came here by going back or forward.
    pub fn has_returned(self) -> bool {
        self.returned.get_value()
    }

    /// The query alone.
    pub fn query(self) -> String {
        self.place.with(|place| place.query.clone())
    }

    /// The fragment, not tracked.
    pub fn fragment_untracked(self) -> String {
        self.place.with_untracked(|place| place.fragment.clone())
    }

    /// Changes the query and stays on the page.
    pub fn set_query(self, query: &str, step: Step) {
        let route = self
            .place
            .with_untracked(|place| place.route.clone())
            .unwrap_or_default();
        self.write(&self.address(&route, query), step);
    }

    /// Goes to an address relative to the base, as in a link.
    pub fn go(self, relative: &str) {
        let base = self.base.with_value(Clone::clone);
        self.write(&format!("{base}{relative}"), Step::Push);
    }

    /// Path and query of a route of this dashboard.
    fn address(self, route: &str, query: &str) -> String {
        let base = self.base.with_value(Clone::clone);
        let slash = if route.is_empty() { "" } else { "/" };
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{base}{route}{slash}{mark}{query}")
    }

    /// Goes to an address of this site. Where the reader is already, it is no step of the history.
    fn write(self, address: &str, step: Step) {
        let place = self.base.with_value(|base| place_of(base, address));
        let place = place.unwrap_or_default();
        if self.place.with_untracked(|old| *old == place) {
            return;
        }
        self.returned.set_value(false);
        if let Some(history) = web_sys::window().and_then(|w| w.history().ok()) {
            // Browsers limit how often history may change within some seconds, and refuse what is more: the view changes
            // all the same, the address follows with the next change.
            let _ = match step {
                Step::Push => history.push_state_with_url(&JsValue::NULL, "", Some(address)),
                Step::Replace => history.replace_state_with_url(&JsValue::NULL, "", Some(address)),
            };
        }
        self.set(place);
    }

    /// After going back or forward: the place is where the browser says.
    fn refresh(self) {
        self.returned.set_value(true);
        self.set(self.base.with_value(|base| current(base)));
    }

    fn set(self, place: Place) {
        if self.place.with_untracked(|old| *old != place) {
            self.place.set(place);
        }
    }

    /// Takes over a plain click on a link to a page of this dashboard.
    fn follow(self, event: &web_sys::Event) {
        use wasm_bindgen::JsCast;
        let Some(click) = event.dyn_ref::<MouseEvent>() else {
            return;
        };
        if click.default_prevented()
            || click.button() != 0
            || click.meta_key()
            || click.ctrl_key()
            || click.shift_key()
            || click.alt_key()
        {
            return;
        }
        let Some(link) = dom::closest(event.target(), "a[href]") else {
            return;
        };
        let Some(link) = link.dyn_ref::<web_sys::HtmlAnchorElement>() else {
            return;
        };
        if !link.target().is_empty() || link.has_attribute("download") || link.rel() == "external" {
            return;
        }
        let base = self.base.with_value(Clone::clone);
        let Some(target) = place_of(&base, &link.href()).filter(|place| place.route.is_some())
        else {
            return;
        };
        let present = self.place.get_untracked();
        event.prevent_default();
        self.write(&link.href(), Step::Push);
        if !target.fragment.is_empty() {
            // `<base>` would make the browser leave the page. On another page, that page brings its place into view.
            self.scroll_to_fragment();
        } else if target.route != present.route
            && let Some(window) = web_sys::window()
        {
            window.scroll_to_with_x_and_y(0.0, 0.0);
        }
    }

    /// Brings the element that the fragment names into view; whether there is one, or none is named.
    pub fn scroll_to_fragment(self) -> bool {
        let fragment = crate::model::query::decode(&self.fragment_untracked());
        if fragment.is_empty() {
            return true;
        }
        let Some(element) = dom::document().and_then(|d| d.get_element_by_id(&fragment)) else {
            return false;
        };
        element.scroll_into_view();
        dom::focus(&element);
        true
    }
}
