//! The one tooltip that tables and charts share. It is an element of the page, set in place through
//! the object model: the page's policy forbids the inline styles that chart tooltips write.

use super::node::{Tag, el, live, words};
use crate::browser::dom;
use crate::model::explain::Explanation;
use crate::state::reactive::effect;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

/// Identifier of the tooltip's element, for `aria-describedby`.
pub const TIP_ID: &str = "tip";

/// What the tooltip shows, and beside which rectangle of the window (left, top, right, bottom).
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The words.
    pub words: Explanation,
    /// The rectangle that it explains and must not cover.
    pub beside: [f64; 4],
}

/// Handle to the tooltip.
#[derive(Clone, Copy)]
pub struct Tip(RwSignal<Option<Shown>>);

impl Tip {
    /// A handle that shows nothing yet.
    pub fn new() -> Tip {
        Tip(RwSignal::new(None))
    }

    /// Shows the words beside a rectangle.
    pub fn show(self, words: Explanation, beside: [f64; 4]) {
        self.0.set(Some(Shown { words, beside }));
    }

    /// Shows the words beside an element.
    pub fn show_beside(self, words: Explanation, element: &web_sys::Element) {
        let r = element.get_bounding_client_rect();
        self.show(words, [r.left(), r.top(), r.right(), r.bottom()]);
    }

    /// Hides it.
    pub fn hide(self) {
        if self.0.with_untracked(Option::is_some) {
            self.0.set(None);
        }
    }
}

/// Left and top of a box of this size: below the rectangle where there is room, otherwise above, and
/// within the window.
fn place(
    [left, top, _, bottom]: [f64; 4],
    (width, height): (f64, f64),
    window: (f64, f64),
) -> (f64, f64) {
    const GAP: f64 = 8.0;
    let x = left.min(window.0 - width - GAP).max(GAP);
    let below = bottom + GAP;
    let y = if below + height <= window.1 {
        below
    } else {
        (top - height - GAP).max(GAP)
    };
    (x, y)
}

/// The tooltip's element.
pub fn tip_box(tip: Tip) -> Tag {
    let element = el("div")
        .class("tip")
        .attr("id", TIP_ID)
        .attr("role", "tooltip")
        .attr("hidden", "");
    element
        .made(move |element| {
            let element = element.clone().dyn_into::<HtmlElement>().ok();
            effect(move || {
                let (Some(element), Some(shown)) = (&element, &*tip.0.read()) else {
                    return;
                };
                // The words are drawn by an effect of their own, which may come later: the place depends on their size.
                let (element, beside) = (element.clone(), shown.beside);
                dom::next_frame(move || put(&element, beside));
            });
        })
        .child(live("", move || {
            let shown = tip.0.read();
            if let Some(element) = dom::document().and_then(|d| d.get_element_by_id(TIP_ID)) {
                let _ = element.toggle_attribute_with_force("hidden", shown.is_none());
            }
            let Some(Shown { words: shown, .. }) = &*shown else {
                return Vec::new();
            };
            let mut lines = el("dl").class("tip-lines");
            for (label, value) in &shown.lines {
                lines = lines
                    .child(el("dt").text(label))
                    .child(el("dd").text(value));
            }
            vec![words("p", "tip-title", &shown.title), lines]
        }))
}

/// Puts the tooltip beside a rectangle of the window.
fn put(element: &HtmlElement, beside: [f64; 4]) {
    let Some(window) = web_sys::window() else {
        return;
    };
    let size = |value: Result<JsValue, _>| value.ok().and_then(|v| v.as_f64()).unwrap_or_default();
    let r = element.get_bounding_client_rect();
    let window = (size(window.inner_width()), size(window.inner_height()));
    let (x, y) = place(beside, (r.width(), r.height()), window);
    dom::style(
        element,
        "transform",
        &format!("translate({}px, {}px)", x.round(), y.round()),
    );
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn stays_within_the_window() {
        assert_eq!(
            place([10.0, 10.0, 20.0, 20.0], (100.0, 50.0), (800.0, 600.0)),
            (10.0, 28.0)
        );
        assert_eq!(
            place([790.0, 590.0, 799.0, 599.0], (100.0, 50.0), (800.0, 600.0)),
            (692.0, 532.0)
        );
        assert_eq!(
            place([0.0, 0.0, 9.0, 9.0], (900.0, 50.0), (800.0, 600.0)).0,
            8.0
        );
    }
}
