//! What the macros of headers come to, for given definitions on the command line.

use super::expression;
use super::without_comments;
use std::collections::BTreeMap;

/// How deep headers may include each other.
const DEEPEST: usize = 32;
/// How many lines are looked at, so that headers that include each other many times come to an end.
const MOST_LINES: usize = 2_000_000;

/// Macros without parameters, and their texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Macros {
    texts: BTreeMap<String, String>,
    /// Those with parameters: only that they exist.
    with_parameters: Vec<String>,
    /// The first `#error` that was reached.
    error: Option<String>,
}

impl Macros {
    /// Those of definitions as on a command line: `NAME` or `NAME=VALUE`.
    pub fn of_defines<'a>(defines: impl IntoIterator<Item = &'a String>) -> Macros {
        let mut macros = Macros::default();
        macros.add_defines(defines);
        macros
    }

    /// Takes in definitions as on a command line.
    pub fn add_defines<'a>(&mut self, defines: impl IntoIterator<Item = &'a String>) {
        for define in defines {
            let (name, text) = define.split_once('=').unwrap_or((define, "1"));
            self.define(name, text);
        }
    }

    /// Defines one.
    pub fn define(&mut self, name: &str, text: &str) {
        self.texts.insert(name.to_owned(), text.to_owned());
    }

    /// Whether there is one of the name.
    pub fn is_defined(&self, name: &str) -> bool {
        self.texts.contains_key(name) || self.with_parameters.iter().any(|known| known == name)
    }

    /// Its text, if it has no parameters.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// Names and texts, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Its value, if it is a whole number.
    pub fn number(&self, name: &str) -> Option<i128> {
        expression::value(self.text(name)?, self, false)
    }

    /// Its value, if it is a string, over other macros too.
    pub fn string(&self, name: &str) -> Option<&str> {
        let mut text = self.text(name)?.trim();
        for _ in 0..DEEPEST {
            let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
            if let Some(inner) = inner.filter(|inner| !inner.contains('"')) {
                return Some(inner);
            }
            text = self.text(text)?.trim();
        }
        None
    }

    /// What the first `#error` that was reached says.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Takes in a text. `open` gives the text of a header that it includes; `None` for the system's. The
    /// answer is what is left of the text itself: its lines without directives and what conditions leave out.
    pub fn read(&mut self, text: &str, open: &mut dyn FnMut(&str) -> Option<String>) -> String {
        let mut lines = 0;
        self.read_below(text, open, DEEPEST, &mut lines)
    }

    fn read_below(
        &mut self,
        text: &str,
        open: &mut dyn FnMut(&str) -> Option<String>,
        depth: usize,
        lines: &mut usize,
    ) -> String {
        let mut left = String::new();
        let plain = without_comments(text)
            .replace("\\\r\n", " ")
            .replace("\\\n", " ");
        let mut conditions: Vec<Condition> = Vec::new();
        for line in plain.lines() {
            *lines += 1;
            if *lines > MOST_LINES {
                break;
            }
            let active = conditions.iter().all(|c| c.active);
            let Some(directive) = line.trim_start().strip_prefix('#') else {
                if active {
                    left.push_str(line);
                    left.push('\n');
                }
                continue;
            };
            let (word, operand) = word(directive.trim_start());
            match word {
                "if" => conditions.push(Condition::of(active && self.holds(operand))),
                "ifdef" => conditions.push(Condition::of(active && self.is_defined(name(operand)))),
                "ifndef" => {
                    let holds = active && !self.is_defined(name(operand));
                    conditions.push(Condition::of(holds));
                }
                "elif" | "else" => {
                    let Some(mut condition) = conditions.pop() else {
                        continue;
                    };
                    let outside = conditions.iter().all(|c| c.active);
                    condition.active =
                        outside && !condition.was_active && (word == "else" || self.holds(operand));
                    condition.was_active |= condition.active;
                    conditions.push(condition);
                }
                "endif" => {
                    conditions.pop();
                }
                _ if !active => {}
                "define" => self.take(operand),
                "undef" => {
                    self.texts.remove(name(operand));
                }
                "error" => {
                    let message = operand.trim().to_owned();
                    self.error.get_or_insert(message);
                }
                "include" if depth > 0 => {
                    let file = operand
                        .strip_prefix('"')
                        .and_then(|rest| rest.split_once('"'))
                        .or_else(|| operand.strip_prefix('<')?.split_once('>'));
                    if let Some(text) = file.and_then(|(file, _)| open(file)) {
                        self.read_below(&text, open, depth - 1, lines);
                    }
                }
                _ => {}
            }
        }
        left
    }

    fn holds(&self, condition: &str) -> bool {
        expression::value(condition, self, true).is_some_and(|value| value != 0)
    }

    fn take(&mut self, operand: &str) {
        let name = name(operand);
        let rest = &operand[name.len()..];
        if rest.starts_with('(') {
            self.with_parameters.push(name.to_owned());
        } else if !name.is_empty() {
            self.define(name, rest.trim());
        }
    }
}

