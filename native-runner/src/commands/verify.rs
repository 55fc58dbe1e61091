//! `native-runner verify`: recomputes what is published, or about to be.

use super::data::{DataArgs, selected_systems};
use crate::outcome::Outcome;
use crate::output;
use crate::publish::raw;
use crate::store::DataFolder;
use crate::verify::{self, Report, harness, run_directory};
use anyhow::{Result, bail};
use clap::Args;
use kemscope_schema::Provenance;
use kemscope_schema::run::RunStatus;
use std::path::{Path, PathBuf};

/// Computes every digest from the files and every statistic from the raw trials again, validates every
/// file against the contract, and names each difference.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// What to verify instead of the data folder: another data folder, a system's folder in one, a run
    /// directory, or a folder with raw records of the public harness (its schema 2)
    #[arg(value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// System to verify; may be given several times, all systems without it
    #[arg(long, conflicts_with = "folders")]
    pub system: Vec<String>,
    /// Where the data sets are
    #[command(flatten)]
    pub data: DataArgs,
}

/// Verifies.
///
/// # Errors
/// If a system or folder is not there, holds nothing to verify, or an index cannot be read. What is wrong
/// with the data is printed.
pub fn run(args: &VerifyArgs) -> Result<Outcome> {
    let mut well = true;
    if args.folders.is_empty() {
        well &= systems(&args.data.folder(), &args.system)?;
    }
    for folder in &args.folders {
        well &= verify_folder(folder)?;
    }
    output::line(if well {
        "verified"
    } else {
        "verification failed"
    })?;
    Ok(Outcome::well_if(well))
}

/// Verifies what a folder turns out to be.
fn verify_folder(folder: &Path) -> Result<bool> {
    let has = |name: &str| folder.join(name).is_file();
    if has("manifest.json") {
        return run_of(folder);
    }
    if has("index.json") || has("index.local.json") {
        return systems(&DataFolder::at(folder), &[]);
    }
    if has("system.json") {
        let absolute = std::path::absolute(folder)?;
        if let (Some(data), Some(system)) = (absolute.parent(), absolute.file_name()) {
            let system = system.to_string_lossy().into_owned();
            return systems(&DataFolder::at(data), &[system]);
        }
    }
    let paths = if folder.is_dir() {
        harness::json_files(folder)?
    } else {
        bail!("{} is no folder", folder.display());
    };
    if paths.is_empty() {
        bail!(
            "{}: nothing to verify; a data folder (index.json), a system in one (system.json), a run directory (manifest.json) or a folder with raw records of the public harness was expected",
            folder.display()
        );
    }
    let report = harness::verify(folder, &paths);
    let absent = match report.absent {
        0 => String::new(),
        n => format!("; {n} libraries and logs that they name are not at hand"),
    };
    tell(
        &folder.display().to_string(),
        &report,
        &format!(
            "{} instances, {} records computed again from their trials, {} profiles from their ticks{absent}",
            report.instances, report.operations, report.profiles
        ),
    )
}

fn run_of(folder: &Path) -> Result<bool> {
    let manifest = raw::manifest(folder)?;
    let report = run_directory::verify(folder, &manifest);
    let unfinished = match manifest.status {
        RunStatus::Complete => "",
        RunStatus::Running | RunStatus::Interrupted => " (the run is not complete)",
    };
    tell(
        &format!("run {}", manifest.run),
        &report,
        &format!(
            "{} instances with {} operations computed from their raw trials{unfinished}",
            report.instances, report.operations
        ),
    )
}

fn systems(data: &DataFolder, names: &[String]) -> Result<bool> {
    let mut well = true;
    for entry in selected_systems(data, names)? {
        let report = verify::verify(data, &entry)?;
        let what = match entry.provenance {
            Provenance::Measured => format!(
                "{} instances with {} operations computed again from their raw trials",
                report.instances, report.operations
            ),
            Provenance::Imported => "imported figures, digests only".to_owned(),
        };
        well &= tell(&entry.id, &report, &what)?;
    }
    Ok(well)
}

/// Prints what was done and found; answers whether all is well.
fn tell(name: &str, report: &Report, what: &str) -> Result<bool> {
    output::line(&format!("{name}: {} files, {what}", report.files))?;
    for failure in &report.failures {
        output::line(&format!("FAILED {failure}"))?;
    }
    Ok(report.failures.is_empty())
}
