//! Run directories below a folder.

use super::directory::{RunError, read_manifest};
use super::places::Places;
use crate::files::{self, FileError};
use kemscope_schema::run::{RunManifest, RunStatus};
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Name of the file in a folder of runs that is locked while a run is looked for and begun.
const BEGIN_LOCK: &str = ".begin.lock";

/// The runs below a folder, in order of their paths. What cannot be read is no run that could be continued, and
/// what begins with a dot is not finished.
///
/// # Errors
/// If the folder cannot be read; none that is not there.
pub fn runs_below(runs: &Path) -> Result<Vec<(PathBuf, RunManifest)>, RunError> {
    let entries = match fs::read_dir(runs) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(FileError::io("read", runs, e).into()),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| FileError::io("read", runs, e))?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if let Ok(manifest) = read_manifest(&entry.path(), &Places::default()) {
            found.push((entry.path(), manifest));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(found)
}

/// The latest run below `runs` that is not complete.
pub fn latest_unfinished(runs: &Path) -> Result<Option<PathBuf>, RunError> {
    let unfinished = runs_below(runs)?
        .into_iter()
        .filter(|(_, manifest)| manifest.status != RunStatus::Complete);
    let latest = unfinished.max_by(|(_, a), (_, b)| a.started_utc.cmp(&b.started_utc));
    Ok(latest.map(|(root, _)| root))
}

/// Waits until no other runner looks for a run to begin below `runs`, and keeps others waiting as long as the
/// value lives. Creates the folder if need be.
///
/// # Errors
/// If it cannot be written to, or its file system knows no locks.
pub fn begin_alone(runs: &Path) -> Result<File, RunError> {
    files::create_folder(runs)?;
    let path = runs.join(BEGIN_LOCK);
    let lock = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .map_err(|e| FileError::io("open", &path, e))?;
    lock.lock().map_err(|e| FileError::io("lock", &path, e))?;
    Ok(lock)
}
