//! `native-runner run`: build, test, time and profile.

use super::SelectionArgs;
use super::method::MethodArgs;
use super::part::PartArgs;
use super::plan;
use super::session::{self, Order, RunPlaceArgs};
use crate::outcome::Outcome;
use anyhow::Result;
use clap::Args;
use kemscope_schema::run::RunStep;
use std::path::PathBuf;

/// Build, test, time and profile instances: a whole campaign, resumable
///
/// For each instance: compile its shared library, run its known-answer test, time keygen, enc and dec
/// by the published method (a calibration call, then five trials of a fixed number of calls, each in
/// a fresh process pinned to one CPU), and profile how much of each is hashing and randomness. Every result is kept at once in a run directory
/// `<runs>/<system>-<UTC>`; Ctrl-C leaves a run that `--resume` continues. A library that crashes,
/// hangs or reaches outside its buffers costs that operation alone.
/// `publish` turns the run directory into a data set.
/// Exit code 0: all well; 1: a test or operation failed, a trial stayed disturbed, a precision was not
/// reached, or the run was interrupted by Ctrl-C; 2: bad usage, or with --strict a host that is not fit;
/// 143 and 129: interrupted by SIGTERM and SIGHUP, start it again.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  native-runner run --quick                      a first impression of all instances, some seconds
  native-runner run --cpu 3 ml-kem-768           the published method for one instance on CPU 3
  native-runner run --precision 0.5% ml-kem-768  until the mean is known to half a per cent
  native-runner run --plan                       what that would take, and in which order
  native-runner run --system my-board --family hqc
  native-runner run --shard 2/8 --resume-or-begin --runs runs/2026-12
                                                 part 2 of 8 of a campaign, begun or gone on with
  native-runner run --resume                     go on with the latest unfinished run")]
pub struct RunArgs {
    /// What to work on
    #[command(flatten)]
    pub selection: SelectionArgs,

    /// Where and on what
    #[command(flatten)]
    pub place: RunPlaceArgs,

    /// How to time
    #[command(flatten)]
    pub method: MethodArgs,

    /// Leave out the profiles of hash functions and generator
    #[arg(long)]
    pub no_profile: bool,

    /// Which part of it
    #[command(flatten)]
    pub part: PartArgs,

    /// Go on with this run, or with the latest unfinished one below --runs
    #[arg(long, value_name = "RUN", num_args = 0..=1,
          conflicts_with_all = ["instances", "families", "packages", "system", "cpu", "quick", "precision",
                                "keep_disturbed", "plan", "target", "no_profile", "shard",
                                "resume_or_begin"])]
    pub resume: Option<Option<PathBuf>>,
}

/// Runs the command.
///
/// # Errors
/// If names, sources, compiler, run directory or CPU cannot be used, or the disk is full.
pub fn run(args: &RunArgs) -> Result<Outcome> {
    args.method.refuse_unfit_host(args.place.cpu)?;
    if let Some(run) = &args.resume {
        return session::resume(run.as_deref(), &args.place.runs, &args.place.limits(), None);
    }
    let steps = [
        RunStep::Build,
        RunStep::Kat,
        RunStep::Measure,
        RunStep::Profile,
    ];
    let left_out = |step: &RunStep| args.no_profile && *step == RunStep::Profile;
    let steps: Vec<RunStep> = steps.into_iter().filter(|step| !left_out(step)).collect();
    let order = Order {
        selection: &args.selection,
        place: &args.place,
        plan: args.method.kind(),
        method: args.method.method(),
        steps: &steps,
        part: &args.part,
    };
    if args.method.plan {
        return plan::show(&order);
    }
    session::begin(&order)
}
