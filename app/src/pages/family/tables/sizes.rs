//! Section 6: transmission and storage.

use super::{Anchors, Cell, name_of, plain, table};
use crate::model::geometry::{extent, fraction};
use crate::ui::node::{Tag, el, words};
use kemscope_schema::{FamilyRecord, InstanceRecord, SummaryRow, derive};

/// Public key and ciphertext of each instance as one bar, linear, from zero.
pub fn bars(record: &FamilyRecord) -> Option<Tag> {
    let wire = |instance: &InstanceRecord| {
        derive::wire_bytes(&SummaryRow::of(&record.family.id, instance))
    };
    let (_, most) = extent(
        record
            .instances
            .iter()
            .filter_map(wire)
            .map(|sum| sum as f64),
    )?;
    let length = |bytes: u64| format!("{:.1}%", 100.0 * fraction(bytes as f64, (0.0, most), false));
    let mut lines = Vec::new();
    for instance in &record.instances {
        if let (Some(pk), Some(ct)) = (
            instance.sizes.public_key_bytes,
            instance.sizes.ciphertext_bytes,
        ) {
            lines.push(words("div", "bar-name mono", &name_of(record, instance)));
            lines.push(
                el("div")
                    .class("stack")
                    .attr("title", &format!("public key {pk}, ciphertext {ct} bytes"))
                    .child(el("span").class("stack-pk").style("--w", &length(pk)))
                    .child(el("span").class("stack-ct").style("--w", &length(ct))),
            );
        }
    }
    let caption = el("figcaption")
        .class("muted")
        .child(el("span").class("key stack-pk"))
        .text(" public key  ")
        .child(el("span").class("key stack-ct"))
        .text(" ciphertext, in bytes from zero");
    let figure = el("figure")
        .class("bars")
        .attr("aria-label", "Sizes as bars; the table holds the figures");
    Some(
        figure
            .child(el("div").class("stack-grid").children(lines))
            .child(caption),
    )
}

/// One row per instance.
pub fn sizes(record: &FamilyRecord) -> Tag {
    let rows = record
        .instances
        .iter()
        .map(|instance| {
            let sizes = instance.sizes;
            let cells = vec![
                Cell::count("public_key_bytes", sizes.public_key_bytes, plain),
                Cell::count("secret_key_bytes", sizes.secret_key_bytes, plain),
                Cell::count("ciphertext_bytes", sizes.ciphertext_bytes, plain),
                Cell::count("shared_secret_bytes", sizes.shared_secret_bytes, plain),
            ];
            (instance, None, cells)
        })
        .collect();
    table(
        record,
        "Sizes",
        Anchors::None,
        &["public key", "secret key", "ciphertext", "shared secret"],
        rows,
    )
}
