//! What a person should know of a description that was made without one.

use std::fmt;

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// It could not be told: a person has to look.
    Unknown,
    /// It was guessed, from what stands in the note.
    Guess,
    /// It was left out, for the reason that stands in the note.
    LeftOut,
}

/// One thing to know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// What kind of thing.
    pub kind: NoteKind,
    /// The instance or file; empty for the package.
    pub about: String,
    /// A sentence.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.about.is_empty() {
            true => f.write_str(&self.text),
            false => write!(f, "{}: {}", self.about, self.text),
        }
    }
}

/// Notes as they come up, each once.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// In order of their kinds once [`Notes::sorted`].
    list: Vec<Note>,
}

impl Notes {
    /// Takes one.
    pub fn add(&mut self, kind: NoteKind, about: &str, text: impl Into<String>) {
        let note = Note {
            kind,
            about: about.to_owned(),
            text: text.into(),
        };
        if !self.list.contains(&note) {
            self.list.push(note);
        }
    }

    /// Something that could not be told.
    pub fn unknown(&mut self, about: &str, text: impl Into<String>) {
        self.add(NoteKind::Unknown, about, text);
    }

    /// Something that was guessed.
    pub fn guess(&mut self, about: &str, text: impl Into<String>) {
        self.add(NoteKind::Guess, about, text);
    }

    /// Something that was left out.
    pub fn left_out(&mut self, about: &str, text: impl Into<String>) {
        self.add(NoteKind::LeftOut, about, text);
    }

    /// All notes, by kind, otherwise in the order in which they came.
    pub fn sorted(mut self) -> Vec<Note> {
        self.list.sort_by_key(|note| note.kind);
        self.list
    }
}
