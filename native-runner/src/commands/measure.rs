//! `native-runner measure`: timing without known-answer tests.

use super::SelectionArgs;
use super::method::MethodArgs;
use super::part::PartArgs;
use super::plan;
use super::session::{self, Order, RunPlaceArgs};
use crate::outcome::Outcome;
use anyhow::Result;
use clap::Args;
use kemscope_schema::run::RunStep;

/// Time instances without their known-answer tests
///
/// As `run`, but records say that the test was not run; only an honest exchange is tried before
/// timing. For trying things out: use `run` for figures that are to be published.
/// Exit code 0: all well; 1: an operation failed, or the run was interrupted.
#[derive(Args, Clone, Debug)]
pub struct MeasureArgs {
    /// What to time
    #[command(flatten)]
    pub selection: SelectionArgs,

    /// Where and on what
    #[command(flatten)]
    pub place: RunPlaceArgs,

    /// How to time
    #[command(flatten)]
    pub method: MethodArgs,
}

/// Runs the command.
///
/// # Errors
/// As for `run`.
pub fn run(args: &MeasureArgs) -> Result<Outcome> {
    args.method.refuse_unfit_host(args.place.cpu)?;
    let part = PartArgs::default();
    let order = Order {
        selection: &args.selection,
        place: &args.place,
        plan: args.method.kind(),
        method: args.method.method(),
        steps: &[RunStep::Build, RunStep::Measure],
        part: &part,
    };
    if args.method.plan {
        return plan::show(&order);
    }
    session::begin(&order)
}
