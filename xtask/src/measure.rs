//! The quick measurement of this machine as system `local`.

use crate::paths::Workspace;
use crate::{digest, process};
use anyhow::{Context, Result, bail};
use kemscope_schema::{Operation, PlanKind, Summary};
use std::fs;
use std::process::{Command, Stdio};

/// What a measurement depends on.
const INPUTS: [&str; 12] = [
    "Cargo.lock",
    "Cargo.toml",
    "rust-toolchain.toml",
    "native-runner/Cargo.toml",
    "kems/Cargo.toml",
    "schema/Cargo.toml",
    "native-runner/catalog",
    "native-runner/src",
    "native-runner/csrc",
    "native-runner/packages",
    "kems/src",
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
    /// System `local` holds a measurement by the published method, which a quick one must not replace.
    Thorough,
}

/// Measures the built-in KEMs and publishes them as system `local`, unless that was done with the same runner before.
///
/// # Errors
/// When the runner cannot be built or cannot measure here.
pub fn run(workspace: &Workspace, again: bool) -> Result<Measured> {
    let stamp = workspace.state().join("measured");
    let inputs = digest::of_files(workspace.root(), &INPUTS)?;
    let published = fs::read_to_string(workspace.data().join("local/summary.json")).ok();
    if let Some(summary) = published.filter(|_| !again) {
        if fs::read_to_string(&stamp).is_ok_and(|known| known == inputs) {
            return Ok(Measured::Before);
        }
        if is_thorough(&summary) {
            return Ok(Measured::Thorough);
        }
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
    // A folder of their own: publishing takes the newest run in it, which is the one just made.
    let runs = workspace.state().join("runs");
    for words in [
        ["run", "--quick", "--system", "local"].as_slice(),
        &["publish"],
    ] {
        let mut command = Command::new(&runner);
        command
            .args(words)
            .arg("--runs")
            .arg(&runs)
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

/// Whether a summary has figures by the published method.
fn is_thorough(summary: &str) -> bool {
    let Ok(summary) = serde_json::from_str::<Summary>(summary) else {
        return false;
    };
    summary
        .rows
        .iter()
        .flat_map(|row| Operation::ALL.map(|operation| row.operation(operation)))
        .flatten()
        .any(|operation| operation.plan == Some(PlanKind::Published))
}

#[cfg(test)]
mod tests {
    use super::is_thorough;

    #[test]
    fn a_quick_measurement_is_told_from_a_thorough_one() {
        let summary = |plan: &str| {
            format!(
                r#"{{"schema_version": 1, "system": "local", "families": [], "rows": [{{"family": "f",
                "instance": "i", "implementation": "clean", "kat": "pass", "enc": {{"plan": "{plan}"}}}}]}}"#
            )
        };
        assert!(is_thorough(&summary("published")));
        assert!(!is_thorough(&summary("quick")));
        assert!(!is_thorough("{"));
    }
}
