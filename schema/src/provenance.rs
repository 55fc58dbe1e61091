//! Where a figure comes from.

use serde::{Deserialize, Serialize};

/// Whether figures were measured by this project's runner or taken over from a publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Provenance {
    /// Measured by this runner; the raw trials are kept.
    Measured,
    /// Taken from a publication, with its printed precision.
    Imported,
}

impl Provenance {
    /// The word in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Provenance::Measured => "measured",
            Provenance::Imported => "imported",
        }
    }
}

/// What counted the cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CycleSource {
    /// Hardware counter of core cycles in user mode (`perf_event_open`).
    Perf,
    /// x86 time-stamp counter: reference cycles at a constant rate, not core cycles.
    Tsc,
    /// Time multiplied with a clock that is known, or that a busy loop measured just before and after.
    Estimated,
}

impl CycleSource {
    /// The word in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            CycleSource::Perf => "perf",
            CycleSource::Tsc => "tsc",
            CycleSource::Estimated => "estimated",
        }
    }

    /// One sentence on what such cycles are, for tool tips and `--help`.
    pub fn explanation(self) -> &'static str {
        match self {
            CycleSource::Perf => "core cycles from the hardware counter, user mode only",
            CycleSource::Tsc => {
                "reference cycles of the x86 time-stamp counter (constant rate; not core cycles)"
            }
            CycleSource::Estimated => "time multiplied with a known or measured clock, not counted",
        }
    }
}

/// How thoroughly an operation was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PlanKind {
    /// The published method: 0.5–1 s per trial, at least 100 calls where time allows.
    Published,
    /// A first impression: about 50 ms per trial, at least one call each.
    Quick,
    /// Short trials, at least five, until the 95 % interval of the mean is as narrow as was asked.
    Adaptive,
}

impl PlanKind {
    /// The word in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            PlanKind::Published => "published",
            PlanKind::Quick => "quick",
            PlanKind::Adaptive => "adaptive",
        }
    }
}

/// Kind of the source that a family record was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// A published report page with its seven sections.
    ReportPage,
    /// A row of published summary figures of the whole field.
    FieldFigures,
    /// Raw records of the public harness.
    RawRecords,
    /// A run directory of this runner.
    Run,
}

/// What a record was made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// Kind of the source.
    pub kind: SourceKind,
    /// Title of the page, name of the run directory or of the table.
    pub title: String,
    /// SHA-256 of the file that was read, where it was one file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}
