//! Comments.

/// The text with a space for each character of a comment, line breaks kept, so that every line keeps its number.
/// Quotation marks are respected: `"/*"` begins no comment.
pub fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut state = State::Code;
    while let Some(c) = characters.next() {
        let next = characters.peek().copied();
        match state {
            State::Code if c == '/' && (next == Some('/') || next == Some('*')) => {
                state = match next {
                    Some('/') => State::Line,
                    _ => State::Block,
                };
                characters.next();
                plain.push_str("  ");
            }
            State::Code => {
                if c == '"' || c == '\'' {
                    state = State::Quoted(c);
                }
                plain.push(c);
            }
            State::Quoted(mark) => {
                plain.push(c);
                if c == '\\' {
                    plain.extend(characters.next());
                } else if c == mark || c == '\n' {
                    // A quotation does not go on in the next line; an apostrophe in an #error does not either.
                    state = State::Code;
                }
            }
            State::Line => {
                if c == '\n' {
                    state = State::Code;
                }
                plain.push(blank(c));
            }
            State::Block if c == '*' && next == Some('/') => {
                characters.next();
                plain.push_str("  ");
                state = State::Code;
            }
            State::Block => plain.push(blank(c)),
        }
    }
    plain
}

#[derive(Clone, Copy)]
enum State {
    Code,
    Quoted(char),
    Line,
    Block,
}

fn blank(c: char) -> char {
    if c == '\n' { '\n' } else { ' ' }
}

#[cfg(test)]
mod tests {
    use super::without_comments;
    use proptest::prelude::*;

    #[test]
    fn comments_become_spaces() {
        assert_eq!(without_comments("a/*b\nc*/d//e\nf"), "a   \n   d   \nf");
        assert_eq!(without_comments("x = \"/*\"; // \""), "x = \"/*\";     ");
        assert_eq!(
            without_comments("'\"' /* \" */ '\\'' //"),
            "'\"'         '\\''   "
        );
        assert_eq!(
            without_comments("#error don't\nint x; // y"),
            "#error don't\nint x;     "
        );
        assert_eq!(without_comments("/* open\nint x;"), "       \n      ");
    }

    proptest! {
        #[test]
        fn lines_keep_their_numbers(text in "(/\\*|\\*/|//|\n|\"|'|\\\\|[a-z ]){0,40}") {
            prop_assert_eq!(without_comments(&text).matches('\n').count(), text.matches('\n').count());
        }
    }
}
