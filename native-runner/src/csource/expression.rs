//! Conditions of the preprocessor and sizes written as macros: whole numbers.

use super::preprocess::Macros;

/// How deep macros may refer to each other.
const DEEPEST: usize = 32;

/// The value of an expression with the macros given; `None` where it is none that can be known, for example
/// because it calls a macro with arguments. In a condition (`unknown_is_zero`) a name that is no macro is 0, as
/// the preprocessor has it.
pub fn value(text: &str, macros: &Macros, unknown_is_zero: bool) -> Option<i128> {
    evaluate(text, macros, unknown_is_zero, DEEPEST)
}

fn evaluate(text: &str, macros: &Macros, unknown_is_zero: bool, depth: usize) -> Option<i128> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        macros,
        unknown_is_zero,
        depth: depth.checked_sub(1)?,
    };
    let value = parser.binary(0)?;
    (parser.at == parser.tokens.len()).then_some(value)
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(i128),
    Name(String),
    Mark(&'static str),
}

/// Operators, longest first.
const MARKS: [&str; 22] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "<", ">", "!", "~",
    "&", "|", "^", "(", ")",
];

/// Binary operators by how tightly they bind, loosest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            found.push(Token::Mark(mark));
            rest = rest[mark.len()..].trim_start();
            continue;
        }
        if !(first.is_ascii_alphanumeric() || first == '_') {
            return None;
        }
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        found.push(match first.is_ascii_digit() {
            true => Token::Number(number(word)?),
            false => Token::Name(word.to_owned()),
        });
        rest = behind.trim_start();
    }
    Some(found)
}

fn number(word: &str) -> Option<i128> {
    let plain = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = plain.to_ascii_lowercase();
    let (digits, radix) = match lower.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => match lower.strip_prefix('0') {
            Some(digits) if !digits.is_empty() => (digits, 8),
            _ => (lower.as_str(), 10),
        },
    };
    i128::from_str_radix(digits, radix).ok()
}

struct Parser<'m> {
    tokens: Vec<Token>,
    at: usize,
    macros: &'m Macros,
    unknown_is_zero: bool,
    depth: usize,
}

impl Parser<'_> {
    fn take(&mut self, marks: &[&'static str]) -> Option<&'static str> {
        match self.tokens.get(self.at) {
            Some(Token::Mark(mark)) if marks.contains(mark) => {
                self.at += 1;
                Some(mark)
            }
            _ => None,
        }
    }

    fn binary(&mut self, level: usize) -> Option<i128> {
        let Some(marks) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(mark) = self.take(marks) {
            let right = self.binary(level + 1)?;
            left = apply(mark, left, right)?;
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i128> {
        // A chain of signs must not be deeper than the stack.
        self.depth = self.depth.checked_sub(1)?;
        let value = match self.take(&["!", "-", "+", "~"]) {
            Some("!") => i128::from(self.unary()? == 0),
            Some("-") => self.unary()?.checked_neg()?,
            Some("~") => !self.unary()?,
            Some(_) => self.unary()?,
            None => self.primary()?,
        };
        self.depth += 1;
        Some(value)
    }

    fn primary(&mut self) -> Option<i128> {
        if self.take(&["("]).is_some() {
            let value = self.binary(0)?;
            self.take(&[")"])?;
            return Some(value);
        }
        let token = self.tokens.get(self.at)?.clone();
        self.at += 1;
        match token {
            Token::Number(number) => Some(number),
            Token::Name(name) if name == "defined" => self.defined(),
            Token::Name(name) => self.named(&name),
            Token::Mark(_) => None,
        }
    }

    fn defined(&mut self) -> Option<i128> {
        let open = self.take(&["("]).is_some();
        let Some(Token::Name(name)) = self.tokens.get(self.at) else {
            return None;
        };
        let known = self.macros.is_defined(name);
        self.at += 1;
        if open {
            self.take(&[")"])?;
        }
        Some(i128::from(known))
    }

    fn named(&mut self, name: &str) -> Option<i128> {
        if self.tokens.get(self.at) == Some(&Token::Mark("(")) {
            return None;
        }
        match self.macros.text(name) {
            Some(text) => evaluate(text, self.macros, self.unknown_is_zero, self.depth),
            None if self.unknown_is_zero => Some(0),
            None => None,
        }
    }
}

fn apply(mark: &str, left: i128, right: i128) -> Option<i128> {
    let shift = || u32::try_from(right).ok().filter(|bits| *bits < 100);
    match mark {
        "||" => Some(i128::from(left != 0 || right != 0)),
        "&&" => Some(i128::from(left != 0 && right != 0)),
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        "&" => Some(left & right),
        "==" => Some(i128::from(left == right)),
        "!=" => Some(i128::from(left != right)),
        "<" => Some(i128::from(left < right)),
        "<=" => Some(i128::from(left <= right)),
        ">" => Some(i128::from(left > right)),
        ">=" => Some(i128::from(left >= right)),
        "<<" => left.checked_mul(1i128.checked_shl(shift()?)?),
        ">>" => left.checked_shr(shift()?),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn macros() -> Macros {
        let mut macros = Macros::default();
        for (name, text) in [
            ("K", "3"),
            ("N", "256"),
            ("BYTES", "(K * N * 12 / 8 + 32)"),
            ("LOOP", "LOOP + 1"),
            ("EMPTY", ""),
        ] {
            macros.define(name, text);
        }
        macros
    }

    #[test]
    fn arithmetic_and_conditions() {
        for (text, expected) in [
            ("BYTES", Some(1184)),
            ("K == 2 || K == 3", Some(1)),
            ("!defined(K) || defined X", Some(0)),
            ("(1 << 4) - 0x10u + 010", Some(8)),
            ("2 + 3 * 4 - -1", Some(15)),
            ("UNKNOWN", Some(0)),
            ("UNKNOWN == 0 && K", Some(1)),
            ("LOOP", None),
            ("EMPTY", None),
            ("F(3)", None),
            ("1 / 0", None),
            ("1 +", None),
            ("\"x\"", None),
            ("1 << 1000", None),
            ("", None),
        ] {
            assert_eq!(value(text, &macros(), true), expected, "{text}");
        }
        assert_eq!(value("UNKNOWN", &macros(), false), None);
    }

    proptest! {
        /// Nothing that a condition can hold stops the evaluation.
        #[test]
        fn any_condition_is_evaluated_or_not(text in "(\\(|\\)|!|-|~|\\+|<<|[0-9]{1,40}|K|N|LOOP|defined| ){0,60}") {
            let _ = value(&text, &macros(), true);
        }
    }

    #[test]
    fn deep_nesting_is_no_danger() {
        assert_eq!(value(&"(".repeat(100_000), &macros(), true), None);
        assert_eq!(value(&"-".repeat(100_000), &macros(), true), None);
    }
}
