//! The subcommands: arguments with their help, and what each does.

pub mod add;
pub mod bench_plans;
pub mod build;
pub mod check;
pub mod compare;
pub mod data;
pub mod export;
mod host;
pub mod import;
pub mod kat;
pub mod measure;
pub mod merge;
mod method;
mod part;
mod plan;
pub mod profile;
pub mod publish;
pub mod report;
pub mod run;
mod selection;
mod session;
mod target;
pub mod verify;

pub use selection::SelectionArgs;
