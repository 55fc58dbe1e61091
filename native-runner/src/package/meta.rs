//! `META.yml` of a PQClean set.

use super::{Declared, DigestMode, Expected, KatForm, KatSpec, PackageError};
use kemscope_schema::run::Generator;
use kemscope_schema::{DigestOrigin, Sizes};
use serde::Deserialize;
use std::path::Path;

/// The fields of a `META.yml` that measuring needs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Meta {
    /// Name of the parameter set, for example `Classic McEliece 348864`.
    pub name: String,
    /// `kem` or `signature`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Claimed NIST category, 1 to 5.
    pub claimed_nist_level: u8,
    /// Public key in bytes.
    pub length_public_key: u64,
    /// Secret key in bytes.
    pub length_secret_key: u64,
    /// Ciphertext in bytes.
    pub length_ciphertext: u64,
    /// Shared secret in bytes.
    pub length_shared_secret: u64,
    /// SHA-256 of the first entry of the NIST known-answer test.
    #[serde(default)]
    pub nistkat_sha256: Option<String>,
    /// Generator of the known-answer test where it is not NIST's.
    #[serde(default)]
    pub nistkat_rng: Option<String>,
    /// The implementations.
    #[serde(default)]
    pub implementations: Vec<MetaImplementation>,
}

/// One implementation of a set.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct MetaImplementation {
    /// Name of its folder.
    pub name: String,
    /// Where its authors took it from.
    #[serde(default)]
    pub version: Option<String>,
}

impl Meta {
    /// Reads a `META.yml`. `path` is named in errors.
    pub fn parse(path: &Path, text: &str) -> Result<Meta, PackageError> {
        let meta: Meta = serde_saphyr::from_str(text)
            .map_err(|error| PackageError::malformed(path, error.to_string()))?;
        if meta.kind != "kem" {
            let message = format!("expected `type: kem`, found `type: {}`", meta.kind);
            return Err(PackageError::malformed(path, message));
        }
        if !(1..=5).contains(&meta.claimed_nist_level) {
            let message = format!(
                "claimed-nist-level must be 1 to 5, found {}",
                meta.claimed_nist_level
            );
            return Err(PackageError::malformed(path, message));
        }
        Ok(meta)
    }

    /// What the metadata declare, in the runner's own terms.
    pub fn declared(&self, path: &Path) -> Result<Declared, PackageError> {
        let kat = match &self.nistkat_sha256 {
            None => None,
            Some(digest) => Some(KatSpec {
                form: KatForm::PqcleanFirst,
                generator: generator_of(path, self.nistkat_rng.as_deref())?,
                expected: Expected::Digest {
                    sha256: digest_of(path, digest)?,
                    mode: DigestMode::Raw,
                    origin: DigestOrigin::Official,
                },
            }),
        };
        Ok(Declared {
            sizes: Sizes {
                public_key_bytes: Some(self.length_public_key),
                secret_key_bytes: Some(self.length_secret_key),
                ciphertext_bytes: Some(self.length_ciphertext),
                shared_secret_bytes: Some(self.length_shared_secret),
            },
            target_bits: None,
            nist_category: Some(self.claimed_nist_level),
            kat,
        })
    }
}

fn digest_of(path: &Path, digest: &str) -> Result<String, PackageError> {
    if digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit()) {
        Ok(digest.to_ascii_lowercase())
    } else {
        let message = format!("nistkat-sha256 must be 64 hex digits, found `{digest}`");
        Err(PackageError::malformed(path, message))
    }
}

fn generator_of(path: &Path, name: Option<&str>) -> Result<Generator, PackageError> {
    match name {
        None | Some("nist") => Ok(Generator::NistCtrDrbg),
        Some("hqc") => Ok(Generator::HqcShake),
        Some(other) => {
            let message = format!("nistkat-rng must be `nist` or `hqc`, found `{other}`");
            Err(PackageError::malformed(path, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HQC: &str = "name: HQC-128\ntype: kem\nclaimed-nist-level: 1\nclaimed-security: IND-CCA2\n\
        length-ciphertext: 4433\nlength-public-key: 2249\nlength-secret-key: 2305\n\
        length-shared-secret: 64\n\
        nistkat-sha256: 74290AD7a789c01aa92cd7f72f1b5ba5fa30a58294cdf2df52b9c76c3aafba3b\n\
        nistkat-rng: hqc\nprincipal-submitters:\n  - Loïc Bidoux\nimplementations:\n    - name: clean\n      version: x\n";

    fn parse(text: &str) -> Result<Declared, PackageError> {
        let path = Path::new("META.yml");
        Meta::parse(path, text)?.declared(path)
    }

    #[test]
    fn reads_sizes_level_digest_and_generator() {
        let declared = parse(HQC).unwrap();
        assert_eq!(declared.sizes.public_key_bytes, Some(2249));
        assert_eq!(declared.sizes.shared_secret_bytes, Some(64));
        assert_eq!(declared.nist_category, Some(1));
        let kat = declared.kat.unwrap();
        assert_eq!(kat.generator, Generator::HqcShake);
        let Expected::Digest { sha256, .. } = kat.expected else {
            panic!("PQClean publishes digests");
        };
        assert!(
            sha256.starts_with("74290ad7"),
            "digests are kept in lower case"
        );
    }

    #[test]
    fn a_set_without_digest_has_no_test() {
        let text: String = HQC
            .lines()
            .filter(|l| !l.starts_with("nistkat"))
            .map(|l| format!("{l}\n"))
            .collect();
        assert_eq!(parse(&text).unwrap().kat, None);
    }

    #[test]
    fn says_what_is_wrong() {
        let cases = [
            (HQC.replace("type: kem", "type: signature"), "type: kem"),
            (
                HQC.replace("claimed-nist-level: 1", "claimed-nist-level: 7"),
                "1 to 5",
            ),
            (HQC.replace("74290AD7", "7429"), "64 hex digits"),
            (
                HQC.replace("nistkat-rng: hqc", "nistkat-rng: dice"),
                "`nist` or `hqc`",
            ),
            (
                HQC.replace("length-public-key: 2249\n", ""),
                "length-public-key",
            ),
            (
                HQC.replace("length-public-key: 2249", "length-public-key: many"),
                "META.yml",
            ),
        ];
        for (text, expected) in cases {
            let message = parse(&text).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
}
