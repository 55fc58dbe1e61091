//! Section 4: performance.

use super::{Cell, name, table};
use crate::model::explain::precision;
use crate::state::dashboard::Dashboard;
use kemscope_schema::{
    FamilyRecord, Figure, OperationRecord, PlanKind, SummaryOperation, derive, format,
};
use leptos::prelude::*;

const HEAD: [&str; 7] = [
    "instance",
    "operation",
    "mean cycles",
    "mean time",
    "ops/s",
    "median trial",
    "n (trials × iters)",
];

fn calls(operation: &OperationRecord) -> Cell {
    let timing = operation.timing.unwrap_or_default();
    let split = match (timing.trials, timing.iterations) {
        (Some(trials), Some(iterations)) => format!(" ({trials} × {iterations})"),
        _ => String::new(),
    };
    let quick = if timing.plan == Some(PlanKind::Quick) {
        " quick"
    } else {
        ""
    };
    let mut cell = Cell::figure("calls", timing.calls, u64::to_string, |calls| {
        format!("{calls}{split}{quick}")
    });
    if let (None, Some(least)) = (timing.calls, timing.calls_at_least) {
        cell.text = format!("≥ {least}");
        cell.title = "the source gives a lower bound only".to_owned();
    }
    if !quick.is_empty() {
        cell.title = "quick profile: a first impression with few calls".to_owned();
    }
    cell
}

fn row(operation: &OperationRecord, clock: Option<Figure>) -> Vec<Cell> {
    let timing = operation.timing.unwrap_or_default();
    let value = |figure: &Figure| format::shortest(figure.value);
    let source = timing
        .cycle_source
        .map(|s| format!("{}: {}", s.name(), s.explanation()))
        .unwrap_or_default();
    let mut cycles = Cell::figure("mean_cycles", timing.mean_cycles, value, |f| {
        format::cycles(f.value)
    });
    if let Some(figure) = timing.mean_cycles {
        cycles.title = format!("{}; {source}", precision(figure));
    }
    let mut time = Cell::figure("mean_seconds", timing.mean_seconds, value, |f| {
        format::seconds(f.value)
    });
    match (
        timing.mean_seconds,
        derive::seconds(&SummaryOperation::of(operation), clock),
    ) {
        (Some(figure), _) => time.title = precision(figure),
        (None, Some(derived)) => {
            time.text = format!("{} derived", format::seconds(derived.figure.value));
            time.title =
                "derived from the mean cycles and the fixed clock; not measured".to_owned();
        }
        (None, None) => {}
    }
    vec![
        Cell::text("operation", operation.operation.name()),
        cycles,
        time,
        Cell::figure("ops_per_second", timing.ops_per_second, value, |f| {
            format::ops_per_second(f.value)
        }),
        Cell::figure(
            "median_trial_seconds",
            timing.median_trial_seconds,
            value,
            |f| format::seconds(f.value),
        ),
        calls(operation),
    ]
}

/// One row per instance and operation. Times of summary figures wait for the system's clock.
pub fn performance(record: &FamilyRecord) -> AnyView {
    let dashboard = expect_context::<Dashboard>();
    let clock = super::clock(dashboard, record);
    let record = StoredValue::new(record.clone());
    (move || {
        let clock = clock.get();
        record.with_value(|record| {
            let rows = record
                .instances
                .iter()
                .flat_map(|instance| {
                    instance
                        .operations
                        .iter()
                        .map(move |operation| (instance, operation))
                })
                .map(|(instance, operation)| {
                    let mut cells = row(operation, clock);
                    cells.insert(0, name(record, instance));
                    (instance, Some(operation.operation), cells)
                })
                .collect();
            table(record, "Performance", &HEAD, rows)
        })
    })
    .into_any()
}
