//! Which of the shared primitives an implementation needs.

use super::PackageError;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The randomness of the operating system is never compiled in: the runner supplies its own.
const RANDOM_BYTES: &str = "randombytes.c";

/// What an implementation is made of.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SourceFiles {
    /// C files to compile: the implementation's own, then the shared ones it needs.
    pub sources: Vec<PathBuf>,
    /// Sources and headers that the result depends on.
    pub inputs: Vec<PathBuf>,
}

/// Collects an implementation's sources, and from the shared folder those whose headers are
/// included, directly or through one another (`fips202.h` brings `fips202.c`).
pub fn collect(directory: &Path, common: &Path) -> Result<SourceFiles, PackageError> {
    let own = files(directory)?;
    let mut sources: Vec<PathBuf> = own
        .iter()
        .filter(|p| has_extension(p, "c"))
        .cloned()
        .collect();
    if sources.is_empty() {
        return Err(PackageError::malformed(directory, "holds no .c file"));
    }
    let mut inputs: BTreeSet<PathBuf> = own
        .into_iter()
        .filter(|p| has_extension(p, "c") || has_extension(p, "h"))
        .collect();
    let mut queue: Vec<PathBuf> = inputs.iter().cloned().collect();
    while let Some(file) = queue.pop() {
        for header in included(&file)? {
            let shared = common.join(&header);
            // The implementation's own folder comes first on the include path.
            if directory.join(&header).is_file() || !shared.is_file() {
                continue;
            }
            let body = shared.with_extension("c");
            let is_random = body.file_name().is_some_and(|name| name == RANDOM_BYTES);
            if inputs.insert(shared.clone()) {
                queue.push(shared);
            }
            if !is_random && body.is_file() && inputs.insert(body.clone()) {
                sources.push(body.clone());
                queue.push(body);
            }
        }
    }
    sources.sort();
    Ok(SourceFiles {
        sources,
        inputs: inputs.into_iter().collect(),
    })
}

fn files(directory: &Path) -> Result<Vec<PathBuf>, PackageError> {
    let entries = std::fs::read_dir(directory).map_err(|e| PackageError::read(directory, e))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| PackageError::read(directory, e))?.path();
        if path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e == extension)
}

/// Names in `#include "…"` lines.
fn included(file: &Path) -> Result<Vec<String>, PackageError> {
    let bytes = std::fs::read(file).map_err(|e| PackageError::read(file, e))?;
    // Comments of C files are in whatever encoding their authors used; the names are ASCII.
    let text = String::from_utf8_lossy(&bytes);
    Ok(text
        .lines()
        .filter_map(|line| {
            let rest = line.trim_start().strip_prefix('#')?.trim_start();
            let rest = rest.strip_prefix("include")?.trim_start();
            let name = rest.strip_prefix('"')?;
            name.split_once('"').map(|(name, _)| name.to_owned())
        })
        .collect())
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
        let names: Vec<String> = collect(&own, &common)
            .unwrap()
            .sources
            .iter()
            .map(|p| p.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names, ["kem.c", "fips202.c", "sp.c"]);
    }
}
