//! The built-in KEMs: sources that cargo fetches from its registry.
//!
//! The runner writes a small manifest into its cache and asks `cargo metadata` where the crates lie.
//! Cargo downloads and checks them against the lock file; it never compiles them, and nothing of
//! them is part of this project.

use super::catalogue::Catalogue;
use super::{Instance, PackageError};
use crate::files::Place;
use cargo_metadata::{Metadata, MetadataCommand};
use std::path::{Path, PathBuf};

const MANIFEST: &str = include_str!("../../packages/Cargo.toml");
const LOCK: &str = include_str!("../../packages/Cargo.lock");
const LIBRARY: &str = include_str!("../../packages/src/lib.rs");
const CATALOGUE: &str = include_str!("builtin.toml");

/// The crate that carries the PQClean tree.
const CRATE: &str = "pqcrypto-mlkem";

/// All built-in instances; fetches their sources if they are not there yet.
///
/// `cache` is the folder that the runner may write to.
pub fn builtin(cache: &Path) -> Result<Vec<Instance>, PackageError> {
    let (tree, source) = locate(cache)?;
    Catalogue::parse(Path::new("built-in catalogue"), CATALOGUE)?.instances(&tree, &source)
}

/// Folder of the PQClean tree, and name and version of the crate that it came with.
fn locate(cache: &Path) -> Result<(PathBuf, String), PackageError> {
    let folder = cache.join("packages");
    let manifest = folder.join("Cargo.toml");
    for (path, text) in [
        (manifest.clone(), MANIFEST),
        (folder.join("Cargo.lock"), LOCK),
        (folder.join("src").join("lib.rs"), LIBRARY),
    ] {
        crate::files::write_if_changed(&path, text.as_bytes())
            .map_err(|e| PackageError::Fetch(e.within(Place::Cache).to_string()))?;
    }
    // Offline first: no network when the sources are there already.
    let metadata = metadata(&manifest, &["--locked", "--offline"])
        .or_else(|_| metadata(&manifest, &["--locked"]))
        .map_err(|error| PackageError::Fetch(explain(&error)))?;
    let package = metadata
        .packages
        .iter()
        .find(|p| p.name.as_str() == CRATE)
        .ok_or_else(|| PackageError::Fetch(format!("cargo metadata does not list {CRATE}")))?;
    let root = package
        .manifest_path
        .parent()
        .ok_or_else(|| PackageError::Fetch(format!("{}: has no folder", package.manifest_path)))?;
    let tree = root.join("pqclean").into_std_path_buf();
    Ok((tree, format!("{CRATE} {}", package.version)))
}

fn metadata(manifest: &Path, options: &[&str]) -> Result<Metadata, cargo_metadata::Error> {
    MetadataCommand::new()
        .manifest_path(manifest)
        .other_options(options.iter().map(|&o| o.to_owned()).collect::<Vec<_>>())
        .exec()
}

fn explain(error: &cargo_metadata::Error) -> String {
    match error {
        cargo_metadata::Error::Io(io) if io.kind() == std::io::ErrorKind::NotFound => {
            "cargo was not found; it fetches the sources of the built-in KEMs: install Rust from \
             https://rustup.rs or put cargo on the PATH"
                .to_owned()
        }
        cargo_metadata::Error::CargoMetadata { stderr } => format!(
            "cargo could not fetch the sources of the built-in KEMs (is this machine online? once \
             fetched they are used offline). Cargo said:\n{}",
            stderr.trim_end()
        ),
        other => format!("cargo metadata failed: {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_builtin_catalogue_lists_seven_instances_of_three_families() {
        let catalogue = Catalogue::parse(Path::new("builtin.toml"), CATALOGUE).unwrap();
        let counts: Vec<(String, usize)> = catalogue
            .families
            .iter()
            .map(|f| (f.id.clone(), f.instances.len()))
            .collect();
        let expected =
            [("ml-kem", 3), ("hqc", 3), ("classic-mceliece", 1)].map(|(id, n)| (id.to_owned(), n));
        assert_eq!(counts, expected);
    }

    #[test]
    fn a_missing_cargo_is_explained() {
        let error = cargo_metadata::Error::Io(std::io::ErrorKind::NotFound.into());
        assert!(explain(&error).contains("rustup.rs"));
    }
}
