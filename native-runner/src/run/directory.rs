//! A run directory that this process alone writes to.

use super::layout::{LOCK, LOG, MANIFEST};
use super::places::Places;
use super::private::Private;
use crate::files::{self, FileError, Place};
use crate::time;
use kemscope_schema::SCHEMA_VERSION;
use kemscope_schema::run::RunManifest;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A run directory, locked as long as the value lives.
#[derive(Debug)]
pub struct RunDirectory {
    root: PathBuf,
    places: Places,
    private: Private,
    log: File,
    _lock: File,
}

/// Why a run directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Its files.
    #[error(transparent)]
    File(FileError),
    /// Another runner has it.
    #[error(
        "another native-runner is at work in {0}: wait for it, or choose another folder with --runs"
    )]
    Locked(PathBuf),
    /// It is none.
    #[error("{0} is no run directory: it has no manifest.json")]
    NoRun(PathBuf),
    /// Its manifest is no manifest.
    #[error("{0}; begin a new run")]
    Damaged(String),
    /// It was written by another version of the program.
    #[error("{path}: schema version {found}, this program knows {SCHEMA_VERSION}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
}

impl From<FileError> for RunError {
    fn from(error: FileError) -> RunError {
        RunError::File(error.within(Place::Run))
    }
}

/// A record of a run directory.
#[derive(Clone, Debug, PartialEq)]
pub enum Found<T> {
    /// It is there.
    Record(T),
    /// It is not there yet.
    Nothing,
    /// It is no record. Files are never half-written, so somebody else spoilt it; it is to be made again.
    /// Holds a sentence that says which file and why.
    Damaged(String),
}

impl<T> Found<T> {
    /// The record, if there is a whole one.
    pub fn record(self) -> Option<T> {
        match self {
            Found::Record(record) => Some(record),
            Found::Nothing | Found::Damaged(_) => None,
        }
    }
}

impl RunDirectory {
    /// A new directory `<runs>/<system>-<UTC>`, with `-<suffix>` where there is one.
    pub fn create(
        runs: &Path,
        system: &str,
        suffix: Option<&str>,
    ) -> Result<RunDirectory, RunError> {
        let absolute = std::path::absolute(runs).map_err(|e| FileError::io("find", runs, e))?;
        files::create_folder(&absolute)?;
        let suffix = suffix.map_or(String::new(), |suffix| format!("-{suffix}"));
        let name = format!("{system}-{}{suffix}", time::now_compact());
        // Two runs may begin within a second.
        let mut root = absolute.join(&name);
        for number in 2..100 {
            match fs::create_dir(&root) {
                Ok(()) => {
                    let mut directory = RunDirectory::lock(root)?;
                    directory.private = Private::of_this_machine();
                    directory.private.write(&directory.root)?;
                    return Ok(directory);
                }
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {
                    root = absolute.join(format!("{name}-{number}"));
                }
                Err(e) => return Err(FileError::io("create", &root, e).into()),
            }
        }
        let taken = ErrorKind::AlreadyExists.into();
        Err(FileError::io("create", &root, taken).into())
    }

    /// An existing directory, to go on with.
    pub fn open(root: &Path) -> Result<(RunDirectory, RunManifest), RunError> {
        let root = std::path::absolute(root).map_err(|e| FileError::io("find", root, e))?;
        if !root.join(MANIFEST).is_file() {
            return Err(RunError::NoRun(root));
        }
        let mut directory = RunDirectory::lock(root)?;
        files::sweep(&directory.root)?;
        directory.private = Private::read(&directory.root)?;
        for (word, folder) in &directory.private.folders {
            directory.places.add(word, Path::new(folder));
        }
        let manifest = read_manifest(&directory.root, &directory.places)?;
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
            places: Places::of_this_process(&root),
            private: Private::default(),
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

    /// Has a folder of this machine stand as a word in all records: `{packages}`. To be told before the
    /// first record is written.
    pub fn keep_private(&mut self, word: &str, folder: &Path) -> Result<(), RunError> {
        self.places.add(word, folder);
        let folder = folder.display().to_string();
        self.private.folders.insert(word.to_owned(), folder);
        Ok(self.private.write(&self.root)?)
    }

    /// Writes the manifest.
    pub fn write_manifest(&self, manifest: &RunManifest) -> Result<(), RunError> {
        self.write(MANIFEST, manifest)
    }

    /// Writes a record, words for the folders of this machine.
    pub fn write<T: Serialize>(&self, relative: &str, value: &T) -> Result<(), RunError> {
        let path = self.file(relative);
        let text = files::json_text(&path, value)?;
        let hidden = self.places.hide(&text);
        Ok(files::write_atomic(&path, hidden.as_bytes())?)
    }

    /// Writes a log, words for the folders of this machine, and answers the SHA-256 of what was written.
    pub fn write_log(&self, relative: &str, bytes: &[u8]) -> Result<String, RunError> {
        let hidden = self.places.hide(&String::from_utf8_lossy(bytes));
        files::write_atomic(&self.file(relative), hidden.as_bytes())?;
        Ok(files::sha256_hex(hidden.as_bytes()))
    }

    /// Writes a file that is neither, as it is.
    pub fn write_bytes(&self, relative: &str, bytes: &[u8]) -> Result<(), RunError> {
        Ok(files::write_atomic(&self.file(relative), bytes)?)
    }

    /// Gives a file another name in the run directory.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), RunError> {
        let (from, to) = (self.file(from), self.file(to));
        Ok(fs::rename(&from, &to).map_err(|e| FileError::io("rename", &from, e))?)
    }

