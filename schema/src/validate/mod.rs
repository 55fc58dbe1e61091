//! Validation of everything that is read: values that types alone cannot keep right.

mod checker;
mod published;
mod raw;

pub use checker::Checker;
use std::fmt;

/// One value that breaks the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where: path of field names and positions, for example `instances[2].sizes.public_key_bytes`.
    pub field: String,
    /// What is wrong, with the value.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

/// A file of the contract that can be validated.
pub trait Validate {
    /// Everything that is wrong, in the order of the file; empty if nothing is.
    fn problems(&self) -> Vec<Problem> {
        let mut checker = Checker::default();
        self.check(&mut checker);
        checker.problems
    }

    /// Notes what is wrong.
    fn check(&self, checker: &mut Checker);
}
