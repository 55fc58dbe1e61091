//! The build tools: found on PATH in the right version, in the shared cache, or installed there.

use crate::paths::{self, Workspace};
use crate::{digest, prerequisites, process};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The trunk that builds with the pinned compiler; newer ones need a newer one.
const TRUNK_VERSION: &str = "0.21.14";

/// A tool that is a Rust program.
struct RustTool {
    /// Package name.
    package: &'static str,
    /// Program name; `--version` answers with its name and version.
    program: &'static str,
}

const TRUNK: RustTool = RustTool {
    package: "trunk",
    program: "trunk",
};
const WASM_BINDGEN: RustTool = RustTool {
    package: "wasm-bindgen-cli",
    program: "wasm-bindgen",
};

/// Where the tools are.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Folder of `trunk`.
    pub trunk: PathBuf,
    /// Folder of `wasm-bindgen`.
    pub wasm_bindgen: PathBuf,
    /// Folder of npm packages: `binaryen`, `esbuild`, `echarts`.
    pub node_modules: PathBuf,
}

impl Tools {
    /// PATH with the tools in front.
    ///
    /// # Errors
    /// When a folder's name cannot be part of PATH.
    pub fn path(&self) -> Result<OsString> {
        process::path_with(&[
            self.trunk.clone(),
            self.wasm_bindgen.clone(),
            self.node_modules.join(".bin"),
        ])
    }

    /// Finds or installs all of them without numbered steps; silent when all are there.
    ///
    /// # Errors
    /// When one cannot be installed.
    pub fn ensure(workspace: &Workspace) -> Result<Tools> {
        prerequisites::check()?;
        wasm_target(workspace)?;
        fetch_crates(workspace)?;
        Ok(Tools {
            trunk: trunk()?.0,
            wasm_bindgen: wasm_bindgen(workspace)?.0,
            node_modules: node_modules(workspace)?.0,
        })
    }
}

/// Fetches all crates of Cargo.lock, so that the dashboard is built without the network.
///
/// # Errors
/// When they are not there and cannot be fetched.
pub fn fetch_crates(workspace: &Workspace) -> Result<()> {
    process::run(
        process::cargo()
            .args(["fetch", "--quiet", "--locked"])
            .current_dir(workspace.root()),
    )
}

/// Makes sure that the compiler can build for wasm32.
///
/// # Errors
/// When the target is missing and rustup cannot add it.
pub fn wasm_target(workspace: &Workspace) -> Result<((), String)> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let mut rustc = Command::new("rustc");
    let sysroot = process::output(
        rustc
            .args(["--print", "sysroot"])
            .current_dir(workspace.root()),
    )?;
    if Path::new(sysroot.trim())
        .join("lib/rustlib")
        .join(TARGET)
        .join("lib")
        .is_dir()
    {
        return Ok(((), format!("{TARGET} is there")));
    }
    if process::find("rustup").is_none() {
        bail!(
            "the compiler lacks {TARGET} and there is no rustup: install rustup from https://rustup.rs"
        );
    }
    process::run(
        Command::new("rustup")
            .args(["target", "add", TARGET])
            .current_dir(workspace.root()),
    )?;
    Ok(((), format!("{TARGET} added")))
}

/// Folder of trunk.
///
/// # Errors
/// When it cannot be installed.
pub fn trunk() -> Result<(PathBuf, String)> {
    rust_tool(&TRUNK, TRUNK_VERSION)
}

/// Folder of wasm-bindgen in the version that Cargo.lock names: both halves must be the same.
///
/// # Errors
/// When Cargo.lock cannot be read or the tool cannot be installed.
pub fn wasm_bindgen(workspace: &Workspace) -> Result<(PathBuf, String)> {
    let lock = workspace.join("Cargo.lock");
    let text =
        fs::read_to_string(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    let version =
        locked_version(&text, "wasm-bindgen").context("Cargo.lock names no wasm-bindgen")?;
    rust_tool(&WASM_BINDGEN, version)
}

/// The version of a package in the text of a Cargo.lock.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.next()?;
    lines
        .next()?
        .strip_prefix("version = \"")?
        .strip_suffix('"')
}

