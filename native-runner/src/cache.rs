//! Where the runner keeps what it can make again: fetched manifests and built libraries.

use std::path::PathBuf;

/// `$KEMSCOPE_CACHE`, else `kemscope` in `$XDG_CACHE_HOME` or `~/.cache`.
///
/// # Errors
/// If none of these variables is set.
pub fn folder() -> anyhow::Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(folder) = variable("KEMSCOPE_CACHE") {
        return Ok(std::path::absolute(folder)?);
    }
    variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".cache")))
        .map(|base| base.join("kemscope"))
        .ok_or_else(|| {
            anyhow::anyhow!("no cache folder: set KEMSCOPE_CACHE, XDG_CACHE_HOME or HOME")
        })
}
