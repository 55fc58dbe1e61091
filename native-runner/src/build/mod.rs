//! From C sources to one shared library per instance.
//!
//! Libraries are kept in the cache under a digest of everything they depend on, so that only what
//! changed is compiled again. Nothing that a package ships is executed: no Makefile, no script.

mod attempt;
mod command;
mod elf;
mod fingerprint;
pub mod flags;
mod heap;
mod parallel;
mod support;
mod symbols;
mod toolchain;

pub use toolchain::{Toolchain, ToolchainError, host_triple};

use crate::files::{self, FileError, Place};
use crate::package::Instance;
use crate::scratch::Scratch;
use crate::time;
use attempt::Attempt;
use flags::{ATTEMPTS, FlagSet};
use kemscope_schema::SCHEMA_VERSION;
use kemscope_schema::run::{BuildResult, BuildStatus};
use std::path::{Path, PathBuf};

/// Files of a build in its cache folder.
const LIBRARY: &str = "library.so";
const LOG: &str = "build.log";
const RESULT: &str = "build.json";
/// Stands for the digest of inputs that cannot be read.
const UNREADABLE: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What goes into a variant of a library beside the package's own sources: the profile's wrappers, for example.
#[derive(Clone, Debug, Default)]
pub struct Relink {
    /// Names and texts of further C sources.
    pub sources: Vec<(String, String)>,
    /// Further flags of the link command.
    pub link_flags: Vec<String>,
}

/// Why a build could not even be tried.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Files of the cache.
    #[error(transparent)]
    File(FileError),
    /// The compiler could not be started, or sources not be read.
    #[error("{label}: {cause}")]
    Io {
        /// The instance.
        label: String,
        /// Why.
        cause: std::io::Error,
    },
}

/// A build, done now or found in the cache. Paths in `result` are file names in `folder`.
pub struct Build {
    /// The record.
    pub result: BuildResult,
    /// Folder of library and log.
    pub folder: PathBuf,
    /// Whether an up-to-date library was at hand.
    pub reused: bool,
}

impl BuildError {
    fn io(instance: &Instance, cause: std::io::Error) -> BuildError {
        BuildError::Io {
            label: instance.qualified_name(),
            cause,
        }
    }

    /// All files of a builder are the cache's.
    fn in_cache(error: FileError) -> BuildError {
        BuildError::File(error.within(Place::Cache))
    }
}

impl Build {
    /// The library, if there is one.
    pub fn library(&self) -> Option<PathBuf> {
        self.result
            .library
            .as_ref()
            .map(|name| self.folder.join(name))
    }

    /// The content of the library, if there is one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_library(&self) -> Result<Option<Vec<u8>>, BuildError> {
        let read = |path: PathBuf| files::read(&path).map_err(BuildError::in_cache);
        self.library().map(read).transpose()
    }

    /// The content of the log.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_log(&self) -> Result<Vec<u8>, BuildError> {
        files::read(&self.log()).map_err(BuildError::in_cache)
    }

    /// The log.
    pub fn log(&self) -> PathBuf {
        self.folder.join(&self.result.log)
    }
}

/// Builds instances into a cache folder.
pub struct Builder {
    toolchain: Toolchain,
    cache: PathBuf,
    /// Compilers that one build may run at the same time.
    jobs: usize,
}

