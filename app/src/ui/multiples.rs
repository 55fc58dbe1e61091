//! Small multiples: size against speed, one small plot per family, all with the same axes.

use super::links;
use super::node::{Tag, el, live, words};
use super::scatter::speed_name;
use super::tip::Tip;
use crate::browser::dom;
use crate::model::axes::Axes;
use crate::model::column::Units;
use crate::model::geometry::{decades, extent, fraction, symbol, ticks};
use crate::model::number::{count_tick, seconds_tick};
use crate::model::points::{point, remark};
use crate::model::row::Row;
use crate::state::dashboard::Dashboard;
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::Event;

/// Size of a small plot and its margins, in the units of its drawing.
const WIDTH: f64 = 180.0;
const HEIGHT: f64 = 120.0;
const LEFT: f64 = 42.0;
const BOTTOM: f64 = 16.0;
const TOP: f64 = 6.0;
const RIGHT: f64 = 14.0;

/// The points of one family as outlines, with the rows that they stand for.
struct Small {
    id: String,
    name: Arc<str>,
    marks: Vec<(u32, String)>,
}

/// The axes that all share.
#[derive(Default)]
struct Frame {
    x: Vec<(f64, String)>,
    y: Vec<(f64, String)>,
}

/// Left end and every tick of an axis as (place from 0 to 1, words); at most three have words.
fn axis(range: (f64, f64), log: bool, format: fn(f64) -> String) -> Vec<(f64, String)> {
    let values = if log {
        ticks(range)
    } else {
        vec![range.0, (range.0 + range.1) / 2.0, range.1]
    };
    let every = values.len().div_ceil(3);
    values
        .iter()
        .enumerate()
        .map(|(at, value)| {
            let words = if at.is_multiple_of(every.max(1)) {
                format(*value)
            } else {
                String::new()
            };
            (fraction(*value, range, log), words)
        })
        .collect()
}

fn build(rows: &[Row], shown: &[u32], axes: &Axes, units: Units) -> (Frame, Vec<Small>) {
    let points: Vec<_> = shown
        .iter()
        .filter_map(|index| {
            let row = rows.get(*index as usize)?;
            Some((row, point(row, *index, axes, units)?))
        })
        .collect();
    let (Some(x), Some(y)) = (
        extent(points.iter().map(|(_, p)| p.x)),
        extent(points.iter().map(|(_, p)| p.y)),
    ) else {
        return (Frame::default(), Vec::new());
    };
    let widen = |range: (f64, f64)| {
        if axes.log {
            decades(range)
        } else {
            (0.0, range.1)
        }
    };
    let (x, y) = (widen(x), widen(y));
    let y_format = match units {
        Units::Cycles => count_tick,
        Units::Time => seconds_tick,
    };
    let frame = Frame {
        x: axis(x, axes.log, count_tick),
        y: axis(y, axes.log, y_format),
    };
    let mut families: Vec<Small> = Vec::new();
    for (row, point) in points {
        let place_x = LEFT + (WIDTH - LEFT - RIGHT) * fraction(point.x, x, axes.log);
        let place_y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * fraction(point.y, y, axes.log);
        let mark = (
            point.row,
            symbol(row.data.target_group(), place_x, place_y, 3.5),
        );
        match families
            .iter_mut()
            .find(|family| family.id == row.data.family)
        {
            Some(family) => family.marks.push(mark),
            None => families.push(Small {
                id: row.data.family.clone(),
                name: row.family_name.clone(),
                marks: vec![mark],
            }),
        }
    }
    (frame, families)
}

/// All small plots.
pub fn multiples(dashboard: Dashboard, tip: Tip) -> Tag {
    let row_of = |event: &Event| {
        let mark = dom::closest(event.target(), "[data-row]")?;
        Some((mark.get_attribute("data-row")?.parse::<u32>().ok()?, mark))
    };
    let over = move |event: &Event| match row_of(event) {
        Some((row, mark)) => {
            dashboard.lit.set(Some(row));
            if let Some(row) = dashboard.rows.read_untracked().get(row as usize) {
                tip.show_beside(row.explain_point(untrack(|| dashboard.units())), &mark);
            }
        }
        None => tip.hide(),
    };
    let leave = move |_: &Event| {
        dashboard.lit.set(None);
        tip.hide();
    };
    let clicked = move |event: &Event| {
        if let Some((row, _)) = row_of(event) {
            dashboard.picked.set(Some(row));
        }
    };
    let draw = move || {
        let (axes, units) = (dashboard.view.read().axes, dashboard.units());
        let (rows, filtered) = (dashboard.rows.read(), dashboard.filtered.read());
        let (frame, families) = build(&rows, &filtered, &axes, units);
        let query = dashboard.shared_query();
        let words = format!(
            "Across: {}, bytes. Up: {}.",
            axes.size.label(),
            speed_name(&axes, units, &remark(&rows, &filtered, &axes, units))
        );
        let plots = families.iter().map(|family| small(&frame, family, &query));
        vec![
            el("p").class("muted").text(&words),
            el("div")
                .class("multiples")
                .attr("data-testid", "multiples")
                .children(plots),
        ]
    };
    live("multiples-box", draw)
        .on("pointerover", over)
        .on("pointerleave", leave)
        .on("click", clicked)
}

/// One small plot: frame, words, and an outline per point.
fn small(frame: &Frame, family: &Small, query: &str) -> Tag {
    let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let mut grid = String::new();
    let mut svg = el("svg")
        .attr("viewBox", &format!("0 0 {WIDTH} {HEIGHT}"))
        .attr("role", "img");
    svg = svg.attr(
        "aria-label",
        &format!(
            "{} {}: {} instances",
            family.id,
            family.name,
            family.marks.len()
        ),
    );
    let label = |x: f64, y: f64, anchor: &str, text: &str| {
        el("text")
            .attr("x", &x.to_string())
            .attr("y", &y.to_string())
            .attr("text-anchor", anchor)
            .text(text)
    };
    for (place, text) in &frame.x {
        let x = (LEFT + width * place).round();
        grid.push_str(&format!("M{x} {TOP}v{height}"));
        if !text.is_empty() {
            svg = svg.child(label(x, HEIGHT - 4.0, "middle", text));
        }
    }
    for (place, text) in &frame.y {
        let y = (TOP + height * (1.0 - place)).round();
        grid.push_str(&format!("M{LEFT} {y}h{width}"));
        if !text.is_empty() {
            svg = svg.child(label(LEFT - 4.0, y + 3.0, "end", text));
        }
    }
    svg = svg.child(el("path").class("small-grid").attr("d", &grid));
    svg = svg.children(family.marks.iter().map(|(row, outline)| {
        el("path")
            .class("small-mark")
            .attr("data-row", &row.to_string())
            .attr("d", outline)
    }));
    let link = el("a")
        .attr("href", &links::family(&family.id, query))
        .child(words("span", "mono", &family.id));
    let caption = el("figcaption").child(link.text(&format!(" {}", family.name)));
    el("figure").class("small").child(caption).child(svg)
}
