//! The command line: one subcommand per step of a campaign.

use crate::commands;
use crate::outcome::Outcome;
use anyhow::Result;
use clap::{Parser, Subcommand};

/// Measures key-encapsulation mechanisms natively and publishes the figures
///
/// A campaign is: check this host, build the packages, run their known-answer tests, time keygen,
/// enc and dec, profile their hashing, publish. `run` does the middle four, interruptible and resumable;
/// `verify` recomputes whatever is published from the raw trials.
#[derive(Debug, Parser)]
#[command(name = "native-runner", version, after_help = AFTER)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str =
    "Exit codes: 0 all well; 1 it worked but something measured is not well (a KAT \
mismatch, a host unfit to measure, a failed verification, a regression); 2 bad usage or bad input; \
143 a run stopped by SIGTERM, to be gone on with.

Examples:
  native-runner check                                  is this host fit to measure?
  native-runner add submissions/                       describe unpacked packages
  native-runner run --system local --quick             build, test and time the built-in KEMs
  native-runner publish                                publish the newest run into data/
  native-runner export --system arm_1 --format csv     the figures as a table
  native-runner report kem-14 --system arm_1 --format html --figures figures -o kem-14.html
  native-runner compare runs/local-A runs/local-B      what became slower?
  native-runner import page kem-14.txt                 take over a published report page";

/// The subcommands.
// A variant's doc comment would replace the help that stands with its arguments.
#[allow(missing_docs)]
#[derive(Debug, Subcommand)]
pub enum Command {
    Check(commands::check::CheckArgs),
    Add(commands::add::AddArgs),
    Build(commands::build::BuildArgs),
    Kat(commands::kat::KatArgs),
    Measure(commands::measure::MeasureArgs),
    Profile(commands::profile::ProfileArgs),
    Run(commands::run::RunArgs),
    Merge(commands::merge::MergeArgs),
    /// Take over published pages, field figures or raw records
    Import(commands::import::ImportArgs),
    /// Print data sets as CSV or JSON
    Export(commands::export::ExportArgs),
    /// Publish a run directory into the data folder
    Publish(commands::publish::PublishArgs),
    /// Recompute every published statistic and digest
    Verify(commands::verify::VerifyArgs),
    /// Write pages, tables and pictures from the published JSON
    Report(commands::report::ReportArgs),
    /// Compare two systems, runs or variants
    Compare(commands::compare::CompareArgs),
    #[command(hide = true)]
    BenchPlans(commands::bench_plans::BenchPlansArgs),
}

impl Cli {
    /// Does what the command line says.
    ///
    /// # Errors
    /// On bad usage or bad input.
    pub fn run(&self) -> Result<Outcome> {
        match &self.command {
            Command::Check(args) => commands::check::run(args),
            Command::Add(args) => commands::add::run(args),
            Command::Build(args) => commands::build::run(args),
            Command::Kat(args) => commands::kat::run(args),
            Command::Measure(args) => commands::measure::run(args),
            Command::Profile(args) => commands::profile::run(args),
            Command::Run(args) => commands::run::run(args),
            Command::Merge(args) => commands::merge::run(args),
            Command::Import(args) => commands::import::run(args),
            Command::Export(args) => commands::export::run(args),
            Command::Publish(args) => commands::publish::run(args),
            Command::Verify(args) => commands::verify::run(args),
            Command::Report(args) => commands::report::run(args),
            Command::Compare(args) => commands::compare::run(args),
            Command::BenchPlans(args) => commands::bench_plans::run(args),
        }
    }
}
