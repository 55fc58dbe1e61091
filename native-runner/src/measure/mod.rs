//! Timing an operation: calibration, plan, trials, and when to repeat one.

mod plan;
mod timing;

pub use plan::{TRIALS, plan};
pub use timing::{Settings, Timed, Timing, time_operation};
