//! `native-runner import`: published pages, field figures and raw records become data sets.

use super::data::DataArgs;
use crate::catalog;
use crate::import::{disagreement, field, page, record, text};
use crate::outcome::Outcome;
use crate::output;
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
    /// taken from the table. If figures disagree beyond their printed digits, they are listed and
    /// nothing is written unless --page-wins is given.
    Field {
        /// The table
        file: PathBuf,
        /// The system that the figures belong to, for example arm_1
        #[arg(long)]
        system: String,
        /// Import even though figures disagree with report pages, whose figures are kept
        #[arg(long)]
        page_wins: bool,
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
        What::Field {
            file,
            system,
            page_wins,
            data,
        } => field_figures(file, system, *page_wins, &data.folder()),
        What::Record {
            files,
            system,
            data,
        } => raw_records(files, system, &data.folder()),
    }
}

fn pages(files: &[PathBuf], data: &DataFolder) -> Result<Outcome> {
    let mut systems: BTreeMap<String, Vec<page::Page>> = BTreeMap::new();
    for page in read_pages(files)? {
        let pages = systems.entry(page.record.system.clone()).or_default();
        pages.push(page);
    }
    let _lock = data.lock()?;
    let mut lines = Vec::new();
    let mut warnings = Vec::new();
    let mut ready = Vec::new();
    for (id, pages) in systems {
        let replaced: Vec<&str> = pages.iter().map(|p| p.record.family.id.as_str()).collect();
        let mut records = imported_families(data, &id, &replaced)?;
        let mut system = system_of(data, &id, &pages[0].architecture)?;
        for page in pages {
            if let Some(environment) = &page.record.environment {
                system.environment = merged(environment, &system.environment);
            }
            lines.push(describe(&page.record));
            place_page(&mut records, page.record, &mut warnings)?;
        }
        ready.push((system, records));
    }
    for (system, records) in &ready {
        data.write_system(system, records, &[])?;
    }
    told(&lines, &warnings)
}

/// Reads all pages; refuses two of one family and system.
fn read_pages(files: &[PathBuf]) -> Result<Vec<page::Page>> {
    let mut read: Vec<page::Page> = Vec::new();
    for (i, file) in files.iter().enumerate() {
        let page = page::read(&file.display().to_string(), &text::read(file)?)?;
        let key = |p: &page::Page| (p.record.system.clone(), p.record.family.id.clone());
        if let Some(other) = read.iter().position(|p| key(p) == key(&page)) {
            bail!(
                "{}: a second page of {} on {} (the first is {}); one page per family and system was expected",
                files[i].display(),
                page.record.family.id,
                page.record.system,
                files[other].display()
            );
        }
        read.push(page);
    }
    Ok(read)
}

/// One line on an imported record.
fn describe(record: &FamilyRecord) -> String {
    format!(
        "{}: {} {}, {} instances, {} operations, {} evidence files",
        record.system,
        record.family.id,
        record.family.name,
        record.instances.len(),
        count(record, |i| i.operations.len()),
        count(record, |i| i.evidence.len()),
    )
}

/// Prints what was imported, and the warnings; what has warnings is not all well.
fn told(lines: &[String], warnings: &[String]) -> Result<Outcome> {
    for line in lines {
        output::line(line)?;
    }
    for warning in warnings {
        eprintln!("warning: {warning}");
    }
    Ok(Outcome::well_if(warnings.is_empty()))
}

/// Puts a page's record in the place of what is there.
fn place_page(
    records: &mut Vec<FamilyRecord>,
    mut record: FamilyRecord,
    warnings: &mut Vec<String>,
) -> Result<()> {
    let Some(present) = records.iter_mut().find(|r| r.family.id == record.family.id) else {
        records.push(record);
        return Ok(());
    };
    if present.source.kind == SourceKind::RawRecords {
        bail!(
            "{} on {} was imported from raw records, which are more exact; import the page under another system",
            record.family.id,
            record.system
        );
    }
    for instance in &present.instances {
        if !record.instances.iter().any(|i| i.name == instance.name) {
            warnings.push(format!(
                "{} {} was there before and is not on the page; it is gone now",
                record.family.id, instance.name
            ));
        }
    }
    field::take_target_bits(&mut record, present);
    *present = record;
    Ok(())
}

fn field_figures(file: &Path, system: &str, page_wins: bool, data: &DataFolder) -> Result<Outcome> {
    refuse_bad_system(system)?;
    let table = field::read(&file.display().to_string(), &text::read(file)?, system)?;
    let _lock = data.lock()?;
    let meta = known_system(data, system)?;
    let mut records = imported_families(data, system, &[])?;
    let mut warnings = Vec::new();
    let (mut new, mut kept) = (0, 0);
    for record in table {
        match records.iter_mut().find(|r| r.family.id == record.family.id) {
            Some(present) if present.source.kind != SourceKind::FieldFigures => {
                kept += 1;
                field::take_target_bits(present, &record);
                warnings.extend(disagreement::lines(present, &record));
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
    if !warnings.is_empty() && !page_wins {
        bail!(
            "{}: {} figures disagree with report pages of {system}, so nothing was written (is it the table of another system? with --page-wins the pages' figures are kept):\n  {}",
            file.display(),
            warnings.len(),
            warnings.join("\n  ")
        );
    }
    data.write_system(&meta, &records, &[])?;
    let line = format!(
        "{system}: {new} families taken from the table, {kept} kept as their report pages say"
    );
    told(&[line], &warnings)
}

fn raw_records(files: &[PathBuf], system: &str, data: &DataFolder) -> Result<Outcome> {
    refuse_bad_system(system)?;
    let mut texts = Vec::new();
    for file in files {
        texts.push((file.display().to_string(), text::read(file)?));
    }
    let imported = record::read(&texts, system)?;
    let _lock = data.lock()?;
    let mut records = imported_families(data, system, &[])?;
    let architecture = imported
        .architecture
        .unwrap_or_else(|| "unknown".to_owned());
    let mut meta = system_of(data, system, &architecture)?;
    let mut lines = Vec::new();
    for record in imported.families {
        if let Some(environment) = &record.environment {
            meta.environment = merged(environment, &meta.environment);
        }
        lines.push(describe(&record));
        match records.iter_mut().find(|r| r.family.id == record.family.id) {
            Some(present) if present.source.kind != SourceKind::RawRecords => bail!(
                "{} on {system} was imported from published figures; import the records under another --system",
                record.family.id
            ),
            Some(present) => record::merge(present, record),
            None => records.push(record),
        }
    }
    data.write_system(&meta, &records, &[])?;
    told(&lines, &[])
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
fn imported_families(
    data: &DataFolder,
    system: &str,
    replaced: &[&str],
) -> Result<Vec<FamilyRecord>> {
    let records = data.families(system, replaced)?;
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
        host_name: None,
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
