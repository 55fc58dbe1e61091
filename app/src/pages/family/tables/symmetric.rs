//! Symmetric primitives: shares and calls per operation.

use super::{Anchors, Cell, per_operation, table};
use crate::ui::node::{Tag, el, words};
use kemscope_schema::{FamilyRecord, Figure, Profile, UnknownShare, format};

fn share(column: &'static str, share: Option<Figure>, unknown: Option<UnknownShare>) -> Cell {
    let mut cell = Cell::figure(column, share, format::share);
    if share.is_none() && unknown == Some(UnknownShare::Undetermined) {
        cell.text = "??%".to_owned();
        cell.title = "profiled, but no share could be told".to_owned();
    }
    cell
}

fn calls(profile: &Profile) -> String {
    let mut text = String::new();
    for call in &profile.primitive_calls {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&format!(
            "{} {}",
            call.primitive,
            format::calls_per_operation(call.calls.value)
        ));
    }
    text
}

/// One row per instance and operation that was profiled.
pub fn symmetric(record: &FamilyRecord) -> Vec<Tag> {
    let rows = per_operation(record, |operation| {
        let profile = operation.profile.as_ref()?;
        Some(vec![
            share("hash_share", profile.hash_share, profile.hash_share_unknown),
            share("drng_share", profile.drng_share, profile.drng_share_unknown),
            Cell::text("primitive_calls", &calls(profile)),
        ])
    });
    if rows.is_empty() {
        return vec![words("p", "muted", "Symmetric primitives: not profiled.")];
    }
    let mut tags = vec![words("h3", "sub", "Symmetric primitives")];
    if let Some(verdict) = &record.survey_verdict {
        tags.push(el("p").text(&format!("Survey verdict: {verdict}")));
    }
    let note = record.notes.profile.as_deref();
    let note = note.unwrap_or(
        "Share of each operation spent in the placeholder hash functions and in the DRNG.",
    );
    tags.push(words("p", "muted", note));
    tags.push(table(
        record,
        "Symmetric primitives",
        Anchors::None,
        &[
            "operation",
            "pseudohash/XOF/sm3",
            "DRNG",
            "calls per operation",
        ],
        rows,
    ));
    tags
}
