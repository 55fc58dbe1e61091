//! The three operations of a KEM.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One operation of a key-encapsulation mechanism, ordered as on the report pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// Key generation.
    Keygen,
    /// Encapsulation.
    Enc,
    /// Decapsulation.
    Dec,
}

impl Operation {
    /// All operations in the order of the report pages.
    pub const ALL: [Operation; 3] = [Operation::Keygen, Operation::Enc, Operation::Dec];

    /// The name used in files, tables and on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Keygen => "keygen",
            Operation::Enc => "enc",
            Operation::Dec => "dec",
        }
    }

    /// The operation of a name, or `None` if there is no such operation.
    pub fn from_name(name: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|op| op.name() == name)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
