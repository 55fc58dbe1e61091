//! Walks a value and collects what is wrong with it.

use super::Problem;
use crate::SCHEMA_VERSION;
use crate::figure::Figure;
use crate::identifier::{is_family_identifier, is_identifier, is_sha256};

/// Collects problems while it walks a value.
#[derive(Default)]
pub struct Checker {
    path: Vec<String>,
    pub(super) problems: Vec<Problem>,
}

impl Checker {
    /// Checks a part of the value under its field name.
    pub fn within(&mut self, field: impl Into<String>, check: impl FnOnce(&mut Checker)) {
        self.path.push(field.into());
        check(self);
        self.path.pop();
    }

    /// Checks every element of a list under the list's field name.
    pub fn each<T>(&mut self, field: &str, items: &[T], check: impl Fn(&mut Checker, &T)) {
        for (i, item) in items.iter().enumerate() {
            self.within(format!("{field}[{i}]"), |c| check(c, item));
        }
    }

    /// Notes a problem of a field, unless the condition holds.
    pub fn require(&mut self, holds: bool, field: &str, message: impl FnOnce() -> String) {
        if !holds {
            let mut path = self.path.clone();
            path.push(field.to_owned());
            self.problems.push(Problem {
                field: path.join("."),
                message: message(),
            });
        }
    }

    pub(super) fn identifier(&mut self, field: &str, text: &str) {
        self.require(is_identifier(text), field, || {
            format!("“{text}” is not an identifier (letters, digits, - and _, at most 64)")
        });
    }

    pub(super) fn family(&mut self, field: &str, text: &str) {
        self.require(is_family_identifier(text), field, || {
            format!("“{text}” is not an identifier of a family (as of a system; not index, raw, summary or system)")
        });
    }

    pub(super) fn sha256(&mut self, field: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.require(is_sha256(text), field, || {
                format!("“{text}” is not a SHA-256 in 64 lower-case hex digits")
            });
        }
    }

    /// A figure must be finite, not negative, and have at least one digit.
    pub(super) fn figure(&mut self, field: &str, figure: Option<Figure>) {
        let Some(figure) = figure else { return };
        self.require(
            figure.value.is_finite() && figure.value >= 0.0,
            field,
            || format!("{} is not a finite number of at least 0", figure.value),
        );
        self.require(figure.significant_digits != Some(0), field, || {
            "significant_digits is 0, at least 1 expected".to_owned()
        });
    }

    /// Like a figure, but zero is impossible: something was measured.
    pub(super) fn positive(&mut self, field: &str, figure: Option<Figure>) {
        self.figure(field, figure);
        if let Some(figure) = figure {
            self.require(figure.value != 0.0, field, || {
                "0 is not a measurement; unknown is null".to_owned()
            });
        }
    }

    pub(super) fn fraction(&mut self, field: &str, figure: Option<Figure>) {
        self.figure(field, figure);
        if let Some(figure) = figure {
            self.require(figure.value <= 1.0, field, || {
                format!("{} is not a fraction between 0 and 1", figure.value)
            });
        }
    }

    pub(super) fn whole(&mut self, field: &str, value: Option<u64>) {
        self.require(value != Some(0), field, || {
            "0 is not a figure; unknown is null".to_owned()
        });
    }

    pub(super) fn version(&mut self, version: u32) {
        self.require(version == SCHEMA_VERSION, "schema_version", || {
            format!("version {version} is not supported, {SCHEMA_VERSION} expected")
        });
    }

    pub(super) fn unique<'a>(
        &mut self,
        field: &str,
        what: &str,
        keys: impl Iterator<Item = &'a str>,
    ) {
        let mut seen = Vec::new();
        for key in keys {
            self.require(!seen.contains(&key), field, || {
                format!("{what} {key} appears twice")
            });
            seen.push(key);
        }
    }
}
