//! Which files are compiled in because others include them, and which shared primitives an implementation in
//! PQClean's layout needs.

use super::PackageError;
use crate::csource::{self, Include};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The randomness of the operating system is never compiled in: the runner supplies its own.
const RANDOM_BYTES: &str = "randombytes.c";

/// What an implementation is made of.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SourceFiles {
    /// C and assembler files to compile, in order of their paths.
    pub sources: Vec<PathBuf>,
    /// All files that the result may depend on.
    pub inputs: Vec<PathBuf>,
}

/// Extensions of assembler sources; `.S` goes through the preprocessor first.
const ASSEMBLER: [&str; 2] = ["S", "s"];
/// Extensions of C++ sources.
const CPP: [&str; 4] = ["cc", "cpp", "cxx", "C"];
/// Extensions of what PQClean's Makefiles compile.
const COMPILED: [&str; 3] = ["c", "S", "s"];

/// The languages of sources, as records name them: `C`, `C++`, `C and assembler` ….
pub fn language(sources: &[PathBuf]) -> String {
    let any = |extensions: &[&str]| {
        let is = |path: &PathBuf| extensions.iter().any(|e| has_extension(path, e));
        sources.iter().any(is)
    };
    let languages = [
        (any(&["c"]), "C"),
        (any(&CPP), "C++"),
        (any(&ASSEMBLER), "assembler"),
    ];
    let found: Vec<&str> = languages
        .into_iter()
        .filter_map(|(is, name)| is.then_some(name))
        .collect();
    found.join(" and ")
}

/// Whether the compiler for C++ has to be used.
pub fn is_cpp(path: &Path) -> bool {
    CPP.iter().any(|e| has_extension(path, e))
}

/// Whether a file is one that is compiled by itself.
pub fn is_source(path: &Path) -> bool {
    let compiled = COMPILED.iter().chain(&CPP);
    compiled.into_iter().any(|e| has_extension(path, e))
}

/// Collects an implementation's sources, and from the shared folder those whose headers are
/// included, directly or through one another (`fips202.h` brings `fips202.c`).
///
/// Compiled is what lies in the implementation's own folder, as PQClean's Makefiles do; every file
/// below it is an input, whatever it is called, because any of them may be included.
pub fn collect(directory: &Path, common: &Path) -> Result<SourceFiles, PackageError> {
    let mut own = BTreeSet::new();
    files_below(directory, &mut own)?;
    let mut sources: BTreeSet<PathBuf> = own
        .iter()
        .filter(|path| path.parent() == Some(directory) && is_compiled(path))
        .cloned()
        .collect();
    if !sources.iter().any(|path| has_extension(path, "c")) {
        return Err(PackageError::malformed(directory, "holds no .c file"));
    }
    let folders = [directory.to_owned(), common.to_owned()];
    let reached = follow(own, &folders, &mut |header| {
        if !header.starts_with(common) {
            return Vec::new();
        }
        let bodies = COMPILED.map(|extension| header.with_extension(extension));
        let bodies = bodies.into_iter().filter(|body| {
            let is_random = body.file_name().is_some_and(|name| name == RANDOM_BYTES);
            !is_random && *body != header && body.is_file()
        });
        let bodies: Vec<PathBuf> = bodies.collect();
        sources.extend(bodies.iter().cloned());
        bodies
    })?;
    Ok(SourceFiles {
        sources: sources.into_iter().collect(),
        inputs: reached.files.into_iter().collect(),
    })
}

/// What files reach by including.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// They and all that they include.
    pub files: BTreeSet<PathBuf>,
    /// Includes of names that are macros: with the file that has them.
    pub computed: Vec<(PathBuf, Include)>,
}

/// Follows the includes of files through one another. `folders` is the include path; `also` says what else a
/// header brings with it.
pub fn follow(
    start: BTreeSet<PathBuf>,
    folders: &[PathBuf],
    also: &mut dyn FnMut(&Path) -> Vec<PathBuf>,
) -> Result<Reached, PackageError> {
    let mut queue: Vec<PathBuf> = start.iter().cloned().collect();
    let mut reached = Reached {
        files: start,
        computed: Vec::new(),
    };
    while let Some(file) = queue.pop() {
        for include in included(&file)? {
            let Some(name) = &include.name else {
                reached.computed.push((file.clone(), include));
                continue;
            };
            let Some(header) = resolve(name, include.quoted, &file, folders) else {
                continue;
            };
            let more = also(&header);
            for path in std::iter::once(header).chain(more) {
                if reached.files.insert(path.clone()) {
                    queue.push(path);
                }
            }
        }
    }
    Ok(reached)
}

