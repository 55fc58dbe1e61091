//! `cargo xtask up`: from a fresh clone to the dashboard.

use crate::console::{Steps, seconds};
use crate::dashboard::{self, Built};
use crate::measure::{self, Measured};
use crate::paths::Workspace;
use crate::{serve, setup};
use anyhow::Result;
use clap::Args;
use std::process::ExitCode;

/// Options of `up`.
#[derive(Debug, Args)]
pub struct Options {
    /// Port on 127.0.0.1
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Build and measure, but do not serve
    #[arg(long)]
    no_serve: bool,
    /// Do not measure this machine
    #[arg(long)]
    skip_measure: bool,
    /// Measure this machine again, even where nothing has changed
    #[arg(long, conflicts_with = "skip_measure")]
    remeasure: bool,
    /// Open the browser
    #[arg(long)]
    open: bool,
}

/// Sets up, measures, builds and serves. What has not changed since the last time is not done again.
///
/// # Errors
/// When tools cannot be installed, the dashboard cannot be built or not be served. A measurement that fails does not keep
/// the dashboard back; the exit code then tells.
pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    if !options.no_serve {
        // Said now rather than after minutes of work.
        serve::refuse_taken(options.port)?;
    }
    let mut steps = Steps::new(setup::STEPS + if options.skip_measure { 1 } else { 2 });
    let tools = setup::run(workspace, &mut steps)?;
    let mut failure = None;
    if !options.skip_measure {
        steps.step("Measuring the built-in KEMs on this machine", || {
            Ok(match measure::run(workspace, options.remeasure) {
                Ok(Measured::Fresh) => ((), "measured as system `local`".to_owned()),
                Ok(Measured::Warned) => (
                    (),
                    "measured as system `local`; something needs a look, see above".to_owned(),
                ),
                Ok(Measured::Before) => (
                    (),
                    "measured before and nothing has changed; `--remeasure` measures again"
                        .to_owned(),
                ),
                Ok(Measured::Thorough) => (
                    (),
                    "system `local` was measured by the published method and is kept; `--remeasure` replaces it by a quick measurement"
                        .to_owned(),
                ),
                Err(error) => {
                    let sentence = format!("this machine could not be measured: {error:#}");
                    failure = Some(sentence.clone());
                    (
                        (),
                        format!("{sentence}\n      The dashboard is built without it"),
                    )
                }
            })
        })?;
    }
    steps.step("The dashboard", || {
        let built: Built = dashboard::build(workspace, &tools, false)?;
        Ok(((), built.describe().to_owned()))
    })?;
    println!("Ready after {}.", seconds(steps.elapsed()));
    if options.no_serve {
        println!(
            "`cargo xtask serve` serves the dashboard in {}.",
            workspace.dist().display()
        );
    } else {
        serve::run(&workspace.dist(), "/", options.port, options.open)?;
    }
    Ok(match failure {
        None => ExitCode::SUCCESS,
        Some(sentence) => {
            eprintln!("error: {sentence}");
            ExitCode::FAILURE
        }
    })
}
