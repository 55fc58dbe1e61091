//! Trees in PQClean's layout: they get a `catalogue.toml`, since one tree holds many families.

use super::naming;
use crate::package::{CATALOGUE_FILE, Meta, PackageError};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Families that sets are called after, with their names and bases, by the beginning of the set's name.
const KNOWN: [(&str, &str, &str, &str); 9] = [
    ("ml-kem", "ml-kem", "ML-KEM", "lattice"),
    ("kyber", "kyber", "Kyber", "lattice"),
    ("hqc", "hqc", "HQC", "code"),
    ("mceliece", "classic-mceliece", "Classic McEliece", "code"),
    ("ntru", "ntru", "NTRU", "lattice"),
    ("ntrulpr", "ntru-prime", "NTRU Prime", "lattice"),
    ("sntrup", "ntru-prime", "NTRU Prime", "lattice"),
    ("frodokem", "frodokem", "FrodoKEM", "lattice"),
    ("bike", "bike", "BIKE", "code"),
];

/// Whether a folder is a tree in PQClean's layout: sets with `META.yml` below `crypto_kem/`.
pub fn is_tree(folder: &Path) -> bool {
    let sets = std::fs::read_dir(folder.join("crypto_kem"));
    let has_meta = |entry: std::fs::DirEntry| entry.path().join("META.yml").is_file();
    sets.is_ok_and(|mut sets| sets.any(|set| set.is_ok_and(has_meta)))
}

/// A catalogue of all portable implementations of a tree, and what was left out of it and why.
#[derive(Debug)]
pub struct Listed {
    /// The text of the `catalogue.toml`.
    pub text: String,
    /// Number of instances.
    pub instances: usize,
    /// Sets and implementations that are not in it, each with the reason.
    pub left_out: Vec<String>,
}

/// Lists the sets of a tree.
///
/// # Errors
/// If its folders cannot be read.
pub fn list(folder: &Path) -> Result<Listed, PackageError> {
    let sets = folder.join("crypto_kem");
    let mut families: BTreeMap<(String, String, String), Vec<Set>> = BTreeMap::new();
    let mut listed = Listed {
        text: String::new(),
        instances: 0,
        left_out: Vec::new(),
    };
    for set in names(&sets)? {
        let path = sets.join(&set).join("META.yml");
        let Ok(text) = std::fs::read_to_string(&path) else {
            listed.left_out.push(format!("{set}: it has no META.yml"));
            continue;
        };
        let meta = match Meta::parse(&path, &text) {
            Ok(meta) => meta,
            Err(error) => {
                listed.left_out.push(error.to_string());
                continue;
            }
        };
        let Some(name) = naming::as_name(&meta.name) else {
            listed
                .left_out
                .push(format!("{set}: `{}` can be no instance's name", meta.name));
            continue;
        };
        for implementation in names(&sets.join(&set))? {
            if !sets
                .join(&set)
                .join(&implementation)
                .join("api.h")
                .is_file()
            {
                continue;
            }
            if implementation != "clean" {
                listed.left_out.push(format!(
                    "{set}/{implementation}: not portable; describe it by a kem.toml with its flags"
                ));
                continue;
            }
            listed.instances += 1;
            families.entry(family_of(&set)).or_default().push(Set {
                name: name.clone(),
                directory: set.clone(),
                implementation,
            });
        }
    }
    let mut text = format!(
        "# {CATALOGUE_FILE}: which sets of this tree in PQClean's layout form which family.\n\
         # Sizes, categories and known-answer tests are those of each set's META.yml.\n"
    );
    for ((id, name, category), sets) in families {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n[[family]]\nid = \"{id}\"\nname = \"{name}\"\n");
        if !category.is_empty() {
            let _ = writeln!(text, "category = \"{category}\"");
        }
        let _ = writeln!(text, "instances = [");
        for set in &sets {
            // Sets that are called alike are known by their folders.
            let same = sets.iter().filter(|other| other.name == set.name).count();
            let name = if same > 1 { &set.directory } else { &set.name };
            let (directory, implementation) = (&set.directory, &set.implementation);
            let _ = writeln!(
                text,
                "    {{ name = \"{name}\", directory = \"{directory}\", implementation = \"{implementation}\" }},"
            );
        }
        let _ = writeln!(text, "]");
    }
    listed.text = text;
    Ok(listed)
}

/// One implementation of a set.
struct Set {
    name: String,
    directory: String,
    implementation: String,
}

/// Identifier, name and category of the family that a set belongs to.
fn family_of(set: &str) -> (String, String, String) {
    let stem = naming::stem(&[set]).unwrap_or_else(|| set.to_owned());
    let known = KNOWN.iter().find(|(beginning, ..)| *beginning == stem);
    match known {
        Some((_, id, name, category)) => {
            ((*id).to_owned(), (*name).to_owned(), (*category).to_owned())
        }
        None => {
            let id = naming::family_id(&stem).unwrap_or_else(|| "unnamed".to_owned());
            (id, stem, String::new())
        }
    }
}

/// Names of the folders in a folder, in order.
fn names(folder: &Path) -> Result<Vec<String>, PackageError> {
    let read = |cause| PackageError::read(folder, cause);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(read)? {
        let entry = entry.map_err(read)?;
        if entry.path().is_dir() {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found.sort_by_key(|name| super::natural(name));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::family_of;

    #[test]
    fn sets_are_told_their_families() {
        assert_eq!(family_of("ml-kem-768").0, "ml-kem");
        assert_eq!(family_of("mceliece348864f").0, "classic-mceliece");
        assert_eq!(family_of("sntrup761").0, "ntru-prime");
        assert_eq!(family_of("saber").0, "saber");
    }
}
