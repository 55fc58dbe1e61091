//! What is wrong with a file, and where.

use std::fmt;
use std::path::PathBuf;

/// One thing wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The key, with the tables that it stands in: `instance.kat.mode`. Empty where no key can be named.
    pub key: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.line, self.column)?;
        if !self.key.is_empty() {
            write!(f, "`{}`: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

/// Everything wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems {
    /// The file.
    pub path: PathBuf,
    /// What is wrong, in the order of the file.
    pub list: Vec<Problem>,
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, problem) in self.list.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            write!(f, "{separator}{}:{problem}", self.path.display())?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Line and column, both from 1, of a byte offset in a text.
pub(super) fn position(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn positions_count_characters() {
        let text = "a\nbé c\n";
        assert_eq!(position(text, 0), (1, 1));
        assert_eq!(position(text, 2), (2, 1));
        assert_eq!(position(text, 5), (2, 3));
        // In the middle of a character: its own column; behind the end: the end.
        assert_eq!(position(text, 4), (2, 2));
        assert_eq!(position(text, 99), (3, 1));
    }
}
