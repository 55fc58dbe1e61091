//! One side of a comparison: a published system or a run directory.

use crate::files;
use crate::publish::raw::{self, RawInstance};
use crate::publish::record;
use crate::store::DataFolder;
use anyhow::{Context, Result, bail};
use kemscope_schema::run::OperationRun;
use kemscope_schema::{
    Environment, EvidenceKind, FamilyRecord, Figure, InstanceRecord, Operation, SystemEntry, load,
};
use std::path::Path;

/// What is compared.
#[derive(Clone, Debug)]
pub struct Side {
    /// What people call it: the system's or the run's name.
    pub name: String,
    /// One line on where its figures come from.
    pub description: String,
    /// Why its host is not fit to measure: names of the checks.
    pub findings: Vec<String>,
    /// Its clock, where that was fixed: times may be derived from cycles by it.
    pub fixed_clock_hz: Option<Figure>,
    /// Its instances.
    pub entries: Vec<Entry>,
}

/// An instance of a side.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Identifier of the family.
    pub family: String,
    /// Its record.
    pub record: InstanceRecord,
    /// The raw records of its operations, where they are at hand.
    pub runs: Vec<OperationRun>,
    /// Whether it ran on an emulated processor.
    pub emulated: bool,
}

impl Entry {
    /// The raw record of an operation.
    pub fn run(&self, operation: Operation) -> Option<&OperationRun> {
        self.runs.iter().find(|run| run.operation == operation)
    }
}

impl Side {
    /// The side that a word names: a run directory, a system's folder, or a system of the data folder.
    ///
    /// # Errors
    /// If there is none, or its files are damaged.
    pub fn find(word: &str, data: &DataFolder) -> Result<Side> {
        let path = Path::new(word);
        if path.join("manifest.json").is_file() {
            return Side::of_run(path);
        }
        if path.join("system.json").is_file() {
            let absolute = std::path::absolute(path)?;
            if let (Some(above), Some(id)) = (absolute.parent(), absolute.file_name()) {
                return Side::of_system(&DataFolder::at(above), &id.to_string_lossy());
            }
        }
        if path.is_dir() && word.contains('/') {
            bail!(
                "{word} is neither a run directory (manifest.json) nor a system's folder (system.json)"
            );
        }
        Side::of_system(data, word)
    }

    fn of_run(run: &Path) -> Result<Side> {
        let manifest = raw::manifest(run)?;
        let mut entries = Vec::new();
        for instance in &manifest.instances {
            let raw = RawInstance::read(run, &manifest.run, instance)?;
            entries.push(Entry {
                family: instance.family.id.clone(),
                record: record::instance(&manifest.run, instance, &raw)?,
                runs: raw.operations,
                emulated: manifest.environment.emulated == Some(true),
            });
        }
        Ok(Side {
            description: format!(
                "run of system {}, {}",
                manifest.system,
                host(&manifest.environment, &manifest.architecture)
            ),
            name: manifest.run,
            findings: findings(&manifest.environment),
            fixed_clock_hz: manifest.environment.fixed_clock_hz,
            entries,
        })
    }

    fn of_system(data: &DataFolder, id: &str) -> Result<Side> {
        let Some(entry) = data.entry(id)? else {
            let known: Vec<String> = data.systems()?.into_iter().map(|s| s.id).collect();
            bail!(
                "{id} is neither a run directory nor a system of {}; there are {}",
                data.root().display(),
                known.join(", ")
            );
        };
        let system = data.system(id)?;
        let mut entries = Vec::new();
        for family in &entry.families {
            let record = data.published_family(&entry, family)?;
            for instance in &record.instances {
                entries.push(Entry {
                    family: family.clone(),
                    runs: evidence(data, &entry, instance)?,
                    record: instance.clone(),
                    emulated: is_emulated(&record, &system.environment),
                });
            }
        }
        Ok(Side {
            name: id.to_owned(),
            findings: findings(&system.environment),
            description: format!(
                "{} system, {}",
                entry.provenance.name(),
                host(&system.environment, &system.architecture)
            ),
            fixed_clock_hz: system.environment.fixed_clock_hz,
            entries,
        })
    }
}

fn findings(environment: &Environment) -> Vec<String> {
    environment
        .findings
        .iter()
        .map(|f| f.check.clone())
        .collect()
}

fn host(environment: &Environment, architecture: &str) -> String {
    let processor = environment.processor.as_deref();
    format!(
        "{} ({architecture})",
        processor.unwrap_or("unknown processor")
    )
}

fn is_emulated(record: &FamilyRecord, system: &Environment) -> bool {
    let own = record.environment.as_ref().and_then(|e| e.emulated);
    own.or(system.emulated) == Some(true)
}

/// The raw records that an instance names and that are kept beside it. Those of imported figures lie
/// elsewhere.
fn evidence(
    data: &DataFolder,
    entry: &SystemEntry,
    instance: &InstanceRecord,
) -> Result<Vec<OperationRun>> {
    let mut runs = Vec::new();
    if instance.run.is_none() {
        return Ok(runs);
    }
    for evidence in &instance.evidence {
        if !matches!(evidence.kind, EvidenceKind::Timing { .. }) {
            continue;
        }
        let path = data.root().join(&entry.id).join(&evidence.path);
        let bytes = files::read(&path)?;
        let digest = files::sha256_hex(&bytes);
        if evidence.sha256.as_ref() != Some(&digest) {
            bail!(
                "{}: was changed after it was published (its SHA-256 is {digest}); `native-runner verify` names all such files",
                path.display()
            );
        }
        let text = std::str::from_utf8(&bytes)
            .with_context(|| format!("{}: is not UTF-8", path.display()))?;
        runs.push(load(&path.display().to_string(), text)?);
    }
    Ok(runs)
}
