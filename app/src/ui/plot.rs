//! The plot of the overview with its controls: axes, scale, one plot or one per family.

use super::chart::Chart;
use super::legend::{coloured, legend, shapes};
use super::links;
use super::multiples::multiples;
use super::node::{Tag, el, live, live_in, words};
use super::scatter::{scatter, speed_name};
use super::tip::Tip;
use crate::browser::dom;
use crate::browser::echarts::{Mark, MarkEvent};
use crate::model::axes::{Axes, SizeAxis, SpeedAxis};
use crate::model::points::Points;
use crate::model::row::Row;
use crate::state::dashboard::Dashboard;
use crate::state::reactive::memo;
use kemscope_schema::KatStatus;
use leptos::prelude::*;
use std::rc::Rc;

/// Controls, plot, legend.
pub fn plot(dashboard: Dashboard, tip: Tip) -> Tag {
    let colours = coloured(dashboard);
    let points = memo(move || {
        let rows = dashboard.rows.read();
        let view = dashboard.view.read();
        let colours = colours.read();
        let names: Vec<&str> = colours.iter().map(String::as_str).collect();
        Points::of(
            &rows,
            &dashboard.filtered.read(),
            view.axes,
            view.units,
            &names,
        )
    });
    let several = memo(move || u32::from(dashboard.view.read().axes.multiples));
    let place = live("plot-place", move || {
        if several.get() == 1 {
            dashboard.settle();
            vec![multiples(dashboard, tip)]
        } else {
            vec![one(dashboard, points, tip)]
        }
    });
    el("section")
        .class("plot")
        .attr("aria-label", "Plot")
        .attr("data-testid", "scatter")
        .child(controls(dashboard))
        .child(live("", move || {
            let rows = dashboard.rows.read();
            let shown = dashboard.filtered.read();
            let points = points.read().count();
            let shown = shown.iter().filter_map(|index| rows.get(*index as usize));
            without_points(points, shown)
        }))
        .child(place)
        .child(legend(dashboard, colours))
        .child(caption(dashboard, points))
}

/// Why a plot is empty, if it is and there are rows.
pub fn without_points<'a>(points: usize, rows: impl Iterator<Item = &'a Row>) -> Vec<Tag> {
    let (mut count, mut built) = (0, 0);
    for row in rows {
        count += 1;
        built += usize::from(row.data.kat != KatStatus::BuildFail);
    }
    let text = match (points, count, built) {
        (0, 1.., 0) => "There is no point to draw: the build failed, so nothing was measured.",
        (0, 1.., _) => "There is no point to draw: no instance shown has both of these figures.",
        _ => return Vec::new(),
    };
    vec![
        words("p", "notice", text)
            .attr("role", "status")
            .attr("data-testid", "plot-empty"),
    ]
}

/// A list of choices for an axis.
fn select(
    label: &str,
    testid: &str,
    options: Vec<(&'static str, &'static str, bool)>,
    choose: impl Fn(String) + 'static,
) -> Tag {
    let options = options.into_iter().map(|(name, words, chosen)| {
        el("option")
            .attr("value", name)
            .attr_if("selected", chosen.then_some(""))
            .text(words)
    });
    let select = el("select")
        .class("btn")
        .attr("data-testid", testid)
        .children(options);
    el("label")
        .text(label)
        .child(select.on("change", move |event| choose(dom::value_of(event))))
}

fn controls(dashboard: Dashboard) -> Tag {
    live_in(el("div").class("plot-controls no-print"), move || {
        let axes = dashboard.view.read().axes;
        let sizes = SizeAxis::ALL.map(|axis| (axis.name(), axis.short(), axis == axes.size));
        let speeds = SpeedAxis::ALL.map(|axis| (axis.name(), axis.short(), axis == axes.speed));
        let chip = |name: &str, testid: &str, title: &str, pressed: bool, change: fn(&mut Axes)| {
            words("button", "chip", name)
                .attr("data-testid", testid)
                .attr("title", title)
                .pressed(pressed)
                .on_click(move || dashboard.update(|view| change(&mut view.axes)))
        };
        vec![
            select("size ", "axis-size", sizes.to_vec(), move |name| {
                if let Some(size) = SizeAxis::ALL.into_iter().find(|axis| axis.name() == name) {
                    dashboard.update(|view| view.axes.size = size);
                }
            }),
            select("speed ", "axis-speed", speeds.to_vec(), move |name| {
                if let Some(speed) = SpeedAxis::ALL.into_iter().find(|axis| axis.name() == name) {
                    dashboard.update(|view| view.axes.speed = speed);
                }
            }),
            chip(
                "log",
                "scale-log",
                "Logarithmic or linear axes",
                axes.log,
                |axes| axes.log = !axes.log,
            ),
            chip(
                "per family",
                "plot-families",
                "One small plot per family, all with the same axes",
                axes.multiples,
                |axes| {
                    axes.multiples = !axes.multiples;
                },
            ),
        ]
    })
}

/// One plot for all families.
fn one(dashboard: Dashboard, points: Memo<Points>, tip: Tip) -> Tag {
    let row_of = move |mark: Mark| points.read_untracked().row(mark.series, mark.item);
    let on_event = move |event| match event {
        MarkEvent::Over(mark, x, y) => {
            if let Some(row) = row_of(mark) {
                dashboard.lit.set(Some(row));
                if let Some(row) = dashboard.rows.read_untracked().get(row as usize) {
                    let units = untrack(|| dashboard.units());
                    tip.show(
                        row.explain_point(units),
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
    };
    let label = move || {
        let points = points.read();
        let size = points.axes.size.label();
        let speed = speed_name(&points.axes, points.units, &points.remark);
        format!(
            "Scatter of {} instances: {size} in bytes against {speed}; the table holds the same figures",
            points.count()
        )
    };
    Chart {
        class: "chart",
        draw: Rc::new(move |colours| scatter(&points.read(), colours)),
        label: Rc::new(label),
        on_event: Rc::new(on_event),
        lit: Rc::new(move || {
            let row = dashboard.lit.get().or(dashboard.picked.get())?;
            points
                .read()
                .find(row)
                .map(|(series, item)| Mark { series, item })
        }),
        on_settled: Rc::new(move || dashboard.settle()),
    }
    .tag(dashboard)
}

/// How many rows have a point, and which one was chosen.
fn caption(dashboard: Dashboard, points: Memo<Points>) -> Tag {
    live("plot-caption", move || {
        let mut tags = Vec::new();
        let rows = dashboard.rows.read();
        if let Some(row) = dashboard
            .picked
            .get()
            .and_then(|row| rows.get(row as usize))
        {
            let place =
                links::instance_anchor(&row.system, &row.data.instance, &row.data.implementation);
            let href = links::family_at(&row.data.family, &dashboard.shared_query(), &place);
            let name = format!(
                "{} {} · {}",
                row.data.family, row.family_name, row.data.instance
            );
            let link = el("a").attr("href", &href).text(&name);
            tags.push(
                el("p")
                    .attr("data-testid", "picked")
                    .text("Chosen: ")
                    .child(link),
            );
        }
        tags.push(shapes());
        let missing = dashboard
            .filtered
            .read()
            .len()
            .saturating_sub(points.read().count());
        if missing > 0 {
            tags.push(words(
                "p",
                "muted",
                &format!("{missing} without these figures are in the table only."),
            ));
        }
        tags
    })
}
