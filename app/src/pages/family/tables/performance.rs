//! Section 4: performance.

use super::{Anchors, Cell, per_operation, plain, table};
use crate::model::explain::precision;
use crate::model::mark::Mark;
use crate::ui::node::Tag;
use kemscope_schema::{
    FamilyRecord, Figure, OperationRecord, PlanKind, SummaryOperation, Timing, derive, format,
};

const HEAD: [&str; 6] = [
    "operation",
    "mean cycles",
    "mean time",
    "ops/s",
    "median trial",
    "n (trials × iters)",
];

fn calls(timing: &Timing) -> Cell {
    let mut cell = Cell::count("calls", timing.calls, plain);
    if let (Some(trials), Some(iterations)) = (timing.trials, timing.iterations) {
        cell.text.push_str(&format!(" ({trials} × {iterations})"));
    }
    if let (None, Some(least)) = (timing.calls, timing.calls_at_least) {
        cell.text = format!("≥ {least}");
        cell.title = "the source gives a lower bound only".to_owned();
    }
    if timing.plan == Some(PlanKind::Quick) {
        cell.text.push_str(" quick");
        cell.title = "quick profile: a first impression with few calls".to_owned();
    }
    cell
}

fn cells(operation: &OperationRecord, clock: Option<Figure>) -> Vec<Cell> {
    let timing = operation.timing.unwrap_or_default();
    let mut cycles = Cell::figure("mean_cycles", timing.mean_cycles, format::cycles);
    if let (Some(figure), Some(source)) = (timing.mean_cycles, timing.cycle_source) {
        cycles.mark = Mark::of_source(source);
        cycles.title = format!(
            "{}; {}: {}",
            precision(figure),
            source.name(),
            source.explanation()
        );
    }
    let mut time = Cell::figure("mean_seconds", timing.mean_seconds, format::seconds);
    match (
        timing.mean_seconds,
        derive::seconds(&SummaryOperation::of(operation), clock),
    ) {
        (Some(figure), _) => time.title = precision(figure),
        (None, Some(derived)) => {
            time.mark = derived.derived.then_some(Mark::Derived);
            time.text = format!("{} derived", format::seconds(derived.figure.value));
            time.title =
                "derived from the mean cycles and the fixed clock; not measured".to_owned();
        }
        (None, None) => {}
    }
    vec![
        cycles,
        time,
        Cell::figure(
            "ops_per_second",
            timing.ops_per_second,
            format::ops_per_second,
        ),
        Cell::figure(
            "median_trial_seconds",
            timing.median_trial_seconds,
            format::seconds,
        ),
        calls(&timing),
    ]
}

/// One row per instance and operation. `clock` is the system's fixed clock, from which times of summary figures are derived.
pub fn performance(record: &FamilyRecord, clock: Option<Figure>) -> Tag {
    table(
        record,
        "Performance",
        Anchors::None,
        &HEAD,
        per_operation(record, |operation| Some(cells(operation, clock))),
    )
}
