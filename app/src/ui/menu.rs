//! Menus: a `<details>` with a panel, closed by Escape and by a click beside it.

use super::node::{Tag, el, live_in, words};
use crate::browser::dom;
use leptos::prelude::*;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Closes open menus on Escape and on clicks elsewhere; once for the whole page.
pub fn close_menus_from_outside() {
    let Some(window) = web_sys::window() else {
        return;
    };
    let clicked = dom::listen(&window, "click", |event| {
        // What was clicked may have been drawn anew since: the path still tells where it was.
        let path = event.composed_path();
        let inside = path.iter().find_map(|node| {
            node.dyn_into::<Element>()
                .ok()
                .filter(|e| e.has_attribute("data-menu"))
        });
        close_but(inside.as_ref());
    });
    let pressed = dom::listen(&window, "keydown", |event| {
        let escape = event
            .dyn_ref::<web_sys::KeyboardEvent>()
            .is_some_and(|key| key.key() == "Escape");
        if let Some(menu) =
            dom::closest(event.target(), "details[data-menu][open]").filter(|_| escape)
        {
            close_but(None);
            if let Ok(Some(summary)) = menu.query_selector("summary") {
                dom::focus(&summary);
            }
        }
    });
    // They live as long as the page.
    std::mem::forget((clicked, pressed));
}

fn close_but(spared: Option<&Element>) {
    let Some(open) =
        dom::document().and_then(|d| d.query_selector_all("details[data-menu][open]").ok())
    else {
        return;
    };
    for at in 0..open.length() {
        if let Some(menu) = open
            .get(at)
            .and_then(|node| node.dyn_into::<Element>().ok())
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
    /// Why it cannot be toggled now; empty where it can.
    pub fixed: &'static str,
}

/// What a menu is made of.
pub struct Menu {
    /// `data-testid` of the closed menu.
    pub testid: &'static str,
    /// The entries' test hooks begin with this.
    pub entry_testid: &'static str,
    /// Class of the panel.
    pub panel: &'static str,
    /// Words on the closed menu.
    pub label: Rc<dyn Fn() -> String>,
    /// The entries.
    pub choices: Rc<dyn Fn() -> Vec<Choice>>,
    /// Called with the value of the entry that was toggled.
    pub toggle: Rc<dyn Fn(String)>,
}

impl Menu {
    /// The menu's elements.
    pub fn tag(self) -> Tag {
        let Menu {
            testid,
            entry_testid,
            panel,
            label,
            choices,
            toggle,
        } = self;
        let summary = el("summary").class("btn").attr("data-testid", testid);
        let summary = live_in(summary, move || vec![el("span").text(&label())]);
        let open = RwSignal::new(false);
        // Counting and drawing the entries waits until someone looks.
        let entries = move || {
            if !open.get() {
                return Vec::new();
            }
            choices()
                .into_iter()
                .map(|choice| {
                    let toggle = toggle.clone();
                    let testid = format!("{entry_testid}{}", choice.value);
                    let value = choice.value;
                    let input = el("input")
                        .attr("type", "checkbox")
                        .attr("data-testid", &testid)
                        .attr_if("checked", choice.chosen.then_some(""))
                        .attr_if("disabled", (!choice.fixed.is_empty()).then_some(""))
                        .on("change", move |_| toggle(value.clone()));
                    let count = choice
                        .count
                        .map(|count| words("span", "count", &count.to_string()));
                    el("label")
                        .class("option")
                        .attr_if("title", Some(choice.fixed).filter(|why| !why.is_empty()))
                        .child(input)
                        .child(el("span").text(&choice.label))
                        .child_if(count)
                })
                .collect()
        };
        let panel = live_in(el("div").class(panel).attr("role", "group"), entries);
        el("details")
            .class("menu")
            .attr("data-menu", "")
            .on("toggle", move |event| {
                // Its own state: the menu stands within another `<details>` on a phone.
                let own = event.target().and_then(|t| t.dyn_into::<Element>().ok());
                open.set(own.is_some_and(|menu| menu.has_attribute("open")));
            })
            .child(summary)
            .child(panel)
    }
}