impl Builder {
    /// A builder that keeps libraries below `cache`.
    pub fn new(toolchain: Toolchain, cache: &Path) -> Builder {
        Builder {
            toolchain,
            cache: cache.join("build"),
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// The triple of the machine that libraries are for.
    pub fn target(&self) -> &str {
        self.toolchain.target()
    }

    /// The compiler with its version.
    pub fn compiler(&self) -> &str {
        self.toolchain.version()
    }

    /// SHA-256 over sources, flags and compiler, for each flag set that an instance may be built with: those of
    /// [`BuildResult::input_sha256`]. Zeros where a source cannot be read.
    pub fn inputs(&self, instance: &Instance) -> Vec<String> {
        let plain = Relink::default();
        let digest = |set: FlagSet| {
            let flags = self.toolchain.flags(&set);
            fingerprint::of(instance, &self.toolchain, &flags, &plain)
                .unwrap_or_else(|_| UNREADABLE.to_owned())
        };
        ATTEMPTS.into_iter().map(digest).collect()
    }

    /// Builds with the guide's flags, and if that fails once more with the harness's own.
    pub fn build(&self, instance: &Instance) -> Result<Build, BuildError> {
        self.build_using(instance, self.jobs)
    }

    /// As [`Builder::build`], with so many compilers at the same time.
    fn build_using(&self, instance: &Instance, jobs: usize) -> Result<Build, BuildError> {
        let [first, second] = ATTEMPTS;
        let plain = Relink::default();
        let build = self.attempt(instance, &first, None, &plain, jobs)?;
        match (&build.result.status, &build.result.message) {
            // Other flags do not mend a description.
            (BuildStatus::Failed, Some(message)) if instance.defect.is_none() => {
                let reason = format!("did not build with `{}`: {message}", first.name);
                self.attempt(instance, &second, Some(reason), &plain, jobs)
            }
            _ => Ok(build),
        }
    }

    /// Whether a record is of what would be built now: the same sources, flags, interface and compiler.
    pub fn is_current(&self, instance: &Instance, result: &BuildResult) -> bool {
        let set = ATTEMPTS
            .iter()
            .find(|set| set.is_labelled(&result.flag_set));
        let digest = set.and_then(|set| {
            let flags = self.toolchain.flags(set);
            fingerprint::of(instance, &self.toolchain, &flags, &Relink::default()).ok()
        });
        digest.is_some_and(|digest| digest == result.input_sha256)
    }

    /// Builds with one flag set. `reason` says why it is not the first one.
    pub fn build_with(
        &self,
        instance: &Instance,
        set: &FlagSet,
        reason: Option<String>,
    ) -> Result<Build, BuildError> {
        self.build_variant(instance, set, reason, &Relink::default())
    }

    /// Builds a variant of a library with one flag set: further sources and link flags.
    pub fn build_variant(
        &self,
        instance: &Instance,
        set: &FlagSet,
        reason: Option<String>,
        relink: &Relink,
    ) -> Result<Build, BuildError> {
        self.attempt(instance, set, reason, relink, self.jobs)
    }

    /// Compiles an instance's sources with one flag set, to look at the objects: nothing is linked or kept. The
    /// first error where a source does not compile.
    ///
    /// # Errors
    /// If files cannot be written, or the compiler not be started.
    pub fn compile(
        &self,
        instance: &Instance,
        set: &FlagSet,
    ) -> Result<Result<Vec<Vec<u8>>, String>, BuildError> {
        let scratch = tempfile::Builder::new()
            .prefix("kemscope-objects-")
            .tempdir()
            .map_err(|e| BuildError::io(instance, e))?;
        let order = attempt::Order {
            toolchain: &self.toolchain,
            flags: &self.toolchain.flags(set),
            instance,
            relink: &Relink::default(),
            scratch: &scratch.path().join("objects"),
            jobs: self.jobs,
        };
        attempt::compile(&order).map_err(|e| BuildError::io(instance, e))
    }

    fn attempt(
        &self,
        instance: &Instance,
        set: &FlagSet,
        reason: Option<String>,
        relink: &Relink,
        jobs: usize,
    ) -> Result<Build, BuildError> {
        let io = |cause| BuildError::io(instance, cause);
        let flags = self.toolchain.flags(set);
        let place = self
            .cache
            .join(&instance.family.id)
            .join(format!("{}__{}", instance.name, instance.implementation));
        let fingerprint = match &instance.defect {
            Some(defect) => Err(defect.clone()),
            None => fingerprint::of(instance, &self.toolchain, &flags, relink)
                .map_err(|cause| format!("a source cannot be read: {cause}")),
        };
        let digest = match fingerprint {
            Ok(digest) => digest,
            // The package's fault: it costs this instance alone.
            Err(defect) => {
                let message = format!("error: {defect}");
                let attempt = Attempt::impossible(message);
                let folder = place.join("unreadable");
                files::create_folder(&folder).map_err(BuildError::in_cache)?;
                let mut result =
                    self.describe(instance, set, flags, UNREADABLE.to_owned(), &attempt);
                result.fallback_reason = reason;
                return keep(folder, result, &attempt);
            }
        };
        let folder = place.join(&digest[..16]);
        if let Some(mut result) = up_to_date(&folder, &digest) {
            result.fallback_reason = reason;
            return Ok(Build {
                result,
                folder,
                reused: true,
            });
        }
        files::create_folder(&folder).map_err(BuildError::in_cache)?;
        let scratch = Scratch::new_in(&folder, "compile-")
            .map_err(|e| BuildError::in_cache(FileError::io("create", &folder, e)))?;
        let unfinished = scratch.path().join(LIBRARY);
        let order = attempt::Order {
            toolchain: &self.toolchain,
            flags: &flags,
            instance,
            relink,
            scratch: &scratch.path().join("objects"),
            jobs,
        };
        let attempt = attempt::build(&order, &unfinished).map_err(io)?;
        let mut result = self.describe(instance, set, flags, digest, &attempt);
        result.fallback_reason = reason;
        if result.status == BuildStatus::Built {
            let bytes = files::read(&unfinished).map_err(BuildError::in_cache)?;
            match elf::load_bytes(&bytes) {
                Ok(size) => {
                    files::write_atomic(&folder.join(LIBRARY), &bytes)
                        .map_err(BuildError::in_cache)?;
                    result.elf_load_bytes = Some(size);
                    result.library = Some(LIBRARY.to_owned());
                    result.library_sha256 = Some(files::sha256_hex(&bytes));
                }
                Err(message) => {
                    result.status = BuildStatus::Failed;
                    result.message = Some(message);
                }
            }
        }
        keep(folder, result, &attempt)
    }

    fn describe(
        &self,
        instance: &Instance,
        set: &FlagSet,
        flags: Vec<String>,
        input_sha256: String,
        attempt: &Attempt,
    ) -> BuildResult {
        BuildResult {
            schema_version: SCHEMA_VERSION,
            family: instance.family.id.clone(),
            instance: instance.name.clone(),
            implementation: instance.implementation.clone(),
            status: match attempt.error {
                None => BuildStatus::Built,
                Some(_) => BuildStatus::Failed,
            },
            flag_set: self.toolchain.label(set),
            flags,
            fallback_reason: None,
            compiler: self.compiler().to_owned(),
            commands: attempt.commands.clone(),
            supplied: attempt.supplied.clone(),
            input_sha256,
            library: None,
            library_sha256: None,
            elf_load_bytes: None,
            log: LOG.to_owned(),
            log_sha256: files::sha256_hex(attempt.log.as_bytes()),
            message: attempt.error.clone(),
            built_utc: time::now_utc(),
        }
    }
}

/// Writes log and record; the record comes last.
fn keep(folder: PathBuf, result: BuildResult, attempt: &Attempt) -> Result<Build, BuildError> {
    files::write_atomic(&folder.join(LOG), attempt.log.as_bytes()).map_err(BuildError::in_cache)?;
    files::write_json(&folder.join(RESULT), &result).map_err(BuildError::in_cache)?;
    Ok(Build {
        result,
        folder,
        reused: false,
    })
}

/// The record of a library that was built from the very same inputs and is still whole.
fn up_to_date(folder: &Path, digest: &str) -> Option<BuildResult> {
    let result: BuildResult = files::read_json(&folder.join(RESULT)).ok()?;
    let whole = |name: &Option<String>, sha256: &Option<String>| {
        let bytes = files::read(&folder.join(name.as_ref()?)).ok()?;
        (files::sha256_hex(&bytes) == *sha256.as_ref()?).then_some(())
    };
    let fresh = result.schema_version == SCHEMA_VERSION
        && result.status == BuildStatus::Built
        && result.input_sha256 == digest
        && whole(&result.library, &result.library_sha256).is_some()
        && whole(&Some(result.log.clone()), &Some(result.log_sha256.clone())).is_some();
    fresh.then_some(result)
}
