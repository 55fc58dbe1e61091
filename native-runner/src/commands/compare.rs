//! `native-runner compare`: two systems, runs or variants against each other.

use super::data::DataArgs;
use super::export;
use crate::compare::{Clock, Comparison, Settings, Side, Verdict, render, variants};
use crate::outcome::Outcome;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use kemscope_schema::Operation;
use std::path::PathBuf;

/// Compares two systems, two runs, or two variants of one: the ratio of each operation with its interval,
/// largest effect first.
///
/// Exits with 1 if B is slower than A, significantly and by more than the threshold, in any operation.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// What B is set against: a system of the data folder, a system's folder, or a run directory
    pub a: String,
    /// The other one; left out with --variants
    #[arg(required_unless_present = "variants", conflicts_with = "variants")]
    pub b: Option<String>,
    /// Compare two variants of A, the first being what the second is set against, for example clean,avx2
    #[arg(long, value_name = "A,B")]
    pub variants: Option<String>,
    /// Only this family; may be given several times
    #[arg(long, value_name = "ID")]
    pub family: Vec<String>,
    /// Only this operation; may be given several times
    #[arg(long, value_parser = operation)]
    pub operation: Vec<Operation>,
    /// Which figures are compared
    #[arg(long, value_enum, default_value_t)]
    pub clock: Clock,
    /// Relative difference up to which a ratio is of no interest
    #[arg(long, default_value = "5%", value_parser = percent)]
    pub threshold: f64,
    /// Confidence of the intervals
    #[arg(long, default_value = "95%", value_parser = confidence)]
    pub confidence: f64,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// File to write to instead of standard output
    #[arg(long, short)]
    pub output: Option<PathBuf>,
    /// Where the data sets are
    #[command(flatten)]
    pub data: DataArgs,
}

/// Form of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for the terminal
    Text,
    /// A table in Markdown
    Md,
    /// One row per operation, empty = unknown
    Csv,
    /// Everything
    Json,
}

/// Compares.
///
/// # Errors
/// If a side is not there, files are damaged, or the sides have no operation in common.
pub fn run(args: &CompareArgs) -> Result<Outcome> {
    let data = args.data.folder();
    let first = Side::find(&args.a, &data)?;
    let (a, b) = match (&args.b, &args.variants) {
        (Some(b), _) => (first, Side::find(b, &data)?),
        (None, Some(names)) => two_variants(&first, names)?,
        (None, None) => bail!("name what {} is to be compared with", args.a),
    };
    let settings = Settings {
        clock: args.clock,
        confidence: args.confidence,
        threshold: args.threshold,
        families: args.family.clone(),
        operations: args.operation.clone(),
    };
    let comparison = Comparison::of(&a, &b, &settings);
    if comparison.rows.is_empty() {
        let why = comparison.left_out.first();
        bail!(
            "{} and {} have no operation that can be compared{}",
            a.name,
            b.name,
            why.map_or_else(String::new, |why| format!(" (for example {why})"))
        );
    }
    let text = match args.format {
        Format::Text => render::text(&comparison),
        Format::Md => render::markdown(&comparison),
        Format::Csv => render::csv(&comparison)?,
        Format::Json => render::json(&comparison)?,
    };
    export::deliver(args.output.as_deref(), &text)?;
    Ok(Outcome::well_if(comparison.count(Verdict::Regression) == 0))
}

fn two_variants(side: &Side, names: &str) -> Result<(Side, Side)> {
    let Some((a, b)) = names.split_once(',') else {
        bail!("--variants {names}: two variants were expected, for example clean,avx2");
    };
    let mut known: Vec<&str> = side
        .entries
        .iter()
        .map(|entry| entry.record.implementation.variant.as_str())
        .collect();
    known.sort_unstable();
    known.dedup();
    for name in [a, b] {
        if !known.contains(&name) {
            bail!(
                "{} has no variant {name}; there are {}",
                side.name,
                known.join(", ")
            );
        }
    }
    Ok(variants(side, a, b))
}

fn operation(word: &str) -> Result<Operation, String> {
    Operation::from_name(word).ok_or_else(|| "keygen, enc or dec was expected".to_owned())
}

/// `5%` or `5` as 0.05.
fn percent(word: &str) -> Result<f64, String> {
    let number = word.trim().trim_end_matches('%').trim_end();
    match number.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value / 100.0),
        _ => Err("a percentage like 5% was expected".to_owned()),
    }
}

fn confidence(word: &str) -> Result<f64, String> {
    match percent(word)? {
        value if (0.5..1.0).contains(&value) => Ok(value),
        _ => Err("a percentage from 50% to below 100% was expected".to_owned()),
    }
}
