//! A change of a system that is made whole or not at all, whenever the program may be killed.
//!
//! Several files make a system, and no file system renames several at once. So a change is first put
//! together beside the system (`.pending-<system>/files/…`), and only when all of it is on the disk does
//! `commit.json` say so. Killed before that, the system is what it was and the leftovers are thrown away; killed
//! afterwards, whoever locks the folder next finishes the change, which can be done any number of times.

use super::DataFolder;
use crate::files::{self, FileError};
use anyhow::{Context, Result};
use kemscope_schema::SystemEntry;
use kemscope_schema::identifier::is_identifier;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const PREFIX: &str = ".pending-";
const COMMIT: &str = "commit.json";
const FILES: &str = "files";

/// What is to be done once the new files are on the disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Commit {
    /// The new files, relative to the system's folder.
    files: Vec<String>,
    /// Folders and files of the system that go, relative to its folder.
    removed: Vec<String>,
    /// The index entry that vouches for the result.
    entry: SystemEntry,
}

/// A change that is being put together.
#[derive(Debug)]
pub struct Pending<'a> {
    data: &'a DataFolder,
    system: String,
    folder: PathBuf,
    files: Vec<String>,
}

impl<'a> Pending<'a> {
    /// An empty change of a system. The caller holds the folder's lock.
    pub fn begin(data: &'a DataFolder, system: &str) -> Result<Pending<'a>> {
        let folder = folder_of(data, system);
        remove(&folder)?;
        files::create_folder(&folder)?;
        Ok(Pending {
            data,
            system: system.to_owned(),
            folder,
            files: Vec::new(),
        })
    }

    /// Adds a file, unless the system has it with this very content.
    pub fn put(&mut self, relative: &str, bytes: &[u8]) -> Result<(), FileError> {
        let present = self.data.root().join(&self.system).join(relative);
        if fs::read(&present).is_ok_and(|present| present == bytes) {
            return Ok(());
        }
        files::write_atomic(&self.folder.join(FILES).join(relative), bytes)?;
        self.files.push(relative.to_owned());
        Ok(())
    }

    /// Makes the change. `removed` are folders and files of the system that go.
    pub fn commit(self, entry: SystemEntry, removed: Vec<String>) -> Result<()> {
        self.decide(entry, removed)?;
        finish(self.data, &self.system)
    }

    /// From here on the change will be made, now or by the next who locks the folder.
    fn decide(&self, entry: SystemEntry, removed: Vec<String>) -> Result<(), FileError> {
        let commit = Commit {
            files: self.files.clone(),
            removed,
            entry,
        };
        files::write_json(&self.folder.join(COMMIT), &commit)
    }
}

fn folder_of(data: &DataFolder, system: &str) -> PathBuf {
    data.root().join(format!("{PREFIX}{system}"))
}

/// The systems with a change that was decided on and is not finished.
pub fn unfinished(data: &DataFolder) -> Result<Vec<String>> {
    let all = leftovers(data)?;
    let decided = |system: &String| folder_of(data, system).join(COMMIT).exists();
    Ok(all.into_iter().filter(decided).collect())
}

/// Finishes what was decided on, and throws away what was not. Answers the systems that were finished. The
/// caller holds the folder's lock.
pub fn mend(data: &DataFolder) -> Result<Vec<String>> {
    let finished = unfinished(data)?;
    for system in leftovers(data)? {
        if finished.contains(&system) {
            finish(data, &system)?;
        } else {
            remove(&folder_of(data, &system))?;
        }
    }
    Ok(finished)
}

fn leftovers(data: &DataFolder) -> Result<Vec<String>> {
    let fail = || format!("cannot read {}", data.root().display());
    let entries = match fs::read_dir(data.root()) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(fail)?,
    };
    let mut systems = Vec::new();
    for entry in entries {
        let name = entry.with_context(fail)?.file_name();
        let system = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        systems.extend(system.filter(|name| is_identifier(name)).map(str::to_owned));
    }
    systems.sort();
    Ok(systems)
}

