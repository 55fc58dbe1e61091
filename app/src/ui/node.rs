//! Static content as data: pages describe what they show as a tree, and one small function makes elements of it.
//!
//! Signals, memos, effects and owners are the framework's; what they lead to is described by plain functions. That is
//! easier to read than typed views, and takes a third of their bytes.

use crate::browser::dom;
use crate::model::mark::Mark;
use crate::state::reactive::effect;
use leptos::html;
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Document, Element, Event, HtmlElement};

/// What an event does.
type Action = Rc<dyn Fn(&Event)>;

/// What is done with an element once it is made.
type Made = Rc<dyn Fn(&Element)>;

/// An element or a text.
#[derive(Clone)]
pub enum Node {
    /// Words.
    Text(String),
    /// An element.
    Element(Tag),
}

/// An element with its attributes and children.
#[derive(Clone)]
pub struct Tag {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Node>,
    actions: Vec<(&'static str, Action)>,
    made: Option<Made>,
}

/// An element of this name.
pub fn el(name: &'static str) -> Tag {
    Tag {
        name,
        attributes: Vec::new(),
        children: Vec::new(),
        actions: Vec::new(),
        made: None,
    }
}

/// An element with a class and words: the most common case.
pub fn words(name: &'static str, class: &'static str, text: &str) -> Tag {
    el(name).class(class).text(text)
}

impl Tag {
    /// Adds an attribute.
    pub fn attr(mut self, name: &'static str, value: &str) -> Tag {
        self.attributes.push((name, value.to_owned()));
        self
    }

    /// Adds an attribute if there is a value.
    pub fn attr_if(self, name: &'static str, value: Option<&str>) -> Tag {
        match value {
            Some(value) => self.attr(name, value),
            None => self,
        }
    }

    /// Marks a figure; the style sheet shows the sign and its words.
    pub fn mark(self, mark: Option<Mark>) -> Tag {
        match mark.map(Mark::attribute) {
            Some((name, value)) => self.attr(name, value),
            None => self,
        }
    }

    /// Sets the class; an empty one is none.
    pub fn class(self, class: &'static str) -> Tag {
        if class.is_empty() {
            self
        } else {
            self.attr("class", class)
        }
    }

    /// Sets a custom property of the style, which the style sheet uses. Its name begins with `--`.
    pub fn style(self, property: &'static str, value: &str) -> Tag {
        self.attr(property, value)
    }

    /// Adds words.
    pub fn text(mut self, text: &str) -> Tag {
        self.children.push(Node::Text(text.to_owned()));
        self
    }

    /// Adds a child.
    pub fn child(mut self, child: Tag) -> Tag {
        self.children.push(Node::Element(child));
        self
    }

    /// Adds a child if there is one.
    pub fn child_if(self, child: Option<Tag>) -> Tag {
        match child {
            Some(child) => self.child(child),
            None => self,
        }
    }

    /// Adds children.
    pub fn children(mut self, children: impl IntoIterator<Item = Tag>) -> Tag {
        self.children
            .extend(children.into_iter().map(Node::Element));
        self
    }

    /// Says what an event does.
    pub fn on(mut self, event: &'static str, action: impl Fn(&Event) + 'static) -> Tag {
        self.actions.push((event, Rc::new(action)));
        self
    }

    /// Says what a click does.
    pub fn on_click(self, action: impl Fn() + 'static) -> Tag {
        self.on("click", move |_| action())
    }

    /// Hands over the element once it is made, with its children, before it is in the page.
    pub fn made(mut self, made: impl Fn(&Element) + 'static) -> Tag {
        self.made = Some(Rc::new(made));
        self
    }

    /// Keeps the state of a toggle button in place, without drawing it anew.
    pub fn pressed_while(self, pressed: impl Fn() -> bool + 'static) -> Tag {
        let pressed = Rc::new(pressed);
        self.made(move |button| {
            let (button, pressed) = (button.clone(), pressed.clone());
            effect(move || {
                dom::set(
                    &button,
                    "aria-pressed",
                    if pressed() { "true" } else { "false" },
                )
            });
        })
    }

