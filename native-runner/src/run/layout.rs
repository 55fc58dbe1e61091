//! Where the files of a run lie, relative to its directory.

use kemscope_schema::Operation;

/// Paths of an instance's files in a run directory, with `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    family: String,
    /// Name that an instance's files begin with.
    stem: String,
}

/// Name of the manifest.
pub const MANIFEST: &str = "manifest.json";
/// Name of the lock file.
pub const LOCK: &str = ".lock";
/// Name of the file with what is this machine's alone and never published.
pub const PRIVATE: &str = "private.json";
/// Name of the log.
pub const LOG: &str = "run.log";

impl Layout {
    /// Of an instance in one implementation.
    pub fn new(family: &str, instance: &str, implementation: &str) -> Layout {
        Layout {
            family: family.to_owned(),
            stem: format!("{instance}__{implementation}"),
        }
    }

    /// Of an instance as the first runners laid it out: a run had one implementation of each.
    pub fn of_one_implementation(family: &str, instance: &str) -> Layout {
        Layout {
            family: family.to_owned(),
            stem: instance.to_owned(),
        }
    }

    fn file(&self, folder: &str, suffix: &str) -> String {
        format!("{folder}/{}/{}{suffix}", self.family, self.stem)
    }

    /// Record of the build.
    pub fn build(&self) -> String {
        self.file("build", ".json")
    }

    /// Log of the build.
    pub fn build_log(&self) -> String {
        self.file("build", ".log")
    }

    /// The shared library.
    pub fn library(&self) -> String {
        self.file("build", ".so")
    }

    /// Result of the known-answer test.
    pub fn kat(&self) -> String {
        self.file("kat", ".json")
    }

    /// Text of the known-answer test.
    pub fn kat_log(&self) -> String {
        self.file("kat", ".log")
    }

    /// Text of the known-answer test of another build, while it is not known whether that one is kept.
    pub fn kat_fallback_log(&self) -> String {
        self.file("kat", ".fallback.log")
    }

    /// Calibration of an operation.
    pub fn calibration(&self, operation: Operation) -> String {
        self.file("calibration", &format!("__{operation}.json"))
    }

    /// Stack and heap of an operation.
    pub fn memory(&self, operation: Operation) -> String {
        self.file("memory", &format!("__{operation}.json"))
    }

    /// Trials of an operation whose record is not complete yet.
    pub fn partial(&self, operation: Operation) -> String {
        self.file("records", &format!("__{operation}.partial.json"))
    }

    /// Record of an operation.
    pub fn record(&self, operation: Operation) -> String {
        self.file("records", &format!("__{operation}.json"))
    }

    /// Profile of an operation.
    pub fn profile(&self, operation: Operation) -> String {
        self.file("profiles", &format!("__{operation}.json"))
    }
}
