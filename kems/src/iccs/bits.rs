//! Bit strings in byte slices.

use std::fmt;

/// A bit string: its first bit is the most significant bit of the first byte. Where the length is no
/// multiple of eight, the low bits of the last byte are not part of it and are ignored.
#[derive(Debug, Clone, Copy)]
pub struct Bits<'a> {
    bytes: &'a [u8],
    len: u64,
}

impl<'a> Bits<'a> {
    /// The first `len` bits of `bytes`.
    ///
    /// # Errors
    ///
    /// When `bytes` holds fewer than `len` bits.
    pub fn new(bytes: &'a [u8], len: u64) -> Result<Self, TooShort> {
        let held = bytes_for(len).and_then(|needed| bytes.get(..needed));
        match held {
            Some(bytes) => Ok(Self { bytes, len }),
            None => Err(TooShort {
                bits: len,
                bytes: bytes.len(),
            }),
        }
    }

    /// The length in bits.
    pub fn len(self) -> u64 {
        self.len
    }

    /// Whether there are no bits.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The whole bytes, and what follows them: the bits of an incomplete byte with zeros below them, and
    /// their number (1 to 7).
    pub(super) fn split(self) -> (&'a [u8], Option<(u8, u32)>) {
        // At most 7, so that the conversion loses nothing.
        let rest = (self.len % 8) as u32;
        match self.bytes.split_last() {
            Some((last, whole)) if rest > 0 => (whole, Some((keep_high(*last, rest), rest))),
            _ => (self.bytes, None),
        }
    }
}

/// All bits of the bytes.
impl<'a> From<&'a [u8]> for Bits<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            len: bytes.len() as u64 * 8,
        }
    }
}

/// All bits of the bytes.
impl<'a, const N: usize> From<&'a [u8; N]> for Bits<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Self::from(bytes.as_slice())
    }
}

/// A buffer holds fewer bits than it was said to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooShort {
    /// Bits that were asked for.
    pub bits: u64,
    /// Bytes that the buffer has.
    pub bytes: usize,
}

impl fmt::Display for TooShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} bits do not fit in a buffer of {} bytes",
            self.bits, self.bytes
        )
    }
}

impl std::error::Error for TooShort {}

/// Bytes that hold so many bits; `None` where no buffer of this machine could.
pub(super) fn bytes_for(bits: u64) -> Option<usize> {
    usize::try_from(bits.div_ceil(8)).ok()
}

/// The part of an output buffer that takes `bits` bits.
pub(super) fn output_part(output: &mut [u8], bits: u64) -> Result<&mut [u8], TooShort> {
    let error = TooShort {
        bits,
        bytes: output.len(),
    };
    bytes_for(bits)
        .and_then(|needed| output.get_mut(..needed))
        .ok_or(error)
}

/// Clears the low bits of the last byte that are not among the first `bits` bits.
pub(super) fn clear_unused(output: &mut [u8], bits: u64) {
    let rest = (bits % 8) as u32;
    if let Some(last) = output.last_mut()
        && rest > 0
    {
        *last = keep_high(*last, rest);
    }
}

/// The byte with only its `count` (1 to 7) most significant bits kept.
fn keep_high(byte: u8, count: u32) -> u8 {
    byte & !(0xff >> count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_outside_the_length_are_ignored() {
        let bits = Bits::new(&[0xff, 0xff, 0xff], 13).unwrap();
        assert_eq!(bits.split(), (&[0xff][..], Some((0b1111_1000, 5))));
        assert_eq!(bits.len(), 13);
        assert!(Bits::new(&[], 0).unwrap().is_empty());
    }

    #[test]
    fn a_slice_is_all_its_bits() {
        assert_eq!(Bits::from(b"abc").split(), (&b"abc"[..], None));
        assert_eq!(Bits::from(b"abc").len(), 24);
    }

    #[test]
    fn more_bits_than_bytes_are_refused() {
        let error = Bits::new(b"ab", 17).unwrap_err();
        assert_eq!(
            error.to_string(),
            "17 bits do not fit in a buffer of 2 bytes"
        );
        assert!(Bits::new(b"ab", u64::MAX).is_err());
        assert!(Bits::new(b"ab", 16).is_ok());
    }
}
