//! The record of one instance: implementation, sizes, and a record per operation.

use crate::evidence::Evidence;
use crate::figure::Figure;
use crate::kat::{KatResult, KatStatus};
use crate::operation::Operation;
use crate::provenance::{CycleSource, PlanKind};
use crate::rejection::Rejection;
use serde::{Deserialize, Serialize};

/// One parameter set of a family in one implementation, as measured on one system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct InstanceRecord {
    /// Name of the parameter set, for example `DTRU-648`. Unique only together with family and variant.
    pub name: String,
    /// Security target in bits that an NGCC parameter set claims: 128, 256, 512; otherwise `None`.
    #[serde(default)]
    pub target_bits: Option<u16>,
    /// Claimed NIST category, 1 to 5, of schemes of the NIST process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nist_category: Option<u8>,
    /// What was compiled, and how.
    pub implementation: Implementation,
    /// The known-answer test.
    pub kat: KatResult,
    /// What decapsulation answers to ciphertexts with a flipped bit; `None` where that was not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejection: Option<Rejection>,
    /// Sizes of keys, ciphertext and shared secret.
    pub sizes: Sizes,
    /// One record per operation that has figures, in page order. Empty where the build failed.
    #[serde(default)]
    pub operations: Vec<OperationRecord>,
    /// Name of the run that measured it, for measured instances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Raw evidence in the source's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// A remark of the source on this instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl InstanceRecord {
    /// A record without figures: nothing was built, tested or timed yet.
    pub fn empty(name: &str, variant: &str) -> InstanceRecord {
        InstanceRecord {
            name: name.to_owned(),
            target_bits: None,
            nist_category: None,
            implementation: Implementation::of(variant),
            kat: KatResult::of(KatStatus::NotRun),
            rejection: None,
            sizes: Sizes::default(),
            operations: Vec::new(),
            run: None,
            evidence: Vec::new(),
            note: None,
        }
    }

    /// The record of an operation, if it has figures.
    pub fn operation(&self, operation: Operation) -> Option<&OperationRecord> {
        self.operations.iter().find(|r| r.operation == operation)
    }
}

/// What was compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Implementation {
    /// `reference`, `optimized-avx2`, `optimized-neon`, `clean`, `independent-rust`, `portable-rust` ….
    pub variant: String,
    /// Programming language, for example `C`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Where the source comes from: package and version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Name of the flag set (`guide`, `harness-default`, `performance`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_flags: Option<String>,
    /// The flags themselves as given to the compiler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flags: Option<String>,
}

impl Implementation {
    /// An implementation of which only the variant is known.
    pub fn of(variant: &str) -> Implementation {
        Implementation {
            variant: variant.to_owned(),
            language: None,
            source: None,
            build_flags: None,
            flags: None,
        }
    }
}

/// Sizes of what is transmitted and stored (section 6), in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Sizes {
    /// Public (encapsulation) key.
    #[serde(default)]
    pub public_key_bytes: Option<u64>,
    /// Secret (decapsulation) key.
    #[serde(default)]
    pub secret_key_bytes: Option<u64>,
    /// Ciphertext.
    #[serde(default)]
    pub ciphertext_bytes: Option<u64>,
    /// Shared secret.
    #[serde(default)]
    pub shared_secret_bytes: Option<u64>,
}

/// Everything known of one operation of an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct OperationRecord {
    /// Which operation.
    pub operation: Operation,
    /// Cycles and time (section 4).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
    /// Memory (section 5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
    /// Symmetric share and calls per operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// Why figures of this operation are missing or doubtful, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl OperationRecord {
    /// A record without figures.
    pub fn empty(operation: Operation) -> OperationRecord {
        OperationRecord {
            operation,
            timing: None,
            memory: None,
            profile: None,
            failure: None,
        }
    }
}

