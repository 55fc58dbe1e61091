//! `native-runner publish`: a run directory becomes a data set.

use super::data::DataArgs;
use crate::outcome::Outcome;
use crate::output;
use crate::publish;
use crate::run::Private;
use anyhow::{Context, Result, bail};
use clap::Args;
use kemscope_schema::run::RunStatus;
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
    /// Publish the host's name with the system: that of the machine that measured, or NAME. It is not
    /// published otherwise
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub host_name: Option<String>,
    /// Publish a run on an emulated processor, for the system of this name; its records stay marked emulated
    #[arg(long, value_name = "SYSTEM")]
    pub force_emulated: Option<String>,
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
    let host_name = host_name(args.host_name.as_deref(), &run)?;
    let options = publish::Options {
        label: args.label.as_deref(),
        host_name: host_name.as_deref(),
        force_emulated: args.force_emulated.as_deref(),
    };
    let published = publish::publish(&run, &data, options)?;
    for change in &published.changes {
        output::line(&change.to_string())?;
    }
    let well = published.instances.iter().all(|instance| {
        instance.kat.status.is_well() && instance.operations.iter().all(|o| o.failure.is_none())
    });
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

/// The host's name as it was asked for; that of the machine that measured is known to the run alone.
fn host_name(asked: Option<&str>, run: &Path) -> Result<Option<String>> {
    match asked {
        None => Ok(None),
        Some("") => match Private::read(run)?.host_name {
            Some(name) => Ok(Some(name)),
            None => bail!(
                "{} does not know the host's name; say it: --host-name=NAME",
                run.display()
            ),
        },
        Some(name) => Ok(Some(name.to_owned())),
    }
}

/// The complete run of all steps that was begun last. Damaged run directories are named and passed over.
fn newest(runs: &Path) -> Result<PathBuf> {
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    if runs.exists() {
        let entries =
            std::fs::read_dir(runs).with_context(|| format!("cannot read {}", runs.display()))?;
        for entry in entries {
            let entry = entry?;
            let path = entry.path();
            let unfinished = entry.file_name().to_string_lossy().starts_with('.');
            if unfinished || !path.join("manifest.json").exists() {
                continue;
            }
            match publish::raw::manifest(&path) {
                Err(error) => eprintln!("warning: passed over: {error:#}"),
                // A shard is a part: what is published without being named is the merged run.
                Ok(run)
                    if run.status == RunStatus::Complete
                        && publish::is_whole(&run)
                        && run.shard.is_none() =>
                {
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
