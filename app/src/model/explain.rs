//! The words behind a figure: its exact value and where it comes from.

use super::column::{Column, Units};
use super::number;
use super::row::Row;
use kemscope_schema::{
    CycleSource, Figure, KatStatus, Operation, PlanKind, Provenance, SummaryOperation, derive,
    format,
};

/// A tooltip: a title and lines of label and value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// What it is about.
    pub title: String,
    /// Label and value, in reading order.
    pub lines: Vec<(&'static str, String)>,
}

/// How exactly a figure is known.
pub fn precision(figure: Figure) -> String {
    match figure.significant_digits {
        Some(digits) => format!("printed with {digits} digits"),
        None => format!("exactly {}", format::shortest(figure.value)),
    }
}

/// Number of calls behind a mean.
pub fn calls(operation: &SummaryOperation) -> Option<String> {
    let n = match (operation.calls, operation.calls_at_least) {
        (Some(calls), _) => format::grouped(calls),
        (None, Some(least)) => format!("at least {}", format::grouped(least)),
        (None, None) => return None,
    };
    Some(match operation.plan {
        Some(PlanKind::Quick) => format!("{n} (quick profile: a first impression)"),
        _ => n,
    })
}

/// What a known-answer test's outcome means for the figures.
pub fn kat_meaning(status: KatStatus) -> &'static str {
    match status {
        KatStatus::Pass => "reproduces the published vectors",
        KatStatus::ModelMatch => "equal to a reference model; no official vectors at hand",
        KatStatus::Mismatch => {
            "does not reproduce the published vectors: the figures are those of another algorithm or of a faulty build"
        }
        KatStatus::NoKat => "the package has no known-answer test",
        KatStatus::Partial => "only a part of the vectors could be checked",
        KatStatus::CryptoFail => "the library answered an error, or decapsulation disagrees",
        KatStatus::Timeout => "the test did not end within its time",
        KatStatus::Overflow => "the library wrote outside the buffers of its own sizes",
        KatStatus::BuildFail => "the library could not be built; there are no measurements",
        KatStatus::NotRun => "the test was not run",
    }
}

/// Status as the reader sees it: a sign where it is not well, and always the name.
pub fn kat_label(status: KatStatus) -> String {
    let sign = if status.is_well() { "" } else { "⚠ " };
    format!("{sign}{status}")
}

impl Row {
    fn name(&self) -> String {
        format!(
            "{} {} · {}",
            self.data.family, self.family_name, self.data.instance
        )
    }

    fn origin(&self) -> String {
        let what = match self.provenance {
            Provenance::Measured => "measured by this project's runner, raw trials kept",
            Provenance::Imported => "imported from published figures",
        };
        format!("{what} · {}", self.data.implementation)
    }

    fn warning(&self) -> Option<(&'static str, String)> {
        let status = self.data.kat;
        (!status.is_well()).then(|| {
            (
                "KAT",
                format!("{}: {}", kat_label(status), kat_meaning(status)),
            )
        })
    }

