//! The native-runner for another machine: `native-runner run --target … --emulate` starts it under an emulator.

use crate::paths::Workspace;
use crate::process;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// The machine that the tests under an emulator are for.
pub const AARCH64: &str = "aarch64-unknown-linux-gnu";

/// Whether there is a linker for a target.
pub fn can_link(target: &str) -> bool {
    process::find(&linker(target)).is_some()
}

fn architecture(target: &str) -> &str {
    target.split('-').next().unwrap_or(target)
}

fn linker(target: &str) -> String {
    format!("{}-linux-gnu-gcc", architecture(target))
}

/// Builds the native-runner for `target` and says where it lies.
///
/// # Errors
/// When the target's standard library cannot be had, there is no linker for it, or it does not build.
pub fn runner(workspace: &Workspace, target: &str) -> Result<PathBuf> {
    let linker = linker(target);
    if !can_link(target) {
        let architecture = architecture(target);
        bail!(
            "there is no {linker} on the PATH to link with (Debian: `apt-get install \
             gcc-{architecture}-linux-gnu`, and its C library)"
        );
    }
    if process::find("rustup").is_some() {
        process::run(std::process::Command::new("rustup").args(["target", "add", target]))?;
    }
    let variable = format!(
        "CARGO_TARGET_{}_LINKER",
        target.to_uppercase().replace('-', "_")
    );
    let mut build = process::cargo();
    build
        .args([
            "build",
            "--release",
            "--locked",
            "--package",
            "native-runner",
        ])
        .args(["--target", target])
        .env(variable, linker)
        .current_dir(workspace.root());
    process::run(&mut build)?;
    Ok(workspace
        .target()
        .join(target)
        .join("release")
        .join("native-runner"))
}
