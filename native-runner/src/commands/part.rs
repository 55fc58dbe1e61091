//! Which part of a campaign a command does, and whether it has been begun.

use crate::build::Builder;
use crate::package::Instance;
use crate::run::runs_below;
use crate::shard::{self, Asked, Costs, Part, campaign_sha256};
use anyhow::{Result, bail};
use clap::Args;
use kemscope_schema::run::{RunManifest, RunStatus, Shard};
use std::path::{Path, PathBuf};

/// Which part of a campaign is done, and by which run.
#[derive(Args, Clone, Debug, Default)]
pub struct PartArgs {
    /// Do only part K of N: instances are split by expected time, the same way by every shard; `merge` joins them
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Part>,

    /// With --shard: how long instances take, as an earlier run's directory (a --quick one will do) or a CSV file
    /// with the columns instance,seconds; the same for all shards (default: guessed from families and sizes)
    #[arg(long, value_name = "PATH", requires = "shard")]
    pub costs: Option<PathBuf>,

    /// With --plan: write how long instances will take to this file, for --costs
    #[arg(long, value_name = "FILE", requires = "plan")]
    pub costs_to: Option<PathBuf>,

    /// Go on with the run below --runs that this command has begun, leave it alone if it is complete, and begin it
    /// if there is none: for jobs that a batch system starts again
    #[arg(long)]
    pub resume_or_begin: bool,
}

/// A part of a campaign.
pub struct Planned {
    /// Its instances.
    pub instances: Vec<Instance>,
    /// Identity of the campaign.
    pub campaign_sha256: String,
    /// The shard, where the campaign is split.
    pub shard: Option<Shard>,
    /// What the name of its run ends with.
    pub suffix: Option<String>,
    resume_or_begin: bool,
}

impl PartArgs {
    /// The part of a campaign of all these instances.
    ///
    /// # Errors
    /// If the costs cannot be read.
    pub fn of(&self, all: Vec<Instance>, asked: &Asked<'_>, builder: &Builder) -> Result<Planned> {
        let inputs: Vec<Vec<String>> = all.iter().map(|i| builder.inputs(i)).collect();
        let campaign_sha256 = campaign_sha256(asked, &all, &inputs)?;
        let Some(part) = self.shard else {
            return Ok(Planned {
                instances: all,
                campaign_sha256,
                shard: None,
                suffix: None,
                resume_or_begin: self.resume_or_begin,
            });
        };
        let costs = match &self.costs {
            Some(path) => Costs::read(path)?,
            None => Costs::default(),
        };
        let split = shard::split(&all, &inputs, &asked.work, &costs, part.of);
        tell(part, &split, costs.known_among(&all));
        let instances = all
            .into_iter()
            .zip(&split)
            .filter(|(_, entry)| entry.shard == part.number)
            .map(|(instance, _)| instance)
            .collect();
        Ok(Planned {
            instances,
            campaign_sha256,
            shard: Some(Shard {
                number: part.number,
                of: part.of,
                split,
            }),
            suffix: Some(format!("{}-of-{}", part.number, part.of)),
            resume_or_begin: self.resume_or_begin,
        })
    }
}

/// Says what the shard is, on standard error.
fn tell(part: Part, split: &[kemscope_schema::run::SplitInstance], known: usize) {
    let seconds = |number: u32| -> f64 {
        let own = split.iter().filter(|entry| entry.shard == number);
        own.map(|entry| entry.expected_seconds).sum()
    };
    let count = split.iter().filter(|e| e.shard == part.number).count();
    let longest = (1..=part.of).map(seconds).fold(0.0, f64::max);
    let source = match known {
        0 => "guessed".to_owned(),
        all if all == split.len() => "by known costs".to_owned(),
        some => format!("by known costs for {some}, guessed for the others"),
    };
    eprintln!(
        "shard {part}: {count} of {} instances, about {:.0} s, {source} (the longest shard {longest:.0} s)",
        split.len(),
        seconds(part.number),
    );
}

impl Planned {
    /// The run below `runs` that did or does this very part, where that is to be gone on with: an unfinished one
    /// before complete ones.
    ///
    /// # Errors
    /// If another shard of the campaign there was split otherwise: they would not fit together.
    pub fn standing(&self, runs: &Path) -> Result<Option<PathBuf>> {
        let mut found: Option<(PathBuf, RunManifest)> = None;
        for (root, run) in runs_below(runs)? {
            if run.merged_from.is_some() {
                continue;
            }
            if run.campaign_sha256.as_ref() != Some(&self.campaign_sha256) {
                self.tell_of_other(&root, &run);
                continue;
            }
            let part = |shard: &Shard| (shard.number, shard.of);
            match (&self.shard, &run.shard) {
                (Some(own), Some(other)) if own.of == other.of && own.split != other.split => {
                    bail!(
                        "{} is a shard of the same campaign that was split otherwise: all shards need the same --costs; \
                     remove it, or choose another folder with --runs",
                        root.display()
                    )
                }
                (own, other) if own.as_ref().map(part) == other.as_ref().map(part) => {
                    let complete = |run: &RunManifest| run.status == RunStatus::Complete;
                    if found.as_ref().is_none_or(|(_, known)| complete(known)) {
                        found = Some((root, run));
                    }
                }
                _ => {}
            }
        }
        Ok(found.filter(|_| self.resume_or_begin).map(|(root, _)| root))
    }

    /// An unfinished run of the same part of another campaign is likely the same one with something changed
    /// meanwhile: nobody would look for it.
    fn tell_of_other(&self, root: &Path, run: &RunManifest) {
        let part = |shard: &Shard| (shard.number, shard.of);
        let same = self.shard.as_ref().map(part) == run.shard.as_ref().map(part);
        if self.resume_or_begin && same && run.status != RunStatus::Complete {
            eprintln!(
                "note: {} is unfinished, and of another campaign: other sources, flags, compiler or options; left alone",
                root.display()
            );
        }
    }
}
