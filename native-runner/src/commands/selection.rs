//! Which instances a command works on.

use crate::cache;
use crate::emulator::architecture_of;
use crate::package::{self, Instance, Selection};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Arguments that choose instances.
#[derive(Args, Clone, Debug, Default)]
pub struct SelectionArgs {
    /// Instances to work on: NAME, or FAMILY/NAME or FAMILY/NAME/IMPLEMENTATION where that is not unique
    /// (all if none is given)
    #[arg(value_name = "INSTANCE")]
    pub instances: Vec<String>,

    /// Only instances of this family, for example ml-kem; can be repeated
    #[arg(long = "family", value_name = "ID")]
    pub families: Vec<String>,

    /// Take the packages of this folder instead of the built-in ones: a package with a kem.toml (see
    /// `native-runner add`), a tree in PQClean's layout with a catalogue.toml, or a folder of such; can be
    /// repeated, and the word builtin stands for the built-in ones
    #[arg(long, value_name = "DIR")]
    pub packages: Vec<PathBuf>,
}

impl SelectionArgs {
    /// The folders of the packages as a run remembers them: absolute, and the word for the built-in ones.
    ///
    /// # Errors
    /// If the folder that the program was started in is gone.
    pub fn folders(&self) -> Result<Vec<String>> {
        let absolute = |folder: &PathBuf| match folder.as_os_str() == package::BUILTIN {
            true => Ok(package::BUILTIN.to_owned()),
            false => Ok(std::path::absolute(folder)?.display().to_string()),
        };
        self.packages.iter().map(absolute).collect()
    }

    /// The chosen instances that can be built for a machine: that of the target triple, or this one. The others
    /// are named on standard error.
    ///
    /// # Errors
    /// As [`SelectionArgs::resolve`]; if none can be built.
    pub fn resolve_for(&self, target: Option<&str>) -> Result<Vec<Instance>> {
        let architecture = target.map_or(std::env::consts::ARCH, architecture_of);
        let (fitting, other): (Vec<Instance>, Vec<Instance>) = self
            .resolve()?
            .into_iter()
            .partition(|instance| instance.is_for(architecture));
        for instance in &other {
            eprintln!(
                "note: {} is for {} alone and left out here ({architecture})",
                instance.full_name(),
                instance.architectures.join(" and ")
            );
        }
        anyhow::ensure!(
            !fitting.is_empty(),
            "there is no instance to work on for {architecture}"
        );
        Ok(fitting)
    }

    /// The chosen instances. Fetches the built-in packages if they are not there yet.
    pub fn resolve(&self) -> Result<Vec<Instance>> {
        let cache = || cache::folder().map_err(|e| package::PackageError::Fetch(e.to_string()));
        let all = package::load_all(&self.packages, &cache)?;
        let selection = Selection {
            instances: self.instances.clone(),
            families: self.families.clone(),
        };
        let chosen = package::select(all, &selection)?;
        anyhow::ensure!(!chosen.is_empty(), "there is no instance to work on");
        Ok(chosen)
    }
}
