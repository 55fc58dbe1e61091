//! What keeps an operation or a test from ending well.

use crate::operation::Operation;
use serde::{Deserialize, Serialize};

/// Why an operation or a test did not end well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// Kind of failure.
    pub kind: FailureKind,
    /// What happened, in a sentence that names instance and operation.
    pub message: String,
    /// The operation in which it happened, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    /// Name of the signal that ended the process, for example `SIGSEGV`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// The non-zero value that the library returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub return_code: Option<i32>,
    /// The end of what the process wrote to its standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// Kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// There is no library.
    BuildFail,
    /// The library could not be loaded or lacks a function.
    LoadFail,
    /// A function returned a non-zero value, or honest decapsulation gave another secret.
    CryptoFail,
    /// A signal ended the process.
    Crash,
    /// The process did not end in time.
    Timeout,
    /// The library reached outside a buffer of its own declared size.
    Overflow,
    /// The measuring process itself failed (pinning, memory, protocol).
    Harness,
}
