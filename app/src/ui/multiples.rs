//! Small multiples: size against speed, one small plot per family, all with the same axes.

use super::links;
use super::scatter::speed_name;
use super::tip::Tip;
use crate::browser::dom;
use crate::model::column::Units;
use crate::model::geometry::{decades, extent, fraction, symbol, ticks};
use crate::model::number::{bytes_tick, cycles_tick, seconds_tick};
use crate::model::points::point;
use crate::model::row::Row;
use crate::model::view::Axes;
use crate::state::dashboard::Dashboard;
use leptos::prelude::*;
use std::sync::Arc;

/// Size of a small plot and its margins, in the units of its drawing.
const WIDTH: f64 = 180.0;
const HEIGHT: f64 = 120.0;
const LEFT: f64 = 34.0;
const BOTTOM: f64 = 16.0;
const TOP: f64 = 6.0;
const RIGHT: f64 = 8.0;

/// The points of one family as outlines, with the rows that they stand for.
#[derive(Clone, PartialEq)]
struct Small {
    id: String,
    name: Arc<str>,
    marks: Vec<(u32, String)>,
}

/// The axes that all share.
#[derive(Clone, PartialEq, Default)]
struct Frame {
    x: Vec<(f64, String)>,
    y: Vec<(f64, String)>,
}

/// Left end and every tick of an axis as (place from 0 to 1, words); at most four have words.
fn axis(range: (f64, f64), log: bool, format: fn(f64) -> String) -> Vec<(f64, String)> {
    let values = if log {
        ticks(range)
    } else {
        vec![range.0, (range.0 + range.1) / 2.0, range.1]
    };
    let every = values.len().div_ceil(4);
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
        Units::Cycles => cycles_tick,
        Units::Time => seconds_tick,
    };
    let frame = Frame {
        x: axis(x, axes.log, bytes_tick),
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
#[component]
pub fn Multiples(axes: Memo<Axes>, units: Memo<Units>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let tip = Tip::use_tip();
    let built = Memo::new(move |_| {
        build(
            &dashboard.rows.read(),
            &dashboard.filtered.read(),
            &axes.get(),
            units.get(),
        )
    });
    let row_of = |event: &web_sys::Event| {
        let mark = dom::closest(event.target(), "[data-row]")?;
        Some((mark.get_attribute("data-row")?.parse::<u32>().ok()?, mark))
    };
    let over = move |event: web_sys::PointerEvent| match row_of(&event) {
        Some((row, mark)) => {
            dashboard.lit.set(Some(row));
            if let Some(row) = dashboard.rows.read_untracked().get(row as usize) {
                tip.show_beside(row.explain_point(units.get_untracked()), &mark);
            }
        }
        None => tip.hide(),
    };
    let leave = move |_| {
        dashboard.lit.set(None);
        tip.hide();
    };
    let clicked = move |event: web_sys::MouseEvent| {
        if let Some((row, _)) = row_of(&event) {
            dashboard.picked.set(Some(row));
        }
    };
    view! {
        <p class="muted">{move || format!("Across: {}, bytes. Up: {}.", axes.get().size.label(), speed_name(&axes.get(), units.get()))}</p>
        <div class="multiples" data-testid="multiples" on:pointerover=over on:pointerleave=leave on:click=clicked>
            {move || {
                let (frame, families) = built.get();
                let query = dashboard.shared_query();
                families.into_iter().map(|family| small(&frame, family, &query)).collect::<Vec<_>>()
            }}
        </div>
    }
    .into_any()
}

/// One small plot. Its frame and marks are few elements: outlines of a family share one path per point.
fn small(frame: &Frame, family: Small, query: &str) -> AnyView {
    let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let mut grid = String::new();
    let mut words = Vec::new();
    for (place, text) in &frame.x {
        let x = (LEFT + width * place).round();
        grid.push_str(&format!("M{x} {TOP}v{height}"));
        if !text.is_empty() {
            words.push(view! { <text x=x.to_string() y=(HEIGHT - 4.0).to_string() text-anchor="middle">{text.clone()}</text> }.into_any());
        }
    }
    for (place, text) in &frame.y {
        let y = (TOP + height * (1.0 - place)).round();
        grid.push_str(&format!("M{LEFT} {y}h{width}"));
        if !text.is_empty() {
            words.push(view! { <text x=(LEFT - 4.0).to_string() y=(y + 3.0).to_string() text-anchor="end">{text.clone()}</text> }.into_any());
        }
    }
    let label = format!(
        "{} {}: {} instances",
        family.id,
        family.name,
        family.marks.len()
    );
    view! {
        <figure class="small">
            <figcaption><a href=links::family(&family.id, query)><span class="mono">{family.id.clone()}</span>" "{family.name.to_string()}</a></figcaption>
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label=label>
                <path class="small-grid" d=grid></path>
                {words}
                {family.marks
                    .into_iter()
                    .map(|(row, d)| view! { <path class="small-mark" data-row=row.to_string() d=d></path> })
                    .collect::<Vec<_>>()}
            </svg>
        </figure>
    }
    .into_any()
}
