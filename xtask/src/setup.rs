//! `cargo xtask setup`: everything that a build needs and that is not in the repository.

use crate::console::Steps;
use crate::paths::Workspace;
use crate::prerequisites;
use crate::tools::{self, Tools};
use anyhow::Result;

/// How many steps [`run`] takes.
pub const STEPS: usize = 6;

/// Checks the machine and installs what is missing.
///
/// # Errors
/// When a prerequisite is missing or something cannot be installed.
pub fn run(workspace: &Workspace, steps: &mut Steps) -> Result<Tools> {
    steps.step("Prerequisites", || Ok(((), prerequisites::check()?)))?;
    steps.step("Compiler target", || tools::wasm_target(workspace))?;
    let trunk = steps.step("trunk", tools::trunk)?;
    let wasm_bindgen = steps.step("wasm-bindgen", || tools::wasm_bindgen(workspace))?;
    let node_modules = steps.step("Optimiser and chart library", || {
        tools::node_modules(workspace)
    })?;
    steps.step("Crates", || {
        tools::fetch_crates(workspace)?;
        Ok(((), "all crates are there".to_owned()))
    })?;
    Ok(Tools {
        trunk,
        wasm_bindgen,
        node_modules,
    })
}
