//! Section 7: index of the raw evidence.

use crate::ui::node::{Tag, el, words};
use kemscope_schema::{Evidence, FamilyRecord, InstanceRecord};

/// Short form of a file's digest, and the whole of it or why it is not known.
fn digest(evidence: &Evidence) -> (String, &str) {
    match (&evidence.sha256, &evidence.sha256_prefix) {
        (Some(full), _) => (format!("{}…", full.get(..16).unwrap_or(full)), full),
        (None, Some(prefix)) => (
            format!("{prefix}…"),
            "only these digits are printed in the source",
        ),
        (None, None) => (String::new(), ""),
    }
}

fn row(record: &FamilyRecord, instance: &InstanceRecord, evidence: &Evidence) -> Tag {
    let (short, full) = digest(evidence);
    // Only the path: raw files lie beside the data, not beside this page.
    let file = words("code", "", &evidence.path);
    el("tr")
        .attr("data-system", &record.system)
        .attr("data-instance", &instance.name)
        .child(words("td", "mono", &instance.name))
        .child(el("td").text(&evidence.kind.label()))
        .child(words("td", "mono", &short).attr("title", full))
        .child(el("td").child(file))
}

/// One row per file.
pub fn evidence(record: &FamilyRecord) -> Vec<Tag> {
    let mut rows = Vec::new();
    for instance in &record.instances {
        for evidence in &instance.evidence {
            rows.push(row(record, instance, evidence));
        }
    }
    let mut tags = vec![if rows.is_empty() {
        words("p", "muted", "No evidence files.")
    } else {
        let head = ["instance", "item", "SHA-256", "file"]
            .map(|title| el("th").attr("scope", "col").text(title));
        let table = el("table").class("plain").attr("aria-label", "Evidence");
        let table = table
            .child(el("thead").child(el("tr").children(head)))
            .child(el("tbody").children(rows));
        el("div")
            .class("table-wrap evidence")
            .attr("tabindex", "0")
            .child(table)
    }];
    if let Some(scripts) = &record.notes.scripts {
        tags.push(words("p", "muted", scripts));
    }
    tags
}
