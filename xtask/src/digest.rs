//! Digests of input files: what decides whether a step has anything to do.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// All files below a folder in sorted order; the path itself where it is a file, nothing where it does not exist.
///
/// # Errors
/// When a folder cannot be read.
pub fn files(path: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = Vec::new();
    if path.is_dir() {
        folders.push(path.to_owned());
    } else if path.exists() {
        found.push(path.to_owned());
    }
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder)
            .with_context(|| format!("cannot read folder {}", folder.display()))?;
        for entry in entries {
            let entry = entry
                .with_context(|| format!("cannot read folder {}", folder.display()))?
                .path();
            if entry.is_dir() {
                folders.push(entry);
            } else {
                found.push(entry);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// SHA-256 over names and contents of all files below `root` that `paths` cover, as hex digits.
///
/// # Errors
/// When a file cannot be read.
pub fn of_files(root: &Path, paths: &[&str]) -> Result<String> {
    let mut hash = Sha256::new();
    for path in paths {
        for file in files(&root.join(path))? {
            let content =
                fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let name = file
                .strip_prefix(root)
                .unwrap_or(&file)
                .to_string_lossy()
                .into_owned();
            for part in [name.as_bytes(), &content] {
                hash.update((part.len() as u64).to_le_bytes());
                hash.update(part);
            }
        }
    }
    Ok(hex(&hash.finalize()))
}

/// SHA-256 of bytes as hex digits.
pub fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes
        .iter()
        .fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_names_and_borders_count() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            fs::create_dir_all(dir.path().join(name).parent().unwrap()).unwrap();
            fs::write(dir.path().join(name), text).unwrap();
        };
        write("a/one", "12");
        write("a/two", "3");
        let first = of_files(dir.path(), &["a", "missing"]).unwrap();
        assert_eq!(first, of_files(dir.path(), &["a"]).unwrap());
        write("a/one", "1");
        write("a/two", "23");
        assert_ne!(first, of_files(dir.path(), &["a"]).unwrap());
    }

    #[test]
    fn known_digest() {
        assert!(of_bytes(b"abc").starts_with("ba7816bf8f01cfea"));
    }
}
