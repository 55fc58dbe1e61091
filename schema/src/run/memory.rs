//! Memory of an operation alone: how deep its stack went and what it took from the heap.

use super::Failure;
use crate::operation::Operation;
use serde::{Deserialize, Serialize};

/// File `memory/<family>/<instance>__<operation>.json`: one call in a process of its own, on a stack that was
/// painted before, with its heap requests counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct MemoryRun {
    /// Major version of the contract.
    pub schema_version: u32,
    /// Name of the run.
    pub run: String,
    /// Identifier of the family.
    pub family: String,
    /// Name of the parameter set.
    pub instance: String,
    /// Variant of the implementation.
    pub implementation: String,
    /// The operation called.
    pub operation: Operation,
    /// SHA-256 of the library that was called.
    #[serde(default)]
    pub library_sha256: Option<String>,
    /// Bytes of stack from its top to the lowest one that was written.
    #[serde(default)]
    pub touched_stack_bytes: Option<u64>,
    /// Those of them that were in use when the operation was entered: what the measuring process takes itself.
    #[serde(default)]
    pub entry_stack_bytes: Option<u64>,
    /// Bytes of stack that there were.
    #[serde(default)]
    pub available_stack_bytes: Option<u64>,
    /// Heap of the call; `None` where it could not be counted.
    #[serde(default)]
    pub heap: Option<HeapUse>,
    /// Why the heap could not be counted.
    #[serde(default)]
    pub heap_unknown: Option<String>,
    /// What kept the call from ending well.
    #[serde(default)]
    pub failure: Option<Failure>,
    /// When the process was started.
    pub started_utc: String,
}

/// Requests of one call to the C library's allocator, in bytes as requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct HeapUse {
    /// Most bytes that were allocated at one moment.
    pub peak_bytes: u64,
    /// Successful requests: `malloc`, `calloc`, `realloc`, the aligned ones, C++ `new`.
    pub allocations: u64,
    /// Bytes of all requests together.
    pub requested_bytes: u64,
    /// Bytes still allocated when the call had returned.
    pub kept_bytes: u64,
}

impl MemoryRun {
    /// Stack of the operation itself: what was written to below the place where it was entered.
    pub fn stack_bytes(&self) -> Option<u64> {
        if self.failure.is_some() {
            return None;
        }
        let touched = self.touched_stack_bytes?;
        Some(touched.saturating_sub(self.entry_stack_bytes?))
    }

    /// Heap of the operation, where it ended well.
    pub fn heap(&self) -> Option<HeapUse> {
        self.heap.filter(|_| self.failure.is_none())
    }
}
