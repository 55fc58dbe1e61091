//! The theme toggle: as the system says, light, dark. The choice is kept in the browser.

use super::node::{Tag, live, words};
use crate::browser::dom;
use crate::state::dashboard::Dashboard;
use leptos::prelude::*;

const KEY: &str = "kemscope-theme";
const CHOICES: [&str; 3] = ["auto", "light", "dark"];

/// Button that goes from one theme to the next.
pub fn theme_toggle(dashboard: Dashboard) -> Tag {
    let stored = dom::stored(KEY).unwrap_or_default();
    let choice = RwSignal::new(
        CHOICES
            .iter()
            .position(|choice| *choice == stored)
            .unwrap_or_default(),
    );
    // The system's own change counts while the choice is left to it.
    if let Some(list) =
        web_sys::window().and_then(|w| w.match_media("(prefers-color-scheme: dark)").ok()?)
    {
        let listener = dom::listen(&list, "change", move |_| {
            dashboard.theme.update(|turn| *turn += 1)
        });
        // It lives as long as the page.
        std::mem::forget(listener);
    }
    live("", move || {
        let at = choice.get();
        let name = CHOICES.get(at).copied().unwrap_or("auto");
        apply(name);
        dashboard.theme.update(|turn| *turn += 1);
        let button = words("button", "btn", "◐")
            .attr("data-testid", "theme")
            .attr("title", "Colours: automatic, light, dark")
            .attr("aria-label", &format!("Theme: {name}"))
            .on_click(move || choice.set((at + 1) % CHOICES.len()));
        vec![button.child(words("span", "wide-only", name))]
    })
}

fn apply(name: &str) {
    if let Some(root) = dom::document().and_then(|d| d.document_element()) {
        if name == "auto" {
            let _ = root.remove_attribute("data-theme");
        } else {
            dom::set(&root, "data-theme", name);
        }
    }
    dom::store(KEY, (name != "auto").then_some(name));
}
