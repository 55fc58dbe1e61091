//! Which folders are packages.

use super::interface::places;
use super::naming;
use super::survey::Survey;
use crate::package::PackageError;
use crate::package::file::PACKAGE_FILE;
use crate::package::tree::Root;
use std::path::{Path, PathBuf};

/// How deep packages may lie below a folder.
const DEEPEST: usize = 4;

/// Folders that a package has, in small letters.
const MARKS: [&str; 10] = [
    "implementations",
    "implementation",
    "reference_implementation",
    "optimized_implementation",
    "additional_implementations",
    "additional_implementation",
    "kat",
    "src",
    "source",
    "common",
];

/// The packages of a folder: it itself, or those that lie in it.
///
/// A folder is a package if it has a `kem.toml`, sources of its own, or the folders that packages have, or if the
/// implementations below it are called alike (`TOY-128`, `TOY-256`). Otherwise its folders are looked into.
///
/// # Errors
/// If the folder cannot be read.
pub fn packages(folder: &Path) -> Result<Vec<PathBuf>, PackageError> {
    let mut found = Vec::new();
    collect(folder, DEEPEST, &mut found)?;
    if found.is_empty() {
        // What is wrong with it is told where it is looked at.
        found.push(folder.to_owned());
    }
    Ok(found)
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), PackageError> {
    let entries = Entries::of(folder)?;
    if entries.names.iter().any(|name| name == PACKAGE_FILE) || entries.has_sources() {
        found.push(folder.to_owned());
        return Ok(());
    }
    let marked = entries
        .folders
        .iter()
        .any(|below| MARKS.contains(&name(below).to_lowercase().as_str()));
    if marked || super::pqclean::is_tree(folder) || is_one_family(folder, &entries.folders) {
        found.push(folder.to_owned());
        return Ok(());
    }
    if depth > 0 {
        for below in &entries.folders {
            collect(below, depth - 1, found)?;
        }
    }
    Ok(())
}

struct Entries {
    names: Vec<String>,
    folders: Vec<PathBuf>,
}

impl Entries {
    fn of(folder: &Path) -> Result<Entries, PackageError> {
        let read = |cause| PackageError::read(folder, cause);
        let mut entries = Entries {
            names: Vec::new(),
            folders: Vec::new(),
        };
        for entry in std::fs::read_dir(folder).map_err(read)? {
            let entry = entry.map_err(read)?;
            let own = entry.file_name().to_string_lossy().into_owned();
            // A link to a folder may lead anywhere, also in a circle.
            let kind = entry.file_type().map_err(read)?;
            if kind.is_dir() && !own.starts_with('.') && own != "__MACOSX" {
                entries.folders.push(entry.path());
            } else if !kind.is_dir() {
                entries.names.push(own);
            }
        }
        entries.folders.sort();
        Ok(entries)
    }

    fn has_sources(&self) -> bool {
        let ends = [".c", ".cc", ".cpp", ".cxx", ".h", ".S"];
        self.names
            .iter()
            .any(|name| ends.iter().any(|end| name.ends_with(end)))
    }
}

/// Whether the implementations in the folders below are parameter sets of one family.
fn is_one_family(folder: &Path, folders: &[PathBuf]) -> bool {
    let names: Vec<String> = folders.iter().map(|below| name(below)).collect();
    let holds = |below: &PathBuf| {
        let survey = Root::of(below).and_then(Survey::of);
        survey.is_ok_and(|survey| !places(&survey).is_empty())
    };
    let with_kem: Vec<&str> = folders
        .iter()
        .zip(&names)
        .filter(|(below, _)| holds(below))
        .map(|(_, name)| name.as_str())
        .collect();
    // Numbered candidates (kem-12, kem-14) are called alike and are none.
    let numbered = |name: &&str| naming::family_id(name).is_some_and(|id| id.starts_with("kem-"));
    let many = with_kem.len() > 1;
    let below_structure = naming::is_structure(&folder.to_string_lossy());
    many && !with_kem.iter().all(numbered) && naming::stem(&with_kem).is_some()
        || below_structure && many
}

/// What a folder is called; the folder above where it is called like a part of a package.
pub fn name(folder: &Path) -> String {
    let own = |path: &Path| {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    own(&absolute)
}
