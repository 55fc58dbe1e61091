//! The native runner's command line.

use clap::Parser;
use native_runner::child;
use native_runner::cli::Cli;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The runner starts itself again for everything that touches a library; that process has to be
    // small and quick, and is no subcommand for people.
    let arguments: Vec<OsString> = std::env::args_os().take(3).collect();
    if let [_, subcommand, request] = arguments.as_slice()
        && subcommand == child::SUBCOMMAND
    {
        return child::main(&request.to_string_lossy());
    }
    match Cli::parse().run() {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
