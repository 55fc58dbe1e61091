//! How a shared library came about.

use serde::{Deserialize, Serialize};

/// File `build/<family>/<instance>.json`: how the shared library came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct BuildResult {
    /// Major version of the contract.
    pub schema_version: u32,
    /// Identifier of the family.
    pub family: String,
    /// Name of the parameter set.
    pub instance: String,
    /// Variant of the implementation.
    pub implementation: String,
    /// Whether there is a library.
    pub status: BuildStatus,
    /// Name of the flag set of the last attempt: `guide`, or `harness-default` after `guide` failed.
    pub flag_set: String,
    /// The flags of the last attempt, in order.
    pub flags: Vec<String>,
    /// Why the build fell back to another flag set, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback_reason: Option<String>,
    /// The compiler with its version.
    pub compiler: String,
    /// The last attempt's compiler and linker commands, argument by argument.
    pub commands: Vec<Vec<String>>,
    /// Helpers that the package does not bring and the runner supplied, for example `pseudoXOF`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supplied: Vec<String>,
    /// SHA-256 over sources, flags and compiler: a library of the same digest is not built again.
    pub input_sha256: String,
    /// Path of the library in the run directory.
    #[serde(default)]
    pub library: Option<String>,
    /// SHA-256 of the library.
    #[serde(default)]
    pub library_sha256: Option<String>,
    /// Sum of the memory sizes of the library's loadable ELF segments, in bytes.
    #[serde(default)]
    pub elf_load_bytes: Option<u64>,
    /// Path of the build log in the run directory.
    pub log: String,
    /// SHA-256 of the build log.
    pub log_sha256: String,
    /// What went wrong, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// When the library was built; earlier than the run where an up-to-date one was at hand.
    pub built_utc: String,
}

/// Outcome of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BuildStatus {
    /// There is a library.
    Built,
    /// No flag set gave a library.
    Failed,
}
