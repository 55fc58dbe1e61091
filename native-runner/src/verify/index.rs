//! What the index and the summary say, against the files they speak of.

use super::{Report, difference};
use crate::files;
use crate::store::DataFolder;
use kemscope_schema::{FamilyRecord, Summary, System, SystemEntry};

/// Compares the files with the index: which there are, their lengths and digests.
pub fn digests(data: &DataFolder, entry: &SystemEntry, report: &mut Report) {
    let index = DataFolder::index_name(&entry.id);
    let mut expected = vec!["system".to_owned(), "summary".to_owned()];
    expected.extend(entry.families.iter().cloned());
    for name in &expected {
        let path = format!("{}/{name}.json", entry.id);
        if !entry.files.iter().any(|file| file.path == path) {
            report
                .failures
                .push(format!("{index}: {path} is not listed with its SHA-256"));
        }
    }
    if entry.files.len() > expected.len() {
        report.failures.push(format!(
            "{index}: {} lists {} files, {} were expected",
            entry.id,
            entry.files.len(),
            expected.len()
        ));
    }
    for file in &entry.files {
        report.files += 1;
        let path = data.root().join(&file.path);
        match files::read(&path) {
            Err(error) => report.failures.push(error.to_string()),
            Ok(bytes) => {
                let digest = files::sha256_hex(&bytes);
                if digest != file.sha256 || bytes.len() as u64 != file.bytes {
                    report.failures.push(format!(
                        "{}: SHA-256 is {digest} of {} bytes, {index} says {} of {}",
                        path.display(),
                        bytes.len(),
                        file.sha256,
                        file.bytes
                    ));
                }
            }
        }
    }
}

/// Compares the index's entry with the system's own file.
pub fn system(entry: &SystemEntry, system: &System, report: &mut Report) {
    let pairs = [
        ("id", &entry.id, &system.id),
        ("label", &entry.label, &system.label),
        ("architecture", &entry.architecture, &system.architecture),
    ];
    for (field, a, b) in pairs {
        if a != b {
            report.failures.push(format!(
                "{}: {field} of {} is “{a}”, its system.json says “{b}”",
                DataFolder::index_name(&entry.id),
                entry.id
            ));
        }
    }
    if entry.provenance != system.provenance {
        report.failures.push(format!(
            "{}: provenance of {} is {}, its system.json says {}",
            DataFolder::index_name(&entry.id),
            entry.id,
            entry.provenance.name(),
            system.provenance.name()
        ));
    }
}

/// Makes the summary again from the records.
pub fn summary(data: &DataFolder, system: &System, records: &[FamilyRecord], report: &mut Report) {
    match data.summary(&system.id) {
        Err(error) => report.failures.push(format!("{error:#}")),
        Ok(published) => {
            let lines = difference::between(&published, &Summary::of(system, records));
            let lines = lines
                .iter()
                .map(|line| format!("{}/summary.json: {line} from the records", system.id));
            report.failures.extend(lines);
        }
    }
}
