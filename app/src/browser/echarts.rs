//! Binding to the chart bundle (`window.echarts`): what charming's own handle lacks.
//!
//! Options are built with charming's types; this module hands them over, listens, and disposes.

use super::dom;
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = EChartsType)]
    type Instance;

    #[wasm_bindgen(catch, js_namespace = echarts, js_name = init)]
    fn init(
        element: &HtmlElement,
        theme: Option<&str>,
        options: &JsValue,
    ) -> Result<Instance, JsValue>;

    #[wasm_bindgen(method, catch, js_name = setOption)]
    fn set_option(this: &Instance, option: &JsValue, options: &JsValue) -> Result<(), JsValue>;

    #[wasm_bindgen(method)]
    fn on(this: &Instance, event: &str, handler: &JsValue);

    #[wasm_bindgen(method)]
    fn resize(this: &Instance);

    #[wasm_bindgen(method)]
    fn dispose(this: &Instance);

    #[wasm_bindgen(method, js_name = dispatchAction)]
    fn dispatch_action(this: &Instance, action: &JsValue);
}

/// Which mark of a chart: series and item, both counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Place of the series.
    pub series: u32,
    /// Place of the item within the series.
    pub item: u32,
}

/// What a reader does with a mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MarkEvent {
    /// The pointer is over it, at this place of the window.
    Over(Mark, f64, f64),
    /// The pointer has left.
    Out,
    /// It was clicked.
    Click(Mark),
}

/// How an axis writes its labels.
pub type AxisFormat = fn(f64) -> String;

/// A function that the chart calls with an event.
type Handler = Closure<dyn Fn(JsValue)>;

/// A function that the chart calls with a value of an axis.
type Formatter = Closure<dyn Fn(f64) -> String>;

/// A chart on the page; disposed of when dropped.
pub struct Handle {
    instance: Instance,
    handlers: RefCell<Vec<Handler>>,
    formats: RefCell<Vec<Formatter>>,
    lit: Cell<Option<Mark>>,
}

/// An object with these entries.
fn object(entries: &[(&str, JsValue)]) -> JsValue {
    let object = js_sys::Object::new();
    for (key, value) in entries {
        // Setting a property of a fresh plain object cannot fail.
        let _ = js_sys::Reflect::set(&object, &JsValue::from_str(key), value);
    }
    object.into()
}

fn get(value: &JsValue, key: &str) -> JsValue {
    js_sys::Reflect::get(value, &JsValue::from_str(key)).unwrap_or(JsValue::UNDEFINED)
}

impl Handle {
    /// A chart in an element, drawn as SVG. `None` where the bundle is missing.
    pub fn new(element: &HtmlElement) -> Option<Handle> {
        let options = object(&[("renderer", JsValue::from_str("svg"))]);
        let instance = init(element, None, &options).ok()?;
        Some(Handle {
            instance,
            handlers: RefCell::default(),
            formats: RefCell::default(),
            lit: Cell::new(None),
        })
    }

    /// Draws the chart. Series that are gone disappear; points that stay move to their new place.
    pub fn draw(
        &self,
        options: &impl Serialize,
        x_format: Option<AxisFormat>,
        y_format: Option<AxisFormat>,
    ) {
        let Ok(option) = serde_wasm_bindgen::to_value(options) else {
            return;
        };
        let mut formats = Vec::new();
        for (axis, format) in [("xAxis", x_format), ("yAxis", y_format)] {
            let Some(format) = format else { continue };
            // charming makes formatters from source text, which the page's policy forbids.
            let closure = Closure::<dyn Fn(f64) -> String>::new(format);
            let axes = get(&option, axis);
            let label = get(&axes, "axisLabel");
            let _ = js_sys::Reflect::set(&label, &JsValue::from_str("formatter"), closure.as_ref());
            formats.push(closure);
        }
        let merge = object(&[(
            "replaceMerge",
            js_sys::Array::of1(&JsValue::from_str("series")).into(),
        )]);
        let _ = self.instance.set_option(&option, &merge);
        // The chart refers to the new formatters only now: the old ones may go.
        self.formats.replace(formats);
        self.lit.set(None);
    }

    /// Listens to the marks.
    pub fn listen(&self, handler: Rc<dyn Fn(MarkEvent)>) {
        for event in ["mouseover", "mouseout", "click"] {
            let handler = handler.clone();
            let closure = Closure::<dyn Fn(JsValue)>::new(move |params: JsValue| {
                let number = |key| get(&params, key).as_f64();
                let mark = number("seriesIndex").zip(number("dataIndex"));
                let mark = mark.map(|(series, item)| Mark {
                    series: series as u32,
                    item: item as u32,
                });
                let pointer = get(&get(&params, "event"), "event");
                let place = |key| get(&pointer, key).as_f64().unwrap_or_default();
                match (event, mark) {
                    ("mouseover", Some(mark)) => {
                        handler(MarkEvent::Over(mark, place("clientX"), place("clientY")))
                    }
                    ("click", Some(mark)) => handler(MarkEvent::Click(mark)),
                    _ => handler(MarkEvent::Out),
                }
            });
            self.instance.on(event, closure.as_ref());
            self.handlers.borrow_mut().push(closure);
        }
    }

    /// Lights up one mark, or none.
    pub fn light(&self, mark: Option<Mark>) {
        let before = self.lit.replace(mark);
        if before == mark {
            return;
        }
        for (action, mark) in [("downplay", before), ("highlight", mark)] {
            if let Some(mark) = mark {
                self.instance.dispatch_action(&object(&[
                    ("type", JsValue::from_str(action)),
                    ("seriesIndex", mark.series.into()),
                    ("dataIndex", mark.item.into()),
                ]));
            }
        }
    }

    /// Fits the chart to its element.
    pub fn resize(&self) {
        self.instance.resize();
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.instance.dispose();
    }
}

/// Whether the bundle is there.
fn loaded() -> bool {
    get(&js_sys::global(), "echarts").is_object()
}

/// Address of the bundle: the page names it, because its file name carries a hash.
fn bundle_url() -> String {
    dom::document()
        .and_then(|d| {
            d.query_selector("meta[name=kemscope-charts]")
                .ok()
                .flatten()
        })
        .and_then(|meta| meta.get_attribute("content"))
        .unwrap_or_else(|| "charts.js".to_owned())
}

/// Loads the chart bundle once; further calls answer at once.
///
/// # Errors
/// The sentence to show where the bundle does not come.
pub async fn load_bundle() -> Result<(), String> {
    if loaded() {
        return Ok(());
    }
    let failed = || {
        format!(
            "{}: the chart library did not arrive; the table is complete without it",
            bundle_url()
        )
    };
    let document = dom::document().ok_or_else(failed)?;
    let script = match document
        .query_selector("script[data-charts]")
        .ok()
        .flatten()
    {
        Some(script) => script,
        None => {
            let script = document.create_element("script").map_err(|_| failed())?;
            dom::set(&script, "data-charts", "");
            dom::set(&script, "src", &bundle_url());
            document
                .body()
                .ok_or_else(failed)?
                .append_child(&script)
                .map_err(|_| failed())?;
            script
        }
    };
    let done = js_sys::Promise::new(&mut |resolve, reject| {
        let _ = script.add_event_listener_with_callback("load", &resolve);
        let _ = script.add_event_listener_with_callback("error", &reject);
    });
    let outcome = wasm_bindgen_futures::JsFuture::from(done).await;
    if outcome.is_ok() && loaded() {
        Ok(())
    } else {
        // A second attempt must make a new element: a script runs once.
        script.remove();
        Err(failed())
    }
}
