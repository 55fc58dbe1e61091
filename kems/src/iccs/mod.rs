//! The ICCS support layer: what the standards institute hands out with the NGCC candidates' interface.
//!
//! - [`Sm3`]: the hash of GB/T 32905-2016, for messages of any bit length.
//! - [`pseudohash()`]: 512, 768 and 1024 bits of digest made from SM3 and HMAC-SM3.
//! - [`pseudo_xof()`]: SM3 in counter mode.
//! - [`drng`]: the generator that a candidate draws its randomness from, also on the memory of a C `DRNG_ctx`.
//! - [`kat_text`]: the text of a known-answer test, written record by record.
//! - [`canonical`]: the digest of such a text that public manifests list, from chunks of any size.
//! - [`manifest`]: the manifests.
//!
//! Lengths are counted in bits where the name says so, as the C functions do. A bit string is held most
//! significant bit first ([`Bits`]).

mod bits;
pub mod canonical;
pub mod drng;
pub mod kat_text;
pub mod manifest;
mod pseudo_xof;
mod pseudohash;
mod sm3;

pub use bits::{Bits, TooShort};
pub use canonical::{CanonicalDigest, CanonicalMode};
pub use drng::Drng;
pub use kat_text::{KatRecord, LengthLines};
pub use manifest::Manifest;
pub use pseudo_xof::{PseudoXof, pseudo_xof};
pub use pseudohash::{
    PseudohashLength, mac, pseudohash, pseudohash512, pseudohash768, pseudohash1024,
};
pub use sm3::{Sm3, sm3};

/// What the unit tests of this layer share.
#[cfg(test)]
pub(crate) mod testing {
    use std::fmt::Write;

    /// Lower-case hex.
    pub fn hex(bytes: &[u8]) -> String {
        bytes.iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").unwrap();
            text
        })
    }

    /// SHA-256 in lower-case hex.
    pub fn sha256(bytes: &[u8]) -> String {
        use sha2::Digest;
        hex(&sha2::Sha256::digest(bytes))
    }

    /// The bytes 00, 01, …, FF.
    pub fn every_byte() -> Vec<u8> {
        (0..=255).collect()
    }
}
