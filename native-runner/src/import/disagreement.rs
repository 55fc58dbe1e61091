//! A report page and a row of the field's summary about the same instance.

use kemscope_schema::{FamilyRecord, Figure, InstanceRecord, Operation};

/// Lines on everything in which a table contradicts a page beyond the printed digits.
pub fn lines(page: &FamilyRecord, table: &FamilyRecord) -> Vec<String> {
    let mut lines = Vec::new();
    for row in &table.instances {
        match page.instances.iter().find(|i| i.name == row.name) {
            Some(instance) => instance_lines(&page.family.id, instance, row, &mut lines),
            None => lines.push(format!(
                "{} {}: in the table, not on the page",
                page.family.id, row.name
            )),
        }
    }
    for instance in &page.instances {
        if !table.instances.iter().any(|row| row.name == instance.name) {
            lines.push(format!(
                "{} {}: on the page, not in the table",
                page.family.id, instance.name
            ));
        }
    }
    lines
}

fn instance_lines(
    family: &str,
    page: &InstanceRecord,
    row: &InstanceRecord,
    lines: &mut Vec<String>,
) {
    let key = format!("{family} {}", row.name);
    let mut tell = |what: &str, a: String, b: String| {
        lines.push(format!("{key}{what} {a} on the page, {b} in the table"));
    };
    if page.kat.status != row.kat.status {
        tell(
            ": KAT",
            page.kat.status.to_string(),
            row.kat.status.to_string(),
        );
    }
    let bytes = |value: Option<u64>| value.map_or_else(|| "unknown".to_owned(), |v| v.to_string());
    for (what, a, b) in [
        (
            ": public key",
            page.sizes.public_key_bytes,
            row.sizes.public_key_bytes,
        ),
        (
            ": ciphertext",
            page.sizes.ciphertext_bytes,
            row.sizes.ciphertext_bytes,
        ),
    ] {
        if a != b {
            tell(what, bytes(a), bytes(b));
        }
    }
    for operation in Operation::ALL {
        let figures = |instance: &InstanceRecord| {
            let record = instance.operation(operation);
            let cycles = record.and_then(|o| o.timing?.mean_cycles);
            let share = record.and_then(|o| o.profile.as_ref()?.hash_share);
            [cycles, share]
        };
        let names = ["cycles", "symmetric share"];
        for ((what, a), b) in names.into_iter().zip(figures(page)).zip(figures(row)) {
            let agree = match (a, b) {
                (Some(a), Some(b)) => a.agrees_with(&b),
                (None, None) => true,
                _ => false,
            };
            if !agree {
                let show = |f: Option<Figure>| {
                    f.map_or_else(|| "unknown".to_owned(), |f| f.value.to_string())
                };
                tell(&format!(" {operation}: {what}"), show(a), show(b));
            }
        }
    }
}
