//! Files that are never seen half-written: temporary name, sync, rename.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file system said no.
    #[error("cannot {action} {path}: {cause}{}", hint(cause))]
    Io {
        /// `read`, `write` ….
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
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

impl FileError {
    /// An error of the file system while doing `action` with `path`.
    pub fn io(action: &'static str, path: &Path, cause: io::Error) -> FileError {
        FileError::Io {
            action,
            path: path.to_owned(),
            cause,
        }
    }
}

/// What to do about the commonest reasons.
fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            " (nothing was damaged: free some space, then go on with `native-runner run --resume`)"
        }
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            " (choose another folder with --runs, or KEMSCOPE_CACHE for the cache)"
        }
        _ => "",
    }
}

/// Writes a file under a temporary name in the same folder, syncs it and renames it, creating the
/// folder if need be. Readers see the old content or the new, never a part.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let fail = |cause| FileError::io("write", path, cause);
    let folder = parent(path);
    fs::create_dir_all(folder).map_err(fail)?;
    let mut temporary = tempfile::Builder::new()
        .prefix(".")
        .suffix(".tmp")
        .tempfile_in(folder)
        .map_err(fail)?;
    temporary.write_all(bytes).map_err(fail)?;
    temporary.as_file().sync_all().map_err(fail)?;
    set_plain_mode(temporary.as_file()).map_err(fail)?;
    temporary.persist(path).map_err(|e| fail(e.error))?;
    // The rename itself must reach the disk too.
    File::open(folder).and_then(|f| f.sync_all()).map_err(fail)
}

/// As [`write_atomic`], but leaves a file alone that already has this content.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    match fs::read(path) {
        Ok(present) if present == bytes => Ok(()),
        _ => write_atomic(path, bytes),
    }
}

/// Writes a value as indented JSON with a final line feed.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), FileError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|cause| FileError::Json {
        path: path.to_owned(),
        cause,
    })?;
    bytes.push(b'\n');
    write_atomic(path, &bytes)
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

/// Temporary files are private to their user; results are for everyone that the umask lets in.
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
    fn a_full_disk_says_how_to_go_on() {
        let error = FileError::io("write", Path::new("x"), io::ErrorKind::StorageFull.into());
        assert!(error.to_string().contains("run --resume"), "{error}");
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
