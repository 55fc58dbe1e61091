//! What must be on the machine before anything else: a C compiler, Node, a Rust tool chain.

use crate::process;
use anyhow::{Result, bail};
use std::env;
use std::process::Command;

/// The oldest Node that runs the chart bundler and the WebAssembly optimiser.
const NODE_MAJOR: u32 = 20;

/// Checks all prerequisites and returns what was found, for people.
///
/// # Errors
/// One line per missing one, each with its remedy.
pub fn check() -> Result<String> {
    let checks = [c_compiler(), node(), npm()];
    let (found, missing): (Vec<_>, Vec<_>) = checks.into_iter().partition(Result::is_ok);
    if missing.is_empty() {
        Ok(found.into_iter().flatten().collect::<Vec<_>>().join(", "))
    } else {
        let lines: Vec<String> = missing.into_iter().filter_map(Result::err).collect();
        bail!("{}", lines.join("\n"))
    }
}

fn c_compiler() -> Result<String, String> {
    let named = env::var("CC").ok().filter(|name| !name.trim().is_empty());
    let candidates: Vec<&str> = match &named {
        Some(name) => vec![name],
        None => vec!["cc", "gcc", "clang"],
    };
    candidates
        .iter()
        .find(|name| {
            // `CC` may carry a wrapper or flags.
            let mut words = name.split_whitespace();
            words.next().is_some_and(|program| {
                process::output(Command::new(program).args(words).arg("--version")).is_ok()
            })
        })
        .map(|name| format!("C compiler {name}"))
        .ok_or_else(|| match &named {
            Some(name) => format!("CC names `{name}`, which does not run: unset CC, or set it to gcc or clang"),
            None => "no C compiler: install one (Debian, Ubuntu: `apt-get install gcc libc6-dev`; Fedora: \
                     `dnf install gcc`; macOS: `xcode-select --install`)"
                .to_owned(),
        })
}

fn node() -> Result<String, String> {
    let remedy = "install Node 20 or newer from https://nodejs.org or your system's packages";
    let text = process::output(Command::new("node").arg("--version"))
        .map_err(|_| format!("no Node (`node`) on PATH: {remedy}"))?;
    match major(&text) {
        Some(major) if major >= NODE_MAJOR => Ok(format!("Node {}", text.trim())),
        _ => Err(format!("Node {} is too old: {remedy}", text.trim())),
    }
}

fn npm() -> Result<String, String> {
    process::output(Command::new("npm").arg("--version"))
        .map(|text| format!("npm {}", text.trim()))
        .map_err(|_| {
            "no `npm` on PATH: it comes with Node (Debian, Ubuntu: `apt-get install npm`)"
                .to_owned()
        })
}

/// The major version in `v20.11.1`.
fn major(version: &str) -> Option<u32> {
    version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_versions() {
        assert_eq!(major("v20.11.1\n"), Some(20));
        assert_eq!(major("nonsense"), None);
    }
}
