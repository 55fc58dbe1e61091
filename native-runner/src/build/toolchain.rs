//! The C compiler of this machine, as the `cc` crate finds it (`CC` and `CFLAGS` are respected).

use super::flags::FlagSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is linked into every library beside the objects: undefined symbols are errors of the build,
/// not of loading; the mathematical library for those who use it.
const LINK_FLAGS: &[&str] = &["-shared", "-Wl,-z,defs"];
const LINK_LIBRARIES: &[&str] = &["-lm"];

/// A C compiler.
pub struct Toolchain {
    program: PathBuf,
    /// Where the program is a launcher such as ccache: the compiler behind it.
    launched: Vec<OsString>,
    /// Flags that come before all others, from `CC` and `CFLAGS`.
    own_flags: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    version: String,
    probe: cc::Build,
}

/// No compiler that works.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ToolchainError(String);

impl Toolchain {
    /// Finds the compiler. `scratch` is a folder for trial compilations.
    pub fn detect(scratch: &Path) -> Result<Toolchain, ToolchainError> {
        std::fs::create_dir_all(scratch)
            .map_err(|e| ToolchainError(format!("{}: {e}", scratch.display())))?;
        let triple = format!("{}-unknown-linux-{}", std::env::consts::ARCH, libc_name());
        let mut probe = cc::Build::new();
        probe
            .target(&triple)
            .host(&triple)
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
            .out_dir(scratch);
        let tool = probe
            .try_get_compiler()
            .map_err(|e| no_compiler(&e.to_string()))?;
        let command = tool.to_command();
        let words: Vec<OsString> = command.get_args().map(Into::into).collect();
        let (launched, flags) = words.split_at(launched_words(&words));
        let mut toolchain = Toolchain {
            program: command.get_program().into(),
            launched: launched.to_vec(),
            own_flags: without_silencer(flags),
            environment: command
                .get_envs()
                .filter_map(|(name, value)| Some((name.into(), value?.into())))
                .collect(),
            version: String::new(),
            probe,
        };
        let answer = toolchain
            .bare_command()
            .arg("--version")
            .output()
            .map_err(|e| no_compiler(&e.to_string()))?;
        let text = String::from_utf8_lossy(&answer.stdout);
        match text.lines().next() {
            Some(line) if answer.status.success() => {
                // GCC introduces itself by the name it was called by.
                let plain = line
                    .trim()
                    .strip_prefix("cc ")
                    .filter(|_| tool.is_like_gnu());
                toolchain.version = match plain {
                    Some(rest) => format!("gcc {rest}"),
                    None => line.trim().to_owned(),
                };
            }
            _ => return Err(no_compiler("it does not answer to --version")),
        }
        Ok(toolchain)
    }

    /// The compiler with its version, as it introduces itself.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// A set's name in records: it tells whether the environment added flags.
    pub fn label(&self, set: &FlagSet) -> String {
        set.label(!self.own_flags.is_empty())
    }

    /// Flags and libraries of the link command, beside those of the set.
    pub fn link_flags() -> impl Iterator<Item = &'static str> {
        LINK_FLAGS.iter().chain(LINK_LIBRARIES).copied()
    }

    /// A flag set for this compiler: flags from the environment, the fixed ones, and of the others
    /// those that it knows. Nothing else is given to it but include paths and the namespace.
    pub fn flags(&self, set: &FlagSet) -> Vec<String> {
        let own = self.own_flags.iter();
        let own = own.map(|flag| flag.to_string_lossy().into_owned());
        let fixed = set.fixed.iter().map(|&flag| flag.to_owned());
        let known = |flag: &&&str| self.probe.is_flag_supported(flag).unwrap_or(false);
        let probed = set.probed.iter().filter(known).map(|&flag| flag.to_owned());
        own.chain(fixed).chain(probed).collect()
    }

    /// Command that compiles one source. `flags` are those of [`Toolchain::flags`].
    pub fn compile(
        &self,
        flags: &[String],
        more: &[OsString],
        source: &Path,
        object: &Path,
    ) -> Command {
        let mut command = self.bare_command();
        command.args(flags).args(more);
        command.arg("-c").arg(source).arg("-o").arg(object);
        command
    }

    /// Command that links objects into a shared library.
    pub fn link(&self, flags: &[String], objects: &[PathBuf], library: &Path) -> Command {
        let mut command = self.bare_command();
        command.args(flags).args(LINK_FLAGS).arg("-o").arg(library);
        command.args(objects).args(LINK_LIBRARIES);
        command
    }

    fn bare_command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.launched);
        // Messages go into logs that people compare.
        command
            .envs(self.environment.iter().cloned())
            .env("LC_ALL", "C");
        command
    }
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

fn no_compiler(why: &str) -> ToolchainError {
    ToolchainError(format!(
        "no C compiler: {why}. Install one (Debian: `apt install gcc libc6-dev`) or name it in the \
         environment variable CC"
    ))
}

fn libc_name() -> &'static str {
    if cfg!(target_env = "musl") {
        "musl"
    } else {
        "gnu"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::flags::{ATTEMPTS, GUIDE};

    #[test]
    fn the_flags_are_those_of_the_set_and_nothing_else() {
        let scratch = tempfile::tempdir().unwrap();
        let toolchain = Toolchain::detect(scratch.path()).unwrap();
        // Whoever runs the tests with CFLAGS sees them in front.
        let own = toolchain.own_flags.len();
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