/// The file that an include names, in the compiler's order: where the name is in quotation marks beside the
/// including file, then on the include path. `None` for what the system brings.
pub fn resolve(name: &str, quoted: bool, from: &Path, folders: &[PathBuf]) -> Option<PathBuf> {
    let beside = from.parent().filter(|_| quoted);
    let found = beside
        .into_iter()
        .chain(folders.iter().map(PathBuf::as_path))
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())?;
    // The same file reached over `..` counts once.
    Some(tidy(&found))
}

/// A path without `.` and `..`, by its words alone.
fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                tidied.pop();
            }
            Component::CurDir => {}
            other => tidied.push(other),
        }
    }
    tidied
}

fn files_below(directory: &Path, found: &mut BTreeSet<PathBuf>) -> Result<(), PackageError> {
    let read = |cause| PackageError::read(directory, cause);
    for entry in std::fs::read_dir(directory).map_err(read)? {
        let entry = entry.map_err(read)?;
        // The entry's own kind: a link to a folder is not followed, it might lead in a circle.
        if entry.file_type().map_err(read)?.is_dir() {
            files_below(&entry.path(), found)?;
        } else if entry.path().is_file() {
            found.insert(entry.path());
        }
    }
    Ok(())
}

fn is_compiled(path: &Path) -> bool {
    COMPILED.iter().any(|e| has_extension(path, e))
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e == extension)
}

/// The includes of a file.
fn included(file: &Path) -> Result<Vec<Include>, PackageError> {
    let bytes = std::fs::read(file).map_err(|e| PackageError::read(file, e))?;
    // Comments of C files are in whatever encoding their authors used; the names are ASCII.
    Ok(csource::includes(&String::from_utf8_lossy(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn takes_only_the_shared_files_that_are_included() {
        let root = tempfile::tempdir().unwrap();
        let (own, common) = (root.path().join("clean"), root.path().join("common"));
        fs::create_dir_all(&own).unwrap();
        fs::create_dir_all(&common).unwrap();
        fs::write(
            own.join("kem.c"),
            "#include \"sp.h\"\n# include \"randombytes.h\"\n",
        )
        .unwrap();
        fs::write(common.join("sp.h"), "#include \"fips202.h\"\n").unwrap();
        for name in [
            "sp.c",
            "fips202.h",
            "fips202.c",
            "aes.h",
            "aes.c",
            "randombytes.h",
            RANDOM_BYTES,
        ] {
            fs::write(common.join(name), "\n").unwrap();
        }
        let found = collect(&own, &common).unwrap();
        assert_eq!(names(&found.sources), ["kem.c", "fips202.c", "sp.c"]);
    }

    #[test]
    fn everything_that_may_be_included_is_an_input() {
        let root = tempfile::tempdir().unwrap();
        let (own, common) = (root.path().join("clean"), root.path().join("common"));
        fs::create_dir_all(own.join("tables")).unwrap();
        fs::create_dir_all(&common).unwrap();
        let kem = "#include \"tables/zetas.inc\"\n#include \"../shared.h\"\n";
        fs::write(own.join("kem.c"), kem).unwrap();
        fs::write(own.join("ntt.S"), "\n").unwrap();
        fs::write(own.join("tables/zetas.inc"), "\n").unwrap();
        fs::write(root.path().join("shared.h"), "\n").unwrap();
        let found = collect(&own, &common).unwrap();
        assert_eq!(names(&found.sources), ["kem.c", "ntt.S"]);
        assert_eq!(
            names(&found.inputs),
            ["kem.c", "ntt.S", "zetas.inc", "shared.h"]
        );
    }

    #[test]
    fn names_in_angle_brackets_are_not_looked_for_beside_the_file() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("kem.c");
        fs::write(root.path().join("api.h"), "").unwrap();
        assert_eq!(resolve("api.h", false, &file, &[]), None);
        let folder = [root.path().to_owned()];
        assert!(resolve("api.h", false, &file, &folder).is_some());
        assert!(resolve("api.h", true, &file, &[]).is_some());
    }

    fn names(paths: &[PathBuf]) -> Vec<String> {
        let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        paths.iter().map(name).collect()
    }
}
