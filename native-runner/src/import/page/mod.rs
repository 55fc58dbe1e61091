//! Report pages: from the text as people save or copy it to a family record.
//!
//! The way of a page: [`lines`] takes the mark-up off every line, whichever of the three forms it
//! has; [`outline`] finds title and sections; [`table`] cuts the rows of a section into cells, also
//! where tabs were lost; [`build`] reads the cells ([`figures`], [`instances`], [`environment`]) into a
//! [`FamilyRecord`]; [`crate::page`] prints the record's sections again. A page is accepted only if what is rendered equals what was read,
//! so nothing can get lost on the way without an error, and only if its sections fit
//! each other ([`consistency`]).

mod build;
mod cells;
mod check;
mod consistency;
mod environment;
mod figures;
mod instances;
mod lines;
pub mod outline;
mod table;

use super::error::ImportError;
use kemscope_schema::{FamilyRecord, SourceKind};
use sha2::{Digest, Sha256};

/// What a page says.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The family's record.
    pub record: FamilyRecord,
    /// Instruction set that the title names, in the contract's words (`aarch64`, `x86_64`).
    pub architecture: String,
}

/// Reads the text of a page. `file` is its name, for errors.
///
/// # Errors
/// If a section is missing or the page ends too early, if a cell is missing or is not of its
/// column's form, or if the record would not give back the page's figures.
pub fn read(file: &str, text: &str) -> Result<Page, ImportError> {
    let lines = lines::clean(text);
    let outline = outline::Outline::find(file, &lines)?;
    let tables = table::Tables::read(file, &outline)?;
    let mut page = build::page(file, &outline, &tables)?;
    page.record.source.sha256 = Some(format!("{:x}", Sha256::digest(text.as_bytes())));
    debug_assert_eq!(page.record.source.kind, SourceKind::ReportPage);
    check::round_trip(file, &tables, &page.record)?;
    consistency::check(file, &tables, &page.record)?;
    super::error::refuse_problems(file, &page.record)?;
    Ok(page)
}
