//! From the path of a request to a file of the site.

use percent_encoding::percent_decode_str;
use std::path::{Path, PathBuf};

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A file.
    File(PathBuf),
    /// A folder, asked for without a slash at its end.
    Folder,
}

/// What a path below the base leads to. Nothing outside `root` (which must be canonical) is ever found, nor anything
/// whose name begins with a dot.
pub(super) fn find(root: &Path, below: &str) -> Option<Found> {
    let decoded = percent_decode_str(below).decode_utf8().ok()?;
    let mut path = root.to_owned();
    for part in decoded.split('/').filter(|part| !part.is_empty()) {
        if part.starts_with('.') || part.contains(['\\', '\0', ':']) {
            return None;
        }
        path.push(part);
    }
    let is_folder = path.is_dir();
    if is_folder && !decoded.is_empty() && !decoded.ends_with('/') {
        return Some(Found::Folder);
    }
    if is_folder {
        path.push("index.html");
    }
    // A link inside the folder may lead out of it.
    let path = path.canonicalize().ok()?;
    (path.starts_with(root) && path.is_file()).then_some(Found::File(path))
}

/// MIME type by the ending of a file's name.
pub(super) fn mime(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("csv") => "text/csv; charset=utf-8",
        Some("txt" | "log") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
