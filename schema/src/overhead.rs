//! What measuring costs itself.

use crate::provenance::CycleSource;
use serde::{Deserialize, Serialize};

/// Cost of the measuring loop, of the clock and of the counter, measured at the start of a run in a process like
/// that of a trial. Nothing of it is subtracted from any figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Overhead {
    /// An operation that does nothing, called through the same loop and the same function pointer as the
    /// operations of a KEM: seconds per call.
    pub empty_call_seconds: f64,
    /// The same in cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty_call_cycles: Option<f64>,
    /// The same in instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty_call_instructions: Option<f64>,
    /// What counted the cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle_source: Option<CycleSource>,
    /// Duration of one reading of the clock, in seconds. A trial has two.
    pub clock_read_seconds: f64,
    /// Smallest step of the clock that was seen, in seconds.
    pub clock_step_seconds: f64,
    /// What the counter shows of a loop without any call: cycles that a trial has too many, once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty_trial_cycles: Option<f64>,
    /// What the clock shows of a loop without any call, in seconds: once per trial.
    pub empty_trial_seconds: f64,
}

impl Overhead {
    /// An empty call that takes longer is not near zero: it would be one per cent of an operation of 5 µs.
    pub const EMPTY_CALL_LIMIT_SECONDS: f64 = 50e-9;

    /// Whether an empty operation reads as near zero.
    pub fn is_negligible(&self) -> bool {
        self.empty_call_seconds <= Overhead::EMPTY_CALL_LIMIT_SECONDS
    }
}
