//! `native-runner check`: is this host fit to measure?

use super::host::Host;
use crate::host::{Root, environment};
use crate::outcome::Outcome;
use anyhow::Result;
use clap::Args;
use kemscope_schema::Environment;
use std::io::Write;
use std::path::PathBuf;

/// Say what makes this host unfit to measure, and what to do about it
///
/// Looks at the processor, the clock, the cycle counter and the load, and tells for each thing that
/// would spoil figures how to mend it. Every record of a run carries the same findings.
/// Exit code 0: fit; 1: something was found.
#[derive(Args, Clone, Debug, Default)]
pub struct CheckArgs {
    /// The CPU to measure on (default: the last of the fastest kind)
    #[arg(long, value_name = "N")]
    pub cpu: Option<u32>,

    /// Print the environment with its findings as JSON
    #[arg(long)]
    pub json: bool,

    /// Read /proc, /sys and /etc of this recorded tree
    #[arg(long, value_name = "DIR", hide = true)]
    pub root: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// If the CPU is none that this process may use, or nothing can be printed.
pub fn run(args: &CheckArgs) -> Result<Outcome> {
    let mut out = std::io::stdout().lock();
    let root = args
        .root
        .as_ref()
        .map_or_else(Root::system, |r| Root::at(r));
    let host = Host::look(&root, args.cpu)?;
    let environment = environment(&host.facts, &host.perf, None);
    if args.json {
        serde_json::to_writer_pretty(&mut out, &environment)?;
        writeln!(out)?;
    } else {
        print(&environment, &mut out)?;
    }
    Ok(Outcome::well_if(environment.findings.is_empty()))
}

fn print(environment: &Environment, out: &mut dyn Write) -> Result<()> {
    for row in environment.items() {
        writeln!(out, "{:<22} {}", row.item, row.value)?;
    }
    let source = match environment.cycle_source {
        Some(source) => format!("{}: {}", source.name(), source.explanation()),
        None => "none: times only".to_owned(),
    };
    writeln!(out, "{:<22} {source}\n", "cycle source")?;
    if environment.findings.is_empty() {
        writeln!(out, "This host is fit to measure.")?;
        return Ok(());
    }
    let count = environment.findings.len();
    let things = if count == 1 {
        "thing makes"
    } else {
        "things make"
    };
    writeln!(out, "{count} {things} this host unfit to measure:")?;
    for finding in &environment.findings {
        writeln!(out, "  ✗ {}: {}", finding.check, finding.message)?;
        writeln!(out, "    → {}", finding.remedy)?;
    }
    writeln!(
        out,
        "\nFigures from here are no more than an impression; every record says so."
    )?;
    Ok(())
}
