//! Section 5: resource consumption.

use super::{Anchors, Cell, per_operation, plain, table};
use crate::ui::node::Tag;
use kemscope_schema::{FamilyRecord, format};

/// One row per instance and operation with memory figures.
pub fn memory(record: &FamilyRecord) -> Tag {
    let rows = per_operation(record, |operation| {
        let memory = operation.memory?;
        Some(vec![
            Cell::count("elf_load_bytes", memory.elf_load_bytes, plain),
            Cell::count("baseline_rss_bytes", memory.baseline_rss_bytes, format::kib),
            Cell::count("peak_rss_bytes", memory.peak_rss_bytes, format::kib),
        ])
    });
    table(
        record,
        "Memory",
        Anchors::None,
        &[
            "operation",
            "static: ELF image (bytes)",
            "baseline RSS",
            "peak RSS",
        ],
        rows,
    )
}
