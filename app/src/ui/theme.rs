//! The theme toggle: as the system says, light, dark. The choice is kept in the browser.

use crate::browser::dom;
use crate::state::dashboard::Dashboard;
use leptos::prelude::*;

const KEY: &str = "kemscope-theme";

/// Button that goes from one theme to the next.
#[component]
pub fn ThemeToggle() -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let stored = dom::stored(KEY).unwrap_or_default();
    let choice = RwSignal::new(match stored.as_str() {
        "light" => "light",
        "dark" => "dark",
        _ => "auto",
    });
    Effect::new(move |_| {
        let choice = choice.get();
        if let Some(root) = dom::document().and_then(|d| d.document_element()) {
            if choice == "auto" {
                let _ = root.remove_attribute("data-theme");
            } else {
                dom::set(&root, "data-theme", choice);
            }
        }
        dom::store(KEY, (choice != "auto").then_some(choice));
        dashboard.theme.update(|turn| *turn += 1);
    });
    // The system's own change counts while the choice is left to it.
    if let Some(list) =
        web_sys::window().and_then(|w| w.match_media("(prefers-color-scheme: dark)").ok()?)
    {
        let listener = dom::Listener::new(list.into(), "change", move |_| {
            dashboard.theme.update(|turn| *turn += 1)
        });
        std::mem::forget(listener);
    }
    let next = move |_| {
        choice.update(|choice| {
            *choice = match *choice {
                "auto" => "light",
                "light" => "dark",
                _ => "auto",
            };
        });
    };
    view! {
        <button class="btn" data-testid="theme" on:click=next title="Colours: automatic, light, dark" aria-label=move || format!("Theme: {}", choice.get())>
            <span aria-hidden="true">"◐"</span>
            {move || choice.get()}
        </button>
    }
}
