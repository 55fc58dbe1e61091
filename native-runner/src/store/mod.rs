//! The data folder: published data sets as files.
//!
//! Layout: `index.json` (systems that are shared), `index.local.json` (systems private to this
//! clone: `local`, `local-*`), `<system>/system.json`, `<system>/summary.json`,
//! `<system>/<family>.json`, and below `<system>/raw/` the raw evidence of measured systems.

mod lock;
mod pending;
mod write;

pub use lock::DataLock;

use crate::files;
use anyhow::{Context, Result, bail};
use kemscope_schema::identifier::{is_identifier, is_private_system};
use kemscope_schema::{FamilyRecord, Index, SCHEMA_VERSION, Summary, System, SystemEntry, load};
use std::path::{Path, PathBuf};

/// A data folder.
#[derive(Clone, Debug)]
pub struct DataFolder {
    root: PathBuf,
}

/// A raw file to be kept beside the published records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawFile {
    /// Path relative to the system's folder, beginning with `raw/`.
    pub path: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// What is told of a system whose publication was interrupted.
pub fn interrupted_message(system: &str) -> String {
    format!(
        "the publication of system {system} was interrupted half-way; the next `native-runner publish` or `import` into this folder finishes it"
    )
}

impl DataFolder {
    /// The folder at a path; it need not exist yet.
    pub fn at(root: &Path) -> DataFolder {
        DataFolder {
            root: root.to_owned(),
        }
    }

    /// The folder's path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Name of the index file that lists a system.
    pub fn index_name(system: &str) -> &'static str {
        if is_private_system(system) {
            "index.local.json"
        } else {
            "index.json"
        }
    }

    /// Where the raw files of a run are kept beside a system's records.
    pub fn raw_folder(&self, system: &str, run: &str) -> PathBuf {
        self.root.join(system).join("raw").join(run)
    }

    /// Systems whose publication was interrupted at its end. Whoever [locks](DataFolder::lock) the folder
    /// finishes it.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn interrupted(&self) -> Result<Vec<String>> {
        pending::unfinished(self)
    }

    /// The index of a name, empty where there is no such file.
    ///
    /// # Errors
    /// If the file cannot be read or breaks the contract.
    pub fn index(&self, name: &str) -> Result<Index> {
        let path = self.root.join(name);
        if !path.exists() {
            return Ok(Index {
                schema_version: SCHEMA_VERSION,
                systems: Vec::new(),
            });
        }
        self.load_file(&path)
    }

    /// All systems, shared ones first.
    ///
    /// # Errors
    /// If an index cannot be read, or there is none at all.
    pub fn systems(&self) -> Result<Vec<SystemEntry>> {
        let mut systems = self.index("index.json")?.systems;
        systems.extend(self.index("index.local.json")?.systems);
        if systems.is_empty() {
            bail!(
                "no data sets in {}: import pages with `native-runner import page`, or measure this machine with `native-runner run` and `native-runner publish`; --data names another folder",
                self.root.display()
            );
        }
        Ok(systems)
    }

    /// The index entry of a system.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn entry(&self, system: &str) -> Result<Option<SystemEntry>> {
        let index = self.index(DataFolder::index_name(system))?;
        Ok(index.systems.into_iter().find(|s| s.id == system))
    }

    /// The system's own file.
    ///
    /// # Errors
    /// If it cannot be read or breaks the contract.
    pub fn system(&self, id: &str) -> Result<System> {
        self.load_file(&self.root.join(id).join("system.json"))
    }

    /// The system's summary.
    ///
    /// # Errors
    /// If it cannot be read or breaks the contract.
    pub fn summary(&self, id: &str) -> Result<Summary> {
        self.load_file(&self.root.join(id).join("summary.json"))
    }

    /// The record of a family on a system.
    ///
    /// # Errors
    /// If it cannot be read, breaks the contract or belongs to another system or family.
    pub fn family(&self, system: &str, family: &str) -> Result<FamilyRecord> {
        let path = self.root.join(system).join(format!("{family}.json"));
        let record: FamilyRecord = self.load_file(&path)?;
        if record.system != system || record.family.id != family {
            bail!(
                "{}: is the record of {} on {}, not of {family} on {system}",
                path.display(),
                record.family.id,
                record.system
            );
        }
        Ok(record)
    }

    /// All records of a system in the index's order; none if the system is not in the index. A record
    /// must have the digest that the index states, unless its family is among those to be `replaced`.
    ///
    /// # Errors
    /// If one of them cannot be read or was changed since it was published, or the system has files
    /// but is not in the index.
    pub fn families(&self, system: &str, replaced: &[&str]) -> Result<Vec<FamilyRecord>> {
        if !is_identifier(system) {
            bail!("“{system}” is not the identifier of a system (letters, digits, - and _)");
        }
        let index = DataFolder::index_name(system);
        let Some(entry) = self.entry(system)? else {
            let folder = self.root.join(system);
            if folder.join("system.json").exists() {
                bail!(
                    "{} has data that {index} does not list; restore {}, or remove the folder",
                    folder.display(),
                    self.root.join(index).display()
                );
            }
            return Ok(Vec::new());
        };
        entry
            .families
            .iter()
            .map(|family| {
                if replaced.contains(&family.as_str()) {
                    self.family(system, family)
                } else {
                    self.published_family(&entry, family)
                }
            })
            .collect()
    }

    /// The record of a family, if it is what the index vouches for.
    ///
    /// # Errors
    /// As [`DataFolder::family`], or if the file was changed since it was published.
    pub fn published_family(&self, entry: &SystemEntry, family: &str) -> Result<FamilyRecord> {
        let relative = format!("{}/{family}.json", entry.id);
        let path = self.root.join(&relative);
        let digest = files::sha256_hex(&files::read(&path)?);
        let listed = entry.files.iter().find(|file| file.path == relative);
        if listed.is_none_or(|file| file.sha256 != digest) {
            // A file that is no JSON of the contract any more is told as that.
            self.family(&entry.id, family)?;
            if self.interrupted()?.contains(&entry.id) {
                bail!("{}", interrupted_message(&entry.id));
            }
            bail!(
                "{}: was changed after it was published (its SHA-256 is {digest}, {} says {}); restore it, or import or publish it again",
                path.display(),
                DataFolder::index_name(&entry.id),
                listed.map_or("nothing", |file| file.sha256.as_str())
            );
        }
        self.family(&entry.id, family)
    }

    fn load_file<T>(&self, path: &Path) -> Result<T>
    where
        T: serde::de::DeserializeOwned + kemscope_schema::Validate,
    {
        let bytes = files::read(path)?;
        let text = std::str::from_utf8(&bytes)
            .with_context(|| format!("{}: is not UTF-8", path.display()))?;
        Ok(load(&path.display().to_string(), text)?)
    }
}
