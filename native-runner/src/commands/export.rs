//! `native-runner export`: data sets as CSV or JSON.

use super::data::DataArgs;
use crate::files;
use crate::outcome::Outcome;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use kemscope_schema::{FamilyRecord, csv};
use std::io::Write;
use std::path::PathBuf;

/// Prints data sets, one row per operation.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// System to export; may be given several times, all systems without it
    #[arg(long)]
    pub system: Vec<String>,
    /// Family to export; may be given several times, all families without it
    #[arg(long)]
    pub family: Vec<String>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    pub format: Format,
    /// File to write to instead of standard output
    #[arg(long, short)]
    pub output: Option<PathBuf>,
    /// Where the data sets are
    #[command(flatten)]
    pub data: DataArgs,
}

/// Form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One row per operation, 27 columns, empty = unknown, shares as fractions
    Csv,
    /// The full family records as a JSON list
    Json,
}

/// Exports.
///
/// # Errors
/// If a system or family is not there, or a file is damaged.
pub fn run(args: &ExportArgs) -> Result<Outcome> {
    let records = select(args)?;
    let text = match args.format {
        Format::Csv => csv::write(&records.iter().flat_map(csv::rows).collect::<Vec<_>>())?,
        Format::Json => serde_json::to_string_pretty(&records)? + "\n",
    };
    match &args.output {
        Some(path) => files::write_atomic(path, text.as_bytes())?,
        None => print(&text)?,
    }
    Ok(Outcome::Well)
}

/// Prints; a reader that has seen enough (`head`) is no error.
fn print(text: &str) -> Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

fn select(args: &ExportArgs) -> Result<Vec<FamilyRecord>> {
    let data = args.data.folder();
    let entries = super::data::selected_systems(&data, &args.system)?;
    let mut records = Vec::new();
    for entry in &entries {
        for family in &entry.families {
            if args.family.is_empty() || args.family.contains(family) {
                records.push(data.family(&entry.id, family)?);
            }
        }
    }
    for family in &args.family {
        if !records.iter().any(|r| r.family.id == *family) {
            let known: Vec<&str> = entries
                .iter()
                .flat_map(|e| e.families.iter().map(String::as_str))
                .collect();
            bail!("no family {family}; there are {}", known.join(", "));
        }
    }
    Ok(records)
}
