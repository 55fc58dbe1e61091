//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// A clone of the repository.
#[derive(Clone, Debug)]
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The clone that this program was started from.
    pub fn here() -> Workspace {
        // Cargo tells where the crate is when it starts a program or a test; the place at build time serves a binary
        // that is started by hand.
        let member = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = member
            .parent()
            .map_or_else(|| member.clone(), Path::to_path_buf);
        Workspace { root }
    }

    /// The top folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the top folder.
    pub fn join(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// The built dashboard.
    pub fn dist(&self) -> PathBuf {
        self.join("dist")
    }

    /// The published data sets, and the local ones.
    pub fn data(&self) -> PathBuf {
        self.join("data")
    }

    /// Cargo's build folder.
    pub fn target(&self) -> PathBuf {
        env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| self.join("target"), |dir| self.root.join(dir))
    }

    /// What xtask itself keeps between two calls.
    pub fn state(&self) -> PathBuf {
        self.target().join("xtask")
    }
}

/// The folder of build tools that clones share: `KEMSCOPE_TOOLS`, or `kemscope/tools` in the user's cache folder.
/// `None` where neither is known.
pub fn tools_dir() -> Option<PathBuf> {
    if let Some(dir) = env::var_os("KEMSCOPE_TOOLS").filter(|dir| !dir.is_empty()) {
        return std::path::absolute(dir).ok();
    }
    let cache = env::var_os("XDG_CACHE_HOME")
        .filter(|dir| Path::new(dir).is_absolute())
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cache")))?;
    Some(cache.join("kemscope").join("tools"))
}
