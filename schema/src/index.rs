//! File `data/index.json`: the systems and the files they consist of.

use crate::provenance::Provenance;
use serde::{Deserialize, Serialize};

/// The list of all systems of a data folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Index {
    /// Major version of the contract.
    pub schema_version: u32,
    /// The systems, in the order in which they are offered.
    pub systems: Vec<SystemEntry>,
}

/// One system of the index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct SystemEntry {
    /// Identifier; also the name of the system's folder.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// Instruction set.
    pub architecture: String,
    /// Measured here or imported.
    pub provenance: Provenance,
    /// Identifiers of the families measured on it, in order.
    pub families: Vec<String>,
    /// The files it consists of, without raw evidence (the family records hold those digests).
    pub files: Vec<FileEntry>,
}

/// A file of a system with its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct FileEntry {
    /// Path relative to the index, for example `arm_1/kem-14.json`.
    pub path: String,
    /// SHA-256 of the file, 64 lower-case hex digits.
    pub sha256: String,
    /// Length of the file in bytes.
    pub bytes: u64,
}
