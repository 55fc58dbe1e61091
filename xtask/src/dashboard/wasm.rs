//! The program itself: trunk compiles it, wasm-opt makes it small.

use crate::digest;
use crate::paths::Workspace;
use crate::process;
use crate::tools::Tools;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Features that the compiler may have used and every supported browser has.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Builds into `out`.
///
/// # Errors
/// When trunk or wasm-opt fail.
pub(super) fn build(workspace: &Workspace, tools: &Tools, out: &Path) -> Result<()> {
    let path = tools.path()?;
    let mut trunk = Command::new(tools.trunk.join("trunk"));
    trunk
        .args([
            "build",
            "--release",
            "--offline",
            "--skip-version-check",
            "--dist",
        ])
        .arg(out);
    // Colour settings of other programs (`NO_COLOR=1`) are no booleans and make trunk stop.
    trunk
        .env_remove("NO_COLOR")
        .env("PATH", &path)
        .current_dir(workspace.root());
    process::run(&mut trunk)?;
    for file in digest::files(out)?
        .iter()
        .filter(|file| file.extension().is_some_and(|e| e == "wasm"))
    {
        let small = file.with_extension("wasm.tmp");
        let mut optimiser = Command::new("wasm-opt");
        optimiser
            .arg("-Oz")
            .args(FEATURES)
            .arg(file)
            .arg("-o")
            .arg(&small)
            .env("PATH", &path);
        process::run(&mut optimiser)?;
        fs::rename(&small, file).with_context(|| format!("cannot replace {}", file.display()))?;
    }
    Ok(())
}