    /// Removes a file, if it is there.
    pub fn remove(&self, relative: &str) -> Result<(), RunError> {
        let path = self.file(relative);
        match fs::remove_file(&path) {
            Err(e) if e.kind() != ErrorKind::NotFound => {
                Err(FileError::io("remove", &path, e).into())
            }
            _ => Ok(()),
        }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// If there is a file that cannot be read, or one of another version of the contract: neither may be
    /// taken for missing and written over.
    pub fn read<T: DeserializeOwned>(&self, relative: &str) -> Result<Found<T>, RunError> {
        read_record(&self.file(relative), &self.places)
    }

    /// Appends a line to the log.
    pub fn log(&mut self, text: &str) -> Result<(), RunError> {
        let path = self.file(LOG);
        writeln!(self.log, "{} {text}", time::now_utc())
            .map_err(|e| FileError::io("write", &path, e).into())
    }
}

#[derive(Deserialize)]
struct VersionOnly {
    schema_version: u32,
}

fn read_record<T: DeserializeOwned>(path: &Path, places: &Places) -> Result<Found<T>, RunError> {
    let bytes = match files::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.is_not_found() => return Ok(Found::Nothing),
        Err(error) => return Err(error.into()),
    };
    // The version comes first: a record of another one may have another structure.
    let found = match serde_json::from_slice::<VersionOnly>(&bytes) {
        Ok(version) if version.schema_version != SCHEMA_VERSION => {
            return Err(RunError::Version {
                path: path.to_owned(),
                found: version.schema_version,
            });
        }
        Ok(_) => serde_json::from_str(&places.reveal_json(&String::from_utf8_lossy(&bytes))),
        Err(error) => Err(error),
    };
    Ok(match found {
        Ok(record) => Found::Record(record),
        Err(error) => Found::Damaged(format!("{}: {error}", path.display())),
    })
}

/// The manifest of a run directory.
pub(super) fn read_manifest(root: &Path, places: &Places) -> Result<RunManifest, RunError> {
    let path = root.join(MANIFEST);
    match read_record(&path, places)? {
        Found::Record(manifest) => Ok(manifest),
        Found::Nothing => Err(RunError::NoRun(root.to_owned())),
        Found::Damaged(message) => Err(RunError::Damaged(message)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::latest_unfinished;

    #[test]
    fn two_runners_exclude_each_other() {
        let runs = tempfile::tempdir().unwrap();
        let first = RunDirectory::create(runs.path(), "local", None).unwrap();
        files::write_atomic(&first.file(MANIFEST), b"{}").unwrap();
        let error = RunDirectory::open(first.path()).unwrap_err();
        assert!(matches!(error, RunError::Locked(_)), "{error}");
        let second = RunDirectory::create(runs.path(), "local", None).unwrap();
        assert_ne!(first.path(), second.path());
    }

    #[test]
    fn only_a_missing_or_damaged_record_is_made_again() {
        let runs = tempfile::tempdir().unwrap();
        let directory = RunDirectory::create(runs.path(), "local", None).unwrap();
        let read = || directory.read::<VersionOnly>("kat/x.json");
        assert!(matches!(read(), Ok(Found::Nothing)));
        directory.write_bytes("kat/x.json", b"{\"schema").unwrap();
        let Ok(Found::Damaged(message)) = read() else {
            panic!("it is damaged");
        };
        assert!(message.contains("x.json"), "{message}");
        let other = format!("{{\"schema_version\": {}}}", SCHEMA_VERSION + 1);
        directory
            .write_bytes("kat/x.json", other.as_bytes())
            .unwrap();
        assert!(matches!(read(), Err(RunError::Version { .. })));
        directory.remove("kat/x.json").unwrap();
        fs::create_dir(directory.file("kat/x.json")).unwrap();
        assert!(matches!(read(), Err(RunError::File(_))));
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
