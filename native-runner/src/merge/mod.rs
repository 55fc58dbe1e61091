//! Shards of a campaign become one run.
//!
//! First everything is read and compared, then copied into a folder of another name beside the new run's, then
//! renamed. Whatever happens before, the shards stay as they are and can be merged again; the same shards
//! give the same run.

mod copy;
mod fit;
mod manifest;

use crate::files::{self, FileError, Place};
use crate::publish::raw;
use crate::run::{LOCK, Private};
use crate::scratch::Scratch;
use crate::verify::run_directory;
use anyhow::{Context, Result, bail, ensure};
use kemscope_schema::run::{RunManifest, SplitInstance};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// What the name of a run that is being put together begins with.
const UNFINISHED: &str = ".merging-";

/// A run that may be a shard, kept from changing as long as the value lives.
pub struct Candidate {
    /// Its directory.
    pub root: PathBuf,
    /// Its manifest, words for folders.
    pub manifest: RunManifest,
    /// What it keeps to itself.
    pub private: Private,
    _lock: Option<File>,
}

/// What was merged.
pub struct MergedRun {
    /// Its directory.
    pub root: PathBuf,
    /// Its manifest.
    pub manifest: RunManifest,
    /// The instances that are missing because their shards are.
    pub missing: Vec<SplitInstance>,
}

/// Where a merged run goes.
pub enum Target<'a> {
    /// This directory.
    Directory(&'a Path),
    /// A directory of this folder, named after the first shard.
    Below(&'a Path),
}

/// Joins shards to one run. `partial` allows some to be missing.
///
/// # Errors
/// If they do not belong together, are not complete or have been altered, each with its reason; if files cannot be
/// read or written.
pub fn merge(shards: &[PathBuf], target: &Target<'_>, partial: bool) -> Result<MergedRun> {
    let mut candidates = Vec::new();
    for root in shards {
        candidates.push(Candidate::read(root)?);
    }
    // Reading order is no difference.
    candidates.sort_by_key(|c| (c.manifest.shard.as_ref().map(|s| s.number), c.root.clone()));
    let mut problems = fit::problems(&candidates, partial);
    if problems.is_empty() {
        problems = candidates.iter().flat_map(altered).collect();
    }
    if !problems.is_empty() {
        bail!("these do not make one run:\n  {}", problems.join("\n  "));
    }
    let root = target.directory(&candidates)?;
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    ensure!(
        is_name(&name),
        "{}: a run's name consists of letters, digits, - and _, and begins with a letter or digit",
        root.display()
    );
    let manifest = manifest::joined(&name, &candidates)?;
    let merged = MergedRun {
        missing: missing(&manifest),
        manifest,
        root,
    };
    write(&candidates, &merged)?;
    Ok(merged)
}

/// Whether a directory's name can be that of a run: it stands in paths and addresses of published evidence.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

impl Candidate {
    fn read(root: &Path) -> Result<Candidate> {
        let root =
            std::path::absolute(root).with_context(|| format!("cannot find {}", root.display()))?;
        let manifest = raw::manifest(&root)?;
        Ok(Candidate {
            _lock: lock(&root)?,
            private: Private::read(&root).map_err(|e| e.within(Place::Run))?,
            manifest,
            root,
        })
    }
}

/// Keeps runners away while the shard is read. A shard that was copied here, or that lies where nothing can be
/// locked, needs none.
fn lock(root: &Path) -> Result<Option<File>> {
    let Ok(file) = File::open(root.join(LOCK)) else {
        return Ok(None);
    };
    match file.try_lock_shared() {
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => bail!(
            "a native-runner is at work in {}: wait until the shard is complete",
            root.display()
        ),
    }
}

/// What does not hold within a shard's own files.
fn altered(shard: &Candidate) -> Vec<String> {
    let report = run_directory::verify(&shard.root, &shard.manifest);
    let lines = report.failures.into_iter();
    lines
        .map(|line| format!("{}: {line}", shard.root.display()))
        .collect()
}

fn missing(manifest: &RunManifest) -> Vec<SplitInstance> {
    let Some(merged) = &manifest.merged_from else {
        return Vec::new();
    };
    let gone = merged.missing();
    let missing = merged.split.iter().filter(|e| gone.contains(&e.shard));
    missing.cloned().collect()
}

impl Target<'_> {
    /// The directory, which is not there yet.
    fn directory(&self, shards: &[Candidate]) -> Result<PathBuf> {
        let root = match self {
            Target::Directory(root) => (*root).to_owned(),
            Target::Below(runs) => {
                let name = shards.first().map(|shard| manifest::name(&shard.manifest));
                runs.join(name.unwrap_or_default())
            }
        };
        let root = std::path::absolute(&root)
            .with_context(|| format!("cannot find {}", root.display()))?;
        ensure!(
            !root.exists(),
            "{} is there already: remove it, or choose another directory with --into",
            root.display()
        );
        Ok(root)
    }
}

/// Puts the run together beside its place, and moves it there when it is whole.
fn write(shards: &[Candidate], merged: &MergedRun) -> Result<()> {
    let fail = |action, cause| FileError::io(action, &merged.root, cause).within(Place::Run);
    let parent = merged.root.parent().unwrap_or(Path::new("/"));
    files::create_folder(parent).map_err(|e| e.within(Place::Run))?;
    let scratch = Scratch::new_in(parent, UNFINISHED).map_err(|e| fail("create", e))?;
    copy::instances(shards, scratch.path())?;
    copy::logs(shards, scratch.path())?;
    manifest::private(shards).write(scratch.path())?;
    manifest::write(scratch.path(), &merged.manifest)?;
    let report = run_directory::verify(scratch.path(), &merged.manifest);
    if let Some(line) = report.failures.first() {
        bail!("a shard changed while it was copied: {line}; merge again");
    }
    scratch
        .finish(&merged.root)
        .map_err(|e| fail("create", e))?;
    Ok(files::sync_folder(parent).map_err(|e| fail("write", e))?)
}
