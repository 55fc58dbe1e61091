//! The family's own scatter: its instances in colour before the field in grey.

use crate::browser::echarts::{Mark, MarkEvent};
use crate::model::points::Points;
use crate::model::row::Row;
use crate::state::dashboard::Dashboard;
use crate::state::reactive::memo;
use crate::ui::chart::Chart;
use crate::ui::legend::shapes;
use crate::ui::links;
use crate::ui::node::{Tag, el, live};
use crate::ui::plot::without_points;
use crate::ui::scatter::{scatter, speed_name};
use crate::ui::tip::Tip;
use leptos::prelude::*;
use std::rc::Rc;
use std::sync::Arc;

/// Size against speed of the family within the field of the systems shown.
pub fn own_scatter(
    dashboard: Dashboard,
    tip: Tip,
    id: StoredValue<String>,
    rows: Memo<Arc<Vec<Row>>>,
) -> Tag {
    let points = memo(move || {
        let rows = rows.read();
        let view = dashboard.view.read();
        let all: Vec<u32> = (0u32..).zip(rows.iter()).map(|(index, _)| index).collect();
        id.with_value(|id| Points::of(&rows, &all, view.axes, view.units, &[id]))
    });
    let on_event = move |event| {
        let rows = rows.read_untracked();
        let row =
            |mark: Mark| rows.get(points.read_untracked().row(mark.series, mark.item)? as usize);
        match event {
            MarkEvent::Over(mark, x, y) => {
                if let Some(row) = row(mark) {
                    let words = row.explain_point(untrack(|| dashboard.units()));
                    tip.show(words, [x + 12.0, y - 8.0, x + 12.0, y + 8.0]);
                }
            }
            MarkEvent::Out => tip.hide(),
            MarkEvent::Click(mark) => {
                tip.hide();
                if let Some(row) = row(mark) {
                    let query = untrack(|| dashboard.shared_query());
                    let place = links::instance_anchor(
                        &row.system,
                        &row.data.instance,
                        &row.data.implementation,
                    );
                    dashboard
                        .nav
                        .go(&links::family_at(&row.data.family, &query, &place));
                    dashboard.nav.scroll_to_fragment();
                }
            }
        }
    };
    on_cleanup(move || tip.hide());
    let words = move || {
        let points = points.read();
        format!(
            "{} in bytes against {}",
            points.axes.size.label(),
            speed_name(&points.axes, points.units, &points.remark)
        )
    };
    let chart = Chart {
        class: "chart family-chart",
        draw: Rc::new(move |colours| scatter(&points.read(), colours)),
        label: Rc::new(move || format!("Scatter of this family within the field: {}", words())),
        on_event: Rc::new(on_event),
        lit: Rc::new(|| None),
        on_settled: Rc::new(move || dashboard.settle()),
    };
    let about = move || {
        format!(
            "The family's instances in colour, all others grey: {}.",
            words()
        )
    };
    el("section")
        .class("family-section")
        .attr("aria-label", "Within the field")
        .child(el("h2").text("Within the field"))
        .child(live("", move || {
            let rows = rows.read();
            let points = points.read();
            let coloured = points.groups.iter().filter(|g| g.colour.is_some());
            let count = coloured.map(|group| group.points.len()).sum();
            id.with_value(|id| {
                without_points(count, rows.iter().filter(|row| row.data.family == *id))
            })
        }))
        .child(live("muted", move || vec![el("p").text(&about())]))
        .child(
            el("div")
                .attr("data-testid", "scatter")
                .child(chart.tag(dashboard)),
        )
        .child(shapes())
}
