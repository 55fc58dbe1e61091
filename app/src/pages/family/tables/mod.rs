//! The tables of the sections, with all figures printed as on the report pages.

pub mod basic;
pub mod environment;
pub mod evidence;
pub mod kat;
pub mod memory;
pub mod performance;
pub mod sizes;
pub mod symmetric;

use crate::state::dashboard::Dashboard;
use crate::state::store::{Load, system_path};
use kemscope_schema::{FamilyRecord, Figure, InstanceRecord, Operation};
use leptos::prelude::*;

/// The fixed clock of a record's system: from the record itself, otherwise from the system's file.
pub fn clock(dashboard: Dashboard, record: &FamilyRecord) -> Signal<Option<Figure>> {
    let own = record
        .environment
        .as_ref()
        .and_then(|environment| environment.fixed_clock_hz);
    let path = system_path(&record.system);
    Signal::derive(move || {
        own.or_else(|| {
            let systems = dashboard.store.systems.read();
            systems
                .get(&path)
                .and_then(Load::ready)
                .and_then(|system| system.environment.fixed_clock_hz)
        })
    })
}

/// One cell: its column, its exact value (empty where unknown), its words and, where those are not enough, more on hover.
pub struct Cell {
    /// Field name of the contract.
    pub column: &'static str,
    /// Exact value.
    pub value: String,
    /// Words; `–` for unknown.
    pub text: String,
    /// More on hover.
    pub title: String,
    /// Whether it is a figure, right-aligned.
    pub figure: bool,
}

impl Cell {
    /// A cell of text.
    pub fn text(column: &'static str, text: impl Into<String>) -> Cell {
        let text = text.into();
        Cell {
            column,
            value: text.clone(),
            text,
            title: String::new(),
            figure: false,
        }
    }

    /// A cell with a figure that may be unknown.
    pub fn figure<T>(
        column: &'static str,
        figure: Option<T>,
        value: impl Fn(&T) -> String,
        text: impl Fn(&T) -> String,
    ) -> Cell {
        Cell {
            column,
            value: figure.as_ref().map(value).unwrap_or_default(),
            text: figure.as_ref().map_or_else(|| "–".to_owned(), text),
            title: if figure.is_none() {
                "not published or not measured".to_owned()
            } else {
                String::new()
            },
            figure: true,
        }
    }

    /// Adds words on hover.
    pub fn titled(mut self, title: impl Into<String>) -> Cell {
        self.title = title.into();
        self
    }
}

/// A table: its head, and rows with the instance and operation that they are about.
pub fn table(
    record: &FamilyRecord,
    label: &'static str,
    head: &[&'static str],
    rows: Vec<(&InstanceRecord, Option<Operation>, Vec<Cell>)>,
) -> AnyView {
    if rows.is_empty() {
        return view! { <p class="muted">"No figures."</p> }.into_any();
    }
    let figures: Vec<bool> = rows
        .first()
        .map(|(_, _, cells)| cells.iter().map(|c| c.figure).collect())
        .unwrap_or_default();
    let head: Vec<AnyView> = head
        .iter()
        .zip(figures)
        .map(|(title, figure)| {
            view! { <th scope="col" class=if figure { "n" } else { "" }>{*title}</th> }.into_any()
        })
        .collect();
    let body: Vec<AnyView> = rows
        .into_iter()
        .map(|(instance, operation, cells)| {
            // A place to link to: the first table with one row per instance carries it.
            let id = (label == "KAT").then(|| {
                crate::ui::links::instance_anchor(
                    &record.system,
                    &instance.name,
                    &instance.implementation.variant,
                )
            });
            let cells: Vec<AnyView> = cells.into_iter().map(cell).collect();
            view! {
                <tr
                    id=id.clone()
                    tabindex=id.map(|_| "-1")
                    data-system=record.system.clone()
                    data-family=record.family.id.clone()
                    data-instance=instance.name.clone()
                    data-implementation=instance.implementation.variant.clone()
                    data-operation=operation.map(Operation::name)
                >
                    {cells}
                </tr>
            }
            .into_any()
        })
        .collect();
    view! {
        <div class="table-wrap">
            <table class="plain" aria-label=label>
                <thead><tr>{head}</tr></thead>
                <tbody>{body}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn cell(cell: Cell) -> AnyView {
    let class = match (cell.column, cell.figure) {
        ("instance", _) => "mono",
        (_, true) => "n",
        _ => "",
    };
    let title = (!cell.title.is_empty()).then_some(cell.title);
    view! { <td class=class data-col=cell.column data-value=cell.value title=title>{cell.text}</td> }.into_any()
}

/// Instance and, where an instance has several implementations, which one.
pub fn name(record: &FamilyRecord, instance: &InstanceRecord) -> Cell {
    let twins = record
        .instances
        .iter()
        .filter(|other| other.name == instance.name)
        .count();
    let text = if twins > 1 {
        format!("{} · {}", instance.name, instance.implementation.variant)
    } else {
        instance.name.clone()
    };
    Cell::text("instance", text).titled(format!(
        "implementation: {}",
        instance.implementation.variant
    ))
}
