//! The contract's timing of computed statistics.

use kemscope_schema::stats::{Interval, Statistics};
use kemscope_schema::{CycleSource, Figure, Timing};

/// All digits kept; the plan is left open. `source` is what counted the cycles; without one source
/// for all trials there are no cycles.
pub fn timing(statistics: &Statistics, source: Option<CycleSource>) -> Timing {
    let low = |interval: Option<Interval>| interval.map(|i| Figure::exact(i.low));
    let high = |interval: Option<Interval>| interval.map(|i| Figure::exact(i.high));
    let cycles = source.and(statistics.interval_cycles);
    // Instructions beside anything but core cycles say nothing of the core.
    let core = source.filter(|source| *source == CycleSource::Perf);
    Timing {
        mean_cycles: source.and(statistics.mean_cycles).map(Figure::exact),
        cycle_source: source.filter(|_| statistics.mean_cycles.is_some()),
        mean_seconds: Some(Figure::exact(statistics.mean_seconds)),
        median_trial_seconds: Some(Figure::exact(statistics.median_trial_seconds)),
        min_trial_seconds: Some(Figure::exact(statistics.min_trial_seconds)),
        max_trial_seconds: Some(Figure::exact(statistics.max_trial_seconds)),
        median_trial_cycles: source
            .and(statistics.median_trial_cycles)
            .map(Figure::exact),
        interval_low_seconds: low(statistics.interval_seconds),
        interval_high_seconds: high(statistics.interval_seconds),
        interval_low_cycles: low(cycles),
        interval_high_cycles: high(cycles),
        spread: statistics.spread.map(Figure::exact),
        drift: statistics.drift.map(|drift| drift.relative),
        drift_notable: statistics.drift.is_some_and(|drift| drift.notable),
        mean_instructions: core.and(statistics.mean_instructions).map(Figure::exact),
        instructions_per_cycle: core
            .and_then(|_| statistics.instructions_per_cycle())
            .map(Figure::exact),
        ops_per_second: Some(Figure::exact(statistics.ops_per_second)),
        calls: Some(statistics.calls),
        calls_at_least: None,
        trials: Some(statistics.trials),
        iterations: statistics.iterations,
        ..Timing::default()
    }
}
