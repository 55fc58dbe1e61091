//! What a publication changes, instance by instance.

use kemscope_schema::{FamilyRecord, InstanceRecord, Operation, Timing, format};
use std::fmt;

/// One line of a publication.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Family and instance, and the variant where the family has more than one.
    pub instance: String,
    /// What happened to it.
    pub kind: ChangeKind,
}

/// What happens to a published instance.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeKind {
    /// It was not there before.
    New(Box<InstanceRecord>),
    /// It takes the place of an earlier record.
    Replaced {
        /// What was published.
        old: Box<InstanceRecord>,
        /// What is published now.
        new: Box<InstanceRecord>,
    },
    /// It is published as it was.
    Unchanged,
    /// It is not there any more.
    Removed,
}

/// The changes from one state of a system to another: in the new order, then what is gone.
pub fn between(before: &[FamilyRecord], after: &[FamilyRecord]) -> Vec<Change> {
    let mut changes = Vec::new();
    for (family, new) in each(after) {
        let kind = match find(before, family, new) {
            None => ChangeKind::New(Box::new(new.clone())),
            Some(old) if old == new => ChangeKind::Unchanged,
            Some(old) => ChangeKind::Replaced {
                old: Box::new(old.clone()),
                new: Box::new(new.clone()),
            },
        };
        changes.push(Change {
            instance: name(after, family, new),
            kind,
        });
    }
    for (family, old) in each(before) {
        if find(after, family, old).is_none() {
            changes.push(Change {
                instance: name(before, family, old),
                kind: ChangeKind::Removed,
            });
        }
    }
    changes
}

fn each(records: &[FamilyRecord]) -> impl Iterator<Item = (&str, &InstanceRecord)> {
    records.iter().flat_map(|record| {
        let family = record.family.id.as_str();
        record.instances.iter().map(move |i| (family, i))
    })
}

fn find<'a>(
    records: &'a [FamilyRecord],
    family: &str,
    like: &InstanceRecord,
) -> Option<&'a InstanceRecord> {
    let same = |(of, i): &(&str, &InstanceRecord)| {
        *of == family
            && i.name == like.name
            && i.implementation.variant == like.implementation.variant
    };
    each(records).find(same).map(|(_, instance)| instance)
}

fn name(records: &[FamilyRecord], family: &str, instance: &InstanceRecord) -> String {
    let variants = each(records).filter(|(of, i)| *of == family && i.name == instance.name);
    let short = format!("{family}/{}", instance.name);
    match variants.count() {
        0 | 1 => short,
        _ => format!("{short}/{}", instance.implementation.variant),
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instance = &self.instance;
        match &self.kind {
            ChangeKind::New(new) => write!(f, "new        {instance}: {}", figures(None, new)),
            ChangeKind::Replaced { old, new } => {
                write!(f, "replaced   {instance}: {}", figures(Some(old), new))
            }
            ChangeKind::Unchanged => write!(f, "unchanged  {instance}"),
            ChangeKind::Removed => write!(f, "removed    {instance}"),
        }
    }
}

/// `KAT PASS, keygen 45.1 µs → 44.9 µs (-0.4%), …`.
fn figures(old: Option<&InstanceRecord>, new: &InstanceRecord) -> String {
    let kat = match old.map(|old| old.kat.status) {
        Some(before) if before != new.kat.status => {
            format!("KAT {before} → {}", new.kat.status)
        }
        _ => format!("KAT {}", new.kat.status),
    };
    let operations = Operation::ALL.into_iter().map(|operation| {
        let mean = |instance: &InstanceRecord| seconds(instance, operation);
        let now = mean(new);
        match old.map(mean) {
            None => format!("{operation} {}", printed(now)),
            Some(before) if before == now => format!("{operation} {} as before", printed(now)),
            Some(before) => {
                let percent = before.zip(now).map_or_else(String::new, |(before, now)| {
                    format!(" ({:+.1}%)", 100.0 * (now / before - 1.0))
                });
                let (before, now) = (printed(before), printed(now));
                format!("{operation} {before} → {now}{percent}")
            }
        }
    });
    let parts: Vec<String> = std::iter::once(kat).chain(operations).collect();
    parts.join(", ")
}

fn seconds(instance: &InstanceRecord, operation: Operation) -> Option<f64> {
    let timing: Option<Timing> = instance.operation(operation)?.timing;
    Some(timing?.mean_seconds?.value)
}

fn printed(seconds: Option<f64>) -> String {
    seconds.map_or_else(|| "–".to_owned(), format::seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kemscope_schema::{
        Family, Figure, KatStatus, OperationRecord, Provenance, Source, SourceKind,
    };

    fn instance(name: &str, variant: &str, enc: Option<f64>) -> InstanceRecord {
        let mut instance = InstanceRecord::empty(name, variant);
        instance.kat.status = KatStatus::Pass;
        instance.operations.push(OperationRecord {
            timing: enc.map(|seconds| Timing {
                mean_seconds: Some(Figure::exact(seconds)),
                ..Timing::default()
            }),
            ..OperationRecord::empty(Operation::Enc)
        });
        instance
    }

    fn records(instances: Vec<InstanceRecord>) -> [FamilyRecord; 1] {
        let family = Family {
            id: "toy".to_owned(),
            name: "Toy".to_owned(),
            category: None,
        };
        let source = Source {
            kind: SourceKind::Run,
            title: "r".to_owned(),
            sha256: None,
        };
        let mut record = FamilyRecord::empty("s", family, Provenance::Measured, source);
        record.instances = instances;
        [record]
    }

    #[test]
    fn each_instance_is_new_replaced_unchanged_or_removed() {
        let before = records(vec![
            instance("A", "clean", Some(2e-6)),
            instance("B", "clean", Some(1e-3)),
            instance("C", "clean", None),
            instance("D", "clean", Some(1e-3)),
        ]);
        let mut failed = instance("D", "clean", None);
        failed.kat.status = KatStatus::Mismatch;
        let after = records(vec![
            instance("A", "clean", Some(2.1e-6)),
            instance("A", "avx2", Some(1e-6)),
            instance("B", "clean", Some(1e-3)),
            failed,
        ]);
        let lines: Vec<String> = between(&before, &after)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            lines,
            [
                "replaced   toy/A/clean: KAT PASS, keygen – as before, enc 2 µs → 2.1 µs (+5.0%), dec – as before",
                "new        toy/A/avx2: KAT PASS, keygen –, enc 1 µs, dec –",
                "unchanged  toy/B",
                "replaced   toy/D: KAT PASS → MISMATCH, keygen – as before, enc 1 ms → –, dec – as before",
                "removed    toy/C",
            ]
        );
    }
}
