//! Reads a file of the contract: version first, then structure, then values.

use crate::SCHEMA_VERSION;
use crate::validate::{Problem, Validate};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fmt;

/// Why a file cannot be used. Its display names file, place and reason in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The file, as the reader knows it.
    pub file: String,
    /// What is wrong with it.
    pub reason: LoadReason,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadReason {
    /// It is not JSON, or not of the structure that is expected; the message has line and column.
    Structure(String),
    /// Its major version is another one.
    Version(u32),
    /// Values break the contract; there is at least one.
    Values(Vec<Problem>),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        match &self.reason {
            LoadReason::Structure(message) => f.write_str(message),
            LoadReason::Version(version) => write!(
                f,
                "schema_version is {version}, this program reads version {SCHEMA_VERSION}; use a matching release"
            ),
            LoadReason::Values(problems) => {
                if let Some(first) = problems.first() {
                    write!(f, "{first}")?;
                }
                match problems.len() {
                    0 | 1 => Ok(()),
                    n => write!(f, " (and {} more)", n - 1),
                }
            }
        }
    }
}

impl std::error::Error for LoadError {}

#[derive(Deserialize)]
struct VersionOnly {
    schema_version: u32,
}

/// Reads a file's text as `T` and validates it. `file` is the name used in the error.
///
/// # Errors
/// If the text is not JSON of the expected structure, has another major version, or has values
/// that break the contract.
pub fn load<T: DeserializeOwned + Validate>(file: &str, text: &str) -> Result<T, LoadError> {
    let fail = |reason| LoadError {
        file: file.to_owned(),
        reason,
    };
    // The version comes first: a file of another version may have any structure.
    let VersionOnly { schema_version } =
        serde_json::from_str(text).map_err(|e| fail(LoadReason::Structure(e.to_string())))?;
    if schema_version != SCHEMA_VERSION {
        return Err(fail(LoadReason::Version(schema_version)));
    }
    let value: T =
        serde_json::from_str(text).map_err(|e| fail(LoadReason::Structure(e.to_string())))?;
    let problems = value.problems();
    if problems.is_empty() {
        Ok(value)
    } else {
        Err(fail(LoadReason::Values(problems)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;

    #[test]
    fn errors_name_file_place_and_reason() {
        let error = |text: &str| {
            load::<Index>("data/index.json", text)
                .unwrap_err()
                .to_string()
        };
        assert!(error("{").starts_with("data/index.json: EOF while parsing"));
        assert!(error("<html>").contains("line 1 column 1"));
        assert_eq!(
            error(r#"{"schema_version": 7}"#),
            "data/index.json: schema_version is 7, this program reads version 1; use a matching release"
        );
        assert_eq!(
            error(
                r#"{"schema_version": 1, "systems": [{"id": "a/b", "label": "", "architecture": "",
                "provenance": "imported", "families": [], "files": []}]}"#
            ),
            "data/index.json: systems[0].id: “a/b” is not an identifier (letters, digits, - and _, at most 64)"
        );
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let index: Index = load(
            "i",
            r#"{"schema_version": 1, "systems": [], "later": [1, 2]}"#,
        )
        .unwrap();
        assert!(index.systems.is_empty());
    }
}