    fn speed_lines(&self, operation: &SummaryOperation) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        if let Some(mean) = operation.mean_cycles {
            lines.push((
                "mean",
                format!("{} ({})", number::cycles(mean.value), precision(mean)),
            ));
        }
        if let Some(source) = operation.cycle_source {
            lines.push((
                "source",
                format!("{}: {}", source.name(), source.explanation()),
            ));
        }
        if let Some(time) = derive::seconds(operation, self.clock) {
            let how = if time.derived {
                let clock = self
                    .clock
                    .map(|clock| format::cycles(clock.value))
                    .unwrap_or_default();
                format!("derived from cycles and the fixed clock of {clock}Hz")
            } else {
                precision(time.figure)
            };
            lines.push((
                "time",
                format!("{} ({how})", format::seconds(time.figure.value)),
            ));
        } else if operation.cycle_source == Some(CycleSource::Tsc) {
            lines.push((
                "time",
                "not measured; reference cycles are not converted".to_owned(),
            ));
        }
        if let Some(n) = calls(operation) {
            lines.push(("n", n));
        }
        if let Some(share) = operation.hash_share {
            lines.push(("symmetric", format::share(share.value)));
        }
        lines
    }

    /// The words behind the figure of a column.
    pub fn explain(&self, column: Column, units: Units) -> Explanation {
        let mut lines = Vec::new();
        let known = !column.is_numeric() || self.number(column, units).is_some();
        match column {
            Column::Speed(op) => {
                lines.extend(
                    self.data
                        .operation(op)
                        .map(|o| self.speed_lines(o))
                        .unwrap_or_default(),
                );
            }
            Column::PublicKey | Column::Ciphertext | Column::PkCt => {
                if let Some(bytes) = self.number(column, units) {
                    lines.push(("exactly", format!("{} bytes", format::shortest(bytes))));
                }
            }
            Column::Share => {
                for op in Operation::ALL {
                    if let Some(share) = self.data.operation(op).and_then(|o| o.hash_share) {
                        lines.push((op.name(), format::share(share.value)));
                    }
                }
            }
            Column::Target => {
                if let Some(category) = self.data.nist_category {
                    lines.push(("claimed", format!("NIST category {category}")));
                } else if let Some(bits) = self.data.target_bits {
                    lines.push(("claimed", format!("{bits} bits")));
                }
            }
            Column::Kat => lines.push((
                "KAT",
                format!("{}: {}", self.data.kat, kat_meaning(self.data.kat)),
            )),
            _ => {
                if let Some(category) = self.category {
                    lines.push(("basis", category.name().to_owned()));
                }
            }
        }
        if !known {
            lines.push(("unknown", self.why_unknown(column).to_owned()));
        }
        lines.push(("system", self.system.to_string()));
        lines.push(("origin", self.origin()));
        if let Some(note) = &self.data.note {
            lines.push(("note", note.clone()));
        }
        if column != Column::Kat {
            lines.extend(self.warning());
        }
        let what = if matches!(column, Column::Family | Column::Instance) {
            ""
        } else {
            column.title()
        };
        let dot = if what.is_empty() { "" } else { " · " };
        Explanation {
            title: format!("{}{dot}{what}", self.name()),
            lines,
        }
    }

    /// The words behind a point of the plot: sizes and all three operations.
    pub fn explain_point(&self, units: Units) -> Explanation {
        let mut lines = Vec::new();
        let sizes = [
            ("public key", self.data.public_key_bytes),
            ("ciphertext", self.data.ciphertext_bytes),
            ("secret key", self.data.secret_key_bytes),
        ];
        for (label, bytes) in sizes {
            if let Some(bytes) = bytes {
                lines.push((label, format!("{} bytes", format::grouped(bytes))));
            }
        }
        for op in Operation::ALL {
            let Some(figures) = self.data.operation(op) else {
                continue;
            };
            let text = match units {
                Units::Cycles => figures.mean_cycles.map(|mean| {
                    let source = figures.cycle_source.map_or("", |source| source.name());
                    format!("{} ({source})", number::cycles(mean.value))
                }),
                Units::Time => derive::seconds(figures, self.clock).map(|time| {
                    let how = if time.derived { " (derived)" } else { "" };
                    format!("{}{how}", format::seconds(time.figure.value))
                }),
            };
            // Source and number of calls belong to each operation: they may differ.
            let n = calls(figures).map_or_else(String::new, |n| format!(", n {n}"));
            lines.extend(text.map(|text| (op.name(), format!("{text}{n}"))));
        }
        lines.push(("system", self.system.to_string()));
        lines.push(("origin", self.origin()));
        lines.extend(self.warning());
        Explanation {
            title: self.name(),
            lines,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::row::tests::row;

    fn has(explanation: &Explanation, label: &str, words: &str) -> bool {
        explanation
            .lines
            .iter()
            .any(|(l, value)| *l == label && value.contains(words))
    }

    #[test]
    fn a_figure_says_where_it_comes_from() {
        let row = row("kem-14", "DTRU-648", Some(128));
        let words = row.explain(Column::Speed(Operation::Keygen), Units::Cycles);
        assert_eq!(words.title, "kem-14 Name · DTRU-648 · keygen");
        assert!(
            has(&words, "mean", "241.9 kcycles (printed with 4 digits)"),
            "{words:?}"
        );
        assert!(has(&words, "source", "perf: core cycles"));
        assert!(has(
            &words,
            "time",
            "derived from cycles and the fixed clock of 2.71 GHz"
        ));
        assert!(has(&words, "origin", "imported"));
        assert!(has(
            &row.explain(Column::Share, Units::Cycles),
            "unknown",
            "not available"
        ));
    }

    #[test]
    fn what_is_not_well_is_named() {
        let mut row = row("kem-33", "qube-128", Some(128));
        row.data.kat = KatStatus::Mismatch;
        assert!(has(&row.explain_point(Units::Time), "KAT", "⚠ MISMATCH"));
        assert!(has(&row.explain_point(Units::Time), "keygen", "(derived)"));
    }
}
