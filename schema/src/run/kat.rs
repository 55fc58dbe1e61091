//! Known-answer tests of a run.

use super::Failure;
use crate::instance::Sizes;
use crate::kat::KatResult;
use crate::rejection::Rejection;
use serde::{Deserialize, Serialize};

/// File `kat/<family>/<instance>.json`: the known-answer test of an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct KatRun {
    /// Major version of the contract.
    pub schema_version: u32,
    /// Identifier of the family.
    pub family: String,
    /// Name of the parameter set.
    pub instance: String,
    /// Variant of the implementation.
    pub implementation: String,
    /// Outcome, digest of the text and the digest it was compared with.
    pub result: KatResult,
    /// The deterministic generator that fed the test.
    pub generator: Generator,
    /// Path of the log in the run directory: the generated KAT text. `None` where none was generated.
    #[serde(default)]
    pub log: Option<String>,
    /// Whether the log has long lines (keys of many kilobytes) as their digests, so that it is not the text.
    #[serde(default)]
    pub log_abbreviated: bool,
    /// SHA-256 of the log.
    #[serde(default)]
    pub log_sha256: Option<String>,
    /// SHA-256 of the library that was tested.
    #[serde(default)]
    pub library_sha256: Option<String>,
    /// Sizes that the library's interface declares.
    #[serde(default)]
    pub sizes: Option<Sizes>,
    /// What the library answers to ciphertexts with a flipped bit; `None` where that was not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejection: Option<Rejection>,
    /// What stopped the test, if something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// When it began.
    pub started_utc: String,
    /// Wall-clock time of the test in seconds.
    pub wall_seconds: f64,
}

/// A deterministic random generator behind `randombytes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Generator {
    /// AES-256 CTR_DRBG as in the NIST known-answer tests, without derivation function.
    NistCtrDrbg,
    /// SHAKE-256 with a domain byte, as in HQC's known-answer tests.
    HqcShake,
    /// The SM3 generator of the NGCC interface, seeded through the package's `init_random_number`.
    IccsSm3,
}
