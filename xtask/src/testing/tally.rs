//! Counting: what `cargo test` says about its tests, summed up.

use crate::process;
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader};
use std::ops::Add;
use std::process::{Command, Stdio};

/// Tests that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Passed.
    pub(super) passed: usize,
    /// Failed.
    pub(super) failed: usize,
}

impl Tally {
    /// One that passed.
    pub(super) fn passed() -> Tally {
        Tally {
            passed: 1,
            failed: 0,
        }
    }

    /// One that failed.
    pub(super) fn failed() -> Tally {
        Tally {
            passed: 0,
            failed: 1,
        }
    }

    /// The counts of a line `test result: ok. 12 passed; 0 failed; …`; `None` for any other line.
    fn of_line(line: &str) -> Option<Tally> {
        let counts = line.trim().strip_prefix("test result: ")?;
        let count = |word: &str| {
            let (before, _) = counts.split_once(&format!(" {word}"))?;
            before.rsplit(' ').next()?.parse().ok()
        };
        Some(Tally {
            passed: count("passed")?,
            failed: count("failed")?,
        })
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
        }
    }
}

/// Runs a `cargo test`, shows its output as it comes and sums up its results. A run that fails without a failed test (it
/// did not compile, a process died) counts as one failure.
///
/// # Errors
/// When it cannot be started or its output cannot be read.
pub(super) fn of_cargo_test(command: &mut Command) -> Result<Tally> {
    let name = process::describe(command);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("`{name}` cannot be started"))?;
    let mut sum = Tally::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line.with_context(|| format!("the output of `{name}` cannot be read"))?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            sum = sum + Tally::of_line(&line).unwrap_or_default();
        }
    }
    let status = child.wait().with_context(|| format!("`{name}` was lost"))?;
    if !status.success() && sum.failed == 0 {
        eprintln!("error: `{name}` failed: {status}");
        sum = sum + Tally::failed();
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!(
            Tally::of_line(line),
            Some(Tally {
                passed: 12,
                failed: 3
            })
        );
        assert_eq!(Tally::of_line("test result of yesterday"), None);
        assert_eq!(Tally::of_line("running 3 tests"), None);
    }

    #[test]
    fn a_run_without_results_that_fails_is_one_failure() {
        let run = |script: &str| of_cargo_test(Command::new("sh").args(["-c", script])).unwrap();
        assert_eq!(run("exit 101"), Tally::failed());
        assert_eq!(run("echo 'test result: ok. 2 passed; 0 failed;'; echo 'test result: ok. 3 passed; 0 failed;'").passed, 5);
    }
}