/// One `#if` that is open.
struct Condition {
    active: bool,
    was_active: bool,
}

impl Condition {
    fn of(holds: bool) -> Condition {
        Condition {
            active: holds,
            was_active: holds,
        }
    }
}

/// The first word, and what follows it.
fn word(text: &str) -> (&str, &str) {
    let word = name(text);
    (word, text[word.len()..].trim_start())
}

/// The name that a text begins with.
fn name(text: &str) -> &str {
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PARAMS: &str = r#"
#ifndef KEM_K
#define KEM_K 3 /* default */
#endif
#include "more.h"
#if (KEM_K == 2)
#define CRYPTO_ALGNAME "Toy512"
#elif KEM_K == 3
#  define CRYPTO_ALGNAME \
      "Toy768"
#else
#error "KEM_K must be 2 or 3"
#endif
#define NAME CRYPTO_ALGNAME
#define F(x) ((x) + 1)
#define BYTES (KEM_K*KEM_N)
"#;

    fn read(defines: &[&str]) -> Macros {
        let defines: Vec<String> = defines.iter().map(|&d| d.to_owned()).collect();
        let mut macros = Macros::of_defines(&defines);
        let left = macros.read(PARAMS, &mut |name| {
            (name == "more.h").then(|| "#define KEM_N 256\r\n#include \"more.h\"\r\n".to_owned())
        });
        assert_eq!(left.trim(), "");
        macros
    }

    #[test]
    fn macros_come_to_what_the_compiler_would_see() {
        let macros = read(&[]);
        assert_eq!(macros.string("NAME"), Some("Toy768"));
        assert_eq!(macros.number("BYTES"), Some(768));
        assert_eq!(macros.number("NAME"), None);
        assert!(macros.is_defined("F") && macros.number("F").is_none());
        assert_eq!(macros.error(), None);
        let macros = read(&["KEM_K=2"]);
        assert_eq!(macros.string("NAME"), Some("Toy512"));
        assert_eq!(macros.number("BYTES"), Some(512));
        assert_eq!(read(&["KEM_K=4"]).error(), Some("\"KEM_K must be 2 or 3\""));
    }

    #[test]
    fn what_conditions_leave_out_is_gone() {
        let text = "int a;\n#ifdef X\nint b;\n#else\nint c;\n#endif\n";
        let left = Macros::default().read(text, &mut |_| None);
        assert_eq!(left, "int a;\nint c;\n");
    }

    proptest! {
        /// Nothing that a header can hold stops the reading.
        #[test]
        fn any_header_is_read(text in "(#if 1\n|#else\n|#elif X\n|#endif\n|#define X X\n|#include \"x\"\n|#undef|\\PC){0,40}") {
            let mut macros = Macros::default();
            macros.read(&text, &mut |_| Some(text.clone()).filter(|t| t.len() < 40));
            let _ = macros.string("X");
        }
    }
}
