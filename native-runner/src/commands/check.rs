//! `native-runner check`: is this host fit to measure?

use super::host::Host;
use crate::host::{HostFacts, Root, environment};
use crate::outcome::Outcome;
use anyhow::Result;
use clap::Args;
use kemscope_schema::{Environment, Overhead};
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
    let environment = environment(&host.facts, &host.probes, None);
    if args.json {
        serde_json::to_writer_pretty(&mut out, &environment)?;
        writeln!(out)?;
    } else {
        print(&environment, &host.facts, &mut out)?;
    }
    Ok(Outcome::well_if(environment.findings.is_empty()))
}

fn print(environment: &Environment, facts: &HostFacts, out: &mut dyn Write) -> Result<()> {
    for row in environment.items() {
        writeln!(out, "{:<22} {}", row.item, row.value)?;
    }
    if let Some(clock) = environment.measured_clock_hz {
        let clock = clock.value / 1e9;
        writeln!(out, "{:<22} {clock:.3} GHz (busy loop)", "measured clock")?;
    }
    if let Some(temperature) = &facts.temperature {
        writeln!(out, "{:<22} {}", "temperature", temperature.words())?;
    }
    if let Some(events) = facts.throttle_events {
        writeln!(out, "{:<22} {events} times since boot", "throttled")?;
    }
    let source = match environment.cycle_source {
        Some(source) => format!("{}: {}", source.name(), source.explanation()),
        None => "none: times only".to_owned(),
    };
    writeln!(out, "{:<22} {source}", "cycle source")?;
    if let Some(overhead) = &environment.overhead {
        let empty = empty_operation(overhead);
        writeln!(out, "{:<22} {empty}", "empty operation")?;
        let per_trial = per_trial(overhead);
        writeln!(out, "{:<22} {per_trial}", "overhead per trial")?;
    }
    writeln!(out)?;
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

/// What a call of a function that does nothing reads as.
fn empty_operation(overhead: &Overhead) -> String {
    let mut words = format!("{:.2} ns per call", overhead.empty_call_seconds * 1e9);
    if let Some(cycles) = overhead.empty_call_cycles {
        words.push_str(&format!(", {cycles:.1} cycles"));
    }
    if let Some(instructions) = overhead.empty_call_instructions {
        words.push_str(&format!(", {instructions:.1} instructions"));
    }
    words
}

/// What a trial without any call reads as: it is in every figure once, divided by the calls of a trial.
fn per_trial(overhead: &Overhead) -> String {
    let mut words = format!("{:.0} ns", overhead.empty_trial_seconds * 1e9);
    if let Some(cycles) = overhead.empty_trial_cycles {
        words.push_str(&format!(", {cycles:.0} cycles"));
    }
    words.push_str(&format!(
        " (clock: {:.0} ns a reading, steps of {:.0} ns)",
        overhead.clock_read_seconds * 1e9,
        overhead.clock_step_seconds * 1e9
    ));
    words
}
