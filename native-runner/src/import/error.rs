//! Errors that say where in which file, what was found and what was expected.

use kemscope_schema::Validate;
use std::fmt;

/// An error in an imported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// The file as named on the command line.
    pub file: String,
    /// Line counted from 1; `None` where the file as a whole is meant.
    pub line: Option<usize>,
    /// The section of a report page, where one was being read.
    pub section: Option<String>,
    /// What was found and what was expected.
    pub message: String,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(section) = &self.section {
            write!(f, ", section “{section}”")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ImportError {}

/// Refuses a record that would break the contract, in the name of the file it was read from.
///
/// # Errors
/// Names the first field that is wrong.
pub fn refuse_problems(file: &str, record: &impl Validate) -> Result<(), ImportError> {
    match record.problems().into_iter().next() {
        None => Ok(()),
        Some(problem) => Err(ImportError {
            file: file.to_owned(),
            line: None,
            section: None,
            message: problem.to_string(),
        }),
    }
}
