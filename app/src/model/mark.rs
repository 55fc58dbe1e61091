//! Marks of figures that are not what the unit says at first sight: derived times, cycles that are no core cycles.
//!
//! The page shows a mark before such a figure; the style sheet writes it from the cell's attributes.

use super::column::Units;
use super::row::Row;
use kemscope_schema::{CycleSource, Figure, Operation, SummaryOperation, derive};

/// Why a figure is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A time computed from cycles and the fixed clock.
    Derived,
    /// Cycles of the time-stamp counter.
    Reference,
    /// Cycles computed from a time and the known clock.
    Estimated,
}

impl Mark {
    /// All marks.
    pub const ALL: [Mark; 3] = [Mark::Derived, Mark::Reference, Mark::Estimated];

    /// The mark of an operation's speed. `clock` is the system's fixed clock.
    pub fn of(operation: &SummaryOperation, units: Units, clock: Option<Figure>) -> Option<Mark> {
        match units {
            Units::Time => derive::seconds(operation, clock)?
                .derived
                .then_some(Mark::Derived),
            Units::Cycles => {
                operation.mean_cycles?;
                Mark::of_source(operation.cycle_source?)
            }
        }
    }

    /// The mark of cycles from this source; core cycles have none.
    pub fn of_source(source: CycleSource) -> Option<Mark> {
        match source {
            CycleSource::Perf => None,
            CycleSource::Tsc => Some(Mark::Reference),
            CycleSource::Estimated => Some(Mark::Estimated),
        }
    }

    /// Attribute and value by which the page and its style sheet know the mark.
    pub fn attribute(self) -> (&'static str, &'static str) {
        match self {
            Mark::Derived => ("data-derived", "true"),
            Mark::Reference => ("data-source", CycleSource::Tsc.name()),
            Mark::Estimated => ("data-source", CycleSource::Estimated.name()),
        }
    }

    /// What an axis says of its figures.
    pub fn short(self) -> &'static str {
        match self {
            Mark::Derived => "derived",
            Mark::Reference => "reference cycles",
            Mark::Estimated => "estimated",
        }
    }

    /// The mark and what it means, for the line below a table.
    pub fn meaning(self) -> &'static str {
        match self {
            Mark::Derived => {
                "≈ time not measured: derived from cycles and the system's fixed clock"
            }
            Mark::Reference => {
                "ʳ reference cycles of the x86 time-stamp counter, not core cycles: never converted to time"
            }
            Mark::Estimated => {
                "≈ cycles not counted: time multiplied with a known or measured clock"
            }
        }
    }
}

/// The marks that occur, each once.
pub fn occurring(marks: impl Iterator<Item = Mark>) -> Vec<Mark> {
    let mut found = Vec::new();
    for mark in marks {
        if !found.contains(&mark) {
            found.push(mark);
        }
    }
    found
}

/// The marks that occur among all speeds of some rows.
pub fn of_rows(rows: &[Row], units: Units) -> Vec<Mark> {
    occurring(
        rows.iter()
            .flat_map(|row| Operation::ALL.map(|op| row.mark(op, units)))
            .flatten(),
    )
}

/// What is said of them in one sentence; `None` where there are none.
pub fn meanings(marks: &[Mark]) -> Option<String> {
    let words: Vec<&str> = marks.iter().map(|mark| mark.meaning()).collect();
    (!words.is_empty()).then(|| words.join(" · "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::row::tests::row;

    #[test]
    fn derived_times_and_reference_cycles_are_marked() {
        let mut row = row("a", "A-1", None);
        assert_eq!(
            row.mark(Operation::Keygen, Units::Time),
            Some(Mark::Derived)
        );
        assert_eq!(row.mark(Operation::Keygen, Units::Cycles), None);
        assert_eq!(row.mark(Operation::Dec, Units::Time), None);
        if let Some(keygen) = &mut row.data.keygen {
            keygen.cycle_source = Some(CycleSource::Tsc);
        }
        assert_eq!(row.mark(Operation::Keygen, Units::Time), None);
        assert_eq!(
            of_rows(&[row.clone(), row], Units::Cycles),
            [Mark::Reference]
        );
    }
}
