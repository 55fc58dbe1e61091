//! Files of shards on their way into the merged run.

use super::Candidate;
use crate::files::{self, FileError, Place};
use anyhow::{Result, bail};
use kemscope_schema::run::RunInstance;
use std::fs;
use std::path::{Path, PathBuf};

/// Copies what belongs to the instances of each shard, byte by byte: records, logs, libraries.
///
/// # Errors
/// If a file cannot be read or written, or two shards have the same.
pub fn instances(shards: &[Candidate], target: &Path) -> Result<()> {
    for shard in shards {
        for instance in &shard.manifest.instances {
            for relative in files_of(&shard.root, instance)? {
                let to = target.join(&relative);
                if to.exists() {
                    bail!("{} is in two shards", relative.display());
                }
                copy(&shard.root.join(&relative), &to)?;
            }
        }
    }
    Ok(())
}

/// One log of all, shard after shard.
///
/// # Errors
/// If one cannot be read or written.
pub fn logs(shards: &[Candidate], target: &Path) -> Result<()> {
    let mut text = Vec::new();
    for shard in shards {
        let path = shard.root.join(crate::run::LOG);
        text.extend_from_slice(format!("run {}\n", shard.manifest.run).as_bytes());
        match files::read(&path) {
            Ok(log) => text.extend_from_slice(&log),
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error.within(Place::Run).into()),
        }
    }
    Ok(files::write_atomic(&target.join(crate::run::LOG), &text)?)
}

/// The files of an instance, whatever step made them: `<step>/<family>/<instance>__<implementation>` with
/// something behind it. What is unfinished is left out.
fn files_of(root: &Path, instance: &RunInstance) -> Result<Vec<PathBuf>, FileError> {
    let stem = format!("{}__{}", instance.name, instance.implementation);
    let is_own = |name: &str| {
        let rest = name.strip_prefix(&stem);
        rest.is_some_and(|rest| rest.starts_with('.') || rest.starts_with("__"))
            && !name.ends_with(".partial.json")
    };
    let mut found = Vec::new();
    for step in names(root)? {
        let folder = root.join(&step).join(&instance.family.id);
        if !folder.is_dir() {
            continue;
        }
        let own = names(&folder)?.into_iter().filter(|name| is_own(name));
        let below = |name: String| Path::new(&step).join(&instance.family.id).join(name);
        found.extend(own.map(below).filter(|path| root.join(path).is_file()));
    }
    Ok(found)
}

/// Names in a folder, in order.
fn names(folder: &Path) -> Result<Vec<String>, FileError> {
    let fail = |cause| FileError::io("read", folder, cause).within(Place::Run);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        names.push(
            entry
                .map_err(fail)?
                .file_name()
                .to_string_lossy()
                .into_owned(),
        );
    }
    names.sort();
    Ok(names)
}

fn copy(from: &Path, to: &Path) -> Result<(), FileError> {
    let fail = |path: &Path, cause| FileError::io("copy", path, cause).within(Place::Run);
    if let Some(folder) = to.parent() {
        files::create_folder(folder).map_err(|e| e.within(Place::Run))?;
    }
    // May be gigabytes: never in memory.
    fs::copy(from, to).map_err(|e| fail(from, e))?;
    let written = fs::File::open(to).map_err(|e| fail(to, e))?;
    written.sync_all().map_err(|e| fail(to, e))
}
