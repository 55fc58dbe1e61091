//! One operation of one instance on both sides.

use super::ratio::{self, Interval};
use super::side::{Entry, Side};
use kemscope_schema::run::OperationRun;
use kemscope_schema::summary::SummaryOperation;
use kemscope_schema::{CycleSource, Figure, KatStatus, Operation, PlanKind, derive};
use serde::Serialize;

/// Which figures are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Clock {
    /// Core cycles where both sides counted them by the hardware counter, otherwise seconds
    #[default]
    Auto,
    /// Cycles, where both sides counted them by the same source
    Cycles,
    /// Seconds; derived from core cycles and a fixed clock where none were measured
    Seconds,
}

/// The figure that was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "unit", content = "source")]
pub enum Measure {
    /// Cycles by a source.
    Cycles(CycleSource),
    /// Seconds as measured or printed.
    Seconds,
    /// Seconds, on one side at least derived from core cycles and a fixed clock.
    DerivedSeconds,
}

impl Measure {
    /// `cycles (perf)`, `seconds`, `seconds (derived)`.
    pub fn label(self) -> String {
        match self {
            Measure::Cycles(source) => format!("cycles ({})", source.name()),
            Measure::Seconds => "seconds".to_owned(),
            Measure::DerivedSeconds => "seconds (derived)".to_owned(),
        }
    }
}

/// What a ratio means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// B is slower, significantly and by more than the threshold.
    Regression,
    /// B is faster, significantly and by more than the threshold.
    Improvement,
    /// The difference is significant and within the threshold.
    Small,
    /// The trials do not tell a difference.
    Same,
    /// There is no interval, so significance is not known.
    Unknown,
}

/// One compared operation.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Identifier of the family.
    pub family: String,
    /// Name of the parameter set.
    pub instance: String,
    /// Variant on side A.
    pub variant_a: String,
    /// Variant on side B.
    pub variant_b: String,
    /// The operation.
    pub operation: Operation,
    /// What was compared.
    pub measure: Measure,
    /// Mean on side A, in cycles or seconds.
    pub a: f64,
    /// Mean on side B, in cycles or seconds.
    pub b: f64,
    /// B to A: above 1, B is slower.
    pub ratio: f64,
    /// What the trials say of its certainty.
    pub interval: Option<Interval>,
    /// Why there is no interval.
    pub no_interval: Option<String>,
    /// The p-value adjusted for the number of operations compared.
    pub adjusted_p_value: Option<f64>,
    /// What it means.
    pub verdict: Verdict,
    /// What makes a side doubtful: KAT not passed, quick, emulated, disturbed.
    pub marks: Vec<String>,
}

/// Compares an operation; the error says why it cannot be.
pub fn compare(
    operation: Operation,
    a: (&Side, &Entry),
    b: (&Side, &Entry),
    clock: Clock,
    confidence: f64,
) -> Result<Row, String> {
    let (figures_a, figures_b) = (
        Figures::of(operation, a, "A")?,
        Figures::of(operation, b, "B")?,
    );
    let measure = choose(clock, &figures_a, &figures_b)?;
    let (Some(mean_a), Some(mean_b)) = (figures_a.mean(measure), figures_b.mean(measure)) else {
        return Err(format!("no {} on both sides", measure.label()));
    };
    let trials = (figures_a.trials(measure), figures_b.trials(measure));
    let certain = match &trials {
        (Ok(a), Ok(b)) => {
            ratio::welch(a, b, confidence).ok_or_else(|| "fewer than two trials".to_owned())
        }
        (Err(why), _) => Err(format!("A: {why}")),
        (_, Err(why)) => Err(format!("B: {why}")),
    };
    let (ratio, interval, no_interval) = match certain {
        Ok((ratio, interval)) => (ratio, Some(interval), None),
        Err(why) => (mean_b.value / mean_a.value, None, Some(why)),
    };
    Ok(Row {
        family: a.1.family.clone(),
        instance: a.1.record.name.clone(),
        variant_a: a.1.record.implementation.variant.clone(),
        variant_b: b.1.record.implementation.variant.clone(),
        operation,
        measure,
        a: mean_a.value,
        b: mean_b.value,
        ratio,
        interval,
        no_interval,
        adjusted_p_value: None,
        verdict: Verdict::Unknown,
        marks: marks(operation, a.1, "A")
            .chain(marks(operation, b.1, "B"))
            .collect(),
    })
}