fn rust_tool(tool: &RustTool, version: &str) -> Result<(PathBuf, String)> {
    let wanted = format!("{} {version}", tool.program);
    let is_right = |program: &Path| {
        process::output(Command::new(program).arg("--version"))
            .is_ok_and(|text| text.trim() == wanted)
    };
    if let Some(program) = process::find(tool.program).filter(|program| is_right(program))
        && let Some(folder) = program.parent()
    {
        return Ok((folder.to_owned(), format!("{wanted} on PATH")));
    }
    let root = cache()?.join(format!("{}-{version}", tool.program));
    let folder = root.join("bin");
    if is_right(&folder.join(tool.program)) {
        return Ok((folder, format!("{wanted} is there")));
    }
    println!(
        "      compiling {} {version}; this takes some minutes, once",
        tool.package
    );
    install(tool, version, &root, true).or_else(|_| {
        println!(
            "      once more with the newest dependencies, as the locked ones do not build here"
        );
        install(tool, version, &root, false)
    })?;
    if !is_right(&folder.join(tool.program)) {
        bail!(
            "{} does not run after it was installed",
            folder.join(tool.program).display()
        );
    }
    Ok((folder, format!("{wanted} installed in {}", root.display())))
}

fn install(tool: &RustTool, version: &str, root: &Path, locked: bool) -> Result<()> {
    fs::create_dir_all(root).with_context(|| format!("cannot create {}", root.display()))?;
    let mut command = process::cargo();
    command
        .args([
            "install",
            tool.package,
            "--version",
            version,
            "--force",
            "--root",
        ])
        .arg(root);
    if locked {
        command.arg("--locked");
    }
    // A build folder of its own: the workspace's must not grow by tools.
    command.env("CARGO_TARGET_DIR", root.join("build"));
    let outcome = process::run(&mut command);
    // The build folder is of no use after the attempt; what cannot be removed costs disk space alone.
    let _ = fs::remove_dir_all(root.join("build"));
    outcome
}

/// Folder of the npm packages that `charts/package-lock.json` names.
///
/// # Errors
/// When npm cannot install them.
pub fn node_modules(workspace: &Workspace) -> Result<(PathBuf, String)> {
    const FILES: [&str; 2] = ["package.json", "package-lock.json"];
    let charts = workspace.join("charts");
    let version = digest::of_files(&charts, &FILES)?;
    let folder = cache()?.join(format!("npm-{}", version.get(..12).unwrap_or(&version)));
    let modules = folder.join("node_modules");
    if modules.join(".bin/esbuild").exists() && modules.join(".bin/wasm-opt").exists() {
        return Ok((modules, "binaryen, esbuild, echarts are there".to_owned()));
    }
    // Installed beside and then renamed: an interrupted installation is never taken for a whole one.
    let fresh = folder.with_extension(format!("{}.tmp", std::process::id()));
    fs::create_dir_all(&fresh).with_context(|| format!("cannot create {}", fresh.display()))?;
    for file in FILES {
        fs::copy(charts.join(file), fresh.join(file))
            .with_context(|| format!("cannot copy charts/{file}"))?;
    }
    let npm = [
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ];
    process::run(Command::new("npm").args(npm).current_dir(&fresh))?;
    if folder.exists() {
        fs::remove_dir_all(&folder)
            .with_context(|| format!("cannot replace {}", folder.display()))?;
    }
    fs::rename(&fresh, &folder)
        .with_context(|| format!("cannot move {} into place", fresh.display()))?;
    Ok((
        modules,
        format!(
            "binaryen, esbuild, echarts installed in {}",
            folder.display()
        ),
    ))
}

fn cache() -> Result<PathBuf> {
    paths::tools_dir().context("no home folder: set KEMSCOPE_TOOLS to a folder for the build tools")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_in_a_lock_file() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1.0.0\"\n\n[[package]]\n\
                    name = \"wasm-bindgen\"\nversion = \"0.2.130\"\nsource = \"x\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "trunk"), None);
    }
}
