//! The family's own scatter: its instances in colour before the field in grey.

use crate::browser::dom;
use crate::browser::echarts::{Mark, MarkEvent};
use crate::model::points;
use crate::state::dashboard::Dashboard;
use crate::ui::chart::ChartBox;
use crate::ui::legend::Shapes;
use crate::ui::links;
use crate::ui::scatter::{scatter, speed_name};
use crate::ui::tip::Tip;
use leptos::prelude::*;
use std::rc::Rc;

/// Size against speed of the family within the field of the systems shown.
#[component]
pub fn OwnScatter(id: String) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let tip = Tip::use_tip();
    let id = StoredValue::new(id);
    let axes = Memo::new(move |_| dashboard.view.read().axes);
    let units = Memo::new(move |_| dashboard.view.read().units);
    let groups = Memo::new(move |_| {
        let rows = dashboard.rows.read();
        let all: Vec<u32> = (0u32..).zip(rows.iter()).map(|(index, _)| index).collect();
        id.with_value(|id| points::groups(&rows, &all, &axes.get(), units.get(), &[id.as_str()]))
    });
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
            let rows = dashboard.rows.read_untracked();
            if let Some(row) = row_of(mark).and_then(|row| rows.get(row as usize)) {
                tip.show(
                    row.explain_point(units.get_untracked()),
                    [x + 12.0, y - 8.0, x + 12.0, y + 8.0],
                );
            }
        }
        MarkEvent::Out => tip.hide(),
        MarkEvent::Click(mark) => {
            tip.hide();
            let rows = dashboard.rows.read_untracked();
            if let Some(row) = row_of(mark).and_then(|row| rows.get(row as usize)) {
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
    });
    on_cleanup(move || tip.hide());
    let words = move || {
        format!(
            "{} in bytes against {}",
            axes.get().size.label(),
            speed_name(&axes.get(), units.get())
        )
    };
    let label =
        Signal::derive(move || format!("Scatter of this family within the field: {}", words()));
    let draw = Rc::new(move || scatter(&groups.read(), &axes.get(), units.get()));
    let on_settled: Rc<dyn Fn()> = Rc::new(move || dom::next_frame(|| dom::set_ready(true)));
    view! {
        <section class="family-section" aria-label="Within the field">
            <h2>"Within the field"</h2>
            <p class="muted">"The family's instances in colour, all others grey: "{words}"."</p>
            <div data-testid="scatter"><ChartBox draw label on_event on_settled class="chart family-chart"/></div>
            <Shapes/>
        </section>
    }
    .into_any()
}
