//! Menus: a `<details>` with a panel, closed by Escape and by a click beside it.

use crate::browser::dom::{self, Listener};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Closes open menus on Escape and on clicks elsewhere; once for the whole page.
pub fn close_menus_from_outside() {
    let Some(window) = web_sys::window() else {
        return;
    };
    let clicked = Listener::new(window.clone().into(), "click", |event| {
        let inside = dom::closest(event.target(), "details.menu[open]");
        close_but(inside.as_ref());
    });
    let pressed = Listener::new(window.into(), "keydown", |event| {
        let escape = event
            .dyn_ref::<web_sys::KeyboardEvent>()
            .is_some_and(|key| key.key() == "Escape");
        if let Some(menu) = dom::closest(event.target(), "details.menu[open]").filter(|_| escape) {
            close_but(None);
            if let Ok(Some(summary)) = menu.query_selector("summary")
                && let Some(summary) = summary.dyn_ref::<web_sys::HtmlElement>()
            {
                let _ = summary.focus();
            }
        }
    });
    // They live as long as the page.
    std::mem::forget((clicked, pressed));
}

fn close_but(spared: Option<&web_sys::Element>) {
    let Some(open) = dom::document().and_then(|d| d.query_selector_all("details.menu[open]").ok())
    else {
        return;
    };
    for at in 0..open.length() {
        if let Some(menu) = open
            .get(at)
            .and_then(|node| node.dyn_into::<web_sys::Element>().ok())
            && Some(&menu) != spared
        {
            let _ = menu.remove_attribute("open");
        }
    }
}

/// One entry of a menu with check boxes.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Value that is toggled.
    pub value: String,
    /// Words.
    pub label: String,
    /// How many rows it would show; `None` where that says nothing.
    pub count: Option<usize>,
    /// Whether it is chosen.
    pub chosen: bool,
}

/// A menu of which any number of entries can be chosen.
#[component]
pub fn CheckMenu(
    /// Name on the closed menu.
    #[prop(into)]
    label: Signal<String>,
    /// `data-testid` of the closed menu.
    testid: &'static str,
    /// The entries' test hooks begin with this.
    #[prop(optional)]
    entry_testid: &'static str,
    /// The entries.
    choices: Memo<Vec<Choice>>,
    /// Whether the panel hangs from the right edge.
    #[prop(optional)]
    right: bool,
    /// Called with the value of the entry that was toggled.
    on_toggle: Callback<String>,
) -> impl IntoView {
    let panel = if right {
        "menu-panel right"
    } else {
        "menu-panel"
    };
    view! {
        <details class="menu">
            <summary class="btn" data-testid=testid>{move || label.get()}</summary>
            <div class=panel role="group" aria-label=move || label.get()>
                <For each=move || choices.get() key=|choice| choice.value.clone() let:choice>
                    <CheckEntry choice choices entry_testid on_toggle/>
                </For>
            </div>
        </details>
    }
    .into_any()
}

/// One entry; its state follows the list, so that the box stays while its count changes.
#[component]
fn CheckEntry(
    choice: Choice,
    choices: Memo<Vec<Choice>>,
    entry_testid: &'static str,
    on_toggle: Callback<String>,
) -> impl IntoView {
    let value = StoredValue::new(choice.value.clone());
    let now = Memo::new(move |_| {
        choices.with(|all| {
            value.with_value(|value| {
                all.iter()
                    .find(|c| c.value == *value)
                    .map(|c| (c.chosen, c.count))
            })
        })
    });
    view! {
        <label class="option">
            <input
                type="checkbox"
                data-testid=format!("{entry_testid}{}", choice.value)
                prop:checked=move || now.get().is_some_and(|(chosen, _)| chosen)
                on:change=move |_| on_toggle.run(value.get_value())
            />
            <span>{choice.label}</span>
            <span class="count">{move || now.get().and_then(|(_, count)| count)}</span>
        </label>
    }
    .into_any()
}
