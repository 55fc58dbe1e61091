//! The runner's CSV: what the page's figures are compared with.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::paths::Workspace;
use xtask::process;

/// The columns of a CSV line that the tests read.
#[derive(Clone, Debug, Deserialize)]
pub struct Line {
    /// System.
    pub system: String,
    /// Family.
    pub family: String,
    /// Instance.
    pub instance: String,
    /// Security target in bits.
    pub target_bits: Option<u32>,
    /// Implementation.
    pub implementation: String,
    /// `keygen`, `enc` or `dec`; empty for an instance without figures.
    pub operation: String,
    /// Known-answer test in upper case.
    pub kat: String,
    /// Mean cycles.
    pub mean_cycles: Option<f64>,
    /// Mean seconds.
    pub mean_seconds: Option<f64>,
    /// Public key.
    pub public_key_bytes: Option<f64>,
    /// Ciphertext.
    pub ciphertext_bytes: Option<f64>,
    /// Share of the placeholder hash functions.
    pub hash_share: Option<f64>,
}

/// An instance with its operations.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Any of its lines: what they have in common.
    pub common: Line,
    /// Its lines by operation.
    pub operations: BTreeMap<String, Line>,
}

impl Instance {
    /// What tells instances apart; the same as a table row's key.
    pub fn key(&self) -> (String, String, String, String) {
        let Line {
            system,
            family,
            instance,
            implementation,
            ..
        } = &self.common;
        (
            system.clone(),
            family.clone(),
            instance.clone(),
            implementation.clone(),
        )
    }

    /// Mean cycles of an operation.
    pub fn cycles(&self, operation: &str) -> Option<f64> {
        self.operations.get(operation)?.mean_cycles
    }
}

/// The instances of a system in the order of the export.
///
/// # Errors
/// When the runner is missing or does not export the system.
pub fn instances(data: &Path, system: &str) -> Result<Vec<Instance>> {
    let mut command = Command::new(runner());
    command
        .args(["export", "--format", "csv", "--system", system, "--data"])
        .arg(data);
    let text = process::output(&mut command)?;
    let mut found: Vec<Instance> = Vec::new();
    for line in csv::Reader::from_reader(text.as_bytes()).deserialize() {
        let line: Line = line.context("a line of the export")?;
        let fits = |one: &Instance| {
            one.common.family == line.family
                && one.common.instance == line.instance
                && one.common.implementation == line.implementation
        };
        let at = found.iter().position(fits).unwrap_or_else(|| {
            found.push(Instance {
                common: line.clone(),
                operations: BTreeMap::new(),
            });
            found.len() - 1
        });
        if let Some(instance) = found.get_mut(at) {
            instance.operations.insert(line.operation.clone(), line);
        }
    }
    Ok(found)
}

/// The runner: `KEMSCOPE_RUNNER`, otherwise the one of a debug build.
fn runner() -> PathBuf {
    std::env::var_os("KEMSCOPE_RUNNER").map_or_else(
        || Workspace::here().target().join("debug/native-runner"),
        PathBuf::from,
    )
}
