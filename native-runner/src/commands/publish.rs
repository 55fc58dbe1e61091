//! `native-runner publish`: a run directory becomes a data set.

use super::data::DataArgs;
use crate::outcome::Outcome;
use crate::output;
use crate::publish;
use anyhow::{Context, Result, bail};
use clap::Args;
use kemscope_schema::run::RunStatus;
use kemscope_schema::{Operation, format};
use std::path::{Path, PathBuf};

/// Publishes a complete run into the data folder: raw files, records, summary, index.
#[derive(Debug, Args)]
pub struct PublishArgs {
    /// The run directory; the newest one below --runs without it
    pub run: Option<PathBuf>,
    /// Folder of the run directories
    #[arg(long, default_value = "runs")]
    pub runs: PathBuf,
    /// What people call the system; kept from an earlier publication, else the processor's name
    #[arg(long)]
    pub label: Option<String>,
    /// Where the data sets are
    #[command(flatten)]
    pub data: DataArgs,
}

/// Publishes.
///
/// # Errors
/// If there is no complete run, or one of its files is damaged.
pub fn run(args: &PublishArgs) -> Result<Outcome> {
    let run = match &args.run {
        Some(run) => run.clone(),
        None => newest(&args.runs)?,
    };
    let data = args.data.folder();
    let published = publish::publish(&run, &data, args.label.as_deref())?;
    let mut well = true;
    for (family, instance) in &published.instances {
        let times: Vec<String> = Operation::ALL
            .into_iter()
            .map(|op| {
                let seconds = instance
                    .operation(op)
                    .and_then(|o| o.timing)
                    .and_then(|t| t.mean_seconds);
                match seconds {
                    Some(s) => format!("{op} {}", format::seconds(s.value)),
                    None => format!("{op} –"),
                }
            })
            .collect();
        let failed = instance.operations.iter().any(|o| o.failure.is_some());
        well &= instance.kat.status.is_well() && !failed;
        output::line(&format!(
            "{family}/{}: KAT {}, {}",
            instance.name,
            instance.kat.status,
            times.join(", ")
        ))?;
    }
    output::line(&format!(
        "published {} as system {} in {}",
        run.display(),
        published.system,
        data.root().display()
    ))?;
    if published.findings > 0 {
        output::line(&format!(
            "note: {} reasons why this host is not fit to measure stand in the records; `native-runner check` explains them",
            published.findings
        ))?;
    }
    Ok(Outcome::well_if(well))
}

/// The complete run of all steps that was begun last. Damaged run directories are named and passed over.
fn newest(runs: &Path) -> Result<PathBuf> {
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    if runs.exists() {
        let entries =
            std::fs::read_dir(runs).with_context(|| format!("cannot read {}", runs.display()))?;
        for entry in entries {
            let path = entry?.path();
            if !path.join("manifest.json").exists() {
                continue;
            }
            match publish::raw::manifest(&path) {
                Err(error) => eprintln!("warning: passed over: {error:#}"),
                Ok(run) if run.status == RunStatus::Complete && publish::is_whole(&run) => {
                    found.push((run.started_utc, path));
                }
                Ok(_) => {}
            }
        }
    }
    match found.into_iter().max() {
        Some((_, path)) => Ok(path),
        None => bail!(
            "no complete run in {}; make one with `native-runner run`, or name one",
            runs.display()
        ),
    }
}
