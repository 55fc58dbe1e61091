//! Cuts a row whose tabs were lost into cells, by the form that each column has.

use kemscope_schema::Operation;

/// Form of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Words up to where the next column begins; first column only.
    Name,
    /// An operation.
    Operation,
    /// One word.
    Word,
    /// Everything up to the end.
    Rest,
    /// A number that a unit may follow as a word of its own.
    Quantity,
    /// A number of calls, possibly with `(trials × iterations)` behind it.
    Calls,
}

/// Words that stand for a figure that was not measured.
pub const NOT_MEASURED: [&str; 3] = ["–", "—", "-"];

/// Sign in front of a KAT status that is not a pass.
pub const WARNING: &str = "⚠";

const UNITS: [&str; 14] = [
    "k", "K", "M", "G", "%", "s", "ms", "µs", "μs", "us", "ns", "KiB", "MiB", "B",
];

/// Cuts a row into cells of the given forms. Marks that odd rows carry (`⚠ KAT MISMATCH`, `n=85`)
/// stay with the cell before them.
///
/// # Errors
/// A sentence on what is missing or left over.
pub fn cut(text: &str, forms: &[(&str, Form)]) -> Result<Vec<String>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut at = 0;
    let mut cells = Vec::with_capacity(forms.len());
    for (i, (column, form)) in forms.iter().enumerate() {
        let start = at;
        match form {
            Form::Name => at = name_end(&words, forms.get(i + 1).map(|f| f.1), forms.len() - i - 1),
            Form::Rest => at = words.len(),
            Form::Operation | Form::Word => at += 1,
            Form::Quantity => {
                at += 1;
                if words.get(at).is_some_and(|word| UNITS.contains(word)) {
                    at += 1;
                }
            }
            Form::Calls => {
                at += 1;
                if words
                    .get(at - 1)
                    .is_some_and(|word| ["≥", ">="].contains(word))
                {
                    at += 1;
                }
                if words.get(at).is_some_and(|word| word.starts_with('(')) {
                    while words.get(at).is_some_and(|word| !word.ends_with(')')) {
                        at += 1;
                    }
                    at += 1;
                }
            }
        }
        if at > words.len() || at == start && *form != Form::Rest {
            return Err(format!(
                "the row “{text}” ends before its column “{column}”; {} columns were expected",
                forms.len()
            ));
        }
        at = match forms.get(i + 1) {
            // What follows belongs to the next column, which may itself be a mark.
            Some((_, Form::Rest)) => at,
            Some((_, Form::Calls)) => marks_end(&words, at, false),
            _ => marks_end(&words, at, true),
        };
        cells.push(words[start..at].join(" "));
    }
    if at < words.len() {
        return Err(format!(
            "“{}” is left over behind the last column of the row “{text}”",
            words[at..].join(" ")
        ));
    }
    Ok(cells)
}

/// Where the name in the first column ends: before the operation if one follows, else so that one
/// word is left for each of the columns behind it.
fn name_end(words: &[&str], next: Option<Form>, columns_behind: usize) -> usize {
    if next == Some(Form::Operation) {
        let operation = (1..words.len()).find(|i| Operation::from_name(words[*i]).is_some());
        let end = operation.unwrap_or(words.len());
        // A mark between name and operation belongs to the name.
        return end;
    }
    let marks = words
        .iter()
        .position(|word| [WARNING, "KAT"].contains(word));
    // A KAT column with a warning has more words than one; they are counted as one.
    let length = marks.map_or(words.len(), |at| at + 1);
    length.saturating_sub(columns_behind).max(1)
}

/// Skips the marks that follow a cell; `n=…` only if `with_calls`.
fn marks_end(words: &[&str], mut at: usize, with_calls: bool) -> usize {
    loop {
        match words.get(at) {
            Some(&WARNING) if words.get(at + 1) == Some(&"KAT") => at = (at + 3).min(words.len()),
            Some(word) if with_calls && word.starts_with("n=") => at += 1,
            _ => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERFORMANCE: [(&str, Form); 7] = [
        ("instance", Form::Name),
        ("operation", Form::Operation),
        ("mean cycles", Form::Quantity),
        ("mean time", Form::Quantity),
        ("ops/s", Form::Word),
        ("median trial", Form::Quantity),
        ("n", Form::Calls),
    ];

    #[test]
    fn a_row_of_figures() {
        assert_eq!(
            cut(
                "DTRU-Prime keygen 92.29 M 34.2 ms 29.2 34.2 ms 100 (5 × 20)",
                &PERFORMANCE
            )
            .unwrap(),
            [
                "DTRU-Prime",
                "keygen",
                "92.29 M",
                "34.2 ms",
                "29.2",
                "34.2 ms",
                "100 (5 × 20)"
            ]
        );
        assert_eq!(
            cut("A b keygen – – – – n=85", &PERFORMANCE).unwrap(),
            ["A b", "keygen", "–", "–", "–", "–", "n=85"]
        );
    }

    #[test]
    fn marks_stay_with_their_cell() {
        let cells = cut(
            "qube-128 ⚠ KAT MISMATCH enc 600.8 k n=85 1.05 s 0.954 1.05 s 85 (5 × 17)",
            &PERFORMANCE,
        )
        .unwrap();
        assert_eq!(cells[0], "qube-128 ⚠ KAT MISMATCH");
        assert_eq!(cells[2], "600.8 k n=85");
    }

    #[test]
    fn missing_and_left_over_words_are_told() {
        let short = cut("A keygen 1.0 k 2 µs 3", &PERFORMANCE).unwrap_err();
        assert!(short.contains("column “median trial”"), "{short}");
        let long = cut("A keygen 1.0 k 2 µs 3 4 µs 5 (1 × 5) x", &PERFORMANCE).unwrap_err();
        assert!(long.contains("“x” is left over"), "{long}");
    }
}
