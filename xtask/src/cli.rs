//! The command line of `cargo xtask`.

use crate::console::Steps;
use crate::paths::Workspace;
use crate::testing::{self, Part};
use crate::tools::Tools;
use crate::{cross, dashboard, process, serve, setup, up};
use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use std::process::ExitCode;

/// Build, serve, test and measure KEMscope.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// From a fresh clone to the dashboard in a browser: set up, measure this machine, build, serve
    Up(up::Options),
    /// Install the build tools that are missing
    Setup,
    /// Build the dashboard into dist/
    Build {
        /// Build everything anew, even where nothing has changed
        #[arg(long)]
        force: bool,
    },
    /// Serve the dashboard in dist/ on this machine
    Serve(ServeOptions),
    /// Run all checks and tests; the last line is `N passed, N failed`
    Test {
        /// Run these parts alone; may be given several times
        #[arg(long, value_enum)]
        only: Vec<Part>,
    },
    /// Build the native-runner for another machine, to run what is built for it under an emulator
    CrossRunner {
        /// Target triple
        #[arg(default_value = "aarch64-unknown-linux-gnu")]
        target: String,
    },
    /// Bytes of the first view, time until it is ready and answer to a filter click, in headless Chromium
    BenchWeb,
    /// Pictures of overview and family page in target/screenshots
    Screenshots {
        /// Also renew the README's picture, docs/images/overview.png
        #[arg(long)]
        readme: bool,
    },
}

#[derive(Debug, Args)]
struct ServeOptions {
    /// Port on 127.0.0.1
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Path below which to serve, as on a host that has other pages too
    #[arg(long, default_value = "/")]
    base: String,
    /// Open the browser
    #[arg(long)]
    open: bool,
}

impl Cli {
    /// Does what the command line says.
    ///
    /// # Errors
    /// When the command cannot be carried out; a test that fails is an exit code.
    pub fn run(self) -> Result<ExitCode> {
        let workspace = Workspace::here();
        match self.command {
            Command::Up(options) => return up::run(&workspace, &options),
            Command::Setup => drop(setup::run(&workspace, &mut Steps::new(setup::STEPS))?),
            Command::Build { force } => {
                let built = dashboard::build(&workspace, &Tools::ensure(&workspace)?, force)?;
                println!("{}: {}", workspace.dist().display(), built.describe());
            }
            Command::Serve(options) => {
                serve::run(&workspace.dist(), &options.base, options.port, options.open)?;
            }
            Command::Test { only } => return testing::run(&workspace, &only),
            Command::CrossRunner { target } => {
                let runner = cross::runner(&workspace, &target)?;
                println!("{}", runner.display());
            }
            Command::BenchWeb => return browser_program(&workspace, "bench-web", &[]),
            Command::Screenshots { readme } => {
                return browser_program(
                    &workspace,
                    "screenshots",
                    if readme { &["--readme"] } else { &[] },
                );
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Builds the dashboard and runs a program of the browser tests' crate on it. It is a crate of its own because a
/// WebDriver client would slow down the first start of every other command.
fn browser_program(workspace: &Workspace, name: &str, arguments: &[&str]) -> Result<ExitCode> {
    dashboard::build(workspace, &Tools::ensure(workspace)?, false)?;
    let mut command = process::cargo();
    command
        .args(["run", "--quiet", "--package", "e2e", "--bin", name, "--"])
        .args(arguments);
    let status = command.current_dir(workspace.root()).status()?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
