//! `native-runner kat`: known-answer tests.

use super::SelectionArgs;
use super::part::PartArgs;
use super::session::{self, Order, RunPlaceArgs};
use crate::outcome::Outcome;
use anyhow::Result;
use clap::Args;
use kemscope_schema::PlanKind;
use kemscope_schema::run::{RunMethod, RunStep};

/// Run the known-answer tests
///
/// Builds what is not up to date, feeds each library with the deterministic generator of the NIST
/// tests (HQC: with its own), and compares the SHA-256 of the text with the published one. The text is
/// kept in a run directory. Nothing is timed.
/// Exit code 0: all passed; 1: some did not.
#[derive(Args, Clone, Debug)]
pub struct KatArgs {
    /// What to test
    #[command(flatten)]
    pub selection: SelectionArgs,

    /// Where and on what
    #[command(flatten)]
    pub place: RunPlaceArgs,
}

/// Runs the command.
///
/// # Errors
/// As for `run`.
pub fn run(args: &KatArgs) -> Result<Outcome> {
    let part = PartArgs::default();
    session::begin(&Order {
        selection: &args.selection,
        place: &args.place,
        plan: PlanKind::Published,
        method: RunMethod::default(),
        steps: &[RunStep::Build, RunStep::Kat],
        part: &part,
    })
}
