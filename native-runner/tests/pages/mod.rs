//! The published report pages that the importer's tests read.

// Every test program uses its own part of it.
#![allow(dead_code)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use kemscope_schema::FamilyRecord;
use native_runner::import::page;

/// The five published pages as saved text, by family.
pub const PAGES: [(&str, &str); 5] = [
    ("kem-12", include_str!("../fixtures/pages/kem-12.txt")),
    ("kem-13", include_str!("../fixtures/pages/kem-13.txt")),
    ("kem-14", include_str!("../fixtures/pages/kem-14.txt")),
    ("kem-27", include_str!("../fixtures/pages/kem-27.txt")),
    ("kem-37", include_str!("../fixtures/pages/kem-37.txt")),
];
/// One of them as Markdown.
pub const MARKDOWN: &str = include_str!("../fixtures/pages/kem-27.md");

/// The saved text of a family's page.
pub fn page_text(family: &str) -> &'static str {
    PAGES.iter().find(|(id, _)| *id == family).unwrap().1
}

/// The record of a page that can be read.
pub fn read(text: &str) -> FamilyRecord {
    page::read("page.txt", text).unwrap().record
}

/// The error of a page that cannot.
pub fn error(text: &str) -> String {
    page::read("page.txt", text).unwrap_err().to_string()
}
