//! How a command ended, and the exit code that says so.

use std::process::ExitCode;

/// How a command ended that did its work. Errors (bad usage, bad input) exit with 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is well: exit code 0.
    Well,
    /// It worked, but something that was measured or checked is not well: exit code 1.
    NotWell,
}

impl Outcome {
    /// Well only if `condition` holds.
    pub fn well_if(condition: bool) -> Outcome {
        if condition {
            Outcome::Well
        } else {
            Outcome::NotWell
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        match outcome {
            Outcome::Well => ExitCode::SUCCESS,
            Outcome::NotWell => ExitCode::from(1),
        }
    }
}
