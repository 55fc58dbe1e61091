//! One row of the overview: an instance in one implementation on one system.

use super::column::{Column, Units};
use super::mark::Mark;
use kemscope_schema::{
    Category, Figure, KatStatus, Operation, Provenance, Summary, SummaryRow, derive,
};
use std::sync::Arc;

/// A summary row together with what its summary says once for all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Identifier of the system.
    pub system: Arc<str>,
    /// The system's fixed clock, where it has one.
    pub clock: Option<Figure>,
    /// Name of the family.
    pub family_name: Arc<str>,
    /// Mathematical basis.
    pub category: Option<Category>,
    /// Measured here or imported.
    pub provenance: Provenance,
    /// The row itself.
    pub data: SummaryRow,
    /// Lower-case text that the search looks into.
    pub haystack: String,
}

/// The rows of a summary, in its order. Rows of a family that the summary does not list are named by
/// their identifier (validation reports them; they stay visible).
pub fn rows_of(summary: &Summary) -> Vec<Row> {
    let system: Arc<str> = summary.system.as_str().into();
    let families: Vec<(Arc<str>, _)> = summary
        .families
        .iter()
        .map(|family| (family.name.as_str().into(), family))
        .collect();
    summary
        .rows
        .iter()
        .map(|data| {
            let family = families.iter().find(|(_, family)| family.id == data.family);
            let family_name =
                family.map_or_else(|| data.family.as_str().into(), |(name, _)| name.clone());
            let category = family.and_then(|(_, family)| family.category);
            let haystack = [
                data.family.as_str(),
                &*family_name,
                &data.instance,
                &data.implementation,
                &*system,
                category.map_or("", Category::name),
                data.kat.label(),
            ]
            .join(" ")
            .to_ascii_lowercase();
            Row {
                system: system.clone(),
                clock: summary.fixed_clock_hz,
                family_name,
                category,
                provenance: family.map_or(Provenance::Imported, |(_, family)| family.provenance),
                data: data.clone(),
                haystack,
            }
        })
        .collect()
}

impl Row {
    /// The exact figure of a numeric column: bits, bytes, cycles, seconds or a fraction.
    /// `None` where it is unknown, and for columns of text.
    pub fn number(&self, column: Column, units: Units) -> Option<f64> {
        let bytes = |size: Option<u64>| size.map(|bytes| bytes as f64);
        match column {
            Column::Target => self.data.target_bits.map(f64::from),
            Column::PublicKey => bytes(self.data.public_key_bytes),
            Column::Ciphertext => bytes(self.data.ciphertext_bytes),
            Column::PkCt => bytes(derive::wire_bytes(&self.data)),
            Column::Speed(operation) => self.speed(operation, units),
            Column::Share => derive::largest_hash_share(&self.data).map(|share| share.value),
            Column::Family
            | Column::Instance
            | Column::System
            | Column::Implementation
            | Column::Kat => None,
        }
    }

    /// Mean of an operation in cycles or seconds.
    pub fn speed(&self, operation: Operation, units: Units) -> Option<f64> {
        let figures = self.data.operation(operation)?;
        match units {
            Units::Cycles => figures.mean_cycles.map(|cycles| cycles.value),
            Units::Time => derive::seconds(figures, self.clock).map(|time| time.figure.value),
        }
    }

    /// The mark of that mean, where it is not what its unit says at first sight.
    pub fn mark(&self, operation: Operation, units: Units) -> Option<Mark> {
        Mark::of(self.data.operation(operation)?, units, self.clock)
    }

    /// The words of a text column; empty for numeric ones.
    pub fn text(&self, column: Column) -> &str {
        match column {
            Column::Family => &self.data.family,
            Column::Instance => &self.data.instance,
            Column::System => &self.system,
            Column::Implementation => &self.data.implementation,
            Column::Kat => self.data.kat.label(),
            _ => "",
        }
    }

    /// Place of the known-answer test's outcome in the order best first.
    pub fn kat_rank(&self) -> usize {
        KatStatus::ALL
            .iter()
            .position(|status| *status == self.data.kat)
            .unwrap_or(KatStatus::ALL.len())
    }

    /// Why a figure of the column is unknown, in a few words.
    pub fn why_unknown(&self, column: Column) -> &'static str {
        match column {
            Column::Target if self.data.nist_category.is_some() => {
                "NIST schemes claim a category, not bits"
            }
            Column::Target => "no security target assigned",
            Column::PublicKey | Column::Ciphertext | Column::PkCt => "size not published",
            _ if self.data.kat == KatStatus::BuildFail => "not measured: the build failed",
            Column::Speed(operation) => match self.data.operation(operation) {
                None => "not measured",
                Some(figures) if figures.mean_cycles.is_none() => {
                    "this system has no source of cycles"
                }
                Some(_) => "no time measured, and no fixed clock to derive it from",
            },
            Column::Share if self.provenance == Provenance::Measured => {
                "not profiled: no placeholder hash functions in this implementation"
            }
            Column::Share => "not available in the source",
            _ => "unknown",
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use kemscope_schema::{CycleSource, FamilySummary, SummaryOperation};

    /// A row with the fields that tests of other modules need.
    pub fn row(family: &str, instance: &str, target_bits: Option<u16>) -> Row {
        let summary = Summary {
            schema_version: kemscope_schema::SCHEMA_VERSION,
            system: "arm_1".to_owned(),
            fixed_clock_hz: Some(Figure::printed(2.71e9, 3)),
            families: vec![FamilySummary {
                id: family.to_owned(),
                name: "Name".to_owned(),
                category: Some(Category::Code),
                provenance: Provenance::Imported,
            }],
            rows: vec![SummaryRow {
                family: family.to_owned(),
                instance: instance.to_owned(),
                implementation: "reference".to_owned(),
                target_bits,
                nist_category: None,
                kat: KatStatus::Pass,
                public_key_bytes: Some(972),
                secret_key_bytes: None,
                ciphertext_bytes: Some(729),
                shared_secret_bytes: None,
                keygen: Some(SummaryOperation {
                    mean_cycles: Some(Figure::printed(241_900.0, 4)),
                    cycle_source: Some(CycleSource::Perf),
                    ..SummaryOperation::default()
                }),
                enc: None,
                dec: None,
                note: None,
            }],
        };
        rows_of(&summary).remove(0)
    }

    #[test]
    fn figures_come_from_the_contract() {
        let row = row("kem-14", "DTRU-648", None);
        assert_eq!(row.number(Column::PkCt, Units::Cycles), Some(1701.0));
        assert_eq!(
            row.number(Column::Speed(Operation::Keygen), Units::Cycles),
            Some(241_900.0)
        );
        assert!(
            row.number(Column::Speed(Operation::Keygen), Units::Time)
                .is_some_and(|s| s < 1e-3)
        );
        assert_eq!(row.number(Column::Speed(Operation::Enc), Units::Time), None);
        assert_eq!(
            row.why_unknown(Column::Speed(Operation::Enc)),
            "not measured"
        );
        assert_eq!(row.number(Column::Family, Units::Cycles), None);
    }
}
