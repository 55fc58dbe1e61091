//! `native-runner build`: compile the shared libraries.

use super::SelectionArgs;
use super::target::TargetArgs;
use crate::abi::Abi;
use crate::build::{Build, Builder, Toolchain};
use crate::cache;
use crate::outcome::Outcome;
use crate::package::Instance;
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

    /// For which machine
    #[command(flatten)]
    pub target: TargetArgs,
}

/// Runs the command.
///
/// # Errors
/// If there is no compiler, or sources cannot be fetched or read.
pub fn run(args: &BuildArgs) -> Result<Outcome> {
    let mut out = std::io::stdout().lock();
    let instances = args.selection.resolve_for(args.target.target.as_deref())?;
    let cache = cache::folder()?;
    let toolchain = Toolchain::detect(&cache.join("probe"), args.target.target.as_deref())?;
    writeln!(out, "compiler: {}", toolchain.version())?;
    let builder = Builder::new(toolchain, &cache);
    let mut progress = progress::for_this_terminal();
    let mut all_built = true;
    let header = ["instance", "flags", "PT_LOAD", "state"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let (mut complaints, mut supplied) = (Vec::new(), Vec::new());
    let list: Vec<&Instance> = instances.iter().collect();
    let mut builds: Vec<Option<Build>> = instances.iter().map(|_| None).collect();
    let mut first_error = None;
    builder.build_all(&list, &|| true, &mut |number, built| match built {
        Ok(build) => {
            progress.line(&format!("build {}", list[number].full_name()));
            builds[number] = Some(build);
        }
        Err(error) => drop(first_error.get_or_insert(error)),
    });
    if let Some(error) = first_error {
        return Err(error.into());
    }
    for (instance, build) in instances.iter().zip(builds.into_iter().flatten()) {
        let name = instance.full_name();
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
        if !result.supplied.is_empty() {
            let names = result.supplied.join(", ");
            supplied.push(format!("{name}: supplied by this runner: {names}"));
        }
        if let Some(message) = &result.message {
            all_built = false;
            let log = build.log();
            complaints.push(format!("{name}: {message} (see {})", log.display()));
        }
    }
    write!(out, "{}", terminal::table(&rows))?;
    // PQClean's packages never bring randomness: not worth a line each.
    let iccs = instances.iter().any(|instance| instance.abi == Abi::Iccs);
    for line in supplied.into_iter().filter(|_| iccs).chain(complaints) {
        writeln!(out, "{line}")?;
    }
    Ok(Outcome::well_if(all_built))
}
