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
//!
//! Paths inside the files are relative to the run directory and use `/`. Times are UTC, ISO 8601
//! without zone (`2026-09-28T15:05:46`).

mod build;
mod failure;
mod kat;
mod manifest;
mod profile;
mod timing;

pub use build::{BuildResult, BuildStatus};
pub use failure::{Failure, FailureKind};
pub use kat::{Generator, KatRun};
pub use manifest::{Emulation, RunInstance, RunManifest, RunStatus, RunStep};
pub use profile::{PrimitiveKind, ProfileRun, ProfiledCalls, TickSource, Unseen, WrappedSymbol};
pub use timing::{Calibration, OperationRun, Plan, Trial};
