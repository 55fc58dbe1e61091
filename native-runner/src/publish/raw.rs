//! The raw files of one instance, from a run directory or from published evidence.

use super::OPERATIONS;
use crate::files;
use crate::store::RawFile;
use anyhow::{Context, Result, bail};
use kemscope_schema::run::{BuildResult, KatRun, OperationRun, RunInstance, RunManifest};
use kemscope_schema::{CycleSource, Operation, SCHEMA_VERSION};
use serde::de::DeserializeOwned;
use std::path::Path;

/// The manifest of a run directory.
///
/// # Errors
/// If there is none or it is of another schema version.
pub fn manifest(run: &Path) -> Result<RunManifest> {
    let path = run.join("manifest.json");
    if !path.exists() {
        bail!(
            "{} is not a run directory (it has no manifest.json)",
            run.display()
        );
    }
    let manifest: RunManifest = files::read_json(&path)?;
    if manifest.schema_version != SCHEMA_VERSION {
        bail!(
            "{}: schema_version is {}, this program reads version {SCHEMA_VERSION}",
            path.display(),
            manifest.schema_version
        );
    }
    Ok(manifest)
}

/// Everything raw that is known of an instance.
#[derive(Clone, Debug)]
pub struct RawInstance {
    /// How its library was built, where it was tried.
    pub build: Option<BuildResult>,
    /// Its known-answer test, where it was run.
    pub kat: Option<KatRun>,
    /// Its operations, in page order.
    pub operations: Vec<OperationRun>,
    /// The files behind all these with their logs, in the order of the evidence index.
    pub files: Vec<RawFile>,
}

/// Prefix of raw files in a system's data folder.
const RAW: &str = "raw";

impl RawInstance {
    /// Reads the raw files of an instance below `folder`: a run directory, or the `raw` folder of a
    /// published system, which has the same layout.
    ///
    /// # Errors
    /// If a file is damaged or a log that a result names is missing.
    pub fn read(folder: &Path, instance: &RunInstance) -> Result<RawInstance> {
        let family = &instance.family.id;
        let name = &instance.name;
        let mut raw = RawInstance {
            build: None,
            kat: None,
            operations: Vec::new(),
            files: Vec::new(),
        };
        raw.kat = raw.take(folder, &format!("kat/{family}/{name}.json"))?;
        if let Some(log) = raw.kat.as_ref().and_then(|kat| kat.log.clone()) {
            raw.take_log(folder, &log)?;
        }
        for operation in OPERATIONS {
            let path = format!("records/{family}/{name}__{operation}.json");
            if let Some(record) = raw.take::<OperationRun>(folder, &path)? {
                raw.operations.push(record);
            }
        }
        raw.build = raw.take(folder, &format!("build/{family}/{name}.json"))?;
        if let Some(log) = raw.build.as_ref().map(|build| build.log.clone()) {
            raw.take_log(folder, &log)?;
        }
        Ok(raw)
    }

    /// What counted the cycles of its trials.
    pub fn cycle_source(&self) -> Option<CycleSource> {
        self.operations
            .iter()
            .flat_map(|o| &o.trials)
            .find_map(|t| t.cycle_source)
    }

    /// The record of an operation.
    pub fn operation(&self, operation: Operation) -> Option<&OperationRun> {
        self.operations.iter().find(|o| o.operation == operation)
    }

    /// Reads a JSON file and keeps it as evidence; `None` where it does not exist.
    fn take<T: DeserializeOwned>(&mut self, folder: &Path, relative: &str) -> Result<Option<T>> {
        let path = folder.join(relative);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = files::read(&path)?;
        let value = serde_json::from_slice(&bytes)
            .with_context(|| format!("{}: is damaged", path.display()))?;
        self.keep(relative, bytes);
        Ok(Some(value))
    }

    fn take_log(&mut self, folder: &Path, relative: &str) -> Result<()> {
        let bytes = files::read(&folder.join(relative))?;
        self.keep(relative, bytes);
        Ok(())
    }

    fn keep(&mut self, relative: &str, bytes: Vec<u8>) {
        self.files.push(RawFile {
            path: format!("{RAW}/{relative}"),
            bytes,
        });
    }
}
