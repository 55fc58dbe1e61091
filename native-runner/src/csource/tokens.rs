//! The words of a C text.

/// A token, as coarse as symbols need it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'t> {
    /// A name or keyword.
    Word(&'t str),
    /// A string, a character or a number.
    Text,
    /// Anything else, character by character.
    Mark(char),
}

/// The text without the lines of the preprocessor and their continuations.
pub fn without_directives(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.lines() {
        let directive = inside || line.trim_start().starts_with('#');
        inside = directive && line.trim_end().ends_with('\\');
        if !directive {
            plain.push_str(line);
        }
        plain.push('\n');
    }
    plain
}

/// The name of the macro with parameters that a line defines.
pub fn macro_with_parameters(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("define")?.trim_start();
    let (name, _) = rest.split_once('(')?;
    let fine = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(fine)).then(|| name.to_owned())
}

/// What a line defines a macro to be.
pub fn macro_body(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("define")?.trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    match rest[end..].strip_prefix('(') {
        Some(parameters) => Some(parameters.split_once(')')?.1),
        None => Some(&rest[end..]),
    }
}

/// The tokens of a text without comments and directives.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'"' | b'\'' => {
                while let Some(&inner) = bytes.get(at) {
                    at += 1;
                    match inner {
                        b'\\' => at += 1,
                        b'\n' => break,
                        _ if inner == byte => break,
                        _ => {}
                    }
                }
                found.push(Token::Text);
            }
            _ if is_word(byte) => {
                while bytes.get(at).copied().is_some_and(is_word) {
                    at += 1;
                }
                match (byte.is_ascii_digit(), text.get(start..at)) {
                    (false, Some(word)) => found.push(Token::Word(word)),
                    _ => found.push(Token::Text),
                }
            }
            _ if byte.is_ascii_graphic() => found.push(Token::Mark(byte.into())),
            _ => {}
        }
    }
    found
}
