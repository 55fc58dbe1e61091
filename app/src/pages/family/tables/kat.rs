//! Section 3: known-answer tests.

use super::{Cell, name, table};
use crate::model::explain::{kat_label, kat_meaning};
use kemscope_schema::FamilyRecord;
use leptos::prelude::*;

/// One row per instance.
pub fn kat(record: &FamilyRecord) -> AnyView {
    let rows = record
        .instances
        .iter()
        .map(|instance| {
            let flags = instance.implementation.build_flags.clone();
            let mut status = Cell::text("kat", kat_label(instance.kat.status))
                .titled(kat_meaning(instance.kat.status));
            status.value = instance.kat.status.label().to_owned();
            let digest = instance
                .kat
                .text_sha256
                .as_ref()
                .map_or_else(String::new, |digest| {
                    digest.chars().take(16).collect::<String>() + "…"
                });
            let remark = instance
                .kat
                .message
                .clone()
                .or_else(|| instance.note.clone())
                .unwrap_or_default();
            let cells = vec![
                name(record, instance),
                Cell::text("build_flags", flags.unwrap_or_else(|| "–".to_owned()))
                    .titled(instance.implementation.flags.clone().unwrap_or_default()),
                status,
                Cell::text("text_sha256", digest)
                    .titled(instance.kat.text_sha256.clone().unwrap_or_default()),
                Cell::text("remark", remark),
            ];
            (instance, None, cells)
        })
        .collect();
    table(
        record,
        "KAT",
        &[
            "instance",
            "build flags",
            "KAT",
            "digest of the text",
            "remark",
        ],
        rows,
    )
}