    /// Sets the state of a toggle button.
    pub fn pressed(self, pressed: bool) -> Tag {
        self.attr("aria-pressed", if pressed { "true" } else { "false" })
    }

    fn make(self, document: &Document, svg: bool, kept: &mut Kept) -> Option<Element> {
        let svg = svg || self.name == "svg";
        let element = if svg {
            document
                .create_element_ns(Some("http://www.w3.org/2000/svg"), self.name)
                .ok()?
        } else {
            document.create_element(self.name).ok()?
        };
        for (name, value) in &self.attributes {
            match element
                .dyn_ref::<HtmlElement>()
                .filter(|_| name.starts_with("--"))
            {
                Some(element) => dom::style(element, name, value),
                None => dom::set(&element, name, value),
            }
        }
        for (event, action) in self.actions {
            let closure = Closure::<dyn Fn(Event)>::new(move |event: Event| action(&event));
            let _ =
                element.add_event_listener_with_callback(event, closure.as_ref().unchecked_ref());
            kept.push(closure);
        }
        for child in self.children {
            match child {
                Node::Text(text) => {
                    let _ = element.append_child(&document.create_text_node(&text));
                }
                Node::Element(tag) => {
                    if let Some(child) = tag.make(document, svg, kept) {
                        let _ = element.append_child(&child);
                    }
                }
            }
        }
        if let Some(made) = self.made {
            made(&element);
        }
        Some(element)
    }
}

/// Handlers of the elements on the page; they live as long as those.
type Kept = Vec<Closure<dyn Fn(Event)>>;

/// Content that is drawn anew, as a whole, whenever a signal that `draw` reads changes.
pub fn live(class: &'static str, draw: impl Fn() -> Vec<Tag> + 'static) -> Tag {
    live_in(el("div").class(class), draw)
}

/// The same within an element of choice.
pub fn live_in(place: Tag, draw: impl Fn() -> Vec<Tag> + 'static) -> Tag {
    let draw: Rc<dyn Fn() -> Vec<Tag>> = Rc::new(draw);
    place.made(move |place| fill(place.clone(), draw.clone()))
}

/// Keeps an element filled with what `draw` describes, as long as the present owner lives.
fn fill(place: Element, draw: Rc<dyn Fn() -> Vec<Tag>>) {
    let kept = RefCell::new(Kept::new());
    effect(move || {
        let tags = draw();
        let Some(document) = dom::document() else {
            return;
        };
        let mut handlers = Kept::new();
        let elements = js_sys::Array::new();
        for tag in tags {
            if let Some(element) = tag.make(&document, false, &mut handlers) {
                elements.push(&element);
            }
        }
        let focused = document
            .active_element()
            .filter(|element| place.contains(Some(element)));
        let focused = focused.and_then(|element| element.get_attribute("data-testid"));
        place.replace_children_with_node(&elements);
        kept.replace(handlers);
        // The focus stays on what takes the place of the element that had it.
        if let Some(testid) = focused
            && let Ok(Some(element)) = place.query_selector(&format!("[data-testid=\"{testid}\"]"))
        {
            dom::focus(&element);
        }
    });
}

/// The page's content as a view of the framework.
pub fn mounted(tags: Vec<Tag>) -> impl IntoView {
    let place = NodeRef::<html::Div>::new();
    let tags = StoredValue::new_local(Some(tags));
    let kept = StoredValue::new_local(Kept::new());
    effect(move || {
        let (Some(place), Some(document)) = (place.get(), dom::document()) else {
            return;
        };
        let Some(tags) = tags.try_update_value(Option::take).flatten() else {
            return;
        };
        let mut handlers = Kept::new();
        for tag in tags {
            if let Some(element) = tag.make(&document, false, &mut handlers) {
                let _ = place.append_child(&element);
            }
        }
        kept.set_value(handlers);
    });
    view! { <div node_ref=place></div> }
}
