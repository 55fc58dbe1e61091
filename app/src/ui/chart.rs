//! A chart on the page: waits for the bundle, draws, follows size and theme, and is disposed of with its component.

use crate::browser::dom;
use crate::browser::echarts::{AxisFormat, Handle, Mark, MarkEvent, load_bundle};
use crate::state::dashboard::Dashboard;
use charming::Chart;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

/// What to draw.
pub struct Drawing {
    /// The chart's options.
    pub chart: Chart,
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
        }
    }

    /// The colour of a place in the palette.
    pub fn family(place: usize) -> String {
        dom::css_value(&format!("--fam-{}", place + 1))
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

/// A chart. `draw` is run again whenever a signal that it reads changes, and with every change of theme.
#[component]
pub fn ChartBox(
    /// What to draw.
    draw: Rc<dyn Fn() -> Drawing>,
    /// Name and contents for those who cannot see it.
    #[prop(into)]
    label: Signal<String>,
    /// What the reader does with the marks.
    #[prop(optional)]
    on_event: Option<Rc<dyn Fn(MarkEvent)>>,
    /// The mark that is lit up from elsewhere.
    #[prop(optional, into)]
    lit: Signal<Option<Mark>>,
    /// Called once the chart is drawn for the first time, or cannot be.
    #[prop(optional)]
    on_settled: Option<Rc<dyn Fn()>>,
    /// Class of the element, which sets its size.
    class: &'static str,
) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let node = NodeRef::<html::Div>::new();
    let handle = StoredValue::new_local(None::<Rc<Handle>>);
    let watch = StoredValue::new_local(None::<SizeWatch>);
    let there = RwSignal::new(false);
    let failure = RwSignal::new(None::<String>);
    let settled = move || on_settled.iter().for_each(|settled| settled());

    let start = {
        let settled = settled.clone();
        move || {
            let on_event = on_event.clone();
            let settled = settled.clone();
            failure.set(None);
            spawn_local(async move {
                let bundle = load_bundle().await;
                // The reader may have left the page meanwhile.
                let Some(Some(element)) = node.try_get_untracked() else {
                    return;
                };
                match bundle.and_then(|()| {
                    Handle::new(&element).ok_or_else(|| "The chart could not be set up".to_owned())
                }) {
                    Ok(made) => {
                        let made = Rc::new(made);
                        if let Some(on_event) = on_event {
                            made.listen(move |event| on_event(event));
                        }
                        let resized = Rc::downgrade(&made);
                        watch.set_value(SizeWatch::new(&element, move || {
                            if let Some(chart) = resized.upgrade() {
                                chart.resize();
                            }
                        }));
                        handle.set_value(Some(made));
                        there.set(true);
                    }
                    Err(message) => {
                        failure.set(Some(message));
                        settled();
                    }
                }
            });
        }
    };
    let begin = start.clone();
    Effect::new(move |begun: Option<bool>| {
        if begun != Some(true) && node.get().is_some() {
            begin();
            return true;
        }
        begun.unwrap_or_default()
    });
    Effect::new(move |drawn: Option<bool>| {
        dashboard.theme.track();
        if !there.get() {
            return false;
        }
        let drawing = draw();
        if let Some(handle) = handle.get_value() {
            handle.draw(&drawing.chart, drawing.x_format, drawing.y_format);
            handle.light(lit.get_untracked());
        }
        if drawn != Some(true) {
            settled();
        }
        true
    });
    Effect::new(move |_| {
        let mark = lit.get();
        if let Some(handle) = handle.get_value() {
            handle.light(mark);
        }
    });
    on_cleanup(move || {
        watch.try_update_value(|watch| drop(watch.take()));
        handle.try_update_value(|handle| drop(handle.take()));
    });
    let again = StoredValue::new_local(start);
    view! {
        <div class=class role="img" aria-label=move || label.get() node_ref=node></div>
        {move || {
            failure.get().map(|message| {
                view! {
                    <p class="notice warn" role="status">
                        {message}" "
                        <button class="link" on:click=move |_| again.with_value(|start| start())>"Try again"</button>
                    </p>
                }
            })
        }}
    }
    .into_any()
}
