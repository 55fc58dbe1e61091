//! Order of the rows: numbers as numbers, unknown last in both directions, stable, up to two keys.

use super::column::{Column, Units};
use super::row::Row;
use std::cmp::Ordering;

/// One sort key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// By which column.
    pub column: Column,
    /// Largest first.
    pub descending: bool,
}

impl SortKey {
    /// Name in URLs: the column's, with a minus before it where the largest come first.
    pub fn name(self) -> String {
        let sign = if self.descending { "-" } else { "" };
        format!("{sign}{}", self.column.name())
    }
}

/// The keys after a click on a column's head. A plain click sorts by that column alone and turns the
/// direction of one that already leads; with `add` the column becomes, or turns, the second key.
pub fn clicked(keys: &[SortKey], column: Column, add: bool) -> Vec<SortKey> {
    let next = |key: Option<&SortKey>| SortKey {
        column,
        descending: key.is_some_and(|k| !k.descending),
    };
    match keys.first() {
        Some(first) if add && first.column != column => {
            let second = keys.get(1).filter(|k| k.column == column);
            vec![*first, next(second)]
        }
        Some(first) if first.column == column => {
            let mut turned = vec![next(Some(first))];
            // Turning the first key keeps the second, unless a plain click asks to start anew.
            turned.extend(keys.iter().skip(1).filter(|_| add));
            turned
        }
        _ => vec![next(None)],
    }
}

/// Compares two texts with runs of digits as numbers: `DTRU-648` before `DTRU-1024`.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.chars().peekable(), b.chars().peekable());
    loop {
        match (a.peek().copied(), b.peek().copied()) {
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let number = |it: &mut std::iter::Peekable<std::str::Chars>| {
                    let mut value = 0u64;
                    while let Some(digit) = it.peek().and_then(|c| c.to_digit(10)) {
                        value = value.saturating_mul(10).saturating_add(u64::from(digit));
                        it.next();
                    }
                    value
                };
                match number(&mut a).cmp(&number(&mut b)) {
                    Ordering::Equal => {}
                    unequal => return unequal,
                }
            }
            (Some(x), Some(y)) => {
                let fold = |c: char| c.to_ascii_lowercase();
                match fold(x).cmp(&fold(y)) {
                    Ordering::Equal => {
                        a.next();
                        b.next();
                    }
                    unequal => return unequal,
                }
            }
            (x, y) => return x.is_some().cmp(&y.is_some()),
        }
    }
}

/// Compares two values that may be unknown; unknown comes last whichever the direction.
fn known_first<T>(
    a: Option<T>,
    b: Option<T>,
    descending: bool,
    compare: impl Fn(&T, &T) -> Ordering,
) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => {
            let order = compare(&a, &b);
            if descending { order.reverse() } else { order }
        }
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

fn by_key(a: &Row, b: &Row, key: SortKey, units: Units) -> Ordering {
    if key.column.is_numeric() {
        let value = |row: &Row| row.number(key.column, units);
        known_first(value(a), value(b), key.descending, f64::total_cmp)
    } else if key.column == Column::Kat {
        known_first(
            Some(a.kat_rank()),
            Some(b.kat_rank()),
            key.descending,
            Ord::cmp,
        )
    } else {
        let text = |row: &'_ Row| row.text(key.column).to_owned();
        known_first(Some(text(a)), Some(text(b)), key.descending, |a, b| {
            natural(a, b)
        })
    }
}

/// Sorts indices into `rows` by the keys; rows that are equal by all of them keep their order.
pub fn sort(order: &mut [u32], rows: &[Row], keys: &[SortKey], units: Units) {
    let row = |index: &u32| rows.get(*index as usize);
    order.sort_by(|a, b| match (row(a), row(b)) {
        (Some(a), Some(b)) => keys
            .iter()
            .map(|key| by_key(a, b, *key, units))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal),
        _ => Ordering::Equal,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(column: Column, descending: bool) -> SortKey {
        SortKey { column, descending }
    }

    #[test]
    fn digits_compare_as_numbers() {
        assert_eq!(natural("DTRU-648", "DTRU-1024"), Ordering::Less);
        assert_eq!(natural("a", "ab"), Ordering::Less);
        assert_eq!(natural("HQC-128", "hqc-128"), Ordering::Equal);
    }

    #[test]
    fn unknown_is_last_both_ways() {
        for descending in [false, true] {
            let order = known_first(None, Some(1.0), descending, f64::total_cmp);
            assert_eq!(order, Ordering::Greater);
            let order = known_first(Some(1.0), None, descending, f64::total_cmp);
            assert_eq!(order, Ordering::Less);
        }
    }

    #[test]
    fn clicks_turn_and_add() {
        let pk = clicked(&[], Column::PublicKey, false);
        assert_eq!(pk, [key(Column::PublicKey, false)]);
        let turned = clicked(&pk, Column::PublicKey, false);
        assert_eq!(turned, [key(Column::PublicKey, true)]);
        let two = clicked(&turned, Column::Kat, true);
        assert_eq!(two, [key(Column::PublicKey, true), key(Column::Kat, false)]);
        let second = clicked(&two, Column::Kat, true);
        assert_eq!(second[1], key(Column::Kat, true));
        assert_eq!(
            clicked(&two, Column::PublicKey, true),
            [key(Column::PublicKey, false), key(Column::Kat, false)]
        );
        assert_eq!(
            clicked(&two, Column::Family, false),
            [key(Column::Family, false)]
        );
    }
}
