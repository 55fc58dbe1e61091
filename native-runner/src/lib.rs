//! The native runner: builds KEM packages, checks and times them, and publishes the data sets that
//! the dashboard shows.

pub mod abi;
pub mod build;
pub mod cache;
pub mod campaign;
pub mod catalog;
pub mod child;
pub mod cli;
pub mod commands;
pub mod compare;
pub mod counter;
pub mod drbg;
pub mod emulator;
pub mod executor;
pub mod files;
pub mod hex;
pub mod host;
pub mod import;
pub mod interrupt;
pub mod kat;
pub mod measure;
pub mod outcome;
pub mod output;
pub mod package;
pub mod page;
pub mod profile;
pub mod progress;
pub mod publish;
pub mod run;
pub mod scratch;
pub mod store;
pub mod summary;
pub mod terminal;
pub mod time;
pub mod verify;
