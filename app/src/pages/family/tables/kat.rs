//! Section 3: known-answer tests.

use super::{Anchors, Cell, table};
use crate::model::explain::{kat_label, kat_meaning};
use crate::ui::node::Tag;
use kemscope_schema::FamilyRecord;

/// One row per instance.
pub fn kat(record: &FamilyRecord) -> Tag {
    let rows = record
        .instances
        .iter()
        .map(|instance| {
            let implementation = &instance.implementation;
            let kat = &instance.kat;
            let mut status =
                Cell::text("kat", &kat_label(kat.status)).titled(kat_meaning(kat.status));
            status.value = kat.status.label().to_owned();
            let full = kat.text_sha256.as_deref().unwrap_or_default();
            let short = full
                .get(..16)
                .map_or_else(String::new, |digits| format!("{digits}…"));
            let remark = kat
                .message
                .as_deref()
                .or(instance.note.as_deref())
                .unwrap_or_default();
            let cells = vec![
                Cell::text(
                    "build_flags",
                    implementation.build_flags.as_deref().unwrap_or("–"),
                )
                .titled(implementation.flags.as_deref().unwrap_or_default()),
                status,
                Cell::text_or_dash("text_sha256", &short).titled(full),
                Cell::text_or_dash("remark", remark),
            ];
            (instance, None, cells)
        })
        .collect();
    table(
        record,
        "KAT",
        Anchors::Rows,
        &["build flags", "KAT", "digest of the text", "remark"],
        rows,
    )
}