/// Makes a change that was decided on; what an earlier try did is not done again.
fn finish(data: &DataFolder, system: &str) -> Result<()> {
    let pending = folder_of(data, system);
    let commit: Commit = files::read_json(&pending.join(COMMIT))?;
    let folder = data.root().join(system);
    for relative in &commit.files {
        let to = folder.join(relative);
        let above = to.parent().unwrap_or(&folder);
        files::create_folder(above)?;
        let io = |e| FileError::io("write", &to, e);
        match fs::rename(pending.join(FILES).join(relative), &to) {
            Err(e) if e.kind() == ErrorKind::NotFound && to.exists() => {}
            renamed => renamed.map_err(io)?,
        }
        File::open(above).and_then(|f| f.sync_all()).map_err(io)?;
    }
    data.replace_entry(commit.entry)?;
    for relative in &commit.removed {
        remove(&folder.join(relative))?;
    }
    remove(&pending)
}

/// Removes a file or folder, if it is there.
fn remove(path: &Path) -> Result<()> {
    let removed = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    match removed {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(FileError::io("remove", path, e).into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::sha256_hex;
    use kemscope_schema::{FileEntry, Provenance};

    const NAMES: [&str; 3] = ["system.json", "toy.json", "raw/r2/a.json"];

    fn entry(content: &str) -> SystemEntry {
        SystemEntry {
            id: "s".to_owned(),
            label: content.to_owned(),
            architecture: "x".to_owned(),
            provenance: Provenance::Measured,
            families: vec!["toy".to_owned()],
            files: NAMES
                .map(|name| FileEntry {
                    path: format!("s/{name}"),
                    sha256: sha256_hex(content.as_bytes()),
                    bytes: content.len() as u64,
                })
                .to_vec(),
        }
    }

    fn change<'a>(data: &'a DataFolder, content: &str) -> Pending<'a> {
        let mut pending = Pending::begin(data, "s").unwrap();
        for name in NAMES {
            pending.put(name, content.as_bytes()).unwrap();
        }
        pending
    }

    /// The one content that index and files agree on.
    fn content(data: &DataFolder) -> String {
        let entry = data.entry("s").unwrap().unwrap();
        for file in &entry.files {
            let bytes = fs::read(data.root().join(&file.path)).unwrap();
            assert_eq!(sha256_hex(&bytes), file.sha256, "{}", file.path);
        }
        entry.label
    }

    fn folder_with_old() -> (tempfile::TempDir, DataFolder) {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(&folder.path().join("data"));
        fs::create_dir(data.root()).unwrap();
        change(&data, "old")
            .commit(entry("old"), Vec::new())
            .unwrap();
        (folder, data)
    }

    #[test]
    fn killed_before_the_decision_the_old_stays() {
        let (_folder, data) = folder_with_old();
        let _killed = change(&data, "new");
        assert_eq!(content(&data), "old");
        assert!(unfinished(&data).unwrap().is_empty());
        assert!(mend(&data).unwrap().is_empty());
        assert_eq!(content(&data), "old");
        assert_eq!(fs::read_dir(data.root()).unwrap().count(), 2);
    }

    #[test]
    fn killed_after_the_decision_the_new_comes() {
        // However many files were in their place already.
        for done in 0..=NAMES.len() {
            let (_folder, data) = folder_with_old();
            let pending = change(&data, "new");
            pending
                .decide(entry("new"), vec!["raw/r1".to_owned()])
                .unwrap();
            fs::create_dir(data.root().join("s/raw/r1")).unwrap();
            let staged = pending.folder.join(FILES);
            for name in &NAMES[..done] {
                fs::rename(staged.join(name), data.root().join("s").join(name)).unwrap();
            }
            assert_eq!(unfinished(&data).unwrap(), ["s"]);
            assert_eq!(mend(&data).unwrap(), ["s"]);
            assert_eq!(content(&data), "new");
            assert!(!data.root().join("s/raw/r1").exists());
            assert!(leftovers(&data).unwrap().is_empty());
            assert!(mend(&data).unwrap().is_empty());
        }
    }
}
