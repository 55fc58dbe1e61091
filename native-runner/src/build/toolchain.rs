//! The C and C++ compilers, as the `cc` crate finds them (`CC`, `CFLAGS` and their like are respected).

use super::flags::FlagSet;
use crate::scratch::Scratch;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};

/// What is linked into every library beside the objects: undefined symbols are errors of the build,
/// not of loading; the mathematical library for those who use it.
const LINK_FLAGS: &[&str] = &["-shared", "-Wl,-z,defs"];
const LINK_LIBRARIES: &[&str] = &["-lm"];

/// The compiler of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C, and assembler.
    C,
    /// C++.
    Cpp,
}

/// Flags of the sets that a C++ compiler would complain of.
const C_ONLY: &[&str] = &[
    "-std=c99",
    "-std=gnu11",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=int-conversion",
    "-Wno-error=implicit-int",
];

/// The compilers of this machine, for this machine or for another.
pub struct Toolchain {
    c: Tool,
    /// Looked for when the first package needs it.
    cpp: OnceLock<Result<Tool, String>>,
    probe: cc::Build,
    version: String,
    target: String,
    flags: Mutex<HashMap<&'static str, Vec<String>>>,
    _trials: Scratch,
}

/// One compiler.
struct Tool {
    program: PathBuf,
    /// Where the program is a launcher such as ccache: the compiler behind it.
    launched: Vec<OsString>,
    /// Flags that come before all others, from `CC` and `CFLAGS`.
    own_flags: Vec<OsString>,
    /// What tells a compiler for many targets which one is meant.
    target_flag: Option<String>,
    environment: Vec<(OsString, OsString)>,
}

/// No compiler that works.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ToolchainError(String);

/// The target triple of this program's own machine.
pub fn host_triple() -> String {
    let libc = if cfg!(target_env = "musl") {
        "musl"
    } else {
        "gnu"
    };
    format!("{}-unknown-linux-{libc}", std::env::consts::ARCH)
}

impl Toolchain {
    /// Finds the compiler for `target`, or for this machine. `scratch` is a folder for trial compilations.
    ///
    /// # Errors
    /// If there is none that works.
    pub fn detect(scratch: &Path, target: Option<&str>) -> Result<Toolchain, ToolchainError> {
        std::fs::create_dir_all(scratch)
            .map_err(|e| ToolchainError(format!("{}: {e}", scratch.display())))?;
        // Of this process alone: another runner's trial files would decide about flags too.
        let trials = Scratch::new_in(scratch, "trials-")
            .map_err(|e| ToolchainError(format!("{}: {e}", scratch.display())))?;
        let host = host_triple();
        let target = target.unwrap_or(&host);
        let mut probe = cc::Build::new();
        probe
            .target(target)
            .host(&host)
            .opt_level(2)
            .debug(false)
            .no_default_flags(true)
            .inherit_rustflags(false)
            .inherit_trim_paths(false)
            .warnings(false)
            .extra_warnings(false)
            .cargo_output(false)
            .cargo_metadata(false)
            .cargo_warnings(false)
            .emit_rerun_if_env_changed(false)
            .out_dir(trials.path());
        let (c, version) =
            Tool::find(&probe, target, &host).map_err(|why| no_compiler(&why, target, "C"))?;
        Ok(Toolchain {
            c,
            cpp: OnceLock::new(),
            probe,
            version,
            target: target.to_owned(),
            flags: Mutex::default(),
            _trials: trials,
        })
    }

    /// The compiler with its version, as it introduces itself.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The triple of the machine that it compiles for.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// A set's name in records: it tells whether the environment added flags.
    pub fn label(&self, set: &FlagSet) -> String {
        set.label(!self.c.own_flags.is_empty())
    }

    /// Flags and libraries of the link command, beside those of the set.
    pub fn link_flags() -> impl Iterator<Item = &'static str> {
        LINK_FLAGS.iter().chain(LINK_LIBRARIES).copied()
    }

    /// A flag set for this compiler: flags from the environment, the fixed ones, and of the others
    /// those that it knows. What a package asks for comes behind them.
    pub fn flags(&self, set: &FlagSet) -> Vec<String> {
        // Held while the compiler is asked, so that two builds do not write the same trial files.
        let mut known = self.flags.lock().unwrap_or_else(|e| e.into_inner());
        known
            .entry(set.name)
            .or_insert_with(|| {
                let own = self.c.own_flags.iter();
                let own = own.map(|flag| flag.to_string_lossy().into_owned());
                let target = self.c.target_flag.clone();
                let fixed = set.fixed.iter().map(|&flag| flag.to_owned());
                let known = |flag: &&&str| self.probe.is_flag_supported(flag).unwrap_or(false);
                let probed = set.probed.iter().filter(known).map(|&flag| flag.to_owned());
                own.chain(target).chain(fixed).chain(probed).collect()
            })
            .clone()
    }

    /// Command that compiles one source. `flags` are those of [`Toolchain::flags`].
    ///
    /// # Errors
    /// If there is no compiler for the language.
    pub fn compile(
        &self,
        language: Language,
        flags: &[String],
        more: &[OsString],
        source: &Path,
        object: &Path,
    ) -> Result<Command, String> {
        let mut command = self.tool(language)?.command();
        command.args(for_language(language, flags)).args(more);
        command.arg("-c").arg(source).arg("-o").arg(object);
        Ok(command)
    }

    /// Command that links objects into a shared library.
    ///
    /// # Errors
    /// If there is no compiler for the language.
    pub fn link(
        &self,
        language: Language,
        flags: &[String],
        libraries: &[String],
        more: &[String],
        objects: &[PathBuf],
        library: &Path,
    ) -> Result<Command, String> {
        let mut command = self.tool(language)?.command();
        command.args(for_language(language, flags)).args(LINK_FLAGS);
        command.args(more).arg("-o").arg(library);
        command.args(objects);
        command.args(libraries.iter().map(|name| format!("-l{name}")));
        command.args(LINK_LIBRARIES);
        Ok(command)
    }

    fn tool(&self, language: Language) -> Result<&Tool, String> {
        if language == Language::C {
            return Ok(&self.c);
        }
        let found = self.cpp.get_or_init(|| {
            let mut probe = self.probe.clone();
            probe.cpp(true);
            let found = Tool::find(&probe, &self.target, &host_triple());
            found
                .map(|(tool, _)| tool)
                .map_err(|why| no_compiler(&why, &self.target, "C++").to_string())
        });
        found.as_ref().map_err(String::clone)
    }
}

