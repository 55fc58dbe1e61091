//! Section 5: resource consumption.

use super::{Cell, name, table};
use kemscope_schema::{FamilyRecord, format};
use leptos::prelude::*;

/// One row per instance and operation with memory figures.
pub fn memory(record: &FamilyRecord) -> AnyView {
    let rows = record
        .instances
        .iter()
        .flat_map(|instance| {
            instance
                .operations
                .iter()
                .map(move |operation| (instance, operation))
        })
        .filter_map(|(instance, operation)| {
            let memory = operation.memory?;
            let cells = vec![
                name(record, instance),
                Cell::text("operation", operation.operation.name()),
                Cell::figure(
                    "elf_load_bytes",
                    memory.elf_load_bytes,
                    u64::to_string,
                    u64::to_string,
                ),
                Cell::figure(
                    "baseline_rss_bytes",
                    memory.baseline_rss_bytes,
                    u64::to_string,
                    |bytes| format::kib(*bytes),
                ),
                Cell::figure(
                    "peak_rss_bytes",
                    memory.peak_rss_bytes,
                    u64::to_string,
                    |bytes| format::kib(*bytes),
                ),
            ];
            Some((instance, Some(operation.operation), cells))
        })
        .collect();
    table(
        record,
        "Memory",
        &[
            "instance",
            "operation",
            "static: ELF image (bytes)",
            "baseline RSS",
            "peak RSS",
        ],
        rows,
    )
}
