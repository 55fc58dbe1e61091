//! `native-runner profile`: the share of hash functions and generator.

use super::SelectionArgs;
use super::part::PartArgs;
use super::session::{self, Order, RunPlaceArgs};
use crate::outcome::Outcome;
use anyhow::Result;
use clap::Args;
use kemscope_schema::PlanKind;
use kemscope_schema::run::{RunMethod, RunStep};

/// Count and time the calls of instances to hash functions and generator
///
/// Each library is linked once more, with wrappers around the symmetric primitives: of the NGCC interface `sm3hash`,
/// `pseudohash`, `pseudoXOF` and `get_random_number`, of NIST's `randombytes` and the SHA-3 and SHAKE
/// functions. Every call is counted by function and lengths, and its time set against the
/// operation's. Where wrappers cannot see all calls, the share is reported as unknown, and why.
/// `run` does this too, after timing.
/// Exit code 0: all well; 1: an operation failed, or the run was interrupted.
#[derive(Args, Clone, Debug)]
pub struct ProfileArgs {
    /// What to profile
    #[command(flatten)]
    pub selection: SelectionArgs,

    /// Where and on what
    #[command(flatten)]
    pub place: RunPlaceArgs,

    /// A first impression: at most 100 operations, or a tenth of a second
    #[arg(long)]
    pub quick: bool,
}

/// Runs the command.
///
/// # Errors
/// As for `run`.
pub fn run(args: &ProfileArgs) -> Result<Outcome> {
    let part = PartArgs::default();
    session::begin(&Order {
        selection: &args.selection,
        place: &args.place,
        plan: match args.quick {
            true => PlanKind::Quick,
            false => PlanKind::Published,
        },
        method: RunMethod::default(),
        steps: &[RunStep::Build, RunStep::Profile],
        part: &part,
    })
}
