//! The one tooltip that tables and charts share. It is an element of the page, set in place through
//! the object model: the page's policy forbids the inline styles that chart tooltips write.

use crate::browser::dom;
use crate::model::explain::Explanation;
use leptos::html;
use leptos::prelude::*;

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
    /// Makes the handle and offers it to all components below.
    pub fn provide() -> Tip {
        let tip = Tip(RwSignal::new(None));
        provide_context(tip);
        tip
    }

    /// The handle that was offered.
    pub fn use_tip() -> Tip {
        use_context().unwrap_or_else(Tip::provide)
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
#[component]
pub fn TipBox(
    /// The handle.
    tip: Tip,
) -> impl IntoView {
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        let Some(shown) = tip.0.get() else { return };
        let (Some(element), Some(window)) = (node.get_untracked(), web_sys::window()) else {
            return;
        };
        let size = |value: Result<wasm_bindgen::JsValue, _>| {
            value.ok().and_then(|v| v.as_f64()).unwrap_or_default()
        };
        let r = element.get_bounding_client_rect();
        let (x, y) = place(
            shown.beside,
            (r.width(), r.height()),
            (size(window.inner_width()), size(window.inner_height())),
        );
        dom::style(
            &element,
            "transform",
            &format!("translate({}px, {}px)", x.round(), y.round()),
        );
    });
    view! {
        <div class="tip" id=TIP_ID role="tooltip" node_ref=node hidden=move || tip.0.read().is_none()>
            {move || {
                tip.0.get().map(|shown| {
                    view! {
                        <p class="tip-title">{shown.words.title}</p>
                        <dl class="tip-lines">
                            {shown.words.lines
                                .into_iter()
                                .map(|(label, value)| view! { <dt>{label}</dt><dd>{value}</dd> })
                                .collect::<Vec<_>>()}
                        </dl>
                    }
                })
            }}
        </div>
    }
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
