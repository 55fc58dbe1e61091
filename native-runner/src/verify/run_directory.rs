//! A run directory, before it is published.

use super::Report;
use crate::files;
use crate::publish::raw::RawInstance;
use crate::publish::{joined, record};
use kemscope_schema::run::{RunInstance, RunManifest, RunStatus};
use std::path::Path;

/// Verifies a run: every file against the contract, every digest, every statistic that would be
/// published, and that the files belong together. What an unfinished run has not done yet is no failure.
pub fn verify(run: &Path, manifest: &RunManifest) -> Report {
    let mut report = Report {
        failures: joined::contradictions(manifest),
        ..Report::default()
    };
    for instance in &manifest.instances {
        let key = format!("{}/{}", instance.family.id, instance.name);
        let mut fail = |line: String| report.failures.push(format!("{key}: {line}"));
        let raw = match RawInstance::read(run, &manifest.run, instance) {
            Ok(raw) => raw,
            Err(error) => {
                fail(format!("{error:#}"));
                continue;
            }
        };
        for line in contradictions(&raw, manifest, instance) {
            fail(line);
        }
        if let Some(line) = library(run, &raw) {
            fail(line);
        }
        // The manifest is among the files of each instance.
        report.files += raw.files.len().saturating_sub(1);
        match record::instance(&manifest.run, instance, &raw) {
            Err(error) => report.failures.push(format!("{key}: {error:#}")),
            Ok(record) => {
                report.instances += 1;
                let timed = record.operations.iter().filter(|o| o.timing.is_some());
                report.operations += timed.count();
            }
        }
    }
    report.files += 1;
    report
}

fn contradictions(
    raw: &RawInstance,
    manifest: &RunManifest,
    instance: &RunInstance,
) -> Vec<String> {
    let mut lines = raw.contradictions(manifest, instance);
    if manifest.status != RunStatus::Complete {
        lines.retain(|line| !line.ends_with("is missing"));
    }
    lines
}

/// The library against its digest.
fn library(run: &Path, raw: &RawInstance) -> Option<String> {
    let build = raw.build.as_ref()?;
    let (library, digest) = build.library.as_ref().zip(build.library_sha256.as_ref())?;
    match files::read(&run.join(library)) {
        Err(error) => Some(error.to_string()),
        Ok(bytes) => {
            let found = files::sha256_hex(&bytes);
            (found != *digest)
                .then(|| format!("{library}: SHA-256 is {found}, the build result says {digest}"))
        }
    }
}
