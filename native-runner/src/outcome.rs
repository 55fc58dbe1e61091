//! How a command ended, and the exit code that says so.

use signal_hook::consts::{SIGHUP, SIGTERM};
use std::process::ExitCode;

/// How a command ended that did its work. Errors (bad usage, bad input) exit with 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is well: exit code 0.
    Well,
    /// It worked, but something that was measured or checked is not well: exit code 1.
    NotWell,
    /// It was asked to stop before it was done, and can go on later. A person who pressed Ctrl-C reads that: exit
    /// code 1. A batch system reads the exit code alone: after SIGTERM it is 143, after SIGHUP 129.
    Interrupted {
        /// The signal that asked, if it was one.
        signal: Option<i32>,
    },
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

    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Outcome::Well => 0,
            Outcome::Interrupted {
                signal: Some(signal @ (SIGTERM | SIGHUP)),
            } => u8::try_from(128 + signal).unwrap_or(1),
            Outcome::NotWell | Outcome::Interrupted { .. } => 1,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(outcome.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use signal_hook::consts::SIGINT;

    #[test]
    fn batch_systems_and_people_are_told_apart() {
        let code = |signal| Outcome::Interrupted { signal }.code();
        assert_eq!(code(Some(SIGTERM)), 143);
        assert_eq!(code(Some(SIGHUP)), 129);
        assert_eq!(code(Some(SIGINT)), 1);
        assert_eq!(code(None), 1);
    }
}
