//! Running other programs.

use anyhow::{Context, Result, bail};
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Cargo as the one that started us, else the one on PATH.
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// How a command reads on a command line, for messages.
pub fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Runs a command whose output goes to the terminal.
///
/// # Errors
/// When it cannot be started or does not end with 0.
pub fn run(command: &mut Command) -> Result<()> {
    let name = describe(command);
    let status = command
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("`{name}` cannot be started"))?;
    if !status.success() {
        bail!("`{name}` failed: {status}");
    }
    Ok(())
}

/// Runs a command and returns what it prints; its error output is part of the error.
///
/// # Errors
/// When it cannot be started or does not end with 0.
pub fn output(command: &mut Command) -> Result<String> {
    let name = describe(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("`{name}` cannot be started"))?;
    if !output.status.success() {
        bail!(
            "`{name}` failed: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The first program of this name on PATH.
pub fn find(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|dir| dir.join(name))
        .find(|path| path.is_file())
}

/// PATH with these folders in front.
///
/// # Errors
/// When a folder's name cannot be part of PATH.
pub fn path_with(folders: &[PathBuf]) -> Result<std::ffi::OsString> {
    let present = env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().cloned().chain(env::split_paths(&present));
    env::join_paths(all).context("a folder of the tools cannot be put on PATH")
}
