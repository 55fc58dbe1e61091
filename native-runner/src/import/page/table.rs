//! The tables of a page's sections as rows of cells, whichever form the page has.

use super::cells::{Form, cut};
use super::lines::Line;
use super::outline::{CLOSING, Outline, SURVEY};
use crate::import::error::ImportError;
use crate::page::Section;

/// A row of a table: as many cells as its section has columns, none of them empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Line number in the file.
    pub line: usize,
    /// The cells.
    pub cells: Vec<String>,
}

/// The tables of all sections; a section without a table has no rows.
#[derive(Clone, Debug)]
pub struct Tables {
    tables: Vec<(Section, Vec<Row>)>,
}

impl Section {
    /// The columns of the section's table with their forms; empty for section 1, which has none.
    pub fn columns(self) -> &'static [(&'static str, Form)] {
        use Form::{Calls, Name, Operation, Quantity, Rest, Word};
        match self {
            Section::Basic => &[],
            Section::Environment => &[("item", Name), ("value", Rest)],
            Section::Kat => &[("instance", Name), ("build flags", Word), ("KAT", Rest)],
            Section::Performance => &[
                ("instance", Name),
                ("operation", Operation),
                ("mean cycles", Quantity),
                ("mean time", Quantity),
                ("ops/s", Word),
                ("median trial", Quantity),
                ("n (trials × iters)", Calls),
            ],
            Section::Memory => &[
                ("instance", Name),
                ("operation", Operation),
                ("static: ELF image (bytes)", Word),
                ("baseline RSS", Quantity),
                ("peak RSS", Quantity),
            ],
            Section::Sizes => &[
                ("instance", Name),
                ("public key", Word),
                ("secret key", Word),
                ("ciphertext", Word),
                ("shared secret", Word),
            ],
            Section::Symmetric => &[
                ("instance", Name),
                ("operation", Operation),
                ("pseudohash/XOF/sm3", Quantity),
                ("DRNG", Quantity),
                ("calls per operation", Rest),
            ],
            Section::Evidence => &[("instance", Name), ("item", Rest), ("file", Word)],
        }
    }

    /// The table's head line.
    fn head(self) -> String {
        let names: Vec<&str> = self.columns().iter().map(|(name, _)| *name).collect();
        names.join(" ")
    }

    /// Position of the section's head among its lines.
    pub fn head_position(self, lines: &[&Line]) -> Option<usize> {
        if self.columns().is_empty() {
            return None;
        }
        let head = self.head();
        lines.iter().position(|line| line.text == head)
    }
}

impl Tables {
    /// Reads the tables of all sections.
    ///
    /// # Errors
    /// If a row has too few or too many cells, or an empty one.
    pub fn read(file: &str, outline: &Outline) -> Result<Tables, ImportError> {
        let mut tables = Tables { tables: Vec::new() };
        for section in Section::ALL {
            let rows = tables
                .section_rows(section, outline.section(section))
                .map_err(|(line, message)| ImportError {
                    file: file.to_owned(),
                    line: Some(line),
                    section: Some(section.heading().to_owned()),
                    message,
                })?;
            tables.tables.push((section, rows));
        }
        Ok(tables)
    }

    /// The rows of a section.
    pub fn rows(&self, section: Section) -> &[Row] {
        self.tables
            .iter()
            .find(|(s, _)| *s == section)
            .map_or(&[], |(_, rows)| rows)
    }

    fn section_rows(&self, section: Section, lines: &[&Line]) -> Result<Vec<Row>, (usize, String)> {
        if section.columns().is_empty() {
            return Ok(Vec::new());
        }
        let head = section.head_position(lines);
        let sentences = &lines[..head.unwrap_or(lines.len())];
        if let Some(row) = sentences.iter().find(|line| !is_sentence(line)) {
            return Err((
                row.number,
                format!(
                    "the table's head “{}” was expected before “{}”",
                    section.head(),
                    row.text
                ),
            ));
        }
        let body = head.map_or(&[][..], |head| &lines[head + 1..]);
        body.iter()
            .filter(|line| !(section == Section::Evidence && line.text.starts_with(CLOSING)))
            .map(|line| {
                let cells = match &line.cells {
                    Some(cells) => whole_row(section, cells),
                    None => self.cut(section, &line.text),
                }
                .map_err(|message| (line.number, message))?;
                Ok(Row {
                    line: line.number,
                    cells,
                })
            })
            .collect()
    }

