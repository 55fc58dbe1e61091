//! The data contract of KEMscope (schema version 1), shared by the native runner and the dashboard.
//!
//! Everything that crosses a file boundary is a type of this crate: the published data sets
//! (`index.json`, `system.json`, `summary.json`, one record per family), the raw files of a run and
//! the CSV form. Beside the types stand their validation, the statistics over trials, the derived
//! metrics and the number formats, so that runner and dashboard can never disagree about a figure.
//!
//! The crate does no I/O and builds for native targets and for WebAssembly.
//!
//! Unit convention: a field's name carries its unit (`mean_seconds`, `peak_rss_bytes`). Unknown is
//! `None` (JSON `null` or absent), never zero. Unknown fields are ignored on reading; an unknown
//! major version is an error (see [`mod@load`]).

#[cfg(feature = "csv")]
pub mod csv;
pub mod derive;
pub mod environment;
pub mod evidence;
pub mod family;
pub mod figure;
pub mod format;
pub mod identifier;
pub mod index;
pub mod instance;
pub mod kat;
pub mod load;
pub mod operation;
pub mod overhead;
pub mod parse;
pub mod provenance;
pub mod rejection;
pub mod run;
pub mod security;
pub mod stats;
pub mod summary;
pub mod system;
pub mod validate;

pub use environment::{Environment, EnvironmentItem, Finding};
pub use evidence::{Evidence, EvidenceKind};
pub use family::{BasicInformation, Category, Family, FamilyRecord, LinkedText, SectionNotes};
pub use figure::Figure;
pub use index::{FileEntry, Index, SystemEntry};
pub use instance::{
    Implementation, InstanceRecord, Memory, OperationRecord, PrimitiveCalls, Profile, Sizes,
    Timing, UnknownShare,
};
pub use kat::{DigestOrigin, KatResult, KatStatus};
pub use load::{LoadError, load};
pub use operation::Operation;
pub use overhead::Overhead;
pub use provenance::{CycleSource, PlanKind, Provenance, Source, SourceKind};
pub use rejection::{Rejection, RejectionOutcome, RejectionTry};
pub use security::TargetGroup;
pub use summary::{FamilySummary, Summary, SummaryOperation, SummaryRow};
pub use system::System;
pub use validate::{Problem, Validate};

/// The major version of every JSON file of the contract. A file with another one is refused.
pub const SCHEMA_VERSION: u32 = 1;
