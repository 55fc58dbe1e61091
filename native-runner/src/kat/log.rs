//! The text of a known-answer test on its way from the measuring process into the run directory: hashed as it
//! comes, never held whole.

use crate::files::{self, FileError};
use crate::kat::expectation::Comparison;
use sha2::{Digest, Sha256};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Longer lines are abbreviated in the log: keys of megabytes stand there as their digests.
const LONGEST_LINE: usize = 32 * 1024;
/// So much of a long line stands in the log.
const SHOWN: usize = 96;

/// A log that is being written. It appears under its name only when it is finished.
pub struct KatLog {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
    log_hash: Sha256,
    text_hash: Sha256,
    comparison: Option<Comparison>,
    line: Vec<u8>,
    long: Option<LongLine>,
    abbreviated: bool,
    empty: bool,
}

/// A line that is too long to be kept.
struct LongLine {
    hash: Sha256,
    length: u64,
}

/// What a finished log amounts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// SHA-256 of the text as it came.
    pub text_sha256: String,
    /// SHA-256 of the form that is compared, where one was asked for.
    pub compared_sha256: Option<String>,
    /// SHA-256 of the log.
    pub log_sha256: String,
    /// Whether long lines were abbreviated in it.
    pub abbreviated: bool,
}

impl KatLog {
    /// A log that will be `path`. `comparison` brings the text into the form that is compared.
    ///
    /// # Errors
    /// If no file can be made in its folder.
    pub fn create(path: &Path, comparison: Option<Comparison>) -> Result<KatLog, FileError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        files::create_folder(folder)?;
        let file = files::unfinished(folder).map_err(|e| FileError::io("create", path, e))?;
        Ok(KatLog {
            path: path.to_owned(),
            file: BufWriter::new(file),
            log_hash: Sha256::new(),
            text_hash: Sha256::new(),
            comparison,
            line: Vec::new(),
            long: None,
            abbreviated: false,
            empty: true,
        })
    }

    /// Takes the next piece of the text.
    ///
    /// # Errors
    /// If the log cannot be written.
    pub fn push(&mut self, text: &str) -> io::Result<()> {
        self.empty &= text.is_empty();
        self.text_hash.update(text);
        if let Some(comparison) = &mut self.comparison {
            comparison.update(text.as_bytes());
        }
        for piece in text.split_inclusive('\n') {
            let (piece, ends) = match piece.strip_suffix('\n') {
                Some(piece) => (piece, true),
                None => (piece, false),
            };
            self.extend_line(piece.as_bytes());
            if ends {
                self.end_line()?;
            }
        }
        Ok(())
    }

    fn extend_line(&mut self, piece: &[u8]) {
        if self.long.is_none() && self.line.len() + piece.len() > LONGEST_LINE {
            self.long = Some(LongLine {
                hash: Sha256::new_with_prefix(&self.line),
                length: self.line.len() as u64,
            });
        }
        match &mut self.long {
            None => self.line.extend_from_slice(piece),
            Some(long) => {
                long.hash.update(piece);
                long.length += piece.len() as u64;
                let room = SHOWN.saturating_sub(self.line.len());
                self.line.extend_from_slice(&piece[..piece.len().min(room)]);
            }
        }
    }

    fn end_line(&mut self) -> io::Result<()> {
        let mut line = std::mem::take(&mut self.line);
        if let Some(long) = self.long.take() {
            self.abbreviated = true;
            line.truncate(SHOWN);
            let rest = format!(
                "… ({} characters, SHA-256 of the line {:x})",
                long.length,
                long.hash.finalize()
            );
            line.extend_from_slice(rest.as_bytes());
        }
        line.push(b'\n');
        self.log_hash.update(&line);
        self.file.write_all(&line)
    }

    /// Puts the log in its place; `None` where there was no text at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<Option<Logged>, FileError> {
        if self.empty {
            return Ok(None);
        }
        let path = self.path.clone();
        let fail = |cause| FileError::io("write", &path, cause);
        if !self.line.is_empty() || self.long.is_some() {
            self.end_line().map_err(fail)?;
        }
        let file = self.file.into_inner().map_err(|e| fail(e.into_error()))?;
        files::finish(file, &self.path)?;
        Ok(Some(Logged {
            text_sha256: format!("{:x}", self.text_hash.finalize()),
            compared_sha256: self.comparison.map(Comparison::finish),
            log_sha256: format!("{:x}", self.log_hash.finalize()),
            abbreviated: self.abbreviated,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::sha256_hex;
    use proptest::prelude::*;

    fn logged(pieces: &[&str]) -> (Option<Logged>, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kat").join("x.log");
        let mut log = KatLog::create(&path, None).unwrap();
        for piece in pieces {
            log.push(piece).unwrap();
        }
        let logged = log.finish().unwrap();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        (logged, text)
    }

    #[test]
    fn a_long_line_stands_there_as_its_digest() {
        let long = format!("PK = {}", "AB".repeat(LONGEST_LINE));
        let text = format!("Count = 0\n{long}\nCT = 01\n");
        let (halves, log) = logged(&[&text[..5000], &text[5000..]]);
        let halves = halves.unwrap();
        assert!(halves.abbreviated);
        assert_eq!(halves.text_sha256, sha256_hex(text.as_bytes()));
        assert_eq!(halves.log_sha256, sha256_hex(log.as_bytes()));
        let lines: Vec<&str> = log.lines().collect();
        assert_eq!((lines[0], lines[2]), ("Count = 0", "CT = 01"));
        assert!(lines[1].starts_with(&long[..SHOWN]), "{}", lines[1]);
        assert!(
            lines[1].contains(&sha256_hex(long.as_bytes())),
            "{}",
            lines[1]
        );
    }

    #[test]
    fn without_text_there_is_no_log() {
        assert_eq!(logged(&[]), (None, String::new()));
        assert_eq!(logged(&["", ""]), (None, String::new()));
    }

    proptest! {
        #[test]
        fn short_lines_are_kept_as_they_are(text in "([a-z =0-9]{0,20}\n){0,10}", cut in 0usize..100) {
            let cut = cut.min(text.len());
            let (found, log) = logged(&[&text[..cut], &text[cut..]]);
            prop_assert_eq!(&log, &text);
            if let Some(found) = found {
                prop_assert_eq!(found.text_sha256, found.log_sha256);
            }
        }
    }
}
