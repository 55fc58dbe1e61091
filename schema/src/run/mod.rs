//! Raw files of a run directory (`runs/<system>-<UTC>/`): what the native runner writes while it
//! builds, checks and times, and what publication and verification recompute everything from.
//!
//! | file | type |
//! |---|---|
//! | `manifest.json` | [`RunManifest`] |
//! | `build/<family>/<instance>.json` | [`BuildResult`] |
//! | `kat/<family>/<instance>.json` | [`KatRun`] |
//! | `calibration/<family>/<instance>__<operation>.json` | [`Calibration`] |
//! | `records/<family>/<instance>__<operation>.json` | [`OperationRun`] |
//! | `profiles/<family>/<instance>__<operation>.json` | [`ProfileRun`] |
//! | `memory/<family>/<instance>__<operation>.json` | [`MemoryRun`] |
//!
//! Paths inside the files are relative to the run directory and use `/`. Times are UTC, ISO 8601
//! without zone (`2026-09-28T15:05:46`).

mod build;
mod disturbance;
mod failure;
mod kat;
mod manifest;
mod memory;
mod profile;
mod shard;
mod stopping;
mod timing;

pub use build::{BuildResult, BuildStatus};
pub use disturbance::Disturbance;
pub use failure::{Failure, FailureKind};
pub use kat::{Generator, KatRun};
pub use manifest::{Emulation, RunInstance, RunManifest, RunMethod, RunStatus, RunStep};
pub use memory::{HeapUse, MemoryRun};
pub use profile::{PrimitiveKind, ProfileRun, ProfiledCalls, TickSource, Unseen, WrappedSymbol};
pub use shard::{Merged, MergedShard, Shard, SplitInstance};
pub use stopping::{End, TRIALS_AT_LEAST};
pub use timing::{Calibration, OperationRun, Plan, Trial};
