//! The contract's timing of computed statistics.

use kemscope_schema::stats::Statistics;
use kemscope_schema::{CycleSource, Figure, Timing};

/// All digits kept; the plan is left open. `source` is what counted the cycles; without one source
/// for all trials there are no cycles.
pub fn timing(statistics: &Statistics, source: Option<CycleSource>) -> Timing {
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
        ops_per_second: Some(Figure::exact(statistics.ops_per_second)),
        calls: Some(statistics.calls),
        calls_at_least: None,
        trials: Some(statistics.trials),
        iterations: statistics.iterations,
        plan: None,
    }
}
