//! `cargo xtask test`: all checks and tests of the project, counted.

mod licences;
mod tally;

use crate::browser::Browser;
use crate::console::seconds;
use crate::paths::Workspace;
use crate::tools::Tools;
use crate::{cross, dashboard, process};
use anyhow::Result;
use clap::ValueEnum;
use std::process::{Command, ExitCode};
use std::time::Instant;
use tally::Tally;

/// A part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// `cargo fmt --check`
    Format,
    /// clippy for this machine and for wasm32, warnings are errors
    Lint,
    /// rustdoc, warnings are errors
    Docs,
    /// licences of all dependencies against the allow list
    Licences,
    /// unit, property and integration tests
    Unit,
    /// browser tests against the release build
    E2e,
}

/// Runs these parts, or all when none is named, and prints the sum on the last line.
///
/// # Errors
/// Never for a test that fails: that is the exit code.
pub fn run(workspace: &Workspace, only: &[Part]) -> Result<ExitCode> {
    let wanted: Vec<Part> = Part::value_variants()
        .iter()
        .copied()
        .filter(|part| only.is_empty() || only.contains(part))
        .collect();
    let steps: Vec<Step> = wanted.into_iter().flat_map(Step::of).copied().collect();
    let mut sum = Tally::default();
    let mut report = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        println!("\n[{}/{}] {} …", at + 1, steps.len(), step.title());
        let start = Instant::now();
        let tally = step.run(workspace).unwrap_or_else(|error| {
            eprintln!("error: {error:#}");
            Tally::failed()
        });
        sum = sum + tally;
        report.push((step.title(), tally, start.elapsed()));
    }
    println!();
    for (title, tally, time) in report {
        let mark = if tally.failed == 0 {
            "ok    "
        } else {
            "FAILED"
        };
        println!(
            "{mark}  {:>4} passed, {:>2} failed  {:>12}  {title}",
            tally.passed,
            tally.failed,
            seconds(time)
        );
    }
    println!("{} passed, {} failed", sum.passed, sum.failed);
    Ok(if sum.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The documentation is for people who work on the program: private items are in it, and links to them are fine.
const DOC_FLAGS: &str = "-D warnings -A rustdoc::private_intra_doc_links";

/// One step; a check counts as one test.
#[derive(Clone, Copy, Debug)]
enum Step {
    Format,
    Clippy,
    ClippyWasm,
    Docs,
    Licences,
    Unit,
    Dashboard,
    Browser,
}

impl Step {
    fn of(part: Part) -> &'static [Step] {
        match part {
            Part::Format => &[Step::Format],
            Part::Lint => &[Step::Clippy, Step::ClippyWasm],
            Part::Docs => &[Step::Docs],
            Part::Licences => &[Step::Licences],
            Part::Unit => &[Step::Unit],
            Part::E2e => &[Step::Dashboard, Step::Browser],
        }
    }

    fn title(self) -> &'static str {
        match self {
            Step::Format => "Format",
            Step::Clippy => "Clippy, native",
            Step::ClippyWasm => "Clippy, wasm32",
            Step::Docs => "Documentation",
            Step::Licences => "Licences",
            Step::Unit => "Unit, property and integration tests",
            Step::Dashboard => "Release build of the dashboard",
            Step::Browser => "Browser tests",
        }
    }

    fn run(self, workspace: &Workspace) -> Result<Tally> {
        let check =
            |words: &str| process::run(&mut cargo(workspace, words)).map(|()| Tally::passed());
        match self {
            Step::Format => check("fmt --all --check"),
            Step::Clippy => check("clippy --workspace --all-targets --locked -- -D warnings"),
            Step::ClippyWasm => check(
                "clippy --package kemscope-app --package kemscope-kems --package kemscope-schema --no-default-features \
                 --target wasm32-unknown-unknown --locked -- -D warnings",
            ),
            Step::Docs => {
                let mut command = cargo(
                    workspace,
                    "doc --workspace --no-deps --document-private-items --locked",
                );
                process::run(command.env("RUSTDOCFLAGS", DOC_FLAGS)).map(|()| Tally::passed())
            }
            Step::Licences => {
                println!("      {}", licences::check(workspace)?);
                Ok(Tally::passed())
            }
            Step::Unit => {
                cross_runner(workspace)?;
                tally::of_cargo_test(&mut cargo(
                    workspace,
                    "test --workspace --exclude e2e --no-fail-fast --locked",
                ))
            }
            Step::Dashboard => {
                let built = dashboard::build(workspace, &Tools::ensure(workspace)?, false)?;
                println!("      {}", built.describe());
                Ok(Tally::passed())
            }
            Step::Browser => browser_tests(workspace),
        }
    }
}

/// The tests under an emulator need a runner for AArch64; without a linker for it they are skipped.
fn cross_runner(workspace: &Workspace) -> Result<()> {
    if cross::can_link(cross::AARCH64) {
        cross::runner(workspace, cross::AARCH64)?;
    } else {
        println!(
            "      no linker for {}: tests under an emulator are skipped",
            cross::AARCH64
        );
    }
    Ok(())
}

fn browser_tests(workspace: &Workspace) -> Result<Tally> {
    Browser::find()?;
    // The tests compare the page with the runner's CSV. Built with the same selection of packages as for the other
    // tests, so that nothing is compiled twice.
    process::run(&mut cargo(
        workspace,
        "build --workspace --exclude e2e --bin native-runner --locked",
    ))?;
    let mut command = cargo(
        workspace,
        "test --package e2e --no-fail-fast --locked -- --test-threads=2",
    );
    // A failed test says where it failed itself; a trace through the test harness says nothing more.
    command.env("RUST_BACKTRACE", "0").env(
        "KEMSCOPE_RUNNER",
        workspace.target().join("debug/native-runner"),
    );
    tally::of_cargo_test(&mut command)
}

fn cargo(workspace: &Workspace, words: &str) -> Command {
    let mut command = process::cargo();
    command
        .args(words.split_whitespace())
        .current_dir(workspace.root());
    command
}
