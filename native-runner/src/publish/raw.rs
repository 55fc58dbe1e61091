//! The raw files of one instance, from a run directory or from published evidence.

use crate::files;
use crate::run::Layout;
use crate::store::RawFile;
use anyhow::{Context, Result, bail};
use kemscope_schema::run::{
    BuildResult, Calibration, KatRun, MemoryRun, OperationRun, ProfileRun, RunInstance, RunManifest,
};
use kemscope_schema::{Operation, Validate, load};
use serde::de::DeserializeOwned;
use std::path::Path;

const MANIFEST: &str = "manifest.json";

/// The manifest of a run directory.
///
/// # Errors
/// If there is none, or it breaks the contract.
pub fn manifest(run: &Path) -> Result<RunManifest> {
    let path = run.join(MANIFEST);
    if !path.exists() {
        bail!(
            "{} is not a run directory (it has no {MANIFEST})",
            run.display()
        );
    }
    parse(&path, &files::read(&path)?)
}

fn parse<T: DeserializeOwned + Validate>(path: &Path, bytes: &[u8]) -> Result<T> {
    let text = std::str::from_utf8(bytes)
        .with_context(|| format!("{}: is damaged: not UTF-8", path.display()))?;
    load(&path.display().to_string(), text).map_err(Into::into)
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
    /// Their profiles, in page order.
    pub profiles: Vec<ProfileRun>,
    /// Stack and heap of its operations, where that was looked at.
    pub memory: Vec<MemoryRun>,
    /// The files behind all these with their logs, in the order of the evidence index.
    pub files: Vec<RawFile>,
}

impl RawInstance {
    /// Reads the raw files of an instance of the run `run` below `folder`: the run directory, or
    /// `raw/<run>` of a published system, which has the same layout.
    ///
    /// # Errors
    /// If a file is damaged or a log that a result names is missing.
    pub fn read(folder: &Path, run: &str, instance: &RunInstance) -> Result<RawInstance> {
        let mut reader = Reader {
            folder,
            prefix: format!("raw/{run}"),
            files: Vec::new(),
        };
        let layout = layout_in(folder, instance);
        let kat: Option<KatRun> = reader.take(&layout.kat())?;
        if let Some(log) = kat.as_ref().and_then(|kat| kat.log.as_ref()) {
            reader.log(log)?;
        }
        let mut operations = Vec::new();
        for operation in Operation::ALL {
            operations.extend(reader.take::<OperationRun>(&layout.record(operation))?);
        }
        let mut profiles = Vec::new();
        for operation in Operation::ALL {
            profiles.extend(reader.take::<ProfileRun>(&layout.profile(operation))?);
        }
        let mut memory = Vec::new();
        for operation in Operation::ALL {
            memory.extend(reader.take::<MemoryRun>(&layout.memory(operation))?);
        }
        let build: Option<BuildResult> = reader.take(&layout.build())?;
        if let Some(build) = &build {
            reader.log(&build.log)?;
        }
        for operation in Operation::ALL {
            reader.take::<Calibration>(&layout.calibration(operation))?;
        }
        reader.take::<RunManifest>(MANIFEST)?;
        Ok(RawInstance {
            build,
            kat,
            operations,
            profiles,
            memory,
            files: reader.files,
        })
    }
}

/// Where an instance's files lie below `folder`.
fn layout_in(folder: &Path, instance: &RunInstance) -> Layout {
    let (family, name) = (&instance.family.id, &instance.name);
    let earlier = Layout::of_one_implementation(family, name);
    if folder.join(earlier.build()).exists() {
        earlier
    } else {
        Layout::new(family, name, &instance.implementation)
    }
}

/// Reads files and keeps each as evidence.
struct Reader<'a> {
    folder: &'a Path,
    /// Where the files are kept, relative to the system's data folder.
    prefix: String,
    files: Vec<RawFile>,
}

impl Reader<'_> {
    /// A JSON file; `None` where it does not exist.
    fn take<T: DeserializeOwned + Validate>(&mut self, relative: &str) -> Result<Option<T>> {
        let path = self.folder.join(relative);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = files::read(&path)?;
        let value = parse(&path, &bytes)?;
        self.keep(relative, bytes);
        Ok(Some(value))
    }

    fn log(&mut self, relative: &str) -> Result<()> {
        let bytes = files::read(&self.folder.join(relative))?;
        self.keep(relative, bytes);
        Ok(())
    }

    fn keep(&mut self, relative: &str, bytes: Vec<u8>) {
        self.files.push(RawFile {
            path: format!("{}/{relative}", self.prefix),
            bytes,
        });
    }
}
