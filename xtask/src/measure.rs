//! The quick measurement of this machine as system `local`.

use crate::paths::Workspace;
use crate::{digest, process};
use anyhow::{Context, Result, bail};
use std::fs;
use std::process::{Command, Stdio};

/// What a measurement depends on.
const INPUTS: [&str; 6] = [
    "Cargo.lock",
    "native-runner/catalog",
    "native-runner/src",
    "native-runner/csrc",
    "native-runner/packages",
    "schema/src",
];

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// Measured now, and all is well.
    Fresh,
    /// Measured now, but the runner warns of something that was measured.
    Warned,
    /// There is a measurement with the same runner.
    Before,
}

/// Measures the built-in KEMs and publishes them as system `local`, unless that was done with the same runner before.
///
/// # Errors
/// When the runner cannot be built or cannot measure here.
pub fn run(workspace: &Workspace, again: bool) -> Result<Measured> {
    let stamp = workspace.state().join("measured");
    let inputs = digest::of_files(workspace.root(), &INPUTS)?;
    let published = workspace.data().join("local/summary.json").is_file();
    if !again && published && fs::read_to_string(&stamp).is_ok_and(|known| known == inputs) {
        return Ok(Measured::Before);
    }
    let mut build = process::cargo();
    build
        .args([
            "build",
            "--release",
            "--locked",
            "--package",
            "native-runner",
        ])
        .current_dir(workspace.root());
    process::run(&mut build)?;
    let runner = workspace.target().join("release/native-runner");
    let mut fine = true;
    // Publishing takes the newest run directory: the one that was just made.
    for words in [
        ["run", "--quick", "--system", "local"].as_slice(),
        &["publish"],
    ] {
        let mut command = Command::new(&runner);
        command
            .args(words)
            .current_dir(workspace.root())
            .stdin(Stdio::null());
        let status = command
            .status()
            .with_context(|| format!("cannot start {}", runner.display()))?;
        match status.code() {
            Some(0) => {}
            // It worked, but something measured is not well: the record says what.
            Some(1) => fine = false,
            _ => bail!("`{}` failed: {status}", process::describe(&command)),
        }
    }
    fs::create_dir_all(workspace.state()).context("cannot create the folder of xtask's notes")?;
    fs::write(&stamp, inputs).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(if fine {
        Measured::Fresh
    } else {
        Measured::Warned
    })
}
