//! Profiles: how often an operation calls the symmetric primitives, and how long it is in them.

use super::Failure;
use crate::operation::Operation;
use crate::provenance::PlanKind;
use serde::{Deserialize, Serialize};

/// File `profiles/<family>/<instance>__<operation>.json`: the calls of an operation to the symmetric primitives.
///
/// The library is linked once more, with wrappers around the primitives. A call within another one is part of that
/// one and not recorded. Ticks of the calls and of the whole operation are of the same process and the same
/// operations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct ProfileRun {
    /// Major version of the contract.
    pub schema_version: u32,
    /// Name of the run.
    pub run: String,
    /// Identifier of the system.
    pub system: String,
    /// Identifier of the family.
    pub family: String,
    /// Name of the parameter set.
    pub instance: String,
    /// Variant of the implementation.
    pub implementation: String,
    /// The operation profiled.
    pub operation: Operation,
    /// How thoroughly: as the run's timings.
    pub plan_kind: PlanKind,
    /// SHA-256 of the library that was built and timed without wrappers.
    #[serde(default)]
    pub library_sha256: Option<String>,
    /// SHA-256 of the library with wrappers. `None` where it could not be built.
    #[serde(default)]
    pub profiled_library_sha256: Option<String>,
    /// Name of the flag set, that of the timed library.
    pub flag_set: String,
    /// The flags of the library with wrappers, in order: optimisation across files is off.
    pub flags: Vec<String>,
    /// The symbols that wrappers were linked around.
    pub wrapped: Vec<WrappedSymbol>,
    /// Primitives with calls that no wrapper sees, and hash functions of other names. Where there are any, the
    /// share of their kind is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Unseen>,
    /// Calls of the operation before the profiled ones.
    pub warmups: u64,
    /// Number of profiled operations: means of calls are over them.
    pub operations: u64,
    /// Ticks of all profiled operations.
    pub total_ticks: u64,
    /// Time from the first profiled operation to the last, in seconds.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Processor time of that, in seconds: what is missing, other work had.
    #[serde(default)]
    pub cpu_seconds: Option<f64>,
    /// How often the profile had been repeated because other work had too much of the processor.
    #[serde(default)]
    pub disturbed_retries: u32,
    /// Whether other work had too much of it even the last time.
    #[serde(default)]
    pub disturbed: bool,
    /// What the ticks are. `None` where nothing was profiled.
    #[serde(default)]
    pub tick_source: Option<TickSource>,
    /// Ticks per second, measured against CLOCK_MONOTONIC_RAW.
    #[serde(default)]
    pub tick_hz: Option<f64>,
    /// Smallest step seen between two readings of the clock, in ticks: its resolution.
    #[serde(default)]
    pub tick_step: Option<u64>,
    /// Ticks that a wrapped call of nothing takes on average: what a call's own ticks contain too much.
    #[serde(default)]
    pub tick_overhead: Option<f64>,
    /// Calls whose lengths found no room in the table. They are in `calls`, by function, without lengths.
    pub overflow_calls: u64,
    /// The calls, by function and lengths.
    pub calls: Vec<ProfiledCalls>,
    /// What kept the operation from being profiled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The CPU that the process was pinned to.
    #[serde(default)]
    pub cpu: Option<u32>,
    /// When the process was started.
    pub started_utc: String,
    /// Life of the process in seconds.
    pub wall_seconds: f64,
    /// The command line of the process.
    pub command: Vec<String>,
}

/// Calls of one function with the same lengths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct ProfiledCalls {
    /// Name of the primitive: `drng`, `pseudoXOF`, `shake128_absorb`.
    #[serde(rename = "fn")]
    pub function: String,
    /// Bits that a call takes in. `None` for calls counted in `overflow_calls`.
    #[serde(default)]
    pub in_bits: Option<u64>,
    /// Bits that a call gives out. `None` for calls counted in `overflow_calls`.
    #[serde(default)]
    pub out_bits: Option<u64>,
    /// Number of calls, over all profiled operations.
    pub calls: u64,
    /// Ticks of all these calls.
    pub ticks: u64,
}

/// What a primitive does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PrimitiveKind {
    /// A hash or extendable-output function: part of the symmetric share.
    Hash,
    /// The random generator: a share of its own.
    Drng,
}

/// A symbol with a wrapper around it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct WrappedSymbol {
    /// The symbol in the library.
    pub symbol: String,
    /// Name of the primitive in `calls`.
    #[serde(rename = "fn")]
    pub function: String,
    /// What it does.
    pub kind: PrimitiveKind,
}

/// Why a share cannot be told from the recorded calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Unseen {
    /// The share that is not known because of it.
    pub kind: PrimitiveKind,
    /// What was found, in a sentence.
    pub message: String,
}

/// What ticks are counted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub enum TickSource {
    /// The time-stamp counter of x86-64.
    #[serde(rename = "tsc")]
    Tsc,
    /// The time base of AArch64.
    #[serde(rename = "cntvct_el0")]
    CntvctEl0,
    /// `clock_gettime(CLOCK_MONOTONIC_RAW)`, in nanoseconds.
    #[serde(rename = "clock_gettime")]
    ClockGettime,
}

impl TickSource {
    /// All sources.
    pub const ALL: [TickSource; 3] = [
        TickSource::Tsc,
        TickSource::CntvctEl0,
        TickSource::ClockGettime,
    ];

    /// The name in files and of the wrappers.
    pub fn name(self) -> &'static str {
        match self {
            TickSource::Tsc => "tsc",
            TickSource::CntvctEl0 => "cntvct_el0",
            TickSource::ClockGettime => "clock_gettime",
        }
    }

    /// The source of a name.
    pub fn from_name(name: &str) -> Option<TickSource> {
        TickSource::ALL.into_iter().find(|s| s.name() == name)
    }
}
