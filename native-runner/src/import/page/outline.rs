//! Finds title and sections of a page.

use super::lines::Line;
use crate::import::error::ImportError;
use crate::page::Section;
use kemscope_schema::identifier::{is_family_identifier, is_identifier};

/// The title line taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// The whole title.
    pub text: String,
    /// Family identifier, `kem-14`.
    pub family: String,
    /// Name of the scheme.
    pub algorithm: String,
    /// Architecture in the contract's words.
    pub architecture: String,
    /// System identifier.
    pub system: String,
}

/// Title and sections of a page.
#[derive(Clone, Debug)]
pub struct Outline<'a> {
    /// The title.
    pub title: Title,
    /// Lines between the title and section 1.
    pub introduction: Vec<&'a Line>,
    /// Lines of each section without its heading, in the order of [`Section::ALL`].
    pub sections: Vec<(Section, Vec<&'a Line>)>,
}

const TITLE_MIDDLE: &str = " — performance on ";
/// How the last line of a page begins.
pub const CLOSING: &str = "Scripts:";
/// How the line with the verdict on symmetric primitives begins.
pub const SURVEY: &str = "Survey verdict:";

impl<'a> Outline<'a> {
    /// Finds title and sections.
    ///
    /// # Errors
    /// If there is no title, a section is missing, doubled or out of order, or the page ends before
    /// its closing line.
    pub fn find(file: &str, lines: &'a [Line]) -> Result<Outline<'a>, ImportError> {
        let fail = |line: Option<usize>, section: Option<Section>, message: String| ImportError {
            file: file.to_owned(),
            line,
            section: section.map(|s| s.heading().to_owned()),
            message,
        };
        let last = lines.last().map(|l| l.number);
        let at = lines
            .iter()
            .position(|l| l.text.contains(TITLE_MIDDLE))
            .ok_or_else(|| {
                fail(
                    None,
                    None,
                    "no title like “kem-14 DTRU — performance on AArch64 (system arm_1)” found; is this a report page?"
                        .to_owned(),
                )
            })?;
        let title = title(&lines[at].text)
            .map_err(|message| fail(Some(lines[at].number), None, message))?;

        let mut introduction = Vec::new();
        let mut sections: Vec<(Section, Vec<&Line>)> = Vec::new();
        for line in &lines[at + 1..] {
            if let Some(other) = line.text.contains(TITLE_MIDDLE).then_some(&line.text) {
                return Err(fail(
                    Some(line.number),
                    None,
                    format!("a second title, “{other}”; one page per file was expected"),
                ));
            }
            let heading = Section::ALL.into_iter().find(|s| s.heading() == line.text);
            match heading {
                None => match sections.last_mut() {
                    None => introduction.push(line),
                    Some((_, body)) => body.push(line),
                },
                Some(section) => {
                    let expected = Section::ALL.get(sections.len()).copied();
                    if expected != Some(section) {
                        return Err(fail(
                            Some(line.number),
                            None,
                            match expected {
                                Some(expected) => format!(
                                    "heading “{}” where “{}” was expected",
                                    section.heading(),
                                    expected.heading()
                                ),
                                None => format!("heading “{}” appears twice", section.heading()),
                            },
                        ));
                    }
                    sections.push((section, Vec::new()));
                }
            }
        }
        if let Some(missing) = Section::ALL.get(sections.len()) {
            let where_ = sections.last().map(|(s, _)| *s);
            return Err(fail(
                last,
                where_,
                format!(
                    "the page ends here; section “{}” was expected next (is the file cut off?)",
                    missing.heading()
                ),
            ));
        }
        let closed = sections
            .last()
            .and_then(|(_, body)| body.last())
            .is_some_and(|line| line.text.starts_with(CLOSING) && line.text.ends_with("harness."));
        if !closed {
            return Err(fail(
                last,
                Some(Section::Evidence),
                "the page ends here; its closing line “Scripts: … in the harness.” was expected (is the file cut off?)"
                    .to_owned(),
            ));
        }
        Ok(Outline {
            title,
            introduction,
            sections,
        })
    }

    /// The lines of a section.
    pub fn section(&self, section: Section) -> &[&'a Line] {
        self.sections
            .iter()
            .find(|(s, _)| *s == section)
            .map_or(&[], |(_, lines)| lines)
    }
}

fn title(text: &str) -> Result<Title, String> {
    let form = || {
        format!(
            "title “{text}” where “kem-14 DTRU — performance on AArch64 (system arm_1)” was expected"
        )
    };
    let (front, back) = text.split_once(TITLE_MIDDLE).ok_or_else(form)?;
    let (family, algorithm) = front.split_once(' ').ok_or_else(form)?;
    let (architecture, system) = back.split_once(" (system ").ok_or_else(form)?;
    let system = system.strip_suffix(')').ok_or_else(form)?;
    if !is_family_identifier(family) {
        return Err(format!("“{family}” is not the identifier of a family"));
    }
    if !is_identifier(system) {
        return Err(format!("“{system}” is not the identifier of a system"));
    }
    let architecture = match architecture.to_ascii_lowercase().as_str() {
        "aarch64" | "arm64" => "aarch64".to_owned(),
        "x86-64" | "x86_64" | "amd64" => "x86_64".to_owned(),
        other => other.to_owned(),
    };
    Ok(Title {
        text: text.to_owned(),
        family: family.to_owned(),
        algorithm: algorithm.trim().to_owned(),
        architecture,
        system: system.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_taken_apart() {
        let title =
            title("kem-13 DKEM (Ding Key Encapsulation) — performance on AArch64 (system arm_1)")
                .unwrap();
        assert_eq!(title.family, "kem-13");
        assert_eq!(title.algorithm, "DKEM (Ding Key Encapsulation)");
        assert_eq!(title.architecture, "aarch64");
        assert_eq!(title.system, "arm_1");
    }
}
