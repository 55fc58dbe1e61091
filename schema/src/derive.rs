//! Metrics derived from figures. They are computed when needed and never stored as measured.

use crate::figure::Figure;
use crate::operation::Operation;
use crate::summary::{SummaryOperation, SummaryRow};

/// A time in seconds and how it came about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds {
    /// The time.
    pub figure: Figure,
    /// Whether it was computed from cycles and a fixed clock rather than measured.
    pub derived: bool,
}

/// Mean time of an operation: as measured or printed; otherwise, where the system's clock was fixed
/// and core cycles were counted, cycles divided by the clock, marked derived.
///
/// `fixed_clock_hz` is the system's fixed clock. Reference cycles (`tsc`) are never converted.
pub fn seconds(operation: &SummaryOperation, fixed_clock_hz: Option<Figure>) -> Option<Seconds> {
    use crate::provenance::CycleSource;
    if let Some(figure) = operation.mean_seconds {
        return Some(Seconds {
            figure,
            derived: false,
        });
    }
    let clock = fixed_clock_hz.filter(|clock| clock.value > 0.0)?;
    let cycles = operation
        .mean_cycles
        .filter(|_| operation.cycle_source == Some(CycleSource::Perf))?;
    let significant_digits = match (cycles.significant_digits, clock.significant_digits) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    };
    Some(Seconds {
        figure: Figure {
            value: cycles.value / clock.value,
            significant_digits,
        },
        derived: true,
    })
}

/// Bytes on the wire of one key establishment: public key and ciphertext.
pub fn wire_bytes(row: &SummaryRow) -> Option<u64> {
    row.public_key_bytes?.checked_add(row.ciphertext_bytes?)
}

/// Mean cycles of keygen, enc and dec together; unknown if one of them is, or if they were not
/// counted by the same source.
pub fn total_cycles(row: &SummaryRow) -> Option<f64> {
    let mut total = 0.0;
    let mut source = None;
    for op in Operation::ALL {
        let operation = row.operation(op)?;
        total += operation.mean_cycles?.value;
        if op == Operation::Keygen {
            source = operation.cycle_source;
        } else if operation.cycle_source != source {
            return None;
        }
    }
    Some(total)
}

/// Mean seconds of keygen, enc and dec together, and whether any of them is derived.
pub fn total_seconds(row: &SummaryRow, fixed_clock_hz: Option<Figure>) -> Option<(f64, bool)> {
    let mut total = 0.0;
    let mut derived = false;
    for op in Operation::ALL {
        let time = seconds(row.operation(op)?, fixed_clock_hz)?;
        total += time.figure.value;
        derived |= time.derived;
    }
    Some((total, derived))
}

/// Largest symmetric share among the three operations, as a fraction; unknown if none is known.
pub fn largest_hash_share(row: &SummaryRow) -> Option<Figure> {
    Operation::ALL
        .into_iter()
        .filter_map(|op| row.operation(op)?.hash_share)
        .max_by(|a, b| a.value.total_cmp(&b.value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provenance::CycleSource;

    fn operation(cycles: Option<f64>, seconds: Option<f64>) -> SummaryOperation {
        SummaryOperation {
            mean_cycles: cycles.map(|c| Figure::printed(c, 4)),
            cycle_source: Some(CycleSource::Perf),
            mean_seconds: seconds.map(|s| Figure::printed(s, 3)),
            ..SummaryOperation::default()
        }
    }

    #[test]
    fn a_measured_time_wins_over_a_derived_one() {
        let clock = Some(Figure::printed(2.71e9, 3));
        let measured = seconds(&operation(Some(241_900.0), Some(89.7e-6)), clock).unwrap();
        assert!(!measured.derived);
        assert_eq!(measured.figure.value, 89.7e-6);
        let derived = seconds(&operation(Some(241_900.0), None), clock).unwrap();
        assert!(derived.derived);
        assert_eq!(derived.figure.significant_digits, Some(3));
        assert!((derived.figure.value - 89.262e-6).abs() < 1e-9);
    }

    #[test]
    fn reference_cycles_and_free_clocks_give_no_time() {
        let mut reference = operation(Some(1000.0), None);
        assert_eq!(seconds(&reference, None), None);
        reference.cycle_source = Some(CycleSource::Tsc);
        assert_eq!(seconds(&reference, Some(Figure::exact(2.0e9))), None);
    }
}
