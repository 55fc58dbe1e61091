//! File `data/<system>/system.json`: a machine under test.

use crate::environment::Environment;
use crate::provenance::Provenance;
use serde::{Deserialize, Serialize};

/// A system and its assessment environment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct System {
    /// Major version of the contract.
    pub schema_version: u32,
    /// Identifier: `arm_1`, `x86_1`, `local` ….
    pub id: String,
    /// What people call it, for example `Snapdragon X Elite (Oryon), 2.71 GHz`.
    pub label: String,
    /// Name of the host, where its owner asked for it to be published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_name: Option<String>,
    /// Instruction set: `aarch64`, `x86_64`.
    pub architecture: String,
    /// Whether its figures were measured here or imported.
    pub provenance: Provenance,
    /// The assessment environment.
    pub environment: Environment,
}
