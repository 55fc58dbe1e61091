//! `native-runner import`: published pages, field figures and raw records become data sets.

use super::data::DataArgs;
use crate::catalog;
use crate::import::{field, page, record, text};
use crate::outcome::Outcome;
use crate::store::DataFolder;
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use kemscope_schema::identifier::is_identifier;
use kemscope_schema::{
    Environment, FamilyRecord, InstanceRecord, Provenance, SCHEMA_VERSION, SourceKind, System,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Takes over published figures into a data folder.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// What to import.
    #[command(subcommand)]
    pub what: What,
}

/// What can be imported.
#[derive(Debug, Subcommand)]
pub enum What {
    /// Report pages: the seven sections of a family on a system
    ///
    /// Reads pages saved or copied as text with tabs, as text whose tabs became spaces, and as
    /// Markdown. Family and system stand in the page's title. A page is accepted only if every
    /// figure could be given back exactly as printed.
    Page {
        /// The pages, one file each
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Where the data sets are
        #[command(flatten)]
        data: DataArgs,
    },
    /// Summary figures of the whole field: a CSV with one row per instance
    ///
    /// Where a report page of a family was imported, the page wins and only the target bits are
    /// taken from the table; figures that disagree beyond their printed digits are listed.
    Field {
        /// The table
        file: PathBuf,
        /// The system that the figures belong to, for example arm_1
        #[arg(long)]
        system: String,
        /// Where the data sets are
        #[command(flatten)]
        data: DataArgs,
    },
    /// Raw records and hash profiles of the public harness (JSON, its schema 2)
    ///
    /// Every statistic is computed again from the trials.
    Record {
        /// The files, in any order
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The system that the records belong to
        #[arg(long)]
        system: String,
        /// Where the data sets are
        #[command(flatten)]
        data: DataArgs,
    },
}

/// Imports.
///
/// # Errors
/// If a file is not sound; nothing is written then.
pub fn run(args: &ImportArgs) -> Result<Outcome> {
    match &args.what {
        What::Page { files, data } => pages(files, &data.folder()),
        What::Field { file, system, data } => field_figures(file, system, &data.folder()),
        What::Record {
            files,
            system,
            data,
        } => raw_records(files, system, &data.folder()),
    }
}

fn pages(files: &[PathBuf], data: &DataFolder) -> Result<Outcome> {
    let mut read: Vec<(PathBuf, page::Page)> = Vec::new();
    for file in files {
        let page = page::read(&file.display().to_string(), &text::read(file)?)?;
        let key = |p: &page::Page| (p.record.system.clone(), p.record.family.id.clone());
        if let Some((other, _)) = read.iter().find(|(_, p)| key(p) == key(&page)) {
            bail!(
                "{}: a second page of {} on {} (the first is {}); one page per family and system was expected",
                file.display(),
                page.record.family.id,
                page.record.system,
                other.display()
            );
        }
        read.push((file.clone(), page));
    }
    let mut systems: BTreeMap<String, Vec<page::Page>> = BTreeMap::new();
    for (_, page) in read {
        let pages = systems.entry(page.record.system.clone()).or_default();
        pages.push(page);
    }
    for (id, pages) in systems {
        let mut records = imported_families(data, &id)?;
        let mut system = system_of(data, &id, &pages[0].architecture)?;
        for page in pages {
            let mut record = page.record;
            if let Some(environment) = &record.environment {
                system.environment = merged(environment, &system.environment);
            }
            println!(
                "{id}: {} {}, {} instances, {} operations, {} evidence files",
                record.family.id,
                record.family.name,
                record.instances.len(),
                count(&record, |i| i.operations.len()),
                count(&record, |i| i.evidence.len()),
            );
            match records.iter_mut().find(|r| r.family.id == record.family.id) {
                Some(present) => {
                    field::take_target_bits(&mut record, present);
                    *present = record;
                }
                None => records.push(record),
            }
        }
        data.write_system(&system, &records, &[])?;
    }
    Ok(Outcome::Well)
}

fn field_figures(file: &Path, system: &str, data: &DataFolder) -> Result<Outcome> {
    refuse_bad_system(system)?;
    let table = field::read(&file.display().to_string(), &text::read(file)?, system)?;
    let mut records = imported_families(data, system)?;
    let meta = known_system(data, system)?;
    let mut disagreements = Vec::new();
    let (mut new, mut kept) = (0, 0);
    for record in table {
        match records.iter_mut().find(|r| r.family.id == record.family.id) {
            Some(present) if present.source.kind != SourceKind::FieldFigures => {
                kept += 1;
                field::take_target_bits(present, &record);
                disagreements.extend(disagreement(present, &record));
            }
            Some(present) => {
                new += 1;
                *present = record;
            }
            None => {
                new += 1;
                records.push(record);
            }
        }
    }
    data.write_system(&meta, &records, &[])?;
    println!(
        "{system}: {new} families taken from the table, {kept} kept as their report pages say"
    );
    for line in &disagreements {
        eprintln!("warning: {line}");
    }
    Ok(Outcome::well_if(disagreements.is_empty()))
}

