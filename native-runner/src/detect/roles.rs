//! Which files are the submitter's drivers, benchmarks and tests, and which stand in for the randomness that the
//! runner brings.

use super::interface::Interface;
use super::survey::Source;

/// Folders whose files test, time or show a KEM.
const FOLDERS: [&str; 16] = [
    "test",
    "tests",
    "testing",
    "unittest",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "speed",
    "example",
    "examples",
    "demo",
    "kat",
    "nistkat",
    "valgrind",
    "fuzz",
];

/// Beginnings of the names of such files.
const BEGINNINGS: [&str; 9] = [
    "pqcgenkat",
    "kat_",
    "katkem",
    "genkat",
    "test_",
    "bench",
    "speed",
    "testvectors",
    "example_",
];

/// Ends of the names of such files, without extension.
const ENDS: [&str; 5] = ["_test", "_tests", "_bench", "_benchmark", "_speed"];

/// Whole names of such files, without extension.
const WHOLE: [&str; 6] = ["test", "tests", "kat", "main", "demo", "example"];

/// Why a file is not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// It defines `main`.
    Main,
    /// It lies in a folder of tests or benchmarks.
    Folder(String),
    /// It is called like a test or benchmark.
    Name,
    /// It defines `randombytes`, which has to come from the runner.
    Randomness,
    /// Another file includes it.
    Included(String),
    /// It defines what another file defines, and only that one is in the Makefile.
    Makefile {
        /// The other file.
        other: String,
        /// The Makefile.
        makefile: String,
    },
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LeftOut::Main => f.write_str("defines main: a driver"),
            LeftOut::Folder(folder) => write!(f, "lies in {folder}/: a test or benchmark"),
            LeftOut::Name => f.write_str("is called like a test, benchmark or KAT driver"),
            LeftOut::Randomness => {
                f.write_str("defines randombytes: randomness comes from the runner")
            }
            LeftOut::Included(by) => write!(f, "is included by {by}"),
            LeftOut::Makefile { other, makefile } => {
                write!(
                    f,
                    "defines what {other} defines too, which {makefile} lists instead"
                )
            }
        }
    }
}

/// Why a file is not compiled for an interface, as far as it can be told from the file alone; `folder` is the
/// folder of the instance, whose own name says nothing. `None` for a file of the KEM.
pub fn left_out(source: &Source, interface: &Interface, folder: &str) -> Option<LeftOut> {
    if interface.is_defined_by(&source.symbols) {
        return None;
    }
    if source.symbols.defines("main") {
        return Some(LeftOut::Main);
    }
    let random = ["randombytes", "PQCLEAN_randombytes"];
    if *interface != Interface::Iccs && random.iter().any(|name| source.symbols.defines(name)) {
        return Some(LeftOut::Randomness);
    }
    let below = source
        .file
        .name
        .strip_prefix(folder)
        .unwrap_or(&source.file.name);
    let mut folders: Vec<&str> = below.split('/').collect();
    folders.pop();
    if let Some(folder) = folders.into_iter().find(|part| is_test_folder(part)) {
        return Some(LeftOut::Folder(folder.to_owned()));
    }
    let base = source.file.base();
    let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
    let stem = stem.to_ascii_lowercase();
    let named = BEGINNINGS
        .iter()
        .any(|beginning| stem.starts_with(beginning))
        || ENDS.iter().any(|end| stem.ends_with(end))
        || WHOLE.contains(&stem.as_str());
    named.then_some(LeftOut::Name)
}

/// Whether a folder is called like one of tests or benchmarks.
pub fn is_test_folder(name: &str) -> bool {
    FOLDERS.contains(&name.to_ascii_lowercase().as_str())
}
