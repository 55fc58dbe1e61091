//! Comparison of two systems, two runs, or two variants, operation by operation.
//!
//! Where the trials of both sides are at hand, each ratio has a confidence interval and a verdict; where only
//! means are published it has neither, and says why.

pub mod ratio;
pub mod render;
pub mod row;
pub mod side;
pub mod student;

pub use row::{Clock, Measure, Row, Verdict};
pub use side::{Entry, Side};

use kemscope_schema::Operation;
use serde::Serialize;

/// How to compare.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which figures.
    pub clock: Clock,
    /// Probability that an interval holds the true ratio, for example 0.95.
    pub confidence: f64,
    /// Relative difference up to which a ratio is of no interest, for example 0.05.
    pub threshold: f64,
    /// Only these families; all if empty.
    pub families: Vec<String>,
    /// Only these operations; all if empty.
    pub operations: Vec<Operation>,
}

/// A comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Side A, the one that B is set against.
    pub a: Named,
    /// Side B.
    pub b: Named,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// Relative difference up to which a ratio is of no interest.
    pub threshold: f64,
    /// The compared operations, largest effect first.
    pub rows: Vec<Row>,
    /// What both sides have and could not be compared, with the reason.
    pub left_out: Vec<String>,
    /// Instances that only side A has.
    pub only_a: Vec<String>,
    /// Instances that only side B has.
    pub only_b: Vec<String>,
}

/// What a side is.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Where its figures come from.
    pub description: String,
    /// Why its host is not fit to measure: names of the checks.
    pub findings: Vec<String>,
}

impl Comparison {
    /// Compares two sides.
    pub fn of(a: &Side, b: &Side, settings: &Settings) -> Comparison {
        let (pairs, only_a, only_b) = pairs(a, b, &settings.families);
        let mut rows = Vec::new();
        let mut left_out = Vec::new();
        for (entry_a, entry_b) in pairs {
            for operation in Operation::ALL {
                let chosen =
                    settings.operations.is_empty() || settings.operations.contains(&operation);
                let known = [entry_a, entry_b]
                    .iter()
                    .any(|e| e.record.operation(operation).is_some());
                if !chosen || !known {
                    continue;
                }
                let (one, other) = ((a, entry_a), (b, entry_b));
                match row::compare(operation, one, other, settings.clock, settings.confidence) {
                    Ok(row) => rows.push(row),
                    Err(why) => left_out.push(format!("{} {operation}: {why}", key(entry_a))),
                }
            }
        }
        judge(&mut rows, settings);
        let effect = |row: &Row| row.ratio.ln().abs();
        rows.sort_by(|one, other| effect(other).total_cmp(&effect(one)));
        let named = |side: &Side| Named {
            name: side.name.clone(),
            description: side.description.clone(),
            findings: side.findings.clone(),
        };
        Comparison {
            a: named(a),
            b: named(b),
            confidence: settings.confidence,
            threshold: settings.threshold,
            rows,
            left_out,
            only_a,
            only_b,
        }
    }

    /// Number of operations with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows
            .iter()
            .filter(|row| row.verdict == verdict)
            .count()
    }
}

fn key(entry: &Entry) -> String {
    format!("{}/{}", entry.family, entry.record.name)
}

fn full_key(entry: &Entry) -> String {
    format!("{}/{}", key(entry), entry.record.implementation.variant)
}

/// Instances of the same key and variant; where each side has just one variant of an instance, these two,
/// whatever they are called. Beside them what only one side has.
fn pairs<'a>(
    a: &'a Side,
    b: &'a Side,
    families: &[String],
) -> (Vec<(&'a Entry, &'a Entry)>, Vec<String>, Vec<String>) {
    let chosen = |side: &'a Side| -> Vec<&'a Entry> {
        let all = side.entries.iter();
        all.filter(|e| families.is_empty() || families.contains(&e.family))
            .collect()
    };
    let (entries_a, entries_b) = (chosen(a), chosen(b));
    let variants =
        |entries: &[&Entry], like: &Entry| entries.iter().filter(|e| key(e) == key(like)).count();
    let partner = |entry: &Entry| {
        let same = entries_b
            .iter()
            .copied()
            .find(|e| full_key(e) == full_key(entry));
        let single = variants(&entries_a, entry) == 1 && variants(&entries_b, entry) == 1;
        same.or_else(|| {
            entries_b
                .iter()
                .copied()
                .find(|e| single && key(e) == key(entry))
        })
    };
    let mut pairs = Vec::new();
    let mut only_a = Vec::new();
    for entry in &entries_a {
        match partner(entry) {
            Some(other) => pairs.push((*entry, other)),
            None => only_a.push(full_key(entry)),
        }
    }
    let only_b = entries_b
        .iter()
        .filter(|entry| !pairs.iter().any(|(_, taken)| std::ptr::eq(*taken, **entry)))
        .map(|entry| full_key(entry))
        .collect();
    (pairs, only_a, only_b)
}

/// Adjusts the p-values for their number and gives each row its verdict.
fn judge(rows: &mut [Row], settings: &Settings) {
    let p_values: Vec<f64> = rows
        .iter()
        .filter_map(|r| Some(r.interval?.p_value))
        .collect();
    let certain = rows.iter_mut().filter(|row| row.interval.is_some());
    for (row, adjusted) in certain.zip(ratio::holm(&p_values)) {
        row.adjusted_p_value = Some(adjusted);
        let limit = 1.0 + settings.threshold;
        row.verdict = if adjusted >= 1.0 - settings.confidence {
            Verdict::Same
        } else if row.ratio > limit {
            Verdict::Regression
        } else if row.ratio < 1.0 / limit {
            Verdict::Improvement
        } else {
            Verdict::Small
        };
    }
}

/// Two variants of one side as the two sides of a comparison: each with the instances of that variant, under
/// the same name.
pub fn variants(side: &Side, a: &str, b: &str) -> (Side, Side) {
    let of = |variant: &str| Side {
        name: format!("{} ({variant})", side.name),
        entries: side
            .entries
            .iter()
            .filter(|entry| entry.record.implementation.variant == variant)
            .cloned()
            .collect(),
        ..side.clone()
    };
    (of(a), of(b))
}

#[cfg(test)]
mod tests;
