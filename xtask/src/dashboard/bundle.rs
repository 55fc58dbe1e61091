//! The chart library: only what the dashboard draws with, in one file.

use crate::digest;
use crate::paths::Workspace;
use crate::process;
use crate::tools::Tools;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Bundles `charts/entry.js` into `out` and returns the file's name, which carries a hash of its content.
///
/// # Errors
/// When the bundler fails.
pub(super) fn build(workspace: &Workspace, tools: &Tools, out: &Path) -> Result<String> {
    let unnamed = out.join("charts.tmp");
    let mut bundler = Command::new("esbuild");
    bundler
        .arg(workspace.join("charts/entry.js"))
        .args([
            "--bundle",
            "--minify",
            "--format=iife",
            "--target=es2020",
            "--log-level=warning",
        ])
        // The licence is Apache-2.0: its notice must go along.
        .arg("--legal-comments=eof")
        .arg(format!("--outfile={}", unnamed.display()))
        .env("PATH", tools.path()?)
        .env("NODE_PATH", &tools.node_modules);
    process::run(&mut bundler)?;
    let content = fs::read(&unnamed).context("the chart bundle cannot be read")?;
    let hash = digest::of_bytes(&content);
    let name = format!("charts-{}.js", hash.get(..16).unwrap_or(&hash));
    fs::rename(&unnamed, out.join(&name)).context("the chart bundle cannot be moved into place")?;
    Ok(name)
}
