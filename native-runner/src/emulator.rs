//! Running what was built for another machine: a user-mode emulator and a native-runner for that machine.

use kemscope_schema::Environment;
use kemscope_schema::run::Emulation;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An emulator that was tried and works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emulator {
    program: PathBuf,
    arguments: Vec<OsString>,
    runner: PathBuf,
    version: String,
    target: String,
}

/// What keeps an emulator from being used, with what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct EmulatorError(String);

impl Emulator {
    /// Finds an emulator for `target`: `program`, or QEMU's user-mode emulator on the PATH; and the native-runner
    /// for it: `runner`, or the one that cargo built beside this program. Both are tried.
    ///
    /// # Errors
    /// If there is none, or it does not run.
    pub fn find(
        target: &str,
        program: Option<&str>,
        runner: Option<&Path>,
    ) -> Result<Emulator, EmulatorError> {
        let architecture = architecture_of(target);
        let program = match program {
            Some(name) => on_path(name),
            None => [
                format!("qemu-{architecture}-static"),
                format!("qemu-{architecture}"),
            ]
            .iter()
            .find_map(|name| on_path(name)),
        };
        let program = program.ok_or_else(|| {
            EmulatorError(format!(
                "no emulator for {architecture} on the PATH (Debian: `apt install qemu-user-static`), or name one: \
                 --emulate PROGRAM"
            ))
        })?;
        let runner = match runner {
            Some(path) => path.to_owned(),
            None => built_runner(target).ok_or_else(|| {
                EmulatorError(format!(
                    "there is no native-runner for {target}: build one with `cargo xtask cross-runner {target}`, or \
                     name one: --runner FILE"
                ))
            })?,
        };
        let mut emulator = Emulator {
            arguments: library_root(architecture),
            version: first_line(Command::new(&program).arg("--version"))?,
            program,
            runner: std::path::absolute(&runner).unwrap_or(runner),
            target: target.to_owned(),
        };
        emulator.try_runner()?;
        emulator.version = emulator.version.trim().to_owned();
        Ok(emulator)
    }

    /// As it introduces itself.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// A runner of another version would measure differently.
    fn try_runner(&self) -> Result<(), EmulatorError> {
        let mut command = self.runner_command();
        let answer = first_line(command.arg("--version"))?;
        let expected = format!("native-runner {}", env!("CARGO_PKG_VERSION"));
        if answer.trim() == expected {
            return Ok(());
        }
        Err(EmulatorError(format!(
            "{} under {} answers “{}” where “{expected}” was expected",
            self.runner.display(),
            self.program.display(),
            answer.trim()
        )))
    }

    fn runner_command(&self) -> Command {
        let words = self.command();
        let mut command = Command::new(&self.program);
        command.args(&words[1..]);
        command
    }

    /// The command that starts the emulated runner.
    pub fn command(&self) -> Vec<OsString> {
        let program = [self.program.clone().into_os_string()];
        let runner = [self.runner.clone().into_os_string()];
        let arguments = self.arguments.iter().cloned();
        program.into_iter().chain(arguments).chain(runner).collect()
    }

    /// The native-runner that runs in it.
    pub fn runner(&self) -> &Path {
        &self.runner
    }

    /// How a run's manifest tells of it.
    pub fn record(&self) -> Emulation {
        Emulation {
            target: self.target.clone(),
            program: self.program.display().to_string(),
            version: self.version.clone(),
            runner: self.runner.display().to_string(),
        }
    }

