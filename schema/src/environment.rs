//! The assessment environment of a system (section 2 of a report page).

use crate::figure::Figure;
use crate::overhead::Overhead;
use crate::provenance::CycleSource;
use serde::{Deserialize, Serialize};

/// What a system is and how it was set up while it was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Environment {
    /// Processor and the core in use, for example `Qualcomm Oryon (CPU 2, one core)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// The machine's model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The clock and how it was held, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// The clock in hertz, only where it was fixed for the campaign: times may be derived from cycles by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_clock_hz: Option<Figure>,
    /// The clock in hertz that a busy loop of known length showed, where it was steady.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_clock_hz: Option<Figure>,
    /// Memory of the machine in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// Operating system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// Kernel release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// The C compiler with its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// The build tool with its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_tool: Option<String>,
    /// Start of the campaign, UTC, ISO 8601 without zone (`2026-09-28T15:05:46`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign_start_utc: Option<String>,
    /// End of the campaign, UTC, ISO 8601 without zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign_end_utc: Option<String>,
    /// What counted the cycles; `None` where nothing could.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle_source: Option<CycleSource>,
    /// Whether the host is a virtual machine; `None` where nobody said or nothing could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub virtualised: Option<bool>,
    /// Whether the processor itself is emulated; `None` where nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emulated: Option<bool>,
    /// What measuring costs itself; `None` where it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead: Option<Overhead>,
    /// What made the host unfit to measure, empty if nothing was found (or nobody looked).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Further items of the source, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub additional: Vec<EnvironmentItem>,
}

/// One line of an environment table that has no field of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct EnvironmentItem {
    /// What it is.
    pub item: String,
    /// What it says.
    pub value: String,
}

/// One reason why a host is not fit to measure, found by `native-runner check`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// Short stable name of the check, for example `virtualised`, `no-counter`, `clock-not-fixed`.
    pub check: String,
    /// What was found, in a sentence.
    pub message: String,
    /// What the reader can do about it, in a sentence; empty where nothing can be done.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub remedy: String,
}

impl Environment {
    /// The table of section 2 as (item, value) pairs, in the order and words of the report pages.
    /// Items that are not known are left out.
    pub fn items(&self) -> Vec<EnvironmentItem> {
        let pair = |a: &Option<String>, b: &Option<String>| match (a, b) {
            (Some(a), Some(b)) => Some(format!("{a} / {b}")),
            (Some(one), None) | (None, Some(one)) => Some(one.clone()),
            (None, None) => None,
        };
        let rows = [
            ("processor", self.processor.clone()),
            ("machine", self.machine.clone()),
            ("clock", self.clock.clone()),
            ("memory", self.memory_mib.map(|mib| format!("{mib} MiB"))),
            ("OS / kernel", pair(&self.os, &self.kernel)),
            (
                "compiler / build tool",
                pair(&self.compiler, &self.build_tool),
            ),
            (
                "campaign start / end (UTC)",
                pair(&self.campaign_start_utc, &self.campaign_end_utc),
            ),
        ];
        rows.into_iter()
            .filter_map(|(item, value)| {
                value.map(|value| EnvironmentItem {
                    item: item.to_owned(),
                    value,
                })
            })
            .chain(self.additional.iter().cloned())
            .collect()
    }
}
