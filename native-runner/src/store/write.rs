//! Writing a system: all of it or nothing.

use super::pending::Pending;
use super::{DataFolder, RawFile};
use crate::files;
use anyhow::{Context, Result, bail};
use kemscope_schema::{FamilyRecord, FileEntry, Summary, System, SystemEntry, Validate};
use serde::Serialize;

impl DataFolder {
    /// Writes a system with all its records (sorted by family) and the raw files that they name, and
    /// brings the index up to date, see [`super::pending`]. Readers who trust the index's digests never
    /// take a mixture for a data set. The caller holds the folder's lock.
    ///
    /// # Errors
    /// If a record breaks the contract (nothing is written then), or the file system says no.
    pub fn write_system(
        &self,
        system: &System,
        records: &[FamilyRecord],
        raw: &[RawFile],
    ) -> Result<()> {
        let mut records: Vec<&FamilyRecord> = records.iter().collect();
        records.sort_by(|a, b| a.family.id.cmp(&b.family.id));
        refuse_problems("system.json", system)?;
        for record in &records {
            refuse_problems(&format!("{}.json", record.family.id), *record)?;
        }
        let owned: Vec<FamilyRecord> = records.iter().map(|r| (*r).clone()).collect();
        let summary = Summary::of(system, &owned);
        let mut contents: Vec<(String, Vec<u8>)> = Vec::new();
        contents.push(("system.json".to_owned(), json(system)?));
        contents.push(("summary.json".to_owned(), json(&summary)?));
        for record in &records {
            contents.push((format!("{}.json", record.family.id), json(record)?));
        }
        let mut pending = Pending::begin(self, &system.id)?;
        for file in raw {
            pending.put(&file.path, &file.bytes)?;
        }
        for (name, bytes) in &contents {
            pending.put(name, bytes)?;
        }
        let entry = SystemEntry {
            id: system.id.clone(),
            label: system.label.clone(),
            architecture: system.architecture.clone(),
            provenance: system.provenance,
            families: records.iter().map(|r| r.family.id.clone()).collect(),
            files: contents
                .iter()
                .map(|(name, bytes)| FileEntry {
                    path: format!("{}/{name}", system.id),
                    sha256: files::sha256_hex(bytes),
                    bytes: bytes.len() as u64,
                })
                .collect(),
        };
        pending.commit(entry, self.stale_raw(&system.id, &records)?)
    }

    /// Brings a system's entry of the index up to date.
    pub(super) fn replace_entry(&self, entry: SystemEntry) -> Result<()> {
        let name = DataFolder::index_name(&entry.id);
        let mut index = self.index(name)?;
        match index.systems.iter_mut().find(|s| s.id == entry.id) {
            Some(present) => *present = entry,
            None => index.systems.push(entry),
        }
        index.systems.sort_by(|a, b| a.id.cmp(&b.id));
        files::write_if_changed(&self.root().join(name), &json(&index)?)?;
        Ok(())
    }

    /// Raw files of runs that no record refers to any more, relative to the system's folder.
    fn stale_raw(&self, system: &str, records: &[&FamilyRecord]) -> Result<Vec<String>> {
        let folder = self.root().join(system).join("raw");
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let fail = || format!("cannot read {}", folder.display());
        let mut stale = Vec::new();
        for entry in std::fs::read_dir(&folder).with_context(fail)? {
            let name = entry.with_context(fail)?.file_name();
            let name = name.to_string_lossy();
            let used = records
                .iter()
                .flat_map(|r| &r.instances)
                .any(|i| i.run.as_deref() == Some(&*name));
            if !used {
                stale.push(format!("raw/{name}"));
            }
        }
        Ok(stale)
    }
}

/// Indented JSON with a line feed at the end, the form of every file here.
fn json<T: Serialize>(value: &T) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn refuse_problems(name: &str, value: &impl Validate) -> Result<()> {
    match value.problems().first() {
        None => Ok(()),
        Some(problem) => bail!("{name} would break the contract: {problem}; nothing was written"),
    }
}
