//! All packages below the folders that a command line names.

use super::catalogue::{self, CATALOGUE_FILE};
use super::file::PACKAGE_FILE;
use super::{Instance, PackageError, load, registry};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The word that stands for the built-in packages where a folder could stand.
pub const BUILTIN: &str = "builtin";

/// How deep packages may lie below a folder.
const DEEPEST: usize = 8;

/// An instance, and where it is described.
struct Described {
    instance: Instance,
    place: String,
}

/// The instances of all packages below `folders`, in order of the folders and, below each, of their names;
/// those of the built-in packages where there is no folder or it is called [`BUILTIN`]. `cache` is the
/// folder that the runner may write to.
///
/// # Errors
/// If a folder holds no package, a description is wrong, or two describe the same implementation.
pub fn load_all(
    folders: &[PathBuf],
    cache: &dyn Fn() -> Result<PathBuf, PackageError>,
) -> Result<Vec<Instance>, PackageError> {
    let mut found: Vec<Described> = Vec::new();
    let builtin = PathBuf::from(BUILTIN);
    let folders = match folders {
        [] => std::slice::from_ref(&builtin),
        folders => folders,
    };
    let mut seen = BTreeSet::new();
    for folder in folders {
        let described = match *folder == builtin {
            true => with_place(registry::builtin(&cache()?)?, "the built-in packages"),
            false => below(folder, &mut seen)?,
        };
        for described in described {
            refuse_contradiction(&found, &described)?;
            found.push(described);
        }
    }
    Ok(found
        .into_iter()
        .map(|described| described.instance)
        .collect())
}

fn with_place(instances: Vec<Instance>, place: &str) -> Vec<Described> {
    let place = |instance| Described {
        instance,
        place: place.to_owned(),
    };
    instances.into_iter().map(place).collect()
}

/// The instances of a folder: a package, or a folder of packages. `seen` are the folders that were looked into,
/// as they really lie: links may lead to one twice, or in a circle.
fn below(folder: &Path, seen: &mut BTreeSet<PathBuf>) -> Result<Vec<Described>, PackageError> {
    let real = std::fs::canonicalize(folder).map_err(|cause| PackageError::read(folder, cause))?;
    let known = seen.contains(&real);
    let mut found = Vec::new();
    walk(folder, DEEPEST, seen, &mut found)?;
    if found.is_empty() && !known {
        let message = format!(
            "there is no package: no folder with a {PACKAGE_FILE} or {CATALOGUE_FILE}; `native-runner add` writes \
             a {PACKAGE_FILE} for an unpacked package"
        );
        return Err(PackageError::malformed(folder, message));
    }
    Ok(found)
}

/// Packages do not lie in one another: what is below one belongs to it.
fn walk(
    folder: &Path,
    depth: usize,
    seen: &mut BTreeSet<PathBuf>,
    found: &mut Vec<Described>,
) -> Result<(), PackageError> {
    let read = |cause| PackageError::read(folder, cause);
    if !seen.insert(std::fs::canonicalize(folder).map_err(read)?) {
        return Ok(());
    }
    let description = folder.join(PACKAGE_FILE);
    if description.is_file() {
        for (instance, line) in load::load_package(folder)? {
            let place = format!("{}:{line}", description.display());
            found.push(Described { instance, place });
        }
        return Ok(());
    }
    let list = folder.join(CATALOGUE_FILE);
    if list.is_file() {
        let instances = catalogue::load_folder(folder)?;
        found.extend(with_place(instances, &list.display().to_string()));
        return Ok(());
    }
    if depth == 0 {
        return Ok(());
    }
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(read)? {
        let entry = entry.map_err(read)?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && entry.path().is_dir() {
            // Those that lie here come before those that links lead to.
            let link = entry.file_type().map_err(read)?.is_symlink();
            folders.push((link, entry.path()));
        }
    }
    folders.sort();
    for (_, folder) in folders {
        walk(&folder, depth - 1, seen, found)?;
    }
    Ok(())
}

/// Figures stand beside each other by these names: none may mean two things.
fn refuse_contradiction(known: &[Described], new: &Described) -> Result<(), PackageError> {
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let name = new.instance.full_name();
    for old in known {
        if same(&old.instance.full_name(), &name) {
            return Err(PackageError::Selection(format!(
                "{name} is described twice, by {} and by {}: give one of them another variant, or name the folders \
                 that are meant with --packages",
                old.place, new.place
            )));
        }
        let (one, other) = (&old.instance.family, &new.instance.family);
        if same(&one.id, &other.id) && one != other {
            return Err(PackageError::Selection(format!(
                "family {} is `{}` in {} and `{}` in {}: two families need two ids, one family has one name and \
                 category",
                other.id, one.name, old.place, other.name, new.place
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn package(folder: &Path, id: &str, name: &str, variant: &str) {
        fs::create_dir_all(folder).unwrap();
        let text = format!(
            "[package]\nid = '{id}'\nname = '{name}'\n[[instance]]\nname = 'T-1'\nvariant = '{variant}'\nabi = 'iccs'\n\
             sources = ['kem.c']\n"
        );
        fs::write(folder.join("kem.toml"), text).unwrap();
        fs::write(folder.join("kem.c"), "").unwrap();
    }

    fn names(folders: &[&Path]) -> Result<Vec<String>, String> {
        let folders: Vec<PathBuf> = folders.iter().map(|f| f.to_path_buf()).collect();
        load_all(&folders, &|| {
            unreachable!("no built-in package is asked for")
        })
        .map(|found| found.iter().map(Instance::full_name).collect())
        .map_err(|e| e.to_string())
    }

    #[test]
    fn a_folder_is_a_package_or_holds_packages() {
        let root = tempfile::tempdir().unwrap();
        let all = root.path().join("alle Pakete");
        package(&all.join("b/inner"), "b", "B", "reference");
        package(&all.join("a ä"), "a", "A", "reference");
        // Inside of a package and hidden ones are none of their own.
        package(&all.join("a ä/old"), "c", "C", "reference");
        package(&all.join(".git"), "d", "D", "reference");
        symlink("..", all.join("b/loop")).unwrap();
        assert_eq!(
            names(&[&all]).unwrap(),
            ["a/T-1/reference", "b/T-1/reference"]
        );
        assert_eq!(
            names(&[&all.join("b"), &all.join("a ä")]).unwrap(),
            ["b/T-1/reference", "a/T-1/reference"]
        );
        let error = names(&[root.path().join("none").as_path()]).unwrap_err();
        assert!(error.contains("none"), "{error}");
        // One package named twice is one.
        assert_eq!(names(&[&all, &all.join("b")]).unwrap().len(), 2);
        fs::create_dir(root.path().join("empty")).unwrap();
        let error = names(&[&root.path().join("empty")]).unwrap_err();
        assert!(error.contains("native-runner add"), "{error}");
    }

    #[test]
    fn one_name_means_one_thing() {
        let root = tempfile::tempdir().unwrap();
        let (one, two) = (root.path().join("1"), root.path().join("2"));
        package(&one, "a", "A", "reference");
        package(&two, "A", "A", "Reference");
        let error = names(&[root.path()]).unwrap_err();
        assert!(
            error.contains("1/kem.toml:5") && error.contains("2/kem.toml:5"),
            "{error}"
        );
        package(&two, "a", "A", "optimized");
        assert_eq!(names(&[root.path()]).unwrap().len(), 2);
        package(&two, "a", "Another", "optimized");
        let error = names(&[root.path()]).unwrap_err();
        assert!(
            error.contains("`A`") && error.contains("`Another`"),
            "{error}"
        );
    }
}