/// What is known of an operation on one side.
struct Figures<'a> {
    summary: SummaryOperation,
    run: Option<&'a OperationRun>,
    fixed_clock_hz: Option<Figure>,
}

impl<'a> Figures<'a> {
    fn of(
        operation: Operation,
        (side, entry): (&'a Side, &'a Entry),
        name: &str,
    ) -> Result<Figures<'a>, String> {
        let record = entry.record.operation(operation);
        let timed = record.filter(|record| record.timing.is_some());
        match timed {
            Some(record) => Ok(Figures {
                summary: SummaryOperation::of(record),
                run: entry.run(operation),
                fixed_clock_hz: side.fixed_clock_hz,
            }),
            None => {
                let failure = record.and_then(|record| record.failure.as_deref());
                Err(format!(
                    "{name} has no figure: {}",
                    failure.unwrap_or("not timed")
                ))
            }
        }
    }

    fn seconds(&self) -> Option<derive::Seconds> {
        derive::seconds(&self.summary, self.fixed_clock_hz)
    }

    fn source(&self) -> Option<CycleSource> {
        self.summary.mean_cycles.and(self.summary.cycle_source)
    }

    fn mean(&self, measure: Measure) -> Option<Figure> {
        match measure {
            Measure::Cycles(_) => self.summary.mean_cycles,
            Measure::Seconds | Measure::DerivedSeconds => Some(self.seconds()?.figure),
        }
    }

    /// The trial means; the error says why there are none.
    fn trials(&self, measure: Measure) -> Result<Vec<f64>, String> {
        let Some(run) = self.run else {
            let printed = self
                .mean(measure)
                .and_then(|figure| figure.significant_digits);
            return Err(if printed.is_some() {
                "a printed figure, its trials are not at hand".to_owned()
            } else {
                "its trials are not at hand".to_owned()
            });
        };
        let samples = run.trials.iter().map(|trial| {
            let calls = trial.measurements as f64;
            match measure {
                Measure::Cycles(_) => trial.cycles.map(|cycles| cycles as f64 / calls),
                Measure::Seconds | Measure::DerivedSeconds => Some(trial.seconds / calls),
            }
        });
        let means: Option<Vec<f64>> = samples.collect();
        means
            .filter(|means| means.iter().all(|mean| *mean > 0.0))
            .ok_or_else(|| "a trial without cycles".to_owned())
    }
}

/// What to compare. Cycles of two sources are two things and never compared.
fn choose(clock: Clock, a: &Figures<'_>, b: &Figures<'_>) -> Result<Measure, String> {
    let sources = (a.source(), b.source());
    let cycles = match sources {
        (Some(one), Some(other)) if one == other => Some(Measure::Cycles(one)),
        _ => None,
    };
    let seconds = match (a.seconds(), b.seconds()) {
        (Some(a), Some(b)) if a.derived || b.derived => Some(Measure::DerivedSeconds),
        (Some(_), Some(_)) => Some(Measure::Seconds),
        _ => None,
    };
    let chosen = match clock {
        Clock::Cycles => cycles,
        Clock::Seconds => seconds,
        // Other cycles than core cycles are another way to say seconds.
        Clock::Auto => cycles
            .filter(|measure| *measure == Measure::Cycles(CycleSource::Perf))
            .or(seconds)
            .or(cycles),
    };
    let name = |source: Option<CycleSource>| source.map_or("none", CycleSource::name);
    chosen.ok_or_else(|| match clock {
        Clock::Seconds => "no seconds on both sides".to_owned(),
        _ => format!(
            "cycles are of different sources (A {}, B {})",
            name(sources.0),
            name(sources.1)
        ),
    })
}

fn marks<'a>(
    operation: Operation,
    entry: &'a Entry,
    side: &'a str,
) -> impl Iterator<Item = String> + 'a {
    let kat = entry.record.kat.status;
    let timing = entry.record.operation(operation).and_then(|o| o.timing);
    let quick = timing.and_then(|t| t.plan) == Some(PlanKind::Quick);
    let disturbed = entry.run(operation).map_or(0, |run| {
        run.trials.iter().filter(|trial| trial.disturbed).count()
    });
    [
        (!kat.is_well() && kat != KatStatus::NotRun).then(|| format!("KAT {kat}")),
        quick.then(|| "quick".to_owned()),
        entry.emulated.then(|| "emulated".to_owned()),
        (disturbed > 0).then(|| format!("{disturbed} trials disturbed")),
    ]
    .into_iter()
    .flatten()
    .map(move |mark| format!("{side}: {mark}"))
}