    /// Cuts a row without tabs.
    fn cut(&self, section: Section, text: &str) -> Result<Vec<String>, String> {
        match section {
            Section::Environment => cut_environment(text),
            Section::Evidence => cut_evidence(text, self.instances()),
            _ => cut(text, section.columns()),
        }
    }

    /// Names of the instances: of the first table that has some.
    fn instances(&self) -> Vec<&str> {
        [Section::Kat, Section::Sizes, Section::Performance]
            .into_iter()
            .map(|section| self.rows(section))
            .find(|rows| !rows.is_empty())
            .unwrap_or_default()
            .iter()
            .filter_map(|row| row.cells.first().map(String::as_str))
            .collect()
    }
}

/// Whether a line before a table is a sentence rather than a row whose head is damaged. Rows never
/// end with a full stop or a colon.
fn is_sentence(line: &Line) -> bool {
    line.cells.is_none()
        && (line.text.ends_with(['.', ':'])
            || line.text.starts_with(SURVEY)
            || line.text.starts_with(CLOSING))
}

/// Checks a row that kept its cells.
fn whole_row(section: Section, cells: &[String]) -> Result<Vec<String>, String> {
    let columns = section.columns();
    if cells.len() != columns.len() {
        return Err(format!(
            "the row “{}” has {} cells, {} were expected ({})",
            cells.join(" "),
            cells.len(),
            columns.len(),
            section.head()
        ));
    }
    for (cell, (column, _)) in cells.iter().zip(columns) {
        // An operation may call no primitive at all.
        let may_be_empty = *column == "calls per operation";
        if cell.is_empty() && !may_be_empty {
            return Err(format!(
                "the row “{}” has nothing in its column “{column}”",
                cells.join(" ")
            ));
        }
    }
    Ok(cells.to_vec())
}

const ENVIRONMENT_ITEMS: [&str; 7] = [
    "processor",
    "machine",
    "clock",
    "memory",
    "OS / kernel",
    "compiler / build tool",
    "campaign start / end (UTC)",
];

fn cut_environment(text: &str) -> Result<Vec<String>, String> {
    ENVIRONMENT_ITEMS
        .iter()
        .find_map(|item| {
            let value = text.strip_prefix(item)?.strip_prefix(' ')?;
            Some(vec![(*item).to_owned(), value.to_owned()])
        })
        .ok_or_else(|| {
            format!(
                "“{text}” begins with none of the items {}; where tabs were lost, other items cannot be told from their values",
                ENVIRONMENT_ITEMS.join(", ")
            )
        })
}

fn cut_evidence(text: &str, instances: Vec<&str>) -> Result<Vec<String>, String> {
    let (front, path) = text
        .rsplit_once(' ')
        .ok_or_else(|| format!("the row “{text}” ends before its column “file”"))?;
    let instance = instances
        .into_iter()
        .filter(|name| front.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')))
        .max_by_key(|name| name.len())
        .ok_or_else(|| format!("the row “{text}” begins with the name of no instance of section 3, or ends before its column “file”"))?;
    let item = front[instance.len()..].trim();
    if !path.contains('/') {
        return Err(format!(
            "the row “{text}” ends with “{path}” where the path of a file was expected"
        ));
    }
    Ok(vec![instance.to_owned(), item.to_owned(), path.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_names_the_longest_instance() {
        let cells = cut_evidence(
            "DTRU-648-PACK_PK timing dec records/a__dec.json",
            vec!["DTRU-648", "DTRU-648-PACK_PK"],
        )
        .unwrap();
        assert_eq!(
            cells,
            ["DTRU-648-PACK_PK", "timing dec", "records/a__dec.json"]
        );
        assert!(cut_evidence("X timing dec a/b", vec!["Y"]).is_err());
        assert!(cut_evidence("Y timing dec", vec!["Y"]).is_err());
    }
}
