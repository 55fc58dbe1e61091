//! The machine under test: what it is, and what makes it unfit to measure.
//!
//! Everything is read from `/proc`, `/sys` and `/etc` below a root that tests replace by recorded
//! trees; only the counter is tried out for real.

mod assess;
mod container;
mod cores;
mod cpu_names;
mod cpuinfo;
mod environment;
mod facts;
mod files;
pub mod in_use;
mod pinning;
mod probes;
mod same;
mod thermal;
mod virtualisation;

pub use assess::assess;
pub use environment::environment;
pub use facts::{Clock, HostFacts};
pub use files::Root;
pub use pinning::{allowed_cpus, choose_cpu, pin_this_thread};
pub use probes::Probes;
pub use same::{Difference, difference};
pub use thermal::throttle_events;
pub use virtualisation::Verdict;

#[cfg(test)]
mod tests;
