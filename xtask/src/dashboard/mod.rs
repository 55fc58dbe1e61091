//! Building the dashboard: a folder of static files that works under any base path.

mod bundle;
mod compress;
mod data;
mod page;
mod shells;
mod wasm;

pub use compress::brotli_length;
pub use data::{Copies, Source, install as install_data};

use crate::digest;
use crate::paths::Workspace;
use crate::tools::Tools;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// What the program half of the dashboard is made from. xtask's own build steps belong to it.
const APP_INPUTS: [&str; 13] = [
    ".cargo/config.toml",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    "Trunk.toml",
    "index.html",
    "app",
    "schema/src",
    "schema/Cargo.toml",
    "style",
    "charts",
    "xtask/src/dashboard",
    "xtask/src/tools.rs",
];

/// `build.json`: what a built dashboard was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    /// Digest of the program's inputs.
    app: String,
    /// Digest of the data folder.
    data: String,
}

const STAMP: &str = "build.json";

/// What a build did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Built {
    /// Nothing had changed.
    Nothing,
    /// The data alone were copied anew.
    Data,
    /// Everything.
    All,
}

impl Built {
    /// What was done, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Built::Nothing => "nothing has changed since the last build",
            Built::Data => "data copied anew, the program has not changed",
            Built::All => "built",
        }
    }
}

/// Brings `dist/` up to date. The old one stays until the new one is whole.
///
/// # Errors
/// When a tool fails or a file cannot be read or written.
pub fn build(workspace: &Workspace, tools: &Tools, force: bool) -> Result<Built> {
    let _lock = lock(workspace)?;
    let dist = workspace.dist();
    let data = workspace.data();
    let sources = Source::of_workspace(&data);
    let wanted = Stamp {
        app: digest::of_files(workspace.root(), &APP_INPUTS)?,
        data: digest::of_files(&data, &[""])?,
    };
    let present = if force {
        Stamp::default()
    } else {
        read_stamp(&dist)
    };
    if present == wanted {
        return Ok(Built::Nothing);
    }
    if present.app == wanted.app {
        // Without its stamp, so that an interrupted copy is repeated.
        fs::remove_file(dist.join(STAMP)).context("cannot remove dist/build.json")?;
        install_data(&dist, &sources, Copies::Compressed)?;
        write_stamp(&dist, &wanted)?;
        return Ok(Built::Data);
    }
    let fresh = workspace.join("dist.tmp");
    remove(&fresh)?;
    wasm::build(workspace, tools, &fresh)?;
    let charts = bundle::build(workspace, tools, &fresh)?;
    page::finish(&fresh, &charts)?;
    compress::folder(&fresh)?;
    install_data(&fresh, &sources, Copies::Compressed)?;
    write_stamp(&fresh, &wanted)?;
    remove(&dist)?;
    fs::rename(&fresh, &dist).context("cannot move the new dashboard to dist/")?;
    Ok(Built::All)
}

/// Two builds at once would destroy each other's half-made folder: the second one waits.
fn lock(workspace: &Workspace) -> Result<fs::File> {
    let folder = workspace.state();
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let path = folder.join("build.lock");
    let file =
        fs::File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
    if file.try_lock().is_err() {
        println!("      another build of the dashboard is under way; waiting for it");
        file.lock()
            .with_context(|| format!("cannot lock {}", path.display()))?;
    }
    Ok(file)
}

fn read_stamp(dist: &Path) -> Stamp {
    // Whatever keeps the stamp from being read, building anew is the answer.
    fs::read_to_string(dist.join(STAMP))
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default()
}

fn write_stamp(dist: &Path, stamp: &Stamp) -> Result<()> {
    let text = serde_json::to_string_pretty(stamp)?;
    fs::write(dist.join(STAMP), text + "\n")
        .with_context(|| format!("cannot write {}", dist.join(STAMP).display()))
}

/// Removes a folder with all it holds, if it is there.
fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}
