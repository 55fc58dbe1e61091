//! Families: one line for each.

use super::overview::Notes;
use crate::browser::dom;
use crate::model::column::{Column, Units};
use crate::model::lines::{self, FamilyLine};
use crate::model::number;
use crate::state::dashboard::Dashboard;
use crate::state::store::{Load, summary_path};
use crate::ui::links;
use crate::ui::states::Skeleton;
use kemscope_schema::{Operation, format};
use leptos::prelude::*;

/// The page.
#[component]
pub fn Families() -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    dom::set_ready(false);
    let units = Memo::new(move |_| dashboard.view.read().units);
    let lines = Memo::new(move |_| lines::families(&dashboard.rows.read(), units.get()));
    let loading =
        Memo::new(move |_| {
            let summaries = dashboard.store.summaries.read();
            matches!(&*dashboard.store.index.read(), Load::Loading)
                || dashboard.systems.read().iter().any(|id| {
                    matches!(summaries.get(&summary_path(id)), None | Some(Load::Loading))
                })
        });
    view! {
        <div class="page">
            <div class="page-head">
                <h1>"Families"</h1>
                <p class="muted num">{move || format!("{} on {}", lines.read().len(), dashboard.systems.read().join(" + "))}</p>
            </div>
            <Notes/>
            {move || if loading.get() {
                view! { <Skeleton rows=20/> }.into_any()
            } else {
                dom::next_frame(|| dom::set_ready(true));
                view! { <List lines units/> }.into_any()
            }}
        </div>
    }
    .into_any()
}

#[component]
fn List(lines: Memo<Vec<FamilyLine>>, units: Memo<Units>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let speed = move || Column::Speed(Operation::Dec).unit(units.get());
    view! {
        <div class="table-wrap">
            <table class="plain" data-testid="families-table">
                <thead>
                    <tr>
                        <th scope="col">"Family"</th>
                        <th scope="col">"Basis"</th>
                        <th scope="col" class="n">"Instances"</th>
                        <th scope="col">"KAT"</th>
                        <th scope="col" class="n">"pk+ct, from–to "<small>"bytes"</small></th>
                        <th scope="col" class="n">"Fastest dec "<small>{speed}</small></th>
                        <th scope="col">"by"</th>
                        <th scope="col">"Systems"</th>
                    </tr>
                </thead>
                <tbody>
                    {move || {
                        let query = dashboard.shared_query();
                        let rows = dashboard.rows.read();
                        let units = units.get();
                        lines
                            .get()
                            .into_iter()
                            .map(|line| {
                                let best = line.fastest.and_then(|at| rows.get(at as usize));
                                let dec = best.and_then(|row| row.number(Column::Speed(Operation::Dec), units));
                                let kat = if line.well == line.rows {
                                    format!("{} of {} pass", line.well, line.rows)
                                } else {
                                    format!("⚠ {} of {} pass", line.well, line.rows)
                                };
                                let kat_class = if line.well == line.rows { "status-good" } else { "status-bad" };
                                let wire = line.wire.map(|(low, high)| match (format::grouped(low as u64), format::grouped(high as u64)) {
                                    (low, high) if low == high => low,
                                    (low, high) => format!("{low} – {high}"),
                                });
                                view! {
                                    <tr data-family=line.id.clone()>
                                        <th scope="row">
                                            <a href=links::family(&line.id, &query)>
                                                <span class="mono">{line.id.clone()}</span>" "{line.name.to_string()}
                                            </a>
                                        </th>
                                        <td>{line.category.map_or("–", |c| c.name())}</td>
                                        <td class="n">{line.rows}</td>
                                        <td class=kat_class>{kat}</td>
                                        <td class="n">{wire.unwrap_or_else(|| "–".to_owned())}</td>
                                        <td class="n">{dec.map_or_else(|| "–".to_owned(), |v| number::cell(Column::Speed(Operation::Dec), units, v))}</td>
                                        <td class="mono">{best.map(|row| row.data.instance.clone())}</td>
                                        <td class="mono">{line.systems.join(", ")}</td>
                                    </tr>
                                }
                            })
                            .collect::<Vec<_>>()
                    }}
                </tbody>
            </table>
        </div>
    }
    .into_any()
}
