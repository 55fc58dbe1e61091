//! Manifests of known-answer digests: lines of `<sha256 hex> <mode> <path>`.

use std::fmt;

use super::canonical::{CanonicalMode, ModeError};
use super::kat_text::file_name;

/// The digests that a manifest lists, in its order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manifest {
    entries: Vec<ManifestEntry>,
}

/// One line of a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestEntry {
    /// Canonical digest of the text.
    pub sha256: [u8; 32],
    /// How the canonical form is made.
    pub mode: CanonicalMode,
    /// Path of the text, as the manifest names it, with `/`.
    pub path: String,
    /// The line of the manifest, from 1.
    pub line: usize,
}

impl ManifestEntry {
    /// Whether this is the text of an instance: its file has the name that the instance's text has.
    pub fn is_of(&self, instance: &str) -> bool {
        let name = match self.path.rsplit_once('/') {
            Some((_, name)) => name,
            None => &self.path,
        };
        name == file_name(instance)
    }
}

impl Manifest {
    /// Reads a manifest. Empty lines and lines that begin with `#` say nothing. A path may contain spaces.
    ///
    /// # Errors
    ///
    /// A line that is not of the form above, or that contradicts an earlier one, with its number.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let mut entries: Vec<ManifestEntry> = Vec::new();
        for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let entry = entry(line, number).map_err(|problem| ManifestError {
                line: number,
                problem,
            })?;
            let earlier = entries
                .iter()
                .find(|other| (other.mode, &other.path) == (entry.mode, &entry.path));
            match earlier {
                Some(other) if other.sha256 != entry.sha256 => {
                    return Err(ManifestError {
                        line: number,
                        problem: ManifestProblem::Contradiction(other.line),
                    });
                }
                Some(_) => {}
                None => entries.push(entry),
            }
        }
        Ok(Self { entries })
    }

    /// All entries.
    pub fn entries(&self) -> &[ManifestEntry] {
        &self.entries
    }

    /// The entries of an instance: of the texts that have its name, in whichever folder.
    pub fn of<'a>(&'a self, instance: &'a str) -> impl Iterator<Item = &'a ManifestEntry> {
        self.entries
            .iter()
            .filter(move |entry| entry.is_of(instance))
    }
}

fn entry(line: &str, number: usize) -> Result<ManifestEntry, ManifestProblem> {
    let (digest, rest) = word(line).ok_or(ManifestProblem::TooFewWords)?;
    let (mode, path) = word(rest).ok_or(ManifestProblem::TooFewWords)?;
    Ok(ManifestEntry {
        sha256: sha256(digest).ok_or_else(|| ManifestProblem::Digest(digest.to_owned()))?,
        mode: mode.parse().map_err(ManifestProblem::Mode)?,
        path: path.to_owned(),
        line: number,
    })
}

/// The first word and what follows it.
fn word(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.split_once([' ', '\t'])?;
    Some((word, rest.trim_start()))
}

fn sha256(hex: &str) -> Option<[u8; 32]> {
    let mut digest = [0; 32];
    if hex.len() != 2 * digest.len() {
        return None;
    }
    for (byte, pair) in digest.iter_mut().zip(hex.as_bytes().chunks_exact(2)) {
        let value = |digit: u8| char::from(digit).to_digit(16);
        // Two hex digits make a byte.
        *byte = (value(pair[0])? * 16 + value(pair[1])?) as u8;
    }
    Some(digest)
}

/// A line of a manifest that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: ManifestProblem,
}

/// What is wrong with a line of a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ManifestProblem {
    /// It has no three words.
    TooFewWords,
    /// The first word is no SHA-256.
    Digest(String),
    /// The second word is no mode.
    Mode(ModeError),
    /// An earlier line (its number, from 1) gives another digest for the same path and mode.
    Contradiction(usize),
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            ManifestProblem::TooFewWords => {
                f.write_str("expected `<SHA-256 in hex> <mode> <path>`, three words")
            }
            ManifestProblem::Digest(word) => {
                write!(f, "`{word}` is no SHA-256 in hex (64 digits)")
            }
            ManifestProblem::Mode(error) => error.fmt(f),
            ManifestProblem::Contradiction(other) => {
                write!(
                    f,
                    "line {other} gives another digest for the same path and mode"
                )
            }
        }
    }
}

impl std::error::Error for ManifestError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iccs::testing::hex;
    use proptest::prelude::*;

    const A: &str = "f0a0e618e559c006488db6ce742288320d47b00b8cbf316f22af62e3f77c2a4f";
    const B: &str = "a1fe54482fa0ba2965e94025ec71a1e09d567ce014d136fe5b6fff267354ed50";

    #[test]
    fn lines_comments_and_blank_lines() {
        let text = format!(
            "\u{feff}# digests\r\n\r\n{A} strict toy-1/KAT_KEM_toy-1.txt\r\n  {B}\tnolen:2   a b/KAT_KEM_toy 2.txt  \n{A} strict toy-1/KAT_KEM_toy-1.txt\n"
        );
        let manifest = Manifest::parse(&text).unwrap();
        let entries = manifest.entries();
        assert_eq!(entries.len(), 2);
        assert_eq!(hex(&entries[0].sha256), A);
        assert_eq!((entries[0].line, entries[1].line), (3, 4));
        assert_eq!(entries[1].mode.to_string(), "nolen:2");
        assert_eq!(entries[1].path, "a b/KAT_KEM_toy 2.txt");
        let of = |instance| {
            manifest
                .of(instance)
                .map(|entry| entry.line)
                .collect::<Vec<_>>()
        };
        assert_eq!(of("toy-1"), [3]);
        assert_eq!(of("toy 2"), [4]);
        assert!(of("toy").is_empty());
    }

    #[test]
    fn one_text_in_several_modes() {
        let text = format!("{A} strict x.txt\n{B} strict:2 x.txt\n{B} nolen x.txt");
        assert_eq!(Manifest::parse(&text).unwrap().entries().len(), 3);
        assert_eq!(Manifest::parse("").unwrap(), Manifest::default());
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| Manifest::parse(text).unwrap_err().to_string();
        assert_eq!(
            error("\n\nhello"),
            "line 3: expected `<SHA-256 in hex> <mode> <path>`, three words"
        );
        assert_eq!(
            error(&format!("{A} strict")),
            "line 1: expected `<SHA-256 in hex> <mode> <path>`, three words"
        );
        assert_eq!(
            error("# x\nabc strict x.txt"),
            "line 2: `abc` is no SHA-256 in hex (64 digits)"
        );
        assert!(error(&format!("{} strict x", A.replace('f', "g"))).contains("is no SHA-256"));
        assert!(error(&format!("{A} loose x.txt")).starts_with("line 1: `loose` is no mode"));
        assert_eq!(
            error(&format!("{A} strict x.txt\n{B} strict x.txt")),
            "line 2: line 1 gives another digest for the same path and mode"
        );
    }

    proptest! {
        /// Nothing that a file can hold stops the parser.
        #[test]
        fn any_text_is_read_or_refused(text in "(\\PC|\n|\t){0,200}") {
            let _ = Manifest::parse(&text);
        }
    }
}
