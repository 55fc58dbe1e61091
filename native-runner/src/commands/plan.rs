//! `run --plan`: what would be timed, in which order, and for how long.

use super::session::{self, Order, Tools};
use crate::build::Build;
use crate::executor::Target;
use crate::interrupt::Interrupt;
use crate::measure::{Survey, Surveyed, survey};
use crate::outcome::Outcome;
use crate::package::Instance;
use crate::shard::Costs;
use crate::{files, progress, terminal};
use anyhow::{Context, Result};
use kemscope_schema::{PlanKind, format};
use std::io::Write;
use std::time::Duration;

/// Builds and calibrates, and prints the plan. Nothing is recorded.
///
/// # Errors
/// As for a run.
pub fn show(order: &Order<'_>) -> Result<Outcome> {
    let bench = Bench::set_up(order)?;
    let instances = bench.instances.clone();
    let surveyed = bench.survey(order)?;
    let mut out = std::io::stdout().lock();
    write!(out, "{}", terminal::table(&rows(&surveyed)))?;
    for complaint in &surveyed.complaints {
        writeln!(out, "not to be timed: {complaint}")?;
    }
    writeln!(out, "{}", total(&surveyed, order.plan))?;
    if let Some(path) = &order.part.costs_to {
        let costs = Costs::of_calls(surveyed.operations.iter().map(|surveyed| {
            let name = surveyed.target.label.clone();
            (name, surveyed.operation, surveyed.call_seconds)
        }));
        let text = costs.to_csv(&instances, &order.work());
        files::write_atomic(path, text.as_bytes())?;
        writeln!(
            out,
            "{}: how long each instance will take, for --costs",
            path.display()
        )?;
    }
    Ok(Outcome::well_if(surveyed.complaints.is_empty()))
}

/// Built libraries and what runs them, without a run directory.
pub(super) struct Bench {
    /// Compiler and host.
    pub tools: Tools,
    /// The instances.
    instances: Vec<Instance>,
    /// The libraries.
    pub targets: Vec<Target>,
    /// What did not build.
    complaints: Vec<String>,
}

impl Bench {
    /// Builds the instances of an order.
    pub fn set_up(order: &Order<'_>) -> Result<Bench> {
        let tools = Tools::for_place(order.place)?;
        let instances = order.part(&tools)?.instances;
        let list: Vec<&Instance> = instances.iter().collect();
        let mut builds: Vec<Option<Build>> = instances.iter().map(|_| None).collect();
        let mut first_error = None;
        tools
            .builder
            .build_all(&list, &|| true, &mut |number, built| match built {
                Ok(build) => {
                    if let Some(slot) = builds.get_mut(number) {
                        *slot = Some(build);
                    }
                }
                Err(error) => drop(first_error.get_or_insert(error)),
            });
        if let Some(error) = first_error {
            return Err(error.into());
        }
        let mut bench = Bench {
            tools,
            instances: Vec::new(),
            targets: Vec::new(),
            complaints: Vec::new(),
        };
        for (instance, build) in instances.iter().zip(builds.into_iter().flatten()) {
            match build.library() {
                Some(library) => bench.targets.push(Target {
                    label: instance.full_name(),
                    library,
                    abi: instance.abi.clone(),
                    cpu: Some(bench.tools.host.facts.cpu),
                }),
                None => {
                    let message = build.result.message.unwrap_or_default();
                    let name = instance.full_name();
                    bench
                        .complaints
                        .push(format!("{name}: does not build: {message}"));
                }
            }
        }
        bench.instances = instances;
        Ok(bench)
    }

    /// Calibrates every operation.
    pub fn survey(self, order: &Order<'_>) -> Result<Survey> {
        let interrupt = Interrupt::install().context("cannot catch Ctrl-C")?;
        let mut executor = self.tools.executor(interrupt)?;
        let environment = self.tools.environment()?;
        let limits = order.place.limits();
        let settings = session::settings(order.plan, order.method, &environment, &limits);
        let mut found = survey(&mut executor, &self.targets, &settings)?;
        found.complaints.splice(0..0, self.complaints);
        Ok(found)
    }
}

fn rows(surveyed: &Survey) -> Vec<Vec<String>> {
    let header = [
        "operation",
        "one call",
        "warm-ups",
        "calls",
        "trials",
        "time",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for operation in &surveyed.operations {
        let plan = &operation.plan;
        let trials = match plan.kind {
            PlanKind::Adaptive => format!("5 to {}", plan.trials),
            PlanKind::Published | PlanKind::Quick => plan.trials.to_string(),
        };
        rows.push(vec![
            format!("{} {}", operation.target.label, operation.operation),
            format::seconds(operation.call_seconds),
            plan.warmups.to_string(),
            plan.iterations.to_string(),
            trials,
            range(operation.expected_seconds(), operation.longest_seconds()),
        ]);
    }
    rows
}

/// One duration, or two where a plan decides on the way.
fn range(least: f64, most: f64) -> String {
    let words = |seconds: f64| {
        let duration = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        progress::words(duration)
    };
    let (least, most) = (words(least), words(most));
    if least == most {
        least
    } else {
        format!("{least} to {most}")
    }
}

fn total(surveyed: &Survey, kind: PlanKind) -> String {
    let sum = |of: &dyn Fn(&Surveyed) -> f64| surveyed.operations.iter().map(of).sum::<f64>();
    let time = range(
        sum(&Surveyed::expected_seconds),
        sum(&Surveyed::longest_seconds),
    );
    format!(
        "{} operations in this order, {} plan: about {time}, known-answer tests and repetitions of disturbed \
         trials not counted. Nothing was recorded.",
        surveyed.operations.len(),
        kind.name()
    )
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn durations_that_read_alike_are_one() {
        assert_eq!(range(61.2, 61.9), "1 min 02 s");
        assert_eq!(range(2.0, 61.9), "2 s to 1 min 02 s");
    }
}
