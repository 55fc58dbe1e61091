//! Importing published figures: report pages, figures of the field, raw records of the public harness.
//!
//! Every importer reads all its files first and writes only when all of them are sound.

pub mod disagreement;
pub mod error;
pub mod field;
pub mod page;
pub mod record;
pub mod text;
