//! Symmetric primitives: shares and calls per operation.

use super::{Cell, name, table};
use kemscope_schema::{FamilyRecord, Figure, Profile, UnknownShare, format};
use leptos::prelude::*;

fn share(column: &'static str, share: Option<Figure>, unknown: Option<UnknownShare>) -> Cell {
    let mut cell = Cell::figure(
        column,
        share,
        |f| format::shortest(f.value),
        |f| format::share(f.value),
    );
    if share.is_none() && unknown == Some(UnknownShare::Undetermined) {
        cell.text = "??%".to_owned();
        cell.title = "profiled, but no share could be told".to_owned();
    }
    cell
}

fn calls(profile: &Profile) -> String {
    profile
        .primitive_calls
        .iter()
        .map(|call| {
            format!(
                "{} {}",
                call.primitive,
                format::calls_per_operation(call.calls.value)
            )
        })
        .collect::<Vec<_>>()
        .join(", ")
}

/// One row per instance and operation that was profiled.
pub fn symmetric(record: &FamilyRecord) -> AnyView {
    let rows: Vec<_> = record
        .instances
        .iter()
        .flat_map(|instance| {
            instance
                .operations
                .iter()
                .map(move |operation| (instance, operation))
        })
        .filter_map(|(instance, operation)| {
            let profile = operation.profile.as_ref()?;
            let cells = vec![
                name(record, instance),
                Cell::text("operation", operation.operation.name()),
                share("hash_share", profile.hash_share, profile.hash_share_unknown),
                share("drng_share", profile.drng_share, profile.drng_share_unknown),
                Cell::text("primitive_calls", calls(profile)),
            ];
            Some((instance, Some(operation.operation), cells))
        })
        .collect();
    if rows.is_empty() {
        return view! { <p class="muted">"Symmetric primitives: not profiled."</p> }.into_any();
    }
    let table = table(
        record,
        "Symmetric primitives",
        &[
            "instance",
            "operation",
            "pseudohash/XOF/sm3",
            "DRNG",
            "calls per operation",
        ],
        rows,
    );
    view! {
        <h3 class="sub">"Symmetric primitives"</h3>
        {record.survey_verdict.clone().map(|verdict| view! { <p>"Survey verdict: "{verdict}</p> })}
        <p class="muted">
            {record.notes.profile.clone().unwrap_or_else(|| {
                "Share of each operation spent in the placeholder hash functions and in the DRNG.".to_owned()
            })}
        </p>
        {table}
    }
    .into_any()
}
