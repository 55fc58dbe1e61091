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
    /// Arguments that come before all others, from `CC` and `CFLAGS`.
    own_arguments: Vec<OsString>,
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
        let mut toolchain = Toolchain {
            program: command.get_program().into(),
            own_arguments: command.get_args().map(Into::into).collect(),
            environment: command
                .get_envs()
                .filter_map(|(name, value)| Some((name.into(), value?.into())))
                .collect(),
            version: String::new(),
            probe,
        };
        let answer = toolchain
            .command()
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

    /// A flag set for this compiler: flags from the environment, the fixed ones, and of the others
    /// those that it knows.
    pub fn flags(&self, set: &FlagSet) -> Vec<String> {
        let own = self.own_arguments.iter();
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

    fn command(&self) -> Command {
        let mut command = self.bare_command();
        command.args(&self.own_arguments);
        command
    }

    fn bare_command(&self) -> Command {
        let mut command = Command::new(&self.program);
        // Messages go into logs that people compare.
        command
            .envs(self.environment.iter().cloned())
            .env("LC_ALL", "C");
        command
    }
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
