//! `native-runner build`: compile the shared libraries.

use super::SelectionArgs;
use crate::build::{Builder, Toolchain};
use crate::cache;
use crate::outcome::Outcome;
use crate::{progress, terminal};
use anyhow::Result;
use clap::Args;
use kemscope_schema::format;
use kemscope_schema::run::BuildStatus;
use std::io::Write;

/// Compile each instance into a shared library
///
/// Uses the flags of the self-assessment guide, and once more the harness's own where those fail.
/// Libraries are kept in the cache and built again only when sources, flags or compiler change.
/// `kat`, `measure` and `run` build by themselves.
/// Exit code 0: all built; 1: some did not (the log says why).
#[derive(Args, Clone, Debug, Default)]
pub struct BuildArgs {
    /// What to build
    #[command(flatten)]
    pub selection: SelectionArgs,
}

/// Runs the command.
///
/// # Errors
/// If there is no compiler, or sources cannot be fetched or read.
pub fn run(args: &BuildArgs) -> Result<Outcome> {
    let mut out = std::io::stdout().lock();
    let instances = args.selection.resolve()?;
    let cache = cache::folder()?;
    let toolchain = Toolchain::detect(&cache.join("probe"), None)?;
    writeln!(out, "compiler: {}", toolchain.version())?;
    let builder = Builder::new(toolchain, &cache);
    let mut progress = progress::for_this_terminal();
    let mut all_built = true;
    let header = ["instance", "flags", "PT_LOAD", "state"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let mut complaints = Vec::new();
    for instance in &instances {
        let name = instance.qualified_name();
        progress.line(&format!("build {name}"));
        let build = builder.build(instance)?;
        let result = &build.result;
        let state = match (result.status, build.reused) {
            (BuildStatus::Failed, _) => "failed",
            (BuildStatus::Built, true) => "up to date",
            (BuildStatus::Built, false) => "built",
        };
        let size = result.elf_load_bytes;
        rows.push(vec![
            name.clone(),
            result.flag_set.clone(),
            size.map_or("–".to_owned(), format::kib),
            state.to_owned(),
        ]);
        if let Some(reason) = &result.fallback_reason {
            complaints.push(format!("{name}: {reason}"));
        }
        if let Some(message) = &result.message {
            all_built = false;
            let log = build.log();
            complaints.push(format!("{name}: {message} (see {})", log.display()));
        }
    }
    write!(out, "{}", terminal::table(&rows))?;
    for complaint in complaints {
        writeln!(out, "{complaint}")?;
    }
    Ok(Outcome::well_if(all_built))
}
