//! Everything around the product: setting up tools, building and serving the dashboard, running all tests.
//!
//! The library half exists for the browser tests, which use the same build steps and the same server.

pub mod browser;
pub mod cli;
pub mod console;
pub mod cross;
pub mod dashboard;
pub mod digest;
pub mod measure;
pub mod paths;
pub mod prerequisites;
pub mod process;
pub mod serve;
pub mod server;
pub mod setup;
pub mod testing;
pub mod tools;
pub mod up;
