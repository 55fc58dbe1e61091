//! How operations are timed, by the command line.

use super::host::Host;
use crate::host::Root;
use anyhow::{Result, bail};
use clap::Args;
use kemscope_schema::PlanKind;
use kemscope_schema::run::{RunMethod, TRIALS_AT_LEAST};

/// How operations are timed.
#[derive(Args, Clone, Debug, Default)]
pub struct MethodArgs {
    /// A first impression: five trials of about 50 ms, at least one call each, labelled quick
    #[arg(long)]
    pub quick: bool,

    /// Short trials until the 95 % interval of the mean is this narrow on either side, for example 0.5%:
    /// at least five, labelled adaptive
    #[arg(long, value_name = "PERCENT", value_parser = percent, conflicts_with = "quick")]
    pub precision: Option<f64>,

    /// With --precision: no operation gets more trials (default: 60)
    #[arg(long, value_name = "N", requires = "precision", conflicts_with = "quick",
          value_parser = clap::value_parser!(u64).range(TRIALS_AT_LEAST..=10_000))]
    pub max_trials: Option<u64>,

    /// With --precision: no operation gets another trial after so many seconds, once it has five
    /// (default: 60)
    #[arg(long, value_name = "SECONDS", requires = "precision", conflicts_with = "quick",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub budget: Option<u64>,

    /// Keep disturbed trials as they come, marked, instead of repeating them, and do not count them as a
    /// fault of the run: for trying things out on a busy machine
    #[arg(long)]
    pub keep_disturbed: bool,

    /// Say what would be timed, in which order and for how long, and do no more: nothing is recorded
    #[arg(long)]
    pub plan: bool,

    /// Do nothing on a host that is not fit to measure, and say what to mend
    #[arg(long)]
    pub strict: bool,
}

impl MethodArgs {
    /// How thoroughly.
    pub fn kind(&self) -> PlanKind {
        match (self.quick, self.precision) {
            (true, _) => PlanKind::Quick,
            (false, Some(_)) => PlanKind::Adaptive,
            (false, None) => PlanKind::Published,
        }
    }

    /// The choices that go with it.
    pub fn method(&self) -> RunMethod {
        RunMethod {
            precision: self.precision,
            max_trials: self.max_trials,
            budget_seconds: self.budget.map(|seconds| seconds as f64),
            keep_disturbed: self.keep_disturbed,
        }
    }

    /// With `--strict`, refuses a host that is not fit to measure on `cpu`.
    ///
    /// # Errors
    /// Lists what was found, and what to do about it.
    pub fn refuse_unfit_host(&self, cpu: Option<u32>) -> Result<()> {
        if !self.strict {
            return Ok(());
        }
        let findings = Host::look(&Root::system(), cpu)?.findings();
        if findings.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = findings
            .iter()
            .map(|f| format!("\n  ✗ {}: {}\n    → {}", f.check, f.message, f.remedy))
            .collect();
        bail!(
            "this host is not fit to measure (--strict):{}",
            lines.concat()
        );
    }
}

/// `0.5%` as a fraction.
pub(super) fn percent(text: &str) -> Result<f64, String> {
    let number = text
        .trim()
        .strip_suffix('%')
        .ok_or("write it with a per cent sign, for example 0.5%")?;
    match number.trim().parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 50.0 => Ok(value / 100.0),
        _ => Err("between 0% and 50%, for example 0.5%".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn precisions_are_per_cents() {
        assert_eq!(percent("0.5%"), Ok(0.005));
        assert_eq!(percent(" 2 % "), Ok(0.02));
        for wrong in ["0.5", "0%", "-1%", "60%", "NaN%", "x%", ""] {
            assert!(percent(wrong).is_err(), "{wrong}");
        }
    }
}
