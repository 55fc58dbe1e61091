//! Which instances a command works on.

use crate::cache;
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

    /// Take the packages of this folder instead of the built-in ones: a tree in PQClean's layout with
    /// a catalogue.toml
    #[arg(long, value_name = "DIR")]
    pub packages: Option<PathBuf>,
}

impl SelectionArgs {
    /// The chosen instances. Fetches the built-in packages if they are not there yet.
    pub fn resolve(&self) -> Result<Vec<Instance>> {
        let all = match &self.packages {
            Some(folder) => package::load_folder(folder)?,
            None => package::registry::builtin(&cache::folder()?)?,
        };
        let selection = Selection {
            instances: self.instances.clone(),
            families: self.families.clone(),
        };
        let chosen = package::select(all, &selection)?;
        anyhow::ensure!(!chosen.is_empty(), "there is no instance to work on");
        Ok(chosen)
    }
}
