//! The digest of a known-answer text that public manifests list: SHA-256 of a canonical form of it.
//!
//! The canonical form has the text's lines without white space at their ends, empty lines left out, each
//! followed by one line feed. The mode leaves out more: lines that state a length (`nolen`), and everything
//! from record N + 1 on (`:N`).

mod line;
mod mode;
#[cfg(test)]
mod tests;

use sha2::{Digest, Sha256};

pub use mode::{CanonicalMode, ModeError};

use line::{Kind, LineStart};

/// The canonical digest of a text that comes in chunks, cut anywhere.
///
/// It works in the same small memory however long the text and its lines are: a line is hashed as it comes,
/// and where it turns out that something hashed does not count (white space at the end of a line, a line
/// that states a length), the state of the hash before it is taken up again.
#[derive(Clone)]
pub struct CanonicalDigest {
    mode: CanonicalMode,
    hash: Sha256,
    records: u64,
    line: Line,
    done: bool,
}

/// The line being read.
#[derive(Clone)]
struct Line {
    part: Part,
    /// The hash before the line.
    before: Sha256,
    /// The hash before the white space that the line ends in as far as it was read.
    before_space: Option<Sha256>,
    /// Whether there was anything but white space.
    filled: bool,
}

/// How far the line is understood.
#[derive(Clone, Copy)]
enum Part {
    /// It may still be left out, or begin a record.
    Start(LineStart),
    /// It counts.
    Counts,
    /// It is left out.
    Dropped,
}

impl Line {
    fn new(hash: &Sha256) -> Self {
        Self {
            part: Part::Start(LineStart::NEW),
            before: hash.clone(),
            before_space: None,
            filled: false,
        }
    }
}

/// What became of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canonical {
    /// SHA-256 of the canonical form.
    pub sha256: [u8; 32],
    /// Records in it (lines that begin with `Count = `). A mode with `:N` says nothing about a text with
    /// fewer: whoever compares should look at this too.
    pub records: u64,
}

impl CanonicalDigest {
    /// The digest of a text that is still empty.
    pub fn new(mode: CanonicalMode) -> Self {
        let hash = Sha256::new();
        Self {
            mode,
            records: 0,
            line: Line::new(&hash),
            hash,
            done: false,
        }
    }

    /// Takes the next chunk of the text.
    pub fn update(&mut self, mut chunk: &[u8]) {
        while !chunk.is_empty() && !self.done {
            let taken = match self.line.part {
                Part::Start(start) => self.take_start(start, chunk),
                Part::Counts => self.take_rest(chunk),
                Part::Dropped => until_line_feed(chunk).len(),
            };
            // Each part ends at the line feed, at the latest.
            chunk = chunk.get(taken..).unwrap_or_default();
            if let Some((b'\n', rest)) = chunk.split_first() {
                chunk = rest;
                self.end_line();
            }
        }
    }

    /// Whether the rest of the text does not matter: the mode's number of records was there and the next one
    /// began. A text without end can be left alone then.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The digest of the text that was given.
    pub fn finish(mut self) -> Canonical {
        if !self.done {
            self.end_line();
        }
        Canonical {
            sha256: self.hash.finalize().into(),
            records: self.records,
        }
    }

    /// Reads on at the start of a line, until its kind is known or it ends. Returns the bytes read.
    fn take_start(&mut self, mut start: LineStart, chunk: &[u8]) -> usize {
        let line = until_line_feed(chunk);
        let told = line
            .iter()
            .enumerate()
            .find_map(|(at, byte)| start.push(*byte).map(|kind| (at + 1, kind)));
        let (taken, kind) = match told {
            Some((taken, kind)) => (taken, Some(kind)),
            None => (line.len(), None),
        };
        self.hash_line(&line[..taken]);
        self.line.part = match kind {
            None => Part::Start(start),
            Some(Kind::Length) if self.mode.without_lengths => Part::Dropped,
            Some(Kind::Length | Kind::Other) => Part::Counts,
            Some(Kind::Count) if self.has_all_records() => {
                self.hash = self.line.before.clone();
                self.done = true;
                Part::Dropped
            }
            Some(Kind::Count) => {
                self.records += 1;
                Part::Counts
            }
        };
        taken
    }

    fn has_all_records(&self) -> bool {
        self.mode
            .records
            .is_some_and(|wanted| self.records >= wanted.get())
    }

    /// Reads the rest of a line that counts, as far as it is there. Returns the bytes read.
    fn take_rest(&mut self, chunk: &[u8]) -> usize {
        let line = until_line_feed(chunk);
        self.hash_line(line);
        line.len()
    }

    /// Hashes a piece of a line, and remembers the hash before the white space at its end.
    fn hash_line(&mut self, piece: &[u8]) {
        let space = piece
            .iter()
            .rev()
            .take_while(|byte| is_trailing(**byte))
            .count();
        let (body, space) = piece.split_at(piece.len() - space);
        if !body.is_empty() {
            self.line.filled = true;
            self.line.before_space = None;
            self.hash.update(body);
        }
        if !space.is_empty() {
            if self.line.before_space.is_none() {
                self.line.before_space = Some(self.hash.clone());
            }
            self.hash.update(space);
        }
    }

    fn end_line(&mut self) {
        if matches!(self.line.part, Part::Dropped) || !self.line.filled {
            self.hash = self.line.before.clone();
        } else {
            if let Some(before) = self.line.before_space.take() {
                self.hash = before;
            }
            self.hash.update(b"\n");
        }
        self.line = Line::new(&self.hash);
    }
}

/// The canonical digest of a text held in memory.
pub fn canonical(text: &[u8], mode: CanonicalMode) -> Canonical {
    let mut digest = CanonicalDigest::new(mode);
    digest.update(text);
    digest.finish()
}

/// The chunk up to its first line feed, which is not part of it.
fn until_line_feed(chunk: &[u8]) -> &[u8] {
    let end = chunk.iter().position(|byte| *byte == b'\n');
    &chunk[..end.unwrap_or(chunk.len())]
}

/// White space that does not count at the end of a line.
fn is_trailing(byte: u8) -> bool {
    matches!(byte, b'\r' | b' ' | b'\t')
}
