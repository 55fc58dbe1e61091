//! Bytes that a view costs: the files that it loads, plain and in brotli form.

use crate::trace::Request;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use xtask::dashboard::brotli_length;

/// A file that the first view loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileBytes {
    /// Its path below the first page.
    pub path: String,
    /// Bytes of the file.
    pub plain: usize,
    /// Bytes of its brotli form, which a host sends.
    pub brotli: usize,
}

/// The files behind these requests to a site at `url` that serves `dist`, each once, in the order of their names.
///
/// # Errors
/// When a request does not belong to a file of the build.
pub fn files(requests: &[Request], url: &str, dist: &Path) -> Result<Vec<FileBytes>> {
    let paths: BTreeSet<&str> = requests
        .iter()
        .filter_map(|request| request.url.strip_prefix(url))
        .map(|path| path.split(['?', '#']).next().unwrap_or(path))
        .map(|path| if path.is_empty() { "index.html" } else { path })
        .collect();
    paths
        .into_iter()
        .map(|path| {
            let content =
                fs::read(dist.join(path)).with_context(|| format!("no file for request {path}"))?;
            let small = fs::metadata(dist.join(format!("{path}.br")));
            let brotli = match small {
                Ok(meta) => usize::try_from(meta.len())?,
                Err(_) => brotli_length(&content)?,
            };
            Ok(FileBytes {
                path: path.to_owned(),
                plain: content.len(),
                brotli,
            })
        })
        .collect()
}

/// Whether a file is the chart library, which the table does not wait for and which has a budget of its own.
pub fn is_chart_library(path: &str) -> bool {
    path.starts_with("charts-") && path.ends_with(".js")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_counts_once() {
        let dist = tempfile::tempdir().unwrap();
        fs::write(dist.path().join("index.html"), "0123456789").unwrap();
        fs::write(dist.path().join("index.html.br"), "012").unwrap();
        let request = |path: &str| Request {
            url: format!("http://x/{path}"),
        };
        let found = files(
            &[
                request(""),
                request("index.html?a=b"),
                Request {
                    url: "http://y/".into(),
                },
            ],
            "http://x/",
            dist.path(),
        );
        assert_eq!(
            found.unwrap(),
            [FileBytes {
                path: "index.html".into(),
                plain: 10,
                brotli: 3
            }]
        );
        assert!(files(&[request("none")], "http://x/", dist.path()).is_err());
    }

    #[test]
    fn the_chart_library_is_known_by_its_name() {
        assert!(is_chart_library("charts-0a1b.js"));
        assert!(!is_chart_library("start-0a1b.js"));
    }
}
