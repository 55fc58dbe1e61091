//! Known-answer tests: what came out and which digest it was compared with.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Outcome of the known-answer test of one instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum KatStatus {
    /// Equal to an official digest or vector.
    Pass,
    /// Equal to a reference model where no official digest is at hand.
    ModelMatch,
    /// The generated text differs from the expected one.
    Mismatch,
    /// The package has no known-answer test.
    NoKat,
    /// Only a part of the vectors could be checked.
    Partial,
    /// The library answered an error, or honest decapsulation disagrees.
    CryptoFail,
    /// The test did not end within its time.
    Timeout,
    /// The library wrote outside the buffers of its own declared sizes.
    Overflow,
    /// The library could not be built.
    BuildFail,
    /// The test was not run.
    NotRun,
}

impl KatStatus {
    /// All outcomes, best first.
    pub const ALL: [KatStatus; 10] = [
        KatStatus::Pass,
        KatStatus::ModelMatch,
        KatStatus::Partial,
        KatStatus::NoKat,
        KatStatus::NotRun,
        KatStatus::Mismatch,
        KatStatus::CryptoFail,
        KatStatus::Overflow,
        KatStatus::Timeout,
        KatStatus::BuildFail,
    ];

    /// The name in JSON files and URLs (`no-kat`).
    pub fn name(self) -> &'static str {
        match self {
            KatStatus::Pass => "pass",
            KatStatus::ModelMatch => "model-match",
            KatStatus::Mismatch => "mismatch",
            KatStatus::NoKat => "no-kat",
            KatStatus::Partial => "partial",
            KatStatus::CryptoFail => "crypto-fail",
            KatStatus::Timeout => "timeout",
            KatStatus::Overflow => "overflow",
            KatStatus::BuildFail => "build-fail",
            KatStatus::NotRun => "not-run",
        }
    }

    /// The label on report pages and in the CSV form (`NOKAT`).
    pub fn label(self) -> &'static str {
        match self {
            KatStatus::Pass => "PASS",
            KatStatus::ModelMatch => "MODELMATCH",
            KatStatus::Mismatch => "MISMATCH",
            KatStatus::NoKat => "NOKAT",
            KatStatus::Partial => "PARTIAL",
            KatStatus::CryptoFail => "CRYPTOFAIL",
            KatStatus::Timeout => "TIMEOUT",
            KatStatus::Overflow => "OVERFLOW",
            KatStatus::BuildFail => "BUILDFAIL",
            KatStatus::NotRun => "NOTRUN",
        }
    }

    /// The status of a page's or file's word, in any case, with or without separators
    /// (`no-kat`, `NOKAT`, `NO KAT`); `None` for any other word.
    pub fn from_word(word: &str) -> Option<KatStatus> {
        let separator = |c: char| matches!(c, ' ' | '-' | '_');
        let bare: String = word.chars().filter(|c| !separator(*c)).collect();
        KatStatus::ALL
            .into_iter()
            .find(|status| status.label().eq_ignore_ascii_case(&bare))
    }

    /// Whether figures of such an instance can be quoted without a warning.
    pub fn is_well(self) -> bool {
        matches!(self, KatStatus::Pass | KatStatus::ModelMatch)
    }
}

impl fmt::Display for KatStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}

/// Where the digest came from that a KAT text was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DigestOrigin {
    /// Published with the package or by its submitters.
    Official,
    /// Computed by a reference model.
    Model,
}

/// The known-answer test of one instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct KatResult {
    /// What came out.
    pub status: KatStatus,
    /// SHA-256 of the generated KAT text, 64 lower-case hex digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_sha256: Option<String>,
    /// The canonical form that was compared instead of the text's bytes: `strict`, `nolen`, with `:N` for the
    /// first N records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// SHA-256 of the text in that form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical_sha256: Option<String>,
    /// Number of records that were generated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<u64>,
    /// SHA-256 that text or canonical form was compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_sha256: Option<String>,
    /// Where the expected digest came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest_origin: Option<DigestOrigin>,
    /// What went wrong, in a sentence, if something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl KatResult {
    /// The digest that is compared with the expected one: of the canonical form where there is one, else of the
    /// text.
    pub fn compared_sha256(&self) -> Option<&str> {
        match self.mode {
            Some(_) => self.canonical_sha256.as_deref(),
            None => self.text_sha256.as_deref(),
        }
    }

    /// A result of which only the outcome is known (imported figures).
    pub fn of(status: KatStatus) -> KatResult {
        KatResult {
            status,
            text_sha256: None,
            mode: None,
            canonical_sha256: None,
            records: None,
            expected_sha256: None,
            digest_origin: None,
            message: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_and_name_reads_back() {
        for status in KatStatus::ALL {
            assert_eq!(KatStatus::from_word(status.label()), Some(status));
            assert_eq!(KatStatus::from_word(status.name()), Some(status));
        }
        assert_eq!(KatStatus::from_word("PASSED"), None);
        assert_eq!(KatStatus::from_word(""), None);
        assert_eq!(KatStatus::from_word("PASS 3/10"), None);
        assert_eq!(KatStatus::from_word("PASS??"), None);
        assert_eq!(KatStatus::from_word("no kat"), Some(KatStatus::NoKat));
    }
}
