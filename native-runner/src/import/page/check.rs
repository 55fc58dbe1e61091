//! Accepts a page only if its record gives back every cell in the same order.

use super::cells::{NOT_MEASURED, WARNING};
use super::table::Tables;
use crate::import::error::ImportError;
use crate::page::{self, Section};
use kemscope_schema::{FamilyRecord, KatStatus, parse};

/// Compares the page's tables with those rendered from the record.
///
/// # Errors
/// Names the first row that the record would not give back.
pub fn round_trip(file: &str, tables: &Tables, record: &FamilyRecord) -> Result<(), ImportError> {
    for section in Section::ALL {
        let read = tables.rows(section);
        if section == Section::Basic {
            continue;
        }
        let rendered = page::rows(record, section);
        let fail = |line: Option<usize>, message: String| ImportError {
            file: file.to_owned(),
            line,
            section: Some(section.heading().to_owned()),
            message,
        };
        for (row, rendered_row) in read.iter().zip(&rendered) {
            let rendered_cells = &rendered_row.cells;
            for (cell, rendered) in row.cells.iter().zip(rendered_cells) {
                if !same(cell, rendered) {
                    return Err(fail(
                        Some(row.line),
                        format!(
                            "“{cell}” would be given back as “{rendered}”: {}",
                            reason(&row.cells, rendered_cells)
                        ),
                    ));
                }
            }
        }
        if read.len() != rendered.len() {
            return Err(fail(
                read.last().map(|row| row.line),
                format!(
                    "{} rows were read and {} would be given back",
                    read.len(),
                    rendered.len()
                ),
            ));
        }
    }
    Ok(())
}

/// Why a row is not given back: another row stands in its place, or a cell is of another form.
fn reason(read: &[String], rendered: &[String]) -> &'static str {
    let same_row = read.first().map(|c| without_marks(c)) == rendered.first().cloned()
        && (read.get(1) == rendered.get(1) || read.len() < 5);
    if same_row {
        "the cell has more digits than the pages print, or a form that is not known"
    } else {
        "the rows are not in the order of section 3 and keygen, enc, dec, or one is doubled"
    }
}

/// Whether a page's cell and a rendered one say the same: equal words, an equal figure, or the same
/// absence of one. Marks beside a figure are told elsewhere in the record.
fn same(cell: &str, rendered: &str) -> bool {
    let bare = without_marks(cell);
    if cell == rendered || bare == rendered {
        return true;
    }
    if NOT_MEASURED.contains(&bare.as_str()) {
        return NOT_MEASURED.contains(&rendered) || rendered.is_empty() || rendered == "NOTRUN";
    }
    let forms: [fn(&str) -> Option<f64>; 4] = [
        |text| parse::seconds(text).map(|f| f.value),
        |text| parse::cycles(text).map(|f| f.value),
        |text| parse::share(text).map(|f| f.value),
        |text| parse::memory_bytes(text).map(|b| b as f64),
    ];
    forms
        .iter()
        .any(|form| form(&bare).is_some_and(|value| form(rendered) == Some(value)))
        || bound(&bare).is_some_and(|value| bound(rendered) == Some(value))
        || bare.replace(['x', '*'], "×").replace(' ', "") == rendered.replace(' ', "")
}

fn bound(text: &str) -> Option<u64> {
    let text = text.strip_prefix(">=").or_else(|| text.strip_prefix('≥'))?;
    parse::whole(text.trim())
}

/// A cell without `⚠ KAT`, `n=` and what follows them beside a figure.
fn without_marks(cell: &str) -> String {
    let cell = match cell.split_once(WARNING) {
        Some(("", mark)) => mark.trim().trim_start_matches("KAT").trim(),
        Some((name, _)) => name.trim(),
        None => match cell.strip_prefix("KAT ") {
            Some(word) if KatStatus::from_word(word).is_some() => word,
            _ => cell,
        },
    };
    match cell.split_once("n=") {
        Some(("", n)) => n.to_owned(),
        Some((figure, _)) => figure.trim().to_owned(),
        None => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn marks_and_spelling_do_not_matter_but_figures_do() {
        assert!(same("⚠ KAT MISMATCH", "MISMATCH"));
        assert!(same("KAT log (sha256 1898…)", "KAT log (sha256 1898…)"));
        assert!(same("n=85", "85"));
        assert!(same("600.8 k n=85", "600.8 k"));
        assert!(same("91.0 µs", "91 µs"));
        assert!(same("—", "–"));
        assert!(same("85 (5 x 17)", "85 (5 × 17)"));
        assert!(same("NTRE-(n=128)", "NTRE-(n=128)"));
        assert!(!same("91.1 µs", "91 µs"));
        assert!(!same("–", "0"));
        assert!(!same("enc", "dec"));
    }
}