impl Tool {
    /// The compiler that the `cc` crate finds, and how it introduces itself.
    fn find(probe: &cc::Build, target: &str, host: &str) -> Result<(Tool, String), String> {
        let found = probe.try_get_compiler().map_err(|e| e.to_string())?;
        let command = found.to_command();
        let words: Vec<OsString> = command.get_args().map(Into::into).collect();
        let (launched, flags) = words.split_at(launched_words(&words));
        let crosses = found.is_like_clang() && target != host;
        let tool = Tool {
            program: command.get_program().into(),
            launched: launched.to_vec(),
            own_flags: without_silencer(flags),
            target_flag: crosses.then(|| format!("--target={target}")),
            environment: command
                .get_envs()
                .filter_map(|(name, value)| Some((name.into(), value?.into())))
                .collect(),
        };
        let answer = tool.command().arg("--version").output();
        let answer = answer.map_err(|e| format!("{}: {e}", tool.program.display()))?;
        let text = String::from_utf8_lossy(&answer.stdout);
        let line = text.lines().next().filter(|_| answer.status.success());
        let line = line.ok_or("it does not answer to --version")?.trim();
        // GCC introduces itself by the name it was called by.
        let plain = line.strip_prefix("cc ").filter(|_| found.is_like_gnu());
        let version = match plain {
            Some(rest) => format!("gcc {rest}"),
            None => line.to_owned(),
        };
        Ok((tool, version))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.launched);
        // Messages go into logs that people compare.
        command
            .envs(self.environment.iter().cloned())
            .env("LC_ALL", "C");
        command
    }
}

fn for_language(language: Language, flags: &[String]) -> impl Iterator<Item = &String> {
    let fits = move |flag: &&String| language == Language::C || !C_ONLY.contains(&flag.as_str());
    flags.iter().filter(fits)
}

/// How many words come before the first flag: `gcc` in `ccache gcc -m64`.
fn launched_words(words: &[OsString]) -> usize {
    let is_flag = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
    words.iter().position(is_flag).unwrap_or(words.len())
}

/// The flags without the one `-w` that the `cc` crate puts in where it is told to add no warnings; one
/// that the user gave is a second and stays.
fn without_silencer(flags: &[OsString]) -> Vec<OsString> {
    let mut flags = flags.to_vec();
    if let Some(at) = flags.iter().position(|flag| flag == "-w") {
        flags.remove(at);
    }
    flags
}

fn no_compiler(why: &str, target: &str, language: &str) -> ToolchainError {
    let package = match (target == host_triple(), language) {
        (true, "C") => "gcc libc6-dev".to_owned(),
        (true, _) => "g++".to_owned(),
        (false, _) => {
            let architecture = target.split('-').next().unwrap_or(target);
            let compiler = if language == "C" { "gcc" } else { "g++" };
            format!("{compiler}-{architecture}-linux-gnu")
        }
    };
    let variable = if language == "C" { "CC" } else { "CXX" };
    ToolchainError(format!(
        "no {language} compiler for {target}: {why}. Install one (Debian: `apt install {package}`) or name it in \
         the environment variable {variable}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::flags::{ATTEMPTS, GUIDE};

    #[test]
    fn the_flags_are_those_of_the_set_and_nothing_else() {
        let scratch = tempfile::tempdir().unwrap();
        let toolchain = Toolchain::detect(scratch.path(), None).unwrap();
        // Whoever runs the tests with CFLAGS sees them in front.
        let own = toolchain.c.own_flags.len();
        assert_eq!(toolchain.label(&GUIDE).contains("+CFLAGS"), own > 0);
        for set in ATTEMPTS {
            let flags = toolchain.flags(&set);
            let (fixed, probed) = flags[own..].split_at(set.fixed.len());
            assert_eq!(fixed, set.fixed);
            let mut known = set.probed.iter();
            for flag in probed {
                assert!(known.any(|k| k == flag), "{flag} is none of the set's");
            }
        }
    }

    #[test]
    fn only_the_silencer_of_cc_is_taken_out() {
        let words = |text: &str| -> Vec<OsString> { text.split(' ').map(Into::into).collect() };
        assert_eq!(without_silencer(&words("-w")), words("-w")[1..]);
        assert_eq!(
            without_silencer(&words("-m64 -w -w -g")),
            words("-m64 -w -g")
        );
    }

    #[test]
    fn flags_in_the_compiler_variable_are_flags() {
        let words: Vec<OsString> = ["gcc", "-m64", "-w"].map(Into::into).to_vec();
        assert_eq!(launched_words(&words), 1);
        assert_eq!(launched_words(&words[..1]), 1);
        assert_eq!(launched_words(&words[1..]), 0);
    }

    #[test]
    fn labels_tell_further_flags() {
        assert_eq!(GUIDE.label(true), "guide+CFLAGS");
        assert!(GUIDE.is_labelled("guide") && GUIDE.is_labelled("guide+CFLAGS"));
        assert!(!GUIDE.is_labelled("harness-default"));
    }
}
