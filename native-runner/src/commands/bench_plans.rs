//! `native-runner bench-plans`: the published plan and the adaptive one, side by side on the same libraries.

use super::SelectionArgs;
use super::method::percent;
use super::part::PartArgs;
use super::plan::Bench;
use super::session::{self, Order, RunPlaceArgs};
use crate::executor::Executor;
use crate::interrupt::Interrupt;
use crate::measure::{Settings, Surveyed, Timing, survey, time_operation};
use crate::outcome::Outcome;
use crate::{progress, terminal, time};
use anyhow::{Context, Result};
use clap::Args;
use kemscope_schema::run::{RunMethod, Trial};
use kemscope_schema::stats::{Statistics, TrialSample};
use kemscope_schema::{PlanKind, format};
use std::io::Write;
use std::time::Instant;

/// Compare the published plan with stopping by precision: time taken and width of the interval
///
/// Each operation is timed by both plans, one directly after the other, on the same library. Nothing is
/// recorded. The last line has the sums.
#[derive(Args, Clone, Debug)]
pub struct BenchPlansArgs {
    /// What to time
    #[command(flatten)]
    pub selection: SelectionArgs,

    /// Where and on what
    #[command(flatten)]
    pub place: RunPlaceArgs,

    /// Precision of the adaptive plan
    #[arg(long, value_name = "PERCENT", value_parser = percent, default_value = "0.5%")]
    pub precision: f64,
}

/// How one operation went by one plan.
struct Run {
    statistics: Statistics,
    /// Wall-clock time of all of it, calibration aside.
    seconds: f64,
    disturbed: usize,
}

/// Runs the command.
///
/// # Errors
/// As for a run.
pub fn run(args: &BenchPlansArgs) -> Result<Outcome> {
    let part = PartArgs::default();
    let order = Order {
        part: &part,
        selection: &args.selection,
        place: &args.place,
        plan: PlanKind::Published,
        method: RunMethod::default(),
        steps: &[],
    };
    let bench = Bench::set_up(&order)?;
    let interrupt = Interrupt::install().context("cannot catch Ctrl-C")?;
    let mut executor = bench.tools.executor(interrupt)?;
    let environment = bench.tools.environment()?;
    let limits = args.place.limits();
    let settings = |kind, method| session::settings(kind, method, &environment, &limits);
    let fixed = settings(PlanKind::Published, RunMethod::default());
    let method = RunMethod {
        precision: Some(args.precision),
        ..RunMethod::default()
    };
    let adaptive = settings(PlanKind::Adaptive, method);
    let surveyed = survey(&mut executor, &bench.targets, &fixed)?;
    let mut progress = progress::for_this_terminal();
    let mut rows = vec![header()];
    let mut totals = [0.0; 2];
    let mut complaints = surveyed.complaints.clone();
    for operation in &surveyed.operations {
        let name = format!("{} {}", operation.target.label, operation.operation);
        progress.line(&format!("time {name} by both plans"));
        let by_fixed = timed(&mut executor, operation, &fixed)?;
        let by_adaptive = timed(&mut executor, operation, &adaptive)?;
        match (by_fixed, by_adaptive) {
            (Ok(fixed), Ok(adaptive)) => {
                totals[0] += fixed.seconds;
                totals[1] += adaptive.seconds;
                rows.push(row(&name, &fixed, &adaptive));
            }
            (Err(message), _) | (_, Err(message)) => complaints.push(message),
        }
    }
    progress.end();
    let mut out = std::io::stdout().lock();
    write!(out, "{}", terminal::table(&rows))?;
    for complaint in &complaints {
        writeln!(out, "not timed: {complaint}")?;
    }
    let [fixed, adaptive] = totals;
    writeln!(
        out,
        "{} operations: published plan {fixed:.1} s, adaptive plan to ±{} {adaptive:.1} s",
        rows.len() - 1,
        terminal::percent(args.precision)
    )?;
    Ok(Outcome::well_if(complaints.is_empty()))
}

/// Times an operation by one plan; the inner error is a library's failure.
fn timed(
    executor: &mut dyn Executor,
    operation: &Surveyed,
    settings: &Settings,
) -> Result<Result<Run, String>> {
    let timing = Timing {
        target: &operation.target,
        operation: operation.operation,
        settings,
        now_utc: &time::now_utc,
        calibrated: Some(operation.call_seconds),
        kept: None,
        set_up_seconds: operation.set_up_seconds,
    };
    let begin = Instant::now();
    let timed = time_operation(executor, timing, &mut |_| Ok::<(), anyhow::Error>(()))?;
    let seconds = begin.elapsed().as_secs_f64();
    if let Some(failure) = timed.failure {
        return Ok(Err(failure.message));
    }
    let samples: Vec<TrialSample> = timed.trials.iter().map(Trial::sample).collect();
    Ok(Statistics::of(&samples)
        .map(|statistics| Run {
            statistics,
            seconds,
            disturbed: timed.trials.iter().filter(|trial| trial.disturbed).count(),
        })
        .map_err(|error| error.to_string()))
}

fn header() -> Vec<String> {
    [
        "operation",
        "published: mean",
        "±",
        "trials",
        "disturbed",
        "took",
        "adaptive: mean",
        "±",
        "trials",
        "disturbed",
        "took",
    ]
    .map(str::to_owned)
    .to_vec()
}

fn row(name: &str, fixed: &Run, adaptive: &Run) -> Vec<String> {
    let mut row = vec![name.to_owned()];
    for run in [fixed, adaptive] {
        let statistics = &run.statistics;
        let half = statistics.relative_half_width();
        row.push(format::seconds(statistics.mean_seconds));
        row.push(half.map_or("–".to_owned(), terminal::percent));
        row.push(statistics.trials.to_string());
        row.push(run.disturbed.to_string());
        row.push(format!("{:.1} s", run.seconds));
    }
    row
}