    /// The host as the emulated runner sees it, on `cpu`; marked emulated whatever it sees.
    ///
    /// # Errors
    /// If the emulated runner does not say.
    pub fn environment(&self, cpu: u32, compiler: &str) -> Result<Environment, EmulatorError> {
        let mut command = self.runner_command();
        command.args(["check", "--json", "--cpu", &cpu.to_string()]);
        let output = command.output().map_err(|e| self.cannot_start(&e))?;
        let mut environment: Environment =
            serde_json::from_slice(&output.stdout).map_err(|error| {
                EmulatorError(format!(
                    "the native-runner under {} does not describe its host: {error}\n{}",
                    self.program.display(),
                    String::from_utf8_lossy(&output.stderr).trim_end()
                ))
            })?;
        let architecture = architecture_of(&self.target);
        environment.processor = environment
            .processor
            .map(|real| format!("{architecture}, emulated on {real}"));
        environment.emulated = Some(true);
        environment.cycle_source = None;
        environment.fixed_clock_hz = None;
        environment.compiler = Some(compiler.to_owned());
        environment
            .additional
            .push(kemscope_schema::EnvironmentItem {
                item: "emulator".to_owned(),
                value: self.version.clone(),
            });
        Ok(environment)
    }

    fn cannot_start(&self, error: &std::io::Error) -> EmulatorError {
        EmulatorError(format!(
            "{} cannot be started: {error}",
            self.program.display()
        ))
    }
}

/// How this program starts itself when it is itself run by a user-mode emulator: directly where the kernel knows
/// what to do with its programs, else through QEMU.
pub fn this_program_emulated() -> std::io::Result<Vec<OsString>> {
    let program = std::env::current_exe()?;
    let version = format!("native-runner {}", env!("CARGO_PKG_VERSION"));
    let starts = first_line(Command::new(&program).arg("--version"))
        .is_ok_and(|line| line.trim() == version);
    let architecture = std::env::consts::ARCH;
    let emulator = on_path(&format!("qemu-{architecture}-static"));
    Ok(match emulator.filter(|_| !starts) {
        Some(emulator) => [emulator.into_os_string()]
            .into_iter()
            .chain(library_root(architecture))
            .chain([program.into()])
            .collect(),
        None => vec![program.into()],
    })
}

/// QEMU's option for the folder of an architecture's C library, where there is one.
fn library_root(architecture: &str) -> Vec<OsString> {
    let folder = PathBuf::from(format!("/usr/{architecture}-linux-gnu"));
    match folder.is_dir() {
        true => vec!["-L".into(), folder.into()],
        false => Vec::new(),
    }
}

/// The instruction set of a target triple, as Rust names it.
pub fn architecture_of(target: &str) -> &str {
    target.split('-').next().unwrap_or(target)
}

/// A program by its path, or by its name on the PATH.
fn on_path(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(name.into()).filter(|path: &PathBuf| path.is_file());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// The native-runner that cargo built for `target` beside this one: `target/<triple>/<profile>/native-runner`.
fn built_runner(target: &str) -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    // Test programs lie one folder deeper.
    own.ancestors().skip(1).take(3).find_map(|folder| {
        let profile = folder.file_name()?;
        let above = folder.parent()?.join(target);
        [Path::new("release"), Path::new(profile)]
            .into_iter()
            .map(|profile| above.join(profile).join("native-runner"))
            .find(|path| path.is_file())
    })
}

fn first_line(command: &mut Command) -> Result<String, EmulatorError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| EmulatorError(format!("{program} cannot be started: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().next() {
        Some(line) if output.status.success() => Ok(line.to_owned()),
        _ => Err(EmulatorError(format!(
            "{program} does not answer to --version: {}",
            String::from_utf8_lossy(&output.stderr).trim_end()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_its_remedy() {
        let message = |program, runner: Option<&str>| {
            Emulator::find("sparc64-unknown-linux-gnu", program, runner.map(Path::new))
                .unwrap_err()
                .to_string()
        };
        let said = message(Some("/no/such/qemu"), None);
        assert!(said.contains("no emulator for sparc64"), "{said}");
        let said = message(Some("/bin/true"), None);
        assert!(
            said.contains("cargo xtask cross-runner sparc64-unknown-linux-gnu"),
            "{said}"
        );
        let said = message(Some("/bin/true"), Some("/bin/true"));
        assert!(said.contains("does not answer to --version"), "{said}");
    }
}
