//! The text of a known-answer test of the NGCC, record by record.
//!
//! The text of an instance can have gigabytes: it is written to whatever takes bytes (a file, a digest) and
//! never held. Records have no header before and no trailer behind them, so that fewer records are a prefix.

use std::io::{self, Write};

use super::drng::Drng;

/// Records of a full text.
pub const RECORDS: u64 = 10;

/// Bytes of the seed of a record.
pub const SEED_BYTES: usize = 64;

/// Name of the file that holds the text of an instance.
pub fn file_name(instance: &str) -> String {
    format!("KAT_KEM_{instance}.txt")
}

/// The seeds of the records, in order and without end. Record i has the same seed however many there are.
pub fn record_seeds() -> impl Iterator<Item = [u8; SEED_BYTES]> {
    // The seed generator's own seed is fixed, and it is used for nothing else.
    let mut generator = Drng::new(&b"seed".repeat(16));
    std::iter::repeat_with(move || {
        let mut seed = [0; SEED_BYTES];
        generator.fill(&mut seed);
        seed
    })
}

/// What stands behind `PK_Len =` and its like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LengthLines {
    /// The number of bytes.
    #[default]
    Filled,
    /// Nothing: the blank template that some submissions shipped. `Seed_Len` has its number all the same.
    Blank,
}

/// What one record says.
#[derive(Clone, Copy)]
pub struct KatRecord<'a> {
    /// Number of the record, from 0.
    pub count: u64,
    /// The seed of its generator.
    pub seed: &'a [u8],
    /// Public key, with the length that key generation returned.
    pub public_key: &'a [u8],
    /// Secret key, with the length that key generation returned.
    pub secret_key: &'a [u8],
    /// Ciphertext, with the length that encapsulation returned.
    pub ciphertext: &'a [u8],
    /// Shared secret of encapsulation.
    pub shared_secret: &'a [u8],
}

impl KatRecord<'_> {
    /// Writes the record, its closing empty line included.
    ///
    /// # Errors
    ///
    /// Those of the sink.
    pub fn write(&self, sink: &mut impl Write, lengths: LengthLines) -> io::Result<()> {
        writeln!(sink, "Count = {}", self.count)?;
        field(sink, "Seed", self.seed, LengthLines::Filled)?;
        field(sink, "PK", self.public_key, lengths)?;
        field(sink, "SK", self.secret_key, lengths)?;
        field(sink, "CT", self.ciphertext, lengths)?;
        field(sink, "SS", self.shared_secret, lengths)?;
        sink.write_all(b"\n")
    }
}

fn field(sink: &mut impl Write, name: &str, data: &[u8], lengths: LengthLines) -> io::Result<()> {
    match lengths {
        LengthLines::Filled => writeln!(sink, "{name}_Len = {}", data.len())?,
        LengthLines::Blank => writeln!(sink, "{name}_Len = ")?,
    }
    write!(sink, "{name} = ")?;
    write_hex(sink, data)?;
    sink.write_all(b"\n")
}

/// Upper-case hex, in pieces that a sink without a buffer takes well.
fn write_hex(sink: &mut impl Write, data: &[u8]) -> io::Result<()> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut text = [0; 4096];
    for part in data.chunks(text.len() / 2) {
        for (pair, byte) in text.chunks_exact_mut(2).zip(part) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        sink.write_all(&text[..part.len() * 2])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iccs::canonical::{CanonicalDigest, CanonicalMode};
    use crate::iccs::sm3::Sm3;
    use crate::iccs::testing::{hex, sha256};

    /// The text of the toy KEM: key generation draws 16 bits, that is the public key; encapsulation draws 8,
    /// that is the ciphertext.
    fn toy_text(records: u64, lengths: LengthLines) -> Vec<u8> {
        let mut text = Vec::new();
        for (count, seed) in (0..records).zip(record_seeds()) {
            let mut drng = Drng::new(&seed);
            let mut public_key = [0; 2];
            drng.fill(&mut public_key);
            let secret_key = [public_key[0], public_key[1], 0];
            let mut ciphertext = [0; 1];
            drng.fill(&mut ciphertext);
            let hash = Sm3::new().chain(&public_key).chain(&ciphertext).finish();
            let record = KatRecord {
                count,
                seed: &seed,
                public_key: &public_key,
                secret_key: &secret_key,
                ciphertext: &ciphertext,
                shared_secret: &hash[..4],
            };
            record.write(&mut text, lengths).unwrap();
        }
        text
    }

    fn canonical(text: &[u8], mode: &str) -> String {
        let mut digest = CanonicalDigest::new(mode.parse::<CanonicalMode>().unwrap());
        digest.update(text);
        hex(&digest.finish().sha256)
    }

    #[test]
    fn the_toy_text() {
        let text = toy_text(RECORDS, LengthLines::Filled);
        assert_eq!(text.len(), 2490);
        let first = "\
            PK_Len = 2\nPK = B1C3\nSK_Len = 3\nSK = B1C300\n\
            CT_Len = 1\nCT = 81\nSS_Len = 4\nSS = A043E268\n\nCount = 1\n";
        assert!(String::from_utf8_lossy(&text).contains(first));
        assert!(text.starts_with(b"Count = 0\nSeed_Len = 64\nSeed = 927F06B594798A4D"));
        assert!(text.ends_with(b"\n\n"));
        assert_eq!(
            sha256(&text),
            "d56547f4ae24dfb3859c80099bd79c567818b083b09857f5417bcf8b67598c1c"
        );
        assert_eq!(
            canonical(&text, "strict"),
            "f0a0e618e559c006488db6ce742288320d47b00b8cbf316f22af62e3f77c2a4f"
        );
        assert_eq!(
            canonical(&text, "nolen"),
            "a1fe54482fa0ba2965e94025ec71a1e09d567ce014d136fe5b6fff267354ed50"
        );
        assert_eq!(
            canonical(&text, "strict:2"),
            "602ef32bceca953962d43aed53734131f6186bf180fc36fa53545199de9e8eee"
        );
    }

    #[test]
    fn fewer_records_are_a_prefix() {
        let full = toy_text(RECORDS, LengthLines::Filled);
        let two = toy_text(2, LengthLines::Filled);
        assert!(full.starts_with(&two));
        assert_eq!(canonical(&two, "strict"), canonical(&full, "strict:2"));
    }

    #[test]
    fn a_blank_template_has_the_digest_without_lengths() {
        let blank = toy_text(RECORDS, LengthLines::Blank);
        let text = String::from_utf8_lossy(&blank);
        assert!(text.contains("\nSeed_Len = 64\n") && text.contains("\nPK_Len = \nPK = B1C3\n"));
        let filled = toy_text(RECORDS, LengthLines::Filled);
        assert_eq!(canonical(&blank, "nolen"), canonical(&filled, "nolen"));
        assert_ne!(canonical(&blank, "strict"), canonical(&filled, "strict"));
    }

    #[test]
    fn long_values_are_written_whole() {
        let data: Vec<u8> = (0..5000_u32).map(|i| (i * 7 % 256) as u8).collect();
        let mut text = Vec::new();
        write_hex(&mut text, &data).unwrap();
        assert_eq!(text, hex(&data).to_uppercase().into_bytes());
    }

    #[test]
    fn errors_of_the_sink_come_through() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let record = KatRecord {
            count: 0,
            seed: &[],
            public_key: &[],
            secret_key: &[],
            ciphertext: &[],
            shared_secret: &[],
        };
        let error = record.write(&mut Full, LengthLines::Filled).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn names_of_files() {
        assert_eq!(file_name("DTRU-648"), "KAT_KEM_DTRU-648.txt");
    }
}
