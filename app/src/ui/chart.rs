//! A chart on the page: waits for the bundle, draws, follows size and theme, and is disposed of with its component.

use super::node::{Tag, el, live, words};
use crate::browser::dom;
use crate::browser::echarts::{AxisFormat, Handle, Mark, MarkEvent, load_bundle};
use crate::model::palette;
use crate::state::dashboard::Dashboard;
use crate::state::reactive::effect;
use charming::component::{Axis, Grid};
use charming::series::Scatter;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, HtmlElement};

/// Options of a chart, of charming's types. charming's own `Chart` can hold every kind of series and component, and brings
/// the code that writes all of them; this one names what is used.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Options {
    /// Whether points move to their new place.
    pub animation: bool,
    /// Milliseconds of the first appearance.
    pub animation_duration: f64,
    /// Milliseconds of a move.
    pub animation_duration_update: f64,
    /// Place of the axes within the element.
    pub grid: Grid,
    /// Horizontal axis.
    pub x_axis: Axis,
    /// Vertical axis.
    pub y_axis: Axis,
    /// The marks.
    pub series: Vec<Scatter>,
}

/// What to draw.
pub struct Drawing {
    /// The chart's options.
    pub options: Options,
    /// How the horizontal axis writes its labels.
    pub x_format: Option<AxisFormat>,
    /// How the vertical axis writes its labels.
    pub y_format: Option<AxisFormat>,
}

/// Colours of the present theme.
pub struct Colours {
    /// Words.
    pub text: String,
    /// Words of less weight.
    pub muted: String,
    /// Lines of the grid.
    pub line: String,
    /// Marks without a colour of their own.
    pub grey: String,
    /// Background.
    pub background: String,
    /// The palette of families.
    pub families: Vec<String>,
}

impl Colours {
    /// Reads the custom properties of the style sheet.
    pub fn read() -> Colours {
        Colours {
            text: dom::css_value("--text"),
            muted: dom::css_value("--muted"),
            line: dom::css_value("--line"),
            grey: dom::css_value("--grey-mark"),
            background: dom::css_value("--bg"),
            families: (1..=palette::COLOURS)
                .map(|place| dom::css_value(&format!("--fam-{place}")))
                .collect(),
        }
    }
}

/// Watches the size of an element until dropped.
struct SizeWatch {
    observer: web_sys::ResizeObserver,
    _closure: Closure<dyn FnMut()>,
}

impl SizeWatch {
    fn new(element: &web_sys::Element, changed: impl FnMut() + 'static) -> Option<SizeWatch> {
        let closure = Closure::<dyn FnMut()>::new(changed);
        let observer = web_sys::ResizeObserver::new(closure.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(SizeWatch {
            observer,
            _closure: closure,
        })
    }
}

impl Drop for SizeWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// A chart and how it behaves.
pub struct Chart {
    /// Class of the element, which sets its size.
    pub class: &'static str,
    /// What to draw; asked again whenever a signal that it reads changes, and with every change of theme.
    pub draw: Rc<dyn Fn(&Colours) -> Drawing>,
    /// Name and contents for those who cannot see it.
    pub label: Rc<dyn Fn() -> String>,
    /// What the reader does with the marks.
    pub on_event: Rc<dyn Fn(MarkEvent)>,
    /// The mark that is lit up from elsewhere.
    pub lit: Rc<dyn Fn() -> Option<Mark>>,
    /// Called once the chart is drawn for the first time, or cannot be.
    pub on_settled: Rc<dyn Fn()>,
}

/// A chart that is on the page.
struct Running {
    handle: Handle,
    _watch: Option<SizeWatch>,
}

impl Chart {
    /// The chart's elements: its place, and a note where it cannot be drawn.
    pub fn tag(self, dashboard: Dashboard) -> Tag {
        let chart = Rc::new(self);
        // Rises with every attempt, so that a failed one can be followed by another.
        let attempt = RwSignal::new(0u32);
        let failure = RwSignal::new(String::new());
        let place = el("div")
            .class(chart.class)
            .attr("role", "img")
            .made(move |place| {
                chart
                    .clone()
                    .run(dashboard, place.clone(), attempt, failure);
            });
        let note = live("", move || {
            let message = failure.get();
            if message.is_empty() {
                return Vec::new();
            }
            let again =
                words("button", "link", "Try again").on_click(move || attempt.update(|n| *n += 1));
            vec![
                el("p")
                    .class("notice warn")
                    .attr("role", "status")
                    .text(&message)
                    .text(" ")
                    .child(again),
            ]
        });
        el("div").child(place).child(note)
    }

    /// Starts the chart in its place and keeps it up to date, as long as the present owner lives.
    fn run(
        self: Rc<Self>,
        dashboard: Dashboard,
        place: Element,
        attempt: RwSignal<u32>,
        failure: RwSignal<String>,
    ) {
        let running = StoredValue::new_local(None::<Rc<Running>>);
        let there = RwSignal::new(0u32);
        let (chart, host) = (self.clone(), place.clone());
        effect(move || {
            attempt.track();
            let (chart, host) = (chart.clone(), host.clone());
            spawn_local(async move {
                let bundle = load_bundle().await;
                // The reader may have left the page meanwhile.
                if running.is_disposed() {
                    return;
                }
                match bundle.and_then(|()| start(&host, chart.on_event.clone())) {
                    Ok(started) => {
                        running.set_value(Some(started));
                        failure.set(String::new());
                        there.update(|n| *n += 1);
                    }
                    Err(message) => {
                        failure.set(message);
                        (chart.on_settled)();
                    }
                }
            });
        });
        let chart = self.clone();
        let settled = Cell::new(false);
        // Reading colours makes the browser work out the styles of the whole page: once per theme is enough.
        let colours = RefCell::new(None::<(u32, Rc<Colours>)>);
        effect(move || {
            let theme = dashboard.theme.get();
            there.track();
            if let Some(running) = running.get_value() {
                let known = colours.borrow().clone().filter(|(turn, _)| *turn == theme);
                let (_, now) = known.unwrap_or_else(|| (theme, Rc::new(Colours::read())));
                colours.replace(Some((theme, now.clone())));
                let drawing = (chart.draw)(&now);
                running
                    .handle
                    .draw(&drawing.options, drawing.x_format, drawing.y_format);
                running.handle.light(untrack(|| (chart.lit)()));
                if !settled.replace(true) {
                    (chart.on_settled)();
                }
            }
        });
        let chart = self.clone();
        effect(move || {
            let mark = (chart.lit)();
            if let Some(running) = running.get_value() {
                running.handle.light(mark);
            }
        });
        effect(move || dom::set(&place, "aria-label", &(self.label)()));
        on_cleanup(move || running.dispose());
    }
}

/// Sets the chart up in its place.
fn start(place: &Element, on_event: Rc<dyn Fn(MarkEvent)>) -> Result<Rc<Running>, String> {
    let host = place.dyn_ref::<HtmlElement>();
    let handle = host
        .and_then(Handle::new)
        .ok_or_else(|| "The chart could not be set up.".to_owned())?;
    handle.listen(on_event);
    Ok(Rc::new_cyclic(|this: &Weak<Running>| {
        let this = this.clone();
        let watch = SizeWatch::new(place, move || {
            if let Some(running) = this.upgrade() {
                running.handle.resize();
            }
        });
        Running {
            handle,
            _watch: watch,
        }
    }))
}
