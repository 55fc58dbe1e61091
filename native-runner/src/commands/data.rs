//! Where the data sets are, and which of them a subcommand is about.

use crate::store::DataFolder;
use anyhow::{Result, bail};
use clap::Args;
use kemscope_schema::SystemEntry;
use std::path::PathBuf;

/// Where the data sets are.
#[derive(Clone, Debug, Args)]
pub struct DataArgs {
    /// Folder of the data sets
    #[arg(long = "data", value_name = "DIR", default_value = "data")]
    pub path: PathBuf,
}

impl DataArgs {
    /// The folder.
    pub fn folder(&self) -> DataFolder {
        DataFolder::at(&self.path)
    }
}

/// The index entries of the systems named, or of all if none is.
///
/// # Errors
/// If there are no data sets, or a system is not among them.
pub fn selected_systems(data: &DataFolder, names: &[String]) -> Result<Vec<SystemEntry>> {
    let systems = data.systems()?;
    for name in names {
        if !systems.iter().any(|s| s.id == *name) {
            let known: Vec<&str> = systems.iter().map(|s| s.id.as_str()).collect();
            bail!(
                "no system {name} in {}; there are {}",
                data.root().display(),
                known.join(", ")
            );
        }
    }
    Ok(systems
        .into_iter()
        .filter(|s| names.is_empty() || names.contains(&s.id))
        .collect())
}
