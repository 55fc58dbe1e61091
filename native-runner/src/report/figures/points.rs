//! What the pictures draw: instances with their sizes and speeds in one unit.

use super::super::overview::Entry;
use kemscope_schema::{Category, CycleSource, KatStatus, Operation, TargetGroup, derive, format};

/// The unit of speeds in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Core cycles.
    Cycles,
    /// Seconds.
    Seconds,
}

/// An instance in a picture.
#[derive(Clone, Debug)]
pub struct Point {
    /// Identifier and name of the family.
    pub family: String,
    /// Mathematical basis of the family.
    pub category: Option<Category>,
    /// Name of the instance, with its variant where that is needed.
    pub label: String,
    /// Security target.
    pub target: TargetGroup,
    /// Whether its known-answer test was passed.
    pub kat: KatStatus,
    /// Bytes of public key and ciphertext.
    pub wire_bytes: Option<u64>,
    /// Speed and symmetric share of keygen, enc and dec.
    pub operations: [Option<Speed>; 3],
}

/// Speed of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// Cycles or seconds per call.
    pub value: f64,
    /// Symmetric share as a fraction.
    pub share: Option<f64>,
}

/// Instances in one unit, and what is to be said of it.
#[derive(Clone, Debug)]
pub struct Points {
    /// The unit.
    pub unit: Unit,
    /// Whether some speeds were derived from cycles and a fixed clock.
    pub derived: bool,
    /// The instances.
    pub list: Vec<Point>,
}

impl Points {
    /// Core cycles where all figures are core cycles, otherwise seconds: pictures never mix.
    pub fn of(entries: &[Entry]) -> Points {
        let all = entries.iter().flat_map(|entry| {
            Operation::ALL
                .into_iter()
                .filter_map(|operation| entry.row.operation(operation))
        });
        let core = all
            .filter(|o| o.mean_cycles.is_some() || o.mean_seconds.is_some())
            .all(|o| o.mean_cycles.is_some() && o.cycle_source == Some(CycleSource::Perf));
        let unit = if core { Unit::Cycles } else { Unit::Seconds };
        let mut derived = false;
        let list = entries
            .iter()
            .map(|entry| Point {
                family: format!("{} {}", entry.family.id, entry.family.name),
                category: entry.family.category,
                label: entry.label.clone(),
                target: entry.row.target_group(),
                kat: entry.row.kat,
                wire_bytes: derive::wire_bytes(&entry.row),
                operations: Operation::ALL.map(|operation| {
                    let figures = entry.row.operation(operation)?;
                    let value = match unit {
                        Unit::Cycles => figures.mean_cycles?.value,
                        Unit::Seconds => {
                            let time = derive::seconds(figures, entry.fixed_clock_hz)?;
                            derived |= time.derived;
                            time.figure.value
                        }
                    };
                    let share = figures.hash_share.map(|share| share.value);
                    Some(Speed { value, share })
                }),
            })
            .collect();
        Points {
            unit,
            derived,
            list,
        }
    }

    /// What a speed is, for axes: `core cycles`, `time`.
    pub fn speed_words(&self) -> &'static str {
        match (self.unit, self.derived) {
            (Unit::Cycles, _) => "core cycles",
            (Unit::Seconds, false) => "time",
            (Unit::Seconds, true) => "time (partly derived from cycles)",
        }
    }

    /// A speed as printed.
    pub fn printed(&self, value: f64) -> String {
        match self.unit {
            Unit::Cycles => format::cycles(value),
            Unit::Seconds => format::seconds(value),
        }
    }
}

impl Point {
    /// Keygen, enc and dec together, where all are known.
    pub fn total(&self) -> Option<f64> {
        self.operations
            .iter()
            .map(|speed| Some((*speed)?.value))
            .sum()
    }
}
