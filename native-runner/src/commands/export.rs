//! `native-runner export`: data sets as CSV or JSON.

use super::data::DataArgs;
use crate::files;
use crate::outcome::Outcome;
use crate::output;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use kemscope_schema::{FamilyRecord, csv};
use std::path::{Path, PathBuf};

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
    deliver(args.output.as_deref(), &text)?;
    Ok(Outcome::Well)
}

/// Writes a text to a file, or prints it where none was named.
///
/// # Errors
/// If it cannot be written.
pub fn deliver(output: Option<&Path>, text: &str) -> Result<()> {
    match output {
        Some(path) => write(path, text),
        None => output::print(text),
    }
}

/// Writes a file whole or not at all; what is no regular file (a pipe, a device) is written to as it is.
fn write(path: &Path, text: &str) -> Result<()> {
    let special = path.metadata().is_ok_and(|meta| !meta.is_file());
    if special {
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    } else {
        Ok(files::write_atomic(path, text.as_bytes())?)
    }
}

fn select(args: &ExportArgs) -> Result<Vec<FamilyRecord>> {
    let data = args.data.folder();
    let entries = super::data::selected_systems(&data, &args.system)?;
    let mut records = Vec::new();
    for entry in &entries {
        for family in &entry.families {
            if args.family.is_empty() || args.family.contains(family) {
                records.push(data.published_family(entry, family)?);
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
