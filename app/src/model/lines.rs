//! One line per family: what the list of families says of each.

use super::column::{Column, Units};
use super::row::Row;
use kemscope_schema::{Category, KatStatus, Operation};
use std::sync::Arc;

/// A family in the list of families.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyLine {
    /// Identifier.
    pub id: String,
    /// Name of the scheme.
    pub name: Arc<str>,
    /// Mathematical basis.
    pub category: Option<Category>,
    /// Number of instances, each counted once whatever its implementations and systems.
    pub instances: usize,
    /// Number of rows: instances, in each implementation and on each system shown.
    pub rows: usize,
    /// How many of them pass their known-answer test.
    pub well: usize,
    /// The first outcome that is not well, if there is one.
    pub failing: Option<KatStatus>,
    /// Smallest and greatest of public key and ciphertext together, in bytes.
    pub wire: Option<(f64, f64)>,
    /// Row with the fastest decapsulation.
    pub fastest: Option<u32>,
    /// Systems, among those shown, that have it.
    pub systems: Vec<Arc<str>>,
}

impl FamilyLine {
    /// How many pass, in words; where not all do, with a sign and the name of what is wrong.
    pub fn kat_words(&self) -> String {
        // Where an instance has several rows, the reader must not take them for instances.
        let what = if self.rows == self.instances {
            ""
        } else {
            "rows "
        };
        let count = format!("{} of {} {what}pass", self.well, self.rows);
        match self.failing {
            Some(status) => format!("⚠ {count}, {status}"),
            None => count,
        }
    }

    /// Colour class of those words.
    pub fn kat_class(&self) -> &'static str {
        if self.failing.is_none() {
            "status-good"
        } else {
            "status-bad"
        }
    }
}

/// The families of the rows, in their order.
pub fn families(rows: &[Row], units: Units) -> Vec<FamilyLine> {
    let mut lines: Vec<FamilyLine> = Vec::new();
    let dec = |row: &Row| row.number(Column::Speed(Operation::Dec), units);
    let mut counted: Vec<(&str, &str)> = Vec::new();
    for (index, row) in (0u32..).zip(rows) {
        let at = lines
            .iter()
            .position(|line| line.id == row.data.family)
            .unwrap_or_else(|| {
                lines.push(FamilyLine {
                    id: row.data.family.clone(),
                    name: row.family_name.clone(),
                    category: row.category,
                    instances: 0,
                    rows: 0,
                    well: 0,
                    failing: None,
                    wire: None,
                    fastest: None,
                    systems: Vec::new(),
                });
                lines.len() - 1
            });
        let Some(line) = lines.get_mut(at) else {
            continue;
        };
        line.rows += 1;
        let instance = (row.data.family.as_str(), row.data.instance.as_str());
        if !counted.contains(&instance) {
            counted.push(instance);
            line.instances += 1;
        }
        if row.data.kat.is_well() {
            line.well += 1;
        } else {
            line.failing = line.failing.or(Some(row.data.kat));
        }
        if let Some(bytes) = row.number(Column::PkCt, units) {
            line.wire = Some(line.wire.map_or((bytes, bytes), |(low, high)| {
                (low.min(bytes), high.max(bytes))
            }));
        }
        let best = line.fastest.and_then(|best| dec(rows.get(best as usize)?));
        if let Some(now) = dec(row)
            && best.is_none_or(|best| now < best)
        {
            line.fastest = Some(index);
        }
        if !line.systems.contains(&row.system) {
            line.systems.push(row.system.clone());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::row::tests::row;

    #[test]
    fn one_line_per_family() {
        let rows = [
            row("a", "A-1", None),
            row("b", "B-1", None),
            row("a", "A-2", None),
        ];
        let lines = families(&rows, Units::Cycles);
        assert_eq!(
            lines
                .iter()
                .map(|l| (l.id.as_str(), l.rows, l.well))
                .collect::<Vec<_>>(),
            [("a", 2, 2), ("b", 1, 1)]
        );
        assert_eq!(lines[0].wire, Some((1701.0, 1701.0)));
        assert_eq!(lines[0].fastest, None);
        assert_eq!(lines[0].kat_words(), "2 of 2 pass");
    }

    #[test]
    fn an_instance_counts_once() {
        let mut rows = [row("a", "A-1", None), row("a", "A-1", None)];
        rows[1].system = "x86_1".into();
        let lines = families(&rows, Units::Cycles);
        assert_eq!((lines[0].instances, lines[0].rows), (1, 2));
        assert_eq!(lines[0].kat_words(), "2 of 2 rows pass");
    }

    #[test]
    fn what_does_not_pass_is_named() {
        let mut rows = [row("a", "A-1", None), row("a", "A-2", None)];
        rows[1].data.kat = KatStatus::NoKat;
        let lines = families(&rows, Units::Time);
        assert_eq!(lines[0].kat_words(), "⚠ 1 of 2 pass, NOKAT");
    }
}
