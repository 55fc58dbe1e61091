//! Section 6: transmission and storage.

use super::{Cell, name, table};
use crate::model::geometry::{extent, fraction};
use kemscope_schema::{FamilyRecord, InstanceRecord};
use leptos::prelude::*;

/// Public key and ciphertext of each instance as one bar, linear, from zero.
fn bars(record: &FamilyRecord) -> Option<AnyView> {
    let wire = |instance: &InstanceRecord| {
        Some((
            instance.sizes.public_key_bytes?,
            instance.sizes.ciphertext_bytes?,
        ))
    };
    let sums = record
        .instances
        .iter()
        .filter_map(wire)
        .map(|(pk, ct)| pk.saturating_add(ct) as f64);
    let (_, most) = extent(sums)?;
    let lines: Vec<AnyView> = record
        .instances
        .iter()
        .filter_map(|instance| {
            let (pk, ct) = wire(instance)?;
            let length =
                |bytes: u64| format!("{:.1}%", 100.0 * fraction(bytes as f64, (0.0, most), false));
            Some(
                view! {
                    <div class="bar-name mono">{instance.name.clone()}</div>
                    <div class="stack" title=format!("public key {pk}, ciphertext {ct} bytes")>
                        <span class="stack-pk" style:width=length(pk)></span>
                        <span class="stack-ct" style:width=length(ct)></span>
                    </div>
                }
                .into_any(),
            )
        })
        .collect();
    Some(
        view! {
            <figure class="bars" aria-label="Sizes as bars; the table holds the figures">
                <div class="stack-grid">{lines}</div>
                <figcaption class="muted">
                    <span class="key stack-pk"></span>" public key  "<span class="key stack-ct"></span>" ciphertext, in bytes from zero"
                </figcaption>
            </figure>
        }
        .into_any(),
    )
}

/// One row per instance.
pub fn sizes(record: &FamilyRecord) -> AnyView {
    let rows = record
        .instances
        .iter()
        .map(|instance| {
            let sizes = instance.sizes;
            let cells = vec![
                name(record, instance),
                Cell::figure(
                    "public_key_bytes",
                    sizes.public_key_bytes,
                    u64::to_string,
                    u64::to_string,
                ),
                Cell::figure(
                    "secret_key_bytes",
                    sizes.secret_key_bytes,
                    u64::to_string,
                    u64::to_string,
                ),
                Cell::figure(
                    "ciphertext_bytes",
                    sizes.ciphertext_bytes,
                    u64::to_string,
                    u64::to_string,
                ),
                Cell::figure(
                    "shared_secret_bytes",
                    sizes.shared_secret_bytes,
                    u64::to_string,
                    u64::to_string,
                ),
            ];
            (instance, None, cells)
        })
        .collect();
    let table = table(
        record,
        "Sizes",
        &[
            "instance",
            "public key",
            "secret key",
            "ciphertext",
            "shared secret",
        ],
        rows,
    );
    view! { {bars(record)}{table} }.into_any()
}
