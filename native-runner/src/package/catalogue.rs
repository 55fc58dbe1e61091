//! Catalogues: which sets of a package tree form which families.

use super::meta::Meta;
use super::{Instance, PackageError, api_header, includes};
use crate::abi::Abi;
use kemscope_schema::identifier::is_family_identifier;
use kemscope_schema::{Category, Family};
use serde::Deserialize;
use std::path::Path;

/// Name of the catalogue file in a folder of packages.
pub const CATALOGUE_FILE: &str = "catalogue.toml";

/// Families and their instances, as a catalogue file lists them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// Where the sources come from, for example `pqcrypto-mlkem 0.1.1`; the built-in catalogue gets
    /// it from cargo.
    #[serde(default)]
    pub source: Option<String>,
    /// The families in order.
    #[serde(rename = "family")]
    pub families: Vec<CatalogueFamily>,
}

/// One family of a catalogue.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogueFamily {
    /// Identifier: letters, digits, `-` and `_`, beginning with a letter or digit; not the name of one of a
    /// system's own files (`system`, `summary`, `index`, `raw`).
    pub id: String,
    /// Name of the scheme.
    pub name: String,
    /// Mathematical basis.
    #[serde(default)]
    pub category: Option<Category>,
    /// The instances in order.
    pub instances: Vec<CatalogueInstance>,
}

/// One instance of a catalogue.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogueInstance {
    /// Name of the parameter set.
    pub name: String,
    /// Folder of the set below `crypto_kem/`.
    pub directory: String,
    /// Folder of the implementation within the set.
    pub implementation: String,
}

impl Catalogue {
    /// Reads a catalogue. `path` is named in errors.
    pub fn parse(path: &Path, text: &str) -> Result<Catalogue, PackageError> {
        let catalogue: Catalogue =
            toml::from_str(text).map_err(|e| PackageError::malformed(path, e.to_string()))?;
        for family in &catalogue.families {
            check_family(path, &family.id)?;
            for instance in &family.instances {
                check_name(path, "instance name", &instance.name)?;
                check_name(path, "directory", &instance.directory)?;
                check_name(path, "implementation", &instance.implementation)?;
            }
        }
        Ok(catalogue)
    }

    /// All instances, read from the package tree at `tree`.
    pub fn instances(&self, tree: &Path, source: &str) -> Result<Vec<Instance>, PackageError> {
        let mut found: Vec<Instance> = Vec::new();
        for family in &self.families {
            let identity = Family {
                id: family.id.clone(),
                name: family.name.clone(),
                category: family.category,
            };
            for entry in &family.instances {
                let instance = read_instance(tree, &identity, entry, source)?;
                let name = instance.full_name();
                if found.iter().any(|other| other.full_name() == name) {
                    let message = format!("{name} is listed twice");
                    return Err(PackageError::malformed(tree, message));
                }
                found.push(instance);
            }
        }
        Ok(found)
    }
}

/// All instances of a folder with a [`CATALOGUE_FILE`] and a package tree beside it.
pub fn load_folder(folder: &Path) -> Result<Vec<Instance>, PackageError> {
    let folder = std::path::absolute(folder).map_err(|e| PackageError::read(folder, e))?;
    let path = folder.join(CATALOGUE_FILE);
    let text = std::fs::read_to_string(&path).map_err(|e| PackageError::read(&path, e))?;
    let catalogue = Catalogue::parse(&path, &text)?;
    let source = match &catalogue.source {
        Some(source) => source.clone(),
        None => folder.display().to_string(),
    };
    catalogue.instances(&folder, &source)
}

fn read_instance(
    tree: &Path,
    family: &Family,
    entry: &CatalogueInstance,
    source: &str,
) -> Result<Instance, PackageError> {
    let set = tree.join("crypto_kem").join(&entry.directory);
    let directory = set.join(&entry.implementation);
    let common = tree.join("common");
    let meta_path = set.join("META.yml");
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|e| PackageError::read(path, e));
    let meta = Meta::parse(&meta_path, &read(&meta_path)?)?;
    let header = directory.join("api.h");
    let files = includes::collect(&directory, &common)?;
    let version = meta
        .implementations
        .iter()
        .find(|i| i.name == entry.implementation)
        .and_then(|i| i.version.as_deref());
    Ok(Instance {
        family: family.clone(),
        name: entry.name.clone(),
        implementation: entry.implementation.clone(),
        source: match version {
            Some(version) => format!("{source} (PQClean; {version})"),
            None => source.to_owned(),
        },
        language: includes::language(&files.sources),
        root: tree.to_owned(),
        include: vec![directory, common],
        defines: Vec::new(),
        flags: Vec::new(),
        libraries: Vec::new(),
        architectures: Vec::new(),
        abi: Abi::Pqclean {
            namespace: api_header::namespace(&header, &read(&header)?)?,
        },
        declared: meta.declared(&meta_path)?,
        defect: None,
        sources: files.sources,
        inputs: files.inputs,
    })
}

fn check_family(path: &Path, id: &str) -> Result<(), PackageError> {
    if is_family_identifier(id) {
        return Ok(());
    }
    let message = format!(
        "family id `{id}`: letters, digits, - and _, beginning with a letter or digit, and not system, \
         summary, index or raw"
    );
    Err(PackageError::malformed(path, message))
}

/// Names become parts of paths: letters, digits, `.`, `_`, `+` and `-`, not beginning with a dot.
fn check_name(path: &Path, what: &str, name: &str) -> Result<(), PackageError> {
    let fine = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    if !name.is_empty() && !name.starts_with('.') && name.chars().all(fine) && !name.contains("__")
    {
        return Ok(());
    }
    let message = format!(
        "{what} `{name}`: only letters, digits and . _ + - (no leading dot, no double underscore)"
    );
    Err(PackageError::malformed(path, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_leave_the_folder_are_refused() {
        for name in ["../x", "", ".hidden", "a/b", "a__b"] {
            let text = format!(
                "[[family]]\nid='f'\nname='F'\ninstances=[{{name='{name}',directory='d',implementation='clean'}}]"
            );
            let error = Catalogue::parse(Path::new("catalogue.toml"), &text).unwrap_err();
            assert!(error.to_string().contains("instance name"), "{error}");
        }
    }

    #[test]
    fn a_family_is_not_called_like_a_file_of_its_system() {
        for id in ["summary", "system", "index", "raw", "a.b", "x y", ""] {
            let text = format!("[[family]]\nid='{id}'\nname='F'\ninstances=[]");
            let error = Catalogue::parse(Path::new("catalogue.toml"), &text).unwrap_err();
            assert!(error.to_string().contains("family id"), "{error}");
        }
    }

    #[test]
    fn a_misspelt_key_is_named() {
        let text = "[[family]]\nid='f'\nname='F'\nbasis='code'\ninstances=[]";
        let error = Catalogue::parse(Path::new("catalogue.toml"), text).unwrap_err();
        assert!(error.to_string().contains("basis"), "{error}");
    }
}
