//! Typed access to the tables of a TOML document, with the place of every value.

use super::Located;
use super::problem::{Problem, position};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value with its place.
pub type Value<'t> = Spanned<DeValue<'t>>;

/// Reads one document; collects what is wrong instead of stopping at the first.
pub struct Reader<'t> {
    text: &'t str,
    problems: Vec<Problem>,
}

/// A table and the path of keys that leads to it (`instance.kat.`, with a full stop at its end).
#[derive(Clone, Copy)]
pub struct Table<'a, 't> {
    /// The table.
    pub table: &'a DeTable<'t>,
    /// Keys before its own.
    pub prefix: &'static str,
    /// Where the table begins.
    pub at: usize,
}

impl<'t> Table<'_, 't> {
    fn get(&self, key: &str) -> Option<&Value<'t>> {
        self.table.get(key)
    }

    /// Whether it has a key.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Where a key's value begins; where the table begins if there is none.
    pub fn place(&self, key: &str) -> usize {
        self.get(key).map_or(self.at, |value| value.span().start)
    }
}

impl<'t> Reader<'t> {
    /// Of a text.
    pub fn new(text: &'t str) -> Reader<'t> {
        Reader {
            text,
            problems: Vec::new(),
        }
    }

    /// What was found wrong, in the order of the file.
    pub fn finish(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|p| (p.line, p.column));
        self.problems
    }

    /// Whether nothing was found wrong so far.
    pub fn is_content(&self) -> bool {
        self.problems.is_empty()
    }

    /// The line of an offset, from 1.
    pub fn line(&self, offset: usize) -> usize {
        position(self.text, offset).0
    }

    /// Something wrong at a byte offset.
    pub fn wrong(&mut self, offset: usize, key: String, message: impl Into<String>) {
        let (line, column) = position(self.text, offset);
        self.problems.push(Problem {
            line,
            column,
            key,
            message: message.into(),
        });
    }

    /// Something wrong with the value of a key of a table.
    pub fn wrong_value(&mut self, table: Table<'_, '_>, key: &str, message: impl Into<String>) {
        self.wrong(table.place(key), format!("{}{key}", table.prefix), message);
    }

    /// Something wrong with the first item of that text in the list below a key.
    pub fn wrong_in_list(
        &mut self,
        table: Table<'_, '_>,
        key: &str,
        text: &str,
        message: impl Into<String>,
    ) {
        let is = |item: &&Value<'_>| matches!(item.get_ref(), DeValue::String(t) if t == text);
        let at = match table.get(key).map(Spanned::get_ref) {
            Some(DeValue::Array(items)) => items.iter().find(is).map(|item| item.span().start),
            _ => None,
        };
        let at = at.unwrap_or_else(|| table.place(key));
        self.wrong(at, format!("{}{key}", table.prefix), message);
    }

    /// Refuses keys that a table does not have, with the nearest of those that it has.
    pub fn refuse_unknown(&mut self, table: Table<'_, 't>, known: &[&str]) {
        for key in table.table.keys() {
            let name = key.get_ref().as_ref();
            if known.contains(&name) {
                continue;
            }
            let hint = match nearest(name, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", known.join(", ")),
            };
            let full = format!("{}{name}", table.prefix);
            self.wrong(key.span().start, full, format!("is no key here; {hint}"));
        }
    }

