//! A run directory that this process alone writes to.

use super::layout::{LOCK, LOG, MANIFEST};
use crate::files::{self, FileError};
use crate::time;
use kemscope_schema::SCHEMA_VERSION;
use kemscope_schema::run::{RunManifest, RunStatus};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A run directory, locked as long as the value lives.
#[derive(Debug)]
pub struct RunDirectory {
    root: PathBuf,
    log: File,
    _lock: File,
}

/// Why a run directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Its files.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another runner has it.
    #[error(
        "another native-runner is at work in {0}: wait for it, or choose another folder with --runs"
    )]
    Locked(PathBuf),
    /// It is none.
    #[error("{0} is no run directory: it has no manifest.json")]
    NoRun(PathBuf),
    /// It was written by a newer program.
    #[error("{path}: schema version {found}, this program knows {SCHEMA_VERSION}")]
    Version {
        /// The manifest.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
}

impl RunDirectory {
    /// A new directory `<runs>/<system>-<UTC>`.
    pub fn create(runs: &Path, system: &str) -> Result<RunDirectory, RunError> {
        let absolute = std::path::absolute(runs).map_err(|e| FileError::io("find", runs, e))?;
        fs::create_dir_all(&absolute).map_err(|e| FileError::io("create", &absolute, e))?;
        let name = format!("{system}-{}", time::now_compact());
        // Two runs may begin within a second.
        let mut root = absolute.join(&name);
        for number in 2..100 {
            match fs::create_dir(&root) {
                Ok(()) => return RunDirectory::lock(root),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
                    root = absolute.join(format!("{name}-{number}"));
                }
                Err(e) => return Err(FileError::io("create", &root, e).into()),
            }
        }
        let taken = std::io::ErrorKind::AlreadyExists.into();
        Err(FileError::io("create", &root, taken).into())
    }

    /// An existing directory, to go on with.
    pub fn open(root: &Path) -> Result<(RunDirectory, RunManifest), RunError> {
        let root = std::path::absolute(root).map_err(|e| FileError::io("find", root, e))?;
        if !root.join(MANIFEST).is_file() {
            return Err(RunError::NoRun(root));
        }
        let directory = RunDirectory::lock(root)?;
        let manifest = read_manifest(&directory.root)?;
        Ok((directory, manifest))
    }

    fn lock(root: PathBuf) -> Result<RunDirectory, RunError> {
        let path = root.join(LOCK);
        let lock = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|e| FileError::io("open", &path, e))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RunError::Locked(root)),
            Err(TryLockError::Error(e)) => return Err(FileError::io("lock", &path, e).into()),
        }
        let path = root.join(LOG);
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|e| FileError::io("open", &path, e))?;
        Ok(RunDirectory {
            root,
            log,
            _lock: lock,
        })
    }

    /// Its absolute path.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// Its name: that of the run.
    pub fn name(&self) -> String {
        let name = self.root.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Absolute path of a file in it.
    pub fn file(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Writes the manifest.
    pub fn write_manifest(&self, manifest: &RunManifest) -> Result<(), FileError> {
        files::write_json(&self.file(MANIFEST), manifest)
    }

    /// Writes a record.
    pub fn write<T: Serialize>(&self, relative: &str, value: &T) -> Result<(), FileError> {
        files::write_json(&self.file(relative), value)
    }

    /// Reads a record, if it is there. One that cannot be read counts as not there: files are never
    /// half-written, so somebody else spoilt it, and it is made again.
    pub fn read<T: DeserializeOwned>(&self, relative: &str) -> Option<T> {
        files::read_json(&self.file(relative)).ok()
    }

    /// Appends a line to the log.
    pub fn log(&mut self, text: &str) -> Result<(), FileError> {
        let path = self.file(LOG);
        writeln!(self.log, "{} {text}", time::now_utc())
            .map_err(|e| FileError::io("write", &path, e))
    }
}

fn read_manifest(root: &Path) -> Result<RunManifest, RunError> {
    let path = root.join(MANIFEST);
    let manifest: RunManifest = files::read_json(&path)?;
    if manifest.schema_version != SCHEMA_VERSION {
        return Err(RunError::Version {
            path,
            found: manifest.schema_version,
        });
    }
    Ok(manifest)
}

/// The latest run below `runs` that is not complete.
pub fn latest_unfinished(runs: &Path) -> Result<Option<PathBuf>, RunError> {
    let entries = match fs::read_dir(runs) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(FileError::io("read", runs, e).into()),
    };
    let mut latest: Option<(String, PathBuf)> = None;
    for entry in entries {
        let root = entry.map_err(|e| FileError::io("read", runs, e))?.path();
        // What cannot be read is no run that could be continued.
        let Ok(manifest) = read_manifest(&root) else {
            continue;
        };
        let newer = latest
            .as_ref()
            .is_none_or(|(time, _)| *time < manifest.started_utc);
        if manifest.status != RunStatus::Complete && newer {
            latest = Some((manifest.started_utc, root));
        }
    }
    Ok(latest.map(|(_, root)| root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_runners_exclude_each_other() {
        let runs = tempfile::tempdir().unwrap();
        let first = RunDirectory::create(runs.path(), "local").unwrap();
        files::write_atomic(&first.file(MANIFEST), b"{}").unwrap();
        let error = RunDirectory::open(first.path()).unwrap_err();
        assert!(matches!(error, RunError::Locked(_)), "{error}");
        let second = RunDirectory::create(runs.path(), "local").unwrap();
        assert_ne!(first.path(), second.path());
    }

    #[test]
    fn a_folder_without_manifest_is_no_run() {
        let folder = tempfile::tempdir().unwrap();
        let error = RunDirectory::open(folder.path()).unwrap_err();
        assert!(error.to_string().contains("no run directory"), "{error}");
        assert_eq!(latest_unfinished(folder.path()).unwrap(), None);
        assert_eq!(
            latest_unfinished(&folder.path().join("none")).unwrap(),
            None
        );
    }
}
