//! Files that are never seen half-written: temporary name, sync, rename.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file system said no.
    #[error("cannot {action} {path}: {cause}{}", place.hint(cause))]
    Io {
        /// `read`, `write` ….
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
        /// What the file belongs to.
        place: Place,
    },
    /// The file is not the JSON that it should be.
    #[error("{path}: {cause}")]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        cause: serde_json::Error,
    },
}

/// What a file belongs to: it decides what can be done about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The data sets.
    Data,
    /// A run directory.
    Run,
    /// What can be fetched and built again.
    Cache,
}

impl FileError {
    /// An error of the file system while doing `action` with `path`, a file of the data sets unless
    /// [`FileError::within`] says otherwise.
    pub fn io(action: &'static str, path: &Path, cause: io::Error) -> FileError {
        FileError::Io {
            action,
            path: path.to_owned(),
            cause,
            place: Place::Data,
        }
    }

    /// The same error of a file of another place.
    pub fn within(mut self, belongs_to: Place) -> FileError {
        if let FileError::Io { place, .. } = &mut self {
            *place = belongs_to;
        }
        self
    }

    /// Whether it says that there is no such file.
    pub fn is_not_found(&self) -> bool {
        matches!(self, FileError::Io { cause, .. } if cause.kind() == io::ErrorKind::NotFound)
    }
}

impl Place {
    /// What to do about the commonest reasons.
    fn hint(self, error: &io::Error) -> &'static str {
        use io::ErrorKind::{
            PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull, Unsupported,
        };
        match (error.kind(), self) {
            (Unsupported, Place::Run) => {
                " (the file system knows no locks: choose a folder of another one with --runs)"
            }
            (StorageFull | QuotaExceeded, Place::Run) => {
                " (nothing was damaged: free some space, then go on with `native-runner run --resume`)"
            }
            (StorageFull | QuotaExceeded, Place::Cache) => {
                " (free some space, or choose another cache by KEMSCOPE_CACHE)"
            }
            (StorageFull | QuotaExceeded, Place::Data) => {
                " (nothing was damaged: free some space and try again)"
            }
            (ReadOnlyFilesystem | PermissionDenied, Place::Run) => {
                " (choose another folder with --runs)"
            }
            (ReadOnlyFilesystem | PermissionDenied, Place::Cache) => {
                " (choose another cache by KEMSCOPE_CACHE)"
            }
            (ReadOnlyFilesystem | PermissionDenied, Place::Data) => {
                " (choose another folder with --data)"
            }
            _ => "",
        }
    }
}

/// Creates a folder with those above it, and lets them reach the disk: a synced file in a folder that a
/// power cut takes away is lost too.
pub fn create_folder(folder: &Path) -> Result<(), FileError> {
    let missing: Vec<&Path> = folder
        .ancestors()
        .take_while(|path| !path.as_os_str().is_empty() && !path.exists())
        .collect();
    fs::create_dir_all(folder).map_err(|e| FileError::io("create", folder, e))?;
    for created in missing {
        let above = parent(created);
        sync_folder(above).map_err(|e| FileError::io("write", above, e))?;
    }
    Ok(())
}

/// Lets the names in a folder reach the disk.
///
/// # Errors
/// If it cannot be opened or written.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Writes a file under a temporary name in the same folder, syncs it and renames it, creating the
/// folder if need be. Readers see the old content or the new, never a part.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let fail = |cause| FileError::io("write", path, cause);
    let folder = parent(path);
    create_folder(folder)?;
    let mut temporary = unfinished(folder).map_err(fail)?;
    temporary.write_all(bytes).map_err(fail)?;
    finish(temporary, path)
}

/// A file in `folder` that has no name yet that anybody would look for; it vanishes unless it is
/// [finished](finish).
pub fn unfinished(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(".")
        .suffix(".tmp")
        .tempfile_in(folder)
}

