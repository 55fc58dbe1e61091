//! A folder with raw records of the public harness.

use super::Report;
use crate::files;
use crate::import::{record, text};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The JSON files below a folder, in the order of their paths.
///
/// # Errors
/// If a folder cannot be read.
pub fn json_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let fail = || format!("cannot read {}", folder.display());
        for entry in std::fs::read_dir(&folder).with_context(fail)? {
            let entry = entry.with_context(fail)?;
            // Links are not followed: they may lead in circles.
            if entry.file_type().with_context(fail)?.is_dir() {
                open.push(entry.path());
            } else if entry.path().extension().is_some_and(|e| e == "json") {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Verifies records and profiles: every statistic from the trials, every share from the ticks, digests of
/// the files that are at hand, and that operations of one instance belong together.
pub fn verify(folder: &Path, paths: &[PathBuf]) -> Report {
    let mut report = Report::default();
    let mut sound = Vec::new();
    for path in paths {
        report.files += 1;
        let name = path.display().to_string();
        let content = match text::read(path) {
            Ok(content) => content,
            Err(error) => {
                report.failures.push(error.to_string());
                continue;
            }
        };
        match record::examine(&content) {
            Err(message) => report.failures.push(format!("{name}: {message}")),
            Ok(examined) => {
                if examined.timed {
                    report.operations += 1;
                } else {
                    report.profiles += 1;
                }
                for (file, digest) in &examined.attached {
                    attached(folder, &name, file, digest, &mut report);
                }
                if examined.differences.is_empty() {
                    sound.push((name, content));
                } else {
                    let key = &examined.key;
                    let lines = examined.differences.iter();
                    report
                        .failures
                        .extend(lines.map(|line| format!("{name}: {key}: {line}")));
                }
            }
        }
    }
    // What each says of itself holds; do they hold together?
    match record::read(&sound, "verified") {
        Err(error) => report.failures.push(error.to_string()),
        Ok(read) => {
            report.instances = read.families.iter().map(|f| f.instances.len()).sum();
        }
    }
    report
}

/// The digest of a file that a record names, if somebody put it beside the records.
fn attached(folder: &Path, record: &str, file: &str, digest: &str, report: &mut Report) {
    match files::read(&folder.join(file)) {
        Err(error) if error.is_not_found() => report.absent += 1,
        Err(error) => report.failures.push(format!("{record}: {error}")),
        Ok(bytes) => {
            report.files += 1;
            let found = files::sha256_hex(&bytes);
            if found != digest {
                report.failures.push(format!(
                    "{record}: {file}: SHA-256 is {found}, the record says {digest}"
                ));
            }
        }
    }
}
