//! Timing an operation: calibration, plan, trials, and when to repeat one.

mod plan;
mod survey;
mod timing;

pub use plan::{TRIALS, expected_seconds, expected_trial_seconds, longest_seconds, plan};
pub use survey::{Survey, Surveyed, survey};
pub use timing::{Settings, Timed, Timing, calibrate, time_operation};
