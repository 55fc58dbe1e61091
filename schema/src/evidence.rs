//! Raw evidence behind figures (section 7 of a report page).

use crate::operation::Operation;
use serde::{Deserialize, Serialize};

/// What an evidence file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum EvidenceKind {
    /// Log of the known-answer test.
    KatLog,
    /// Build log.
    BuildLog,
    /// Timing record with every trial.
    Timing {
        /// The operation timed.
        operation: Operation,
    },
    /// Stack and heap of one call.
    Memory {
        /// The operation called.
        operation: Operation,
    },
    /// Profile of the hash functions.
    HashProfile {
        /// The operation profiled.
        operation: Operation,
    },
    /// Anything else, named as its source names it.
    Other {
        /// The source's words.
        label: String,
    },
}

impl EvidenceKind {
    /// The words of the report pages: `KAT log`, `timing dec`, `hash profile enc`.
    pub fn label(&self) -> String {
        match self {
            EvidenceKind::KatLog => "KAT log".to_owned(),
            EvidenceKind::BuildLog => "build log".to_owned(),
            EvidenceKind::Timing { operation } => format!("timing {operation}"),
            EvidenceKind::Memory { operation } => format!("memory {operation}"),
            EvidenceKind::HashProfile { operation } => format!("hash profile {operation}"),
            EvidenceKind::Other { label } => label.clone(),
        }
    }

    /// The kind that a page's words name; words of no known kind are kept as they are.
    pub fn from_label(label: &str) -> EvidenceKind {
        let operation = |prefix: &str| {
            label
                .strip_prefix(prefix)
                .and_then(|rest| Operation::from_name(rest.trim()))
        };
        if label == "KAT log" {
            EvidenceKind::KatLog
        } else if label == "build log" {
            EvidenceKind::BuildLog
        } else if let Some(operation) = operation("timing ") {
            EvidenceKind::Timing { operation }
        } else if let Some(operation) = operation("memory ") {
            EvidenceKind::Memory { operation }
        } else if let Some(operation) = operation("hash profile ") {
            EvidenceKind::HashProfile { operation }
        } else {
            EvidenceKind::Other {
                label: label.to_owned(),
            }
        }
    }
}

/// One evidence file of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Evidence {
    /// What the file holds.
    #[serde(flatten)]
    pub kind: EvidenceKind,
    /// Path of the file: for imported records within the public harness, for measured ones relative
    /// to the system's data folder.
    pub path: String,
    /// SHA-256 of the file, 64 lower-case hex digits, where it is known in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// First digits of the SHA-256, where a page prints no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256_prefix: Option<String>,
}
