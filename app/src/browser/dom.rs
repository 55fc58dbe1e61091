//! Small accesses to the document. Everything answers `Option` where the page may lack it.

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget, HtmlElement};

/// The document.
pub fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}

/// Absolute address that relative ones are resolved against.
pub fn base_uri() -> String {
    document()
        .and_then(|d| d.base_uri().ok().flatten())
        .unwrap_or_default()
}

/// Fixes the `<base>` of the page to its absolute address, so that relative addresses keep their meaning
/// when navigation changes the page's own.
pub fn fix_base(absolute: &str) {
    if let Some(base) = document().and_then(|d| d.query_selector("base").ok().flatten()) {
        set(&base, "href", absolute);
    }
}

/// Sets an attribute. Names come from this program, so the refusal of an odd name cannot occur.
pub fn set(element: &Element, name: &str, value: &str) {
    let _ = element.set_attribute(name, value);
}

/// Sets a CSS property through the object model, which the page's policy allows.
pub fn style(element: &HtmlElement, property: &str, value: &str) {
    let _ = element.style().set_property(property, value);
}

/// The value of a CSS custom property of the page in the current theme.
pub fn css_value(property: &str) -> String {
    let root = document().and_then(|d| d.document_element());
    web_sys::window()
        .zip(root)
        .and_then(|(window, root)| window.get_computed_style(&root).ok().flatten())
        .and_then(|style| style.get_property_value(property).ok())
        .map(|value| value.trim().to_owned())
        .unwrap_or_default()
}

/// Says on `<body>` whether data and first chart are on screen.
pub fn set_ready(ready: bool) {
    if let Some(body) = document().and_then(|d| d.body()) {
        set(&body, "data-ready", if ready { "true" } else { "false" });
    }
}

/// A stored choice of the reader; storage may be forbidden.
pub fn stored(key: &str) -> Option<String> {
    let storage = web_sys::window()?.local_storage().ok()??;
    storage.get_item(key).ok()?
}

/// Stores a choice of the reader, or forgets it.
pub fn store(key: &str, value: Option<&str>) {
    if let Some(storage) = web_sys::window().and_then(|w| w.local_storage().ok()?) {
        // A full or forbidden storage loses the choice on the next visit, nothing else.
        let _ = match value {
            Some(value) => storage.set_item(key, value),
            None => storage.remove_item(key),
        };
    }
}

/// Whether a media query holds.
pub fn media(query: &str) -> bool {
    web_sys::window()
        .and_then(|w| w.match_media(query).ok()?)
        .is_some_and(|list| list.matches())
}

/// Gives an element the focus, and scrolls to it where it is out of sight.
pub fn focus(element: &Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
}

/// Gives an element the focus and leaves the page where it is scrolled to.
pub fn focus_in_place(element: &Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let options = web_sys::FocusOptions::new();
        options.set_prevent_scroll(true);
        let _ = element.focus_with_options(&options);
    }
}

/// The text of an input, or the value of the chosen option, that an event comes from.
pub fn value_of(event: &web_sys::Event) -> String {
    let target = event.target();
    let input = target
        .as_ref()
        .and_then(|t| t.dyn_ref::<web_sys::HtmlInputElement>())
        .map(|input| input.value());
    let select = || {
        target
            .as_ref()
            .and_then(|t| t.dyn_ref::<web_sys::HtmlSelectElement>())
            .map(|select| select.value())
    };
    input.or_else(select).unwrap_or_default()
}

/// The nearest element, from an event's target upwards, that a selector fits.
pub fn closest(target: Option<EventTarget>, selector: &str) -> Option<Element> {
    target?.dyn_into::<Element>().ok()?.closest(selector).ok()?
}

/// Listens for `event` on `target` until the guard is dropped. The handler may prevent the default.
pub fn listen(
    target: &EventTarget,
    event: &'static str,
    handler: impl Fn(web_sys::Event) + 'static,
) -> EventListener {
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(target, event, options, move |event| handler(event.clone()))
}

/// Runs `then` after the next painted frame has been prepared.
pub fn next_frame(then: impl FnOnce() + 'static) {
    // Dropping the handle would cancel the frame; the frame comes once and frees its closure.
    std::mem::forget(gloo_render::request_animation_frame(move |_| then()));
}

/// Scrolls an element to the middle of its container, gently unless motion is unwanted.
pub fn scroll_to(element: &Element) {
    let options = web_sys::ScrollIntoViewOptions::new();
    let gently = !media("(prefers-reduced-motion: reduce)");
    options.set_behavior(if gently {
        web_sys::ScrollBehavior::Smooth
    } else {
        web_sys::ScrollBehavior::Auto
    });
    options.set_block(web_sys::ScrollLogicalPosition::Center);
    options.set_inline(web_sys::ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

/// Whether the reader is selecting text: a click then ends the selection and does nothing else.
pub fn is_selecting() -> bool {
    let selection = web_sys::window().and_then(|w| w.get_selection().ok()?);
    selection.is_some_and(|selection| !selection.is_collapsed())
}