    /// A table below a key, if there is one.
    pub fn table<'a>(
        &mut self,
        table: Table<'a, 't>,
        key: &str,
        prefix: &'static str,
    ) -> Option<Table<'a, 't>> {
        let value = table.table.get(key)?;
        match value.get_ref() {
            DeValue::Table(inner) => Some(Table {
                table: inner,
                prefix,
                at: value.span().start,
            }),
            other => {
                let message = format!("must be a table, found {}", kind(other));
                self.wrong_value(table, key, message);
                None
            }
        }
    }

    /// The tables of a list of tables (`[[key]]`).
    pub fn tables<'a>(
        &mut self,
        table: Table<'a, 't>,
        key: &str,
        prefix: &'static str,
    ) -> Vec<Table<'a, 't>> {
        let Some(value) = table.table.get(key) else {
            return Vec::new();
        };
        let DeValue::Array(items) = value.get_ref() else {
            let message = format!(
                "must be a list of tables: write [[{key}]], found {}",
                kind(value.get_ref())
            );
            self.wrong_value(table, key, message);
            return Vec::new();
        };
        let mut found = Vec::new();
        for item in items.iter() {
            match item.get_ref() {
                DeValue::Table(inner) => found.push(Table {
                    table: inner,
                    prefix,
                    at: item.span().start,
                }),
                other => {
                    let message = format!("must be a table, found {}", kind(other));
                    self.wrong(item.span().start, key.to_owned(), message);
                }
            }
        }
        found
    }

    /// A string, if there is one.
    pub fn string(&mut self, table: Table<'_, 't>, key: &str) -> Option<Located> {
        let value = table.get(key)?;
        match value.get_ref() {
            DeValue::String(text) => Some(self.located(text, value.span())),
            other => {
                let message = format!("must be a string, found {}", kind(other));
                self.wrong_value(table, key, message);
                None
            }
        }
    }

    /// A list of strings; empty if there is none.
    pub fn strings(&mut self, table: Table<'_, 't>, key: &str) -> Vec<Located> {
        let Some(value) = table.get(key) else {
            return Vec::new();
        };
        let DeValue::Array(items) = value.get_ref() else {
            let found = kind(value.get_ref());
            let message = format!("must be a list of strings, such as [\"…\"], found {found}");
            self.wrong_value(table, key, message);
            return Vec::new();
        };
        let mut found = Vec::new();
        for item in items.iter() {
            match item.get_ref() {
                DeValue::String(text) => found.push(self.located(text, item.span())),
                other => {
                    let message = format!("must hold strings only, found {}", kind(other));
                    self.wrong(item.span().start, format!("{}{key}", table.prefix), message);
                }
            }
        }
        found
    }

    /// A whole number, if there is one that fits.
    pub fn integer(&mut self, table: Table<'_, 't>, key: &str) -> Option<u64> {
        let value = table.get(key)?;
        let number = match value.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            other => {
                let message = format!("must be a whole number, found {}", kind(other));
                self.wrong_value(table, key, message);
                return None;
            }
        };
        if number.is_none() {
            self.wrong_value(table, key, "must be a whole number, 0 or more");
        }
        number
    }

    /// One of a few words, if there is one; `what` are their names.
    pub fn word<T: Copy>(
        &mut self,
        table: Table<'_, 't>,
        key: &str,
        what: &[(&str, T)],
    ) -> Option<T> {
        let word = self.string(table, key)?.text;
        let found = what.iter().find(|(name, _)| *name == word);
        if found.is_none() {
            let names: Vec<&str> = what.iter().map(|(name, _)| *name).collect();
            let hint = match nearest(&word, &names) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            let names = names.join("`, `");
            self.wrong_value(table, key, format!("must be one of `{names}`{hint}"));
        }
        found.map(|(_, value)| *value)
    }

    fn located(&self, text: &str, span: Range<usize>) -> Located {
        Located {
            text: text.to_owned(),
            line: self.line(span.start),
        }
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// The word that somebody probably meant.
fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let distance = |other: &str| strsim::damerau_levenshtein(&word, other);
    let near = known.iter().min_by_key(|other| distance(other))?;
    // A third of the letters may be wrong, but not a short word altogether.
    let allowed = (near.chars().count() / 3).max(1);
    (distance(near) <= allowed).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn only_a_near_word_is_suggested() {
        let known = ["sources", "include", "abi", "kat"];
        assert_eq!(nearest("source", &known), Some("sources"));
        assert_eq!(nearest("Includes", &known), Some("include"));
        assert_eq!(nearest("aib", &known), Some("abi"));
        assert_eq!(nearest("colour", &known), None);
        assert_eq!(nearest("x", &[]), None);
    }
}
