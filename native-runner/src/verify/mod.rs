//! Verification of published data, run directories and foreign raw records: every digest from the files,
//! every statistic from the raw trials.

mod difference;
pub mod harness;
mod index;
mod measured;
pub mod run_directory;

use crate::store::{DataFolder, interrupted_message};
use anyhow::Result;
use kemscope_schema::SystemEntry;

/// What verification did and found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Files whose digest was computed.
    pub files: usize,
    /// Instances whose record was made again from its raw files.
    pub instances: usize,
    /// Operations whose statistics were computed again from their trials.
    pub operations: usize,
    /// Profiles whose shares were computed again from their ticks.
    pub profiles: usize,
    /// Files that a record names with a digest and that are not at hand.
    pub absent: usize,
    /// Everything that does not hold, one line each.
    pub failures: Vec<String>,
}

/// Verifies a system of a data folder.
///
/// # Errors
/// Never for what is wrong with the data (that is in the report), only if the index cannot be read.
pub fn verify(data: &DataFolder, entry: &SystemEntry) -> Result<Report> {
    let mut report = Report::default();
    if data.interrupted()?.contains(&entry.id) {
        report.failures.push(interrupted_message(&entry.id));
    }
    index::digests(data, entry, &mut report);
    let mut records = Vec::new();
    for family in &entry.families {
        match data.family(&entry.id, family) {
            Ok(record) => records.push(record),
            Err(error) => report.failures.push(format!("{error:#}")),
        }
    }
    match data.system(&entry.id) {
        Err(error) => report.failures.push(format!("{error:#}")),
        Ok(system) => {
            index::system(entry, &system, &mut report);
            if records.len() == entry.families.len() {
                index::summary(data, &system, &records, &mut report);
                measured::system(data, &system, &records, &mut report);
            }
        }
    }
    measured::families(data, &records, &mut report);
    Ok(report)
}
