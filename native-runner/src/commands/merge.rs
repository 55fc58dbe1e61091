//! `native-runner merge`: shards become one run.

use crate::merge::{self, Target};
use crate::outcome::Outcome;
use crate::output;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Join the shards of a campaign to one run
///
/// The run that comes of it is published and verified like any other; its records are those of the shards, byte by
/// byte, and its manifest names them. Refused is what does not belong together: shards of another campaign (other
/// instances, sources, flags, compiler, plan or options), made on another kind of machine or in another state of it
/// (processor, kernel, clock, cycle source), split otherwise, not complete, altered, or missing. Several machines are
/// fine where all of that agrees, and so are several cores: each trial has its own. The shards stay as they are; a
/// merge that was killed can be repeated.
/// Exit code 0: merged; 2: they do not make one run, and why.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  native-runner merge runs/board-*-of-4
  native-runner merge node1/runs/* node2/runs/* --into runs/board-2026-12")]
pub struct MergeArgs {
    /// The run directories of the shards, each once
    #[arg(value_name = "DIR", required = true)]
    pub shards: Vec<PathBuf>,

    /// The directory of the merged run, which is not there yet
    #[arg(long, value_name = "DIR", conflicts_with = "runs")]
    pub into: Option<PathBuf>,

    /// Folder for the directory of the merged run, which is named after the first shard
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,

    /// Join what there is, although shards are missing
    #[arg(long)]
    pub partial: bool,
}

/// Runs the command.
///
/// # Errors
/// If the shards do not make one run, or files cannot be read or written.
pub fn run(args: &MergeArgs) -> Result<Outcome> {
    let target = match &args.into {
        Some(into) => Target::Directory(into),
        None => Target::Below(&args.runs),
    };
    let merged = merge::merge(&args.shards, &target, args.partial)?;
    for entry in &merged.missing {
        output::line(&format!(
            "missing: {}/{}/{} (shard {})",
            entry.family, entry.instance, entry.implementation, entry.shard
        ))?;
    }
    let shards = merged.manifest.merged_from.as_ref();
    output::line(&format!(
        "merged {} instances of {} shards into {}",
        merged.manifest.instances.len(),
        shards.map_or(0, |merged| merged.shards.len()),
        merged.root.display()
    ))?;
    Ok(Outcome::Well)
}