/// Cycles and time of an operation. Means are over all calls of all trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Timing {
    /// Mean cycles per call.
    #[serde(default)]
    pub mean_cycles: Option<Figure>,
    /// What counted the cycles; set wherever `mean_cycles` is.
    #[serde(default)]
    pub cycle_source: Option<CycleSource>,
    /// Mean seconds per call.
    #[serde(default)]
    pub mean_seconds: Option<Figure>,
    /// Median of the trial means, seconds per call.
    #[serde(default)]
    pub median_trial_seconds: Option<Figure>,
    /// Smallest trial mean, seconds per call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_trial_seconds: Option<Figure>,
    /// Largest trial mean, seconds per call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_trial_seconds: Option<Figure>,
    /// Median of the trial means, cycles per call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_trial_cycles: Option<Figure>,
    /// Lower end of the 95 % interval of the mean seconds per call (Student's t over the trial means).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval_low_seconds: Option<Figure>,
    /// Upper end of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval_high_seconds: Option<Figure>,
    /// Lower end of the 95 % interval of the mean cycles per call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval_low_cycles: Option<Figure>,
    /// Upper end of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval_high_cycles: Option<Figure>,
    /// Coefficient of variation of the trial means (seconds), as a fraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<Figure>,
    /// Change of the trial means (seconds) along the least-squares line from the first trial to the last, as a
    /// fraction of the mean; negative where trials became faster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<f64>,
    /// Whether the drift is worth telling: at least 1 %, and surely (99 %) not zero.
    #[serde(default, skip_serializing_if = "is_false")]
    pub drift_notable: bool,
    /// Mean instructions per call, where they were counted beside core cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_instructions: Option<Figure>,
    /// Instructions per core cycle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions_per_cycle: Option<Figure>,
    /// Calls per second: the inverse of the mean time.
    #[serde(default)]
    pub ops_per_second: Option<Figure>,
    /// Calls in all (n), where the source gives the number.
    #[serde(default)]
    pub calls: Option<u64>,
    /// Lower bound of the calls, where a summary says only "≥ 100".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls_at_least: Option<u64>,
    /// Number of trials.
    #[serde(default)]
    pub trials: Option<u64>,
    /// Calls per trial.
    #[serde(default)]
    pub iterations: Option<u64>,
    /// How thoroughly it was measured, for figures of this runner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanKind>,
    /// Of an adaptive plan: the half-width of the 95 % interval, relative to the mean, that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<Figure>,
    /// Of an adaptive plan: whether it was reached before trials or time were used up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision_reached: Option<bool>,
    /// Number of trials that stayed disturbed after their repetitions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub disturbed_trials: u64,
    /// Number of repetitions of disturbed trials.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeated_trials: u64,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// Memory of an operation's process, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Memory {
    /// Sum of the memory sizes of the library's loadable ELF segments.
    #[serde(default)]
    pub elf_load_bytes: Option<u64>,
    /// Resident set before the operation.
    #[serde(default)]
    pub baseline_rss_bytes: Option<u64>,
    /// High-water mark of the resident set (VmHWM), driver and libc included.
    #[serde(default)]
    pub peak_rss_bytes: Option<u64>,
    /// Stack that one call of the operation alone writes to: its high-water mark from where it is entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack_bytes: Option<u64>,
    /// Most heap bytes, as requested, that one call held at one moment; 0 where it requests none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap_peak_bytes: Option<u64>,
    /// Heap requests of one call; 0 where it makes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap_allocations: Option<u64>,
}

/// Share of an operation spent in the placeholder primitives, and how often they are called.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Profile {
    /// Symmetric share as a fraction of the operation: `sm3hash`, `pseudohash`, `pseudoXOF`; of packages with NIST's
    /// interface the SHA-3 and SHAKE functions.
    #[serde(default)]
    pub hash_share: Option<Figure>,
    /// Why the symmetric share is unknown, where the source says something other than nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_share_unknown: Option<UnknownShare>,
    /// Share of the DRNG as a fraction of the operation.
    #[serde(default)]
    pub drng_share: Option<Figure>,
    /// Why the DRNG share is unknown, where the source says something other than nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drng_share_unknown: Option<UnknownShare>,
    /// Calls per operation, in the source's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub primitive_calls: Vec<PrimitiveCalls>,
    /// Number of operations that the shares and the mean calls are of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations_profiled: Option<u64>,
    /// Why a share is not known or the profile incomplete, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Why a share is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum UnknownShare {
    /// It was profiled, but no share could be told: the source prints `??%`, or calls were out of the wrappers' sight.
    Undetermined,
}

/// How often an operation calls one primitive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct PrimitiveCalls {
    /// Name of the primitive: `drng`, `pseudoXOF`, `pseudohash`, `sm3hash`; of packages with NIST's interface
    /// `randombytes`, `shake128_absorb`, `sha3_256` and their like.
    pub primitive: String,
    /// Mean calls per operation.
    pub calls: Figure,
}
