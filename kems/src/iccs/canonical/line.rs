//! What the beginning of a line says about the whole line.

use super::is_trailing;

/// Name of the line that begins a record, as it stands before the `=`; a space and something else follow that.
const COUNT: &[u8] = b"Count ";
/// A length line's name ends in this, spaces behind it left out.
const LENGTH: &[u8] = b"_Len";
/// Fewest bytes before the `=` of a length line, those spaces counted.
const SHORTEST_NAME: usize = 5;

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It begins a record.
    Count,
    /// It states a length.
    Length,
    /// Anything else.
    Other,
}

/// Reads the beginning of a line, byte by byte, until its kind is known. A line that ends before is of the
/// kind [`Kind::Other`].
#[derive(Debug, Clone, Copy)]
pub(super) enum LineStart {
    /// Before the first `=`.
    Name {
        /// Bytes read, exact up to one more than matters.
        read: usize,
        /// Bytes of [`COUNT`] that the line began with; fewer than `read` when it went on otherwise.
        count: usize,
        /// Bytes of [`LENGTH`] that the name ends in.
        length: usize,
    },
    /// Behind `Count =`.
    CountEquals,
    /// Behind `Count = `. White space at the end of a line does not count: only what follows tells whether
    /// this space is part of the line.
    CountSpace,
}

impl LineStart {
    /// The beginning of a line.
    pub(super) const NEW: Self = Self::Name {
        read: 0,
        count: 0,
        length: 0,
    };

    /// Takes the next byte, which is not the line feed, and tells the kind once it is known.
    pub(super) fn push(&mut self, byte: u8) -> Option<Kind> {
        match self {
            Self::Name { read, length, .. } if byte == b'=' && *length == LENGTH.len() => {
                let long_enough = *read >= SHORTEST_NAME;
                Some(if long_enough {
                    Kind::Length
                } else {
                    Kind::Other
                })
            }
            Self::Name { read, count, .. } if byte == b'=' => {
                if *read != COUNT.len() || *count != COUNT.len() {
                    return Some(Kind::Other);
                }
                *self = Self::CountEquals;
                None
            }
            Self::Name {
                read,
                count,
                length,
            } => {
                if count == read && COUNT.get(*count) == Some(&byte) {
                    *count += 1;
                }
                *read = (*read + 1).min(COUNT.len() + 1);
                *length = length_matched(*length, byte);
                None
            }
            Self::CountEquals if byte == b' ' => {
                *self = Self::CountSpace;
                None
            }
            Self::CountEquals => Some(Kind::Other),
            Self::CountSpace if is_trailing(byte) => None,
            Self::CountSpace => Some(Kind::Count),
        }
    }
}

/// Bytes of [`LENGTH`] that the name ends in with one more byte. Its first byte occurs in it once, so that
/// after a wrong byte only that one can begin it again.
fn length_matched(matched: usize, byte: u8) -> usize {
    match LENGTH.get(matched) {
        Some(next) if *next == byte => matched + 1,
        None if byte == b' ' => matched,
        _ => usize::from(LENGTH.first() == Some(&byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> Kind {
        let mut start = LineStart::NEW;
        line.bytes()
            .find_map(|byte| start.push(byte))
            .unwrap_or(Kind::Other)
    }

    #[test]
    fn kinds_of_lines() {
        for line in ["Count = 0", "Count =  0", "Count = \t=", "Count = _Len = 1"] {
            assert_eq!(kind(line), Kind::Count, "{line}");
        }
        for line in [
            "PK_Len = 5",
            "PK_Len=",
            "x_Len = ",
            "_Len =",
            "_Len  = 1",
            "a_Len x_Len=",
            "__Len=",
            "Seed_Len   =",
        ] {
            assert_eq!(kind(line), Kind::Length, "{line}");
        }
        for line in [
            "",
            "_Len",
            "_Len=1",
            "PK_Len",
            "PK_Len\t= 5",
            "PK_Lenx = 5",
            "PK = _Len =",
            "=PK_Len = 1",
            "Count =",
            "Count = ",
            "Count =0",
            "Count = \t \r",
            "Count  = 0",
            " Count = 0",
            "Counts = 0",
            "Count_ = 0",
            "Coun = 0",
        ] {
            assert_eq!(kind(line), Kind::Other, "{line:?}");
        }
    }
}