/// Removes the [unfinished] files that a killed program left in a folder and those below. To be called only while
/// nobody else writes there.
pub fn sweep(folder: &Path) -> Result<(), FileError> {
    let fail = |cause| FileError::io("read", folder, cause);
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let kind = entry.file_type().map_err(fail)?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if kind.is_dir() {
            sweep(&entry.path())?;
        } else if kind.is_file() && name.starts_with('.') && name.ends_with(".tmp") {
            let path = entry.path();
            fs::remove_file(&path).map_err(|e| FileError::io("remove", &path, e))?;
        }
    }
    Ok(())
}

/// Syncs an [unfinished] file and gives it its name.
pub fn finish(temporary: NamedTempFile, path: &Path) -> Result<(), FileError> {
    let fail = |cause| FileError::io("write", path, cause);
    temporary.as_file().sync_all().map_err(fail)?;
    set_plain_mode(temporary.as_file()).map_err(fail)?;
    temporary.persist(path).map_err(|e| fail(e.error))?;
    // The rename itself must reach the disk too.
    sync_folder(parent(path)).map_err(fail)
}

/// As [`write_atomic`], but leaves a file alone that already has this content.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    match fs::read(path) {
        Ok(present) if present == bytes => Ok(()),
        _ => write_atomic(path, bytes),
    }
}

/// A value as indented JSON with a final line feed. `path` is the file it is for, for the error.
pub fn json_text<T: Serialize>(path: &Path, value: &T) -> Result<String, FileError> {
    let text = serde_json::to_string_pretty(value).map_err(|cause| FileError::Json {
        path: path.to_owned(),
        cause,
    })?;
    Ok(text + "\n")
}

/// Writes a value as indented JSON with a final line feed.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), FileError> {
    write_atomic(path, json_text(path, value)?.as_bytes())
}

/// Reads a JSON file.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, FileError> {
    let bytes = read(path)?;
    serde_json::from_slice(&bytes).map_err(|cause| FileError::Json {
        path: path.to_owned(),
        cause,
    })
}

/// Reads a whole file.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(|cause| FileError::io("read", path, cause))
}

/// SHA-256 of bytes as 64 lower-case hex digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Temporary files are private to their user; results can be read by everyone, whatever the umask says:
/// figures are no secrets, and web servers run as somebody else.
fn set_plain_mode(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_a_file_and_leaves_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ä b").join("x.json");
        write_json(&path, &vec![1, 2]).unwrap();
        write_json(&path, &vec![3]).unwrap();
        assert_eq!(read_json::<Vec<i32>>(&path).unwrap(), [3]);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn what_a_killed_program_left_is_swept_away() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("a/b");
        fs::create_dir_all(&below).unwrap();
        let left = unfinished(&below).unwrap().keep().unwrap().1;
        write_atomic(&below.join("x.json"), b"{}").unwrap();
        fs::write(below.join(".lock"), b"").unwrap();
        sweep(folder.path()).unwrap();
        assert!(!left.exists());
        assert!(below.join("x.json").exists() && below.join(".lock").exists());
    }

    #[test]
    fn what_to_do_depends_on_what_was_written() {
        let said = |kind: io::ErrorKind, place| {
            let error = FileError::io("write", Path::new("x"), kind.into());
            error.within(place).to_string()
        };
        let (full, denied) = (io::ErrorKind::StorageFull, io::ErrorKind::PermissionDenied);
        assert!(said(full, Place::Run).contains("run --resume"));
        assert!(!said(full, Place::Data).contains("--resume"));
        assert!(said(denied, Place::Run).contains("--runs"));
        assert!(said(denied, Place::Cache).contains("KEMSCOPE_CACHE"));
        assert!(said(denied, Place::Data).contains("--data"));
    }

    #[test]
    fn json_errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut.json");
        write_atomic(&path, b"[1,").unwrap();
        let error = read_json::<Vec<i32>>(&path).unwrap_err();
        assert!(error.to_string().contains("cut.json"), "{error}");
    }
}
