//! Printing results: a reader that has seen enough is no error, a full disk is.

use anyhow::{Context, Result};
use std::io::{ErrorKind, Write};

/// Prints to standard output. A closed pipe (`| head`) is fine.
///
/// # Errors
/// If the text cannot be written for another reason, for example because the disk is full.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(e).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Prints a line, see [`print()`].
///
/// # Errors
/// As [`print()`].
pub fn line(text: &str) -> Result<()> {
    print(&format!("{text}\n"))
}

/// A remark on standard error, which is no part of the result.
pub fn note(text: &str) {
    eprintln!("note: {text}");
}