fn raw_records(files: &[PathBuf], system: &str, data: &DataFolder) -> Result<Outcome> {
    refuse_bad_system(system)?;
    let mut texts = Vec::new();
    for file in files {
        texts.push((file.display().to_string(), text::read(file)?));
    }
    let imported = record::read(&texts, system)?;
    let mut records = imported_families(data, system)?;
    let architecture = imported
        .architecture
        .unwrap_or_else(|| "unknown".to_owned());
    let mut meta = system_of(data, system, &architecture)?;
    for record in imported.families {
        if let Some(environment) = &record.environment {
            meta.environment = merged(environment, &meta.environment);
        }
        println!(
            "{system}: {} {}, {} instances, {} operations computed again from their trials",
            record.family.id,
            record.family.name,
            record.instances.len(),
            count(&record, |i| i.operations.len()),
        );
        match records.iter_mut().find(|r| r.family.id == record.family.id) {
            Some(present) if present.source.kind != SourceKind::RawRecords => bail!(
                "{} on {system} was imported from published figures; import the records under another --system",
                record.family.id
            ),
            Some(present) => *present = record,
            None => records.push(record),
        }
    }
    data.write_system(&meta, &records, &[])?;
    Ok(Outcome::Well)
}

fn count(record: &FamilyRecord, of: impl Fn(&InstanceRecord) -> usize) -> usize {
    record.instances.iter().map(of).sum()
}

fn refuse_bad_system(system: &str) -> Result<()> {
    if !is_identifier(system) {
        bail!("“{system}” is not the identifier of a system (letters, digits, - and _)");
    }
    Ok(())
}

/// The records that a system has; refuses a system that was measured here.
fn imported_families(data: &DataFolder, system: &str) -> Result<Vec<FamilyRecord>> {
    let records = data.families(system)?;
    if records.iter().any(|r| r.provenance == Provenance::Measured) {
        bail!(
            "system {system} was measured by this runner; imported figures go under another --system"
        );
    }
    Ok(records)
}

/// The system as the data folder has it, else as it is known.
fn present_system(data: &DataFolder, id: &str) -> Result<Option<System>> {
    match data.entry(id)? {
        Some(_) => Ok(Some(data.system(id)?)),
        None => catalog::system(id),
    }
}

fn known_system(data: &DataFolder, id: &str) -> Result<System> {
    match present_system(data, id)? {
        Some(system) => Ok(system),
        None => bail!(
            "nothing is known of system {id} yet; import a report page of it first, or name one of arm_1, x86_1"
        ),
    }
}

fn system_of(data: &DataFolder, id: &str, architecture: &str) -> Result<System> {
    Ok(present_system(data, id)?.unwrap_or_else(|| System {
        schema_version: SCHEMA_VERSION,
        id: id.to_owned(),
        label: id.to_owned(),
        architecture: architecture.to_owned(),
        provenance: Provenance::Imported,
        environment: Environment::default(),
    }))
}

/// A page's environment with what only the system's own file knows.
fn merged(page: &Environment, known: &Environment) -> Environment {
    Environment {
        virtualised: page.virtualised.or(known.virtualised),
        emulated: page.emulated.or(known.emulated),
        ..page.clone()
    }
}

/// Lines on figures of a table that contradict a page beyond the printed digits.
fn disagreement(page: &FamilyRecord, table: &FamilyRecord) -> Vec<String> {
    let mut lines = Vec::new();
    for row in &table.instances {
        let key = format!("{} {}", page.family.id, row.name);
        let Some(instance) = page.instances.iter().find(|i| i.name == row.name) else {
            lines.push(format!("{key}: in the table, not on the page"));
            continue;
        };
        if instance.kat.status != row.kat.status {
            lines.push(format!(
                "{key}: KAT {} on the page, {} in the table",
                instance.kat.status, row.kat.status
            ));
        }
        for (what, a, b) in [
            (
                "public key",
                instance.sizes.public_key_bytes,
                row.sizes.public_key_bytes,
            ),
            (
                "ciphertext",
                instance.sizes.ciphertext_bytes,
                row.sizes.ciphertext_bytes,
            ),
        ] {
            if a != b {
                lines.push(format!(
                    "{key}: {what} {a:?} on the page, {b:?} in the table"
                ));
            }
        }
        for operation in &row.operations {
            let figures = |o: &kemscope_schema::OperationRecord| {
                (
                    o.timing.and_then(|t| t.mean_cycles),
                    o.profile.as_ref().and_then(|p| p.hash_share),
                )
            };
            let (cycles, share) = figures(operation);
            let (page_cycles, page_share) = instance
                .operation(operation.operation)
                .map(figures)
                .unwrap_or_default();
            for (what, a, b) in [
                ("cycles", page_cycles, cycles),
                ("symmetric share", page_share, share),
            ] {
                let agree = match (a, b) {
                    (Some(a), Some(b)) => a.agrees_with(&b),
                    (None, None) => true,
                    _ => false,
                };
                if !agree {
                    let show = |f: Option<kemscope_schema::Figure>| {
                        f.map_or_else(|| "unknown".to_owned(), |f| f.value.to_string())
                    };
                    lines.push(format!(
                        "{key} {}: {what} {} on the page, {} in the table",
                        operation.operation,
                        show(a),
                        show(b)
                    ));
                }
            }
        }
    }
    lines
}
