//! The plot of the overview with its controls: axes, scale, one plot or one per family.

use super::chart::ChartBox;
use super::legend::{Legend, Shapes, coloured};
use super::multiples::Multiples;
use super::scatter::scatter;
use super::tip::Tip;
use crate::browser::dom;
use crate::browser::echarts::{Mark, MarkEvent};
use crate::model::column::Units;
use crate::model::points::{self, Group};
use crate::model::view::{Axes, SizeAxis, SpeedAxis};
use crate::state::dashboard::Dashboard;
use leptos::prelude::*;
use std::rc::Rc;

/// Controls, plot, legend.
#[component]
pub fn Plot() -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let axes = Memo::new(move |_| dashboard.view.read().axes);
    let units = Memo::new(move |_| dashboard.view.read().units);
    let colours = coloured(dashboard);
    let groups = Memo::new(move |_| {
        let colours = colours.read();
        let names: Vec<&str> = colours.iter().map(String::as_str).collect();
        points::groups(
            &dashboard.rows.read(),
            &dashboard.filtered.read(),
            &axes.get(),
            units.get(),
            &names,
        )
    });
    let multiples = Memo::new(move |_| axes.get().multiples);
    view! {
        <section class="plot" aria-label="Plot" data-testid="scatter">
            <Controls axes/>
            {move || if multiples.get() {
                dom::set_ready(true);
                view! { <Multiples axes units/> }.into_any()
            } else {
                view! { <One groups axes units/> }.into_any()
            }}
            <Legend colours/>
            <Caption groups/>
        </section>
    }
    .into_any()
}

#[component]
fn Controls(axes: Memo<Axes>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let toggle = move |pressed: fn(&Axes) -> bool,
                       change: fn(&mut Axes),
                       name: &'static str,
                       testid: &'static str,
                       title: &'static str| {
        view! {
            <button
                class="chip"
                data-testid=testid
                title=title
                aria-pressed=move || pressed(&axes.read()).to_string()
                on:click=move |_| dashboard.update(|view| change(&mut view.axes))
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="plot-controls no-print">
            <label>
                "size "
                <select
                    class="btn"
                    data-testid="axis-size"
                    on:change=move |event| {
                        let name = event_target_value(&event);
                        if let Some(size) = SizeAxis::ALL.into_iter().find(|a| a.name() == name) {
                            dashboard.update(|view| view.axes.size = size);
                        }
                    }
                >
                    {SizeAxis::ALL
                        .into_iter()
                        .map(|axis| view! { <option value=axis.name() selected=move || axes.read().size == axis>{axis.label()}</option> })
                        .collect::<Vec<_>>()}
                </select>
            </label>
            <label>
                "speed "
                <select
                    class="btn"
                    data-testid="axis-speed"
                    on:change=move |event| {
                        let name = event_target_value(&event);
                        if let Some(speed) = SpeedAxis::ALL.into_iter().find(|a| a.name() == name) {
                            dashboard.update(|view| view.axes.speed = speed);
                        }
                    }
                >
                    {SpeedAxis::ALL
                        .into_iter()
                        .map(|axis| view! { <option value=axis.name() selected=move || axes.read().speed == axis>{axis.label()}</option> })
                        .collect::<Vec<_>>()}
                </select>
            </label>
            {toggle(|axes| axes.log, |axes| axes.log = !axes.log, "log", "scale-log", "Logarithmic or linear axes")}
            {toggle(|axes| axes.multiples, |axes| axes.multiples = !axes.multiples, "per family", "plot-families", "One small plot per family, all with the same axes")}
        </div>
    }
    .into_any()
}

/// One plot for all families.
#[component]
fn One(groups: Memo<Vec<Group>>, axes: Memo<Axes>, units: Memo<Units>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let tip = Tip::use_tip();
    let row_of = move |mark: Mark| {
        let groups = groups.read_untracked();
        Some(
            groups
                .get(mark.series as usize)?
                .points
                .get(mark.item as usize)?
                .row,
        )
    };
    let on_event: Rc<dyn Fn(MarkEvent)> = Rc::new(move |event| match event {
        MarkEvent::Over(mark, x, y) => {
            if let Some(row) = row_of(mark) {
                dashboard.lit.set(Some(row));
                if let Some(row) = dashboard.rows.read_untracked().get(row as usize) {
                    tip.show(
                        row.explain_point(units.get_untracked()),
                        [x + 12.0, y - 8.0, x + 12.0, y + 8.0],
                    );
                }
            }
        }
        MarkEvent::Out => {
            dashboard.lit.set(None);
            tip.hide();
        }
        MarkEvent::Click(mark) => {
            tip.hide();
            dashboard.picked.set(row_of(mark));
        }
    });
    let lit = Signal::derive(move || {
        let row = dashboard.lit.get().or(dashboard.picked.get())?;
        let (series, item) = points::find(&groups.read(), row)?;
        Some(Mark {
            series: series as u32,
            item: item as u32,
        })
    });
    let label = Signal::derive(move || {
        let count: usize = groups.read().iter().map(|group| group.points.len()).sum();
        let axes = axes.get();
        format!(
            "Scatter of {count} instances: {} in bytes against {}; the table holds the same figures",
            axes.size.label(),
            super::scatter::speed_name(&axes, units.get())
        )
    });
    let draw = Rc::new(move || scatter(&groups.read(), &axes.get(), units.get()));
    let on_settled: Rc<dyn Fn()> = Rc::new(move || dom::next_frame(|| dom::set_ready(true)));
    view! { <ChartBox draw label on_event lit on_settled class="chart"/> }.into_any()
}

/// How many rows have a point, and which one was chosen.
#[component]
fn Caption(groups: Memo<Vec<Group>>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let missing = move || {
        let shown: usize = groups.read().iter().map(|group| group.points.len()).sum();
        dashboard.filtered.read().len().saturating_sub(shown)
    };
    let picked = move || {
        let row = dashboard.picked.get()?;
        let rows = dashboard.rows.read();
        let row = rows.get(row as usize)?;
        let place = super::links::instance_anchor(
            &row.system,
            &row.data.instance,
            &row.data.implementation,
        );
        let href = super::links::family_at(&row.data.family, &dashboard.shared_query(), &place);
        let name = format!(
            "{} {} · {}",
            row.data.family, row.family_name, row.data.instance
        );
        Some(view! { <p data-testid="picked">"Chosen: "<a href=href>{name}</a></p> })
    };
    view! {
        <div class="plot-caption">
            {picked}
            <Shapes/>
            <p class="muted">
                {move || match missing() {
                    0 => String::new(),
                    n => format!("{n} without these figures are in the table only."),
                }}
            </p>
        </div>
    }
    .into_any()
}
