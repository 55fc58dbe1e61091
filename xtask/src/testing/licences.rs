//! Licences of everything that we build with or ship.

use crate::paths::Workspace;
use crate::process;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use spdx::{Expression, LicenseReq, ParseMode};
use std::collections::BTreeMap;
use std::fs;

/// Licences that ask for no more than their notice, by SPDX identifier. Where a dependency offers a choice, one of its
/// licences must be here.
const ALLOWED: [&str; 16] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "BlueOak-1.0.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
}

#[derive(Deserialize)]
struct NpmLock {
    packages: BTreeMap<String, NpmPackage>,
}

#[derive(Deserialize)]
struct NpmPackage {
    version: Option<String>,
    license: Option<String>,
}

/// Checks all packages of Cargo.lock and of the chart library, and says how many there are.
///
/// # Errors
/// Every package whose licence is missing, cannot be read or is not allowed.
pub(super) fn check(workspace: &Workspace) -> Result<String> {
    let mut command = process::cargo();
    command
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .current_dir(workspace.root());
    let metadata: Metadata =
        serde_json::from_str(&process::output(&mut command)?).context("cargo metadata")?;
    let lock = fs::read_to_string(workspace.join("charts/package-lock.json"))
        .context("charts/package-lock.json")?;
    let npm: NpmLock = serde_json::from_str(&lock).context("charts/package-lock.json")?;
    // Packages for other systems than ours are in the lock as well; the first entry is the folder itself.
    let npm = npm
        .packages
        .into_iter()
        .filter(|(path, _)| !path.is_empty())
        .map(|(path, package)| Package {
            name: format!("npm {}", path.trim_start_matches("node_modules/")),
            version: package.version.unwrap_or_default(),
            license: package.license,
        });
    let all: Vec<Package> = metadata.packages.into_iter().chain(npm).collect();
    let wrong: Vec<String> = all
        .iter()
        .filter_map(|package| {
            let reason = problem(package.license.as_deref())?;
            Some(format!("{} {}: {reason}", package.name, package.version))
        })
        .collect();
    if wrong.is_empty() {
        Ok(format!("{} packages, all licences allowed", all.len()))
    } else {
        bail!("licences:\n{}", wrong.join("\n"))
    }
}

/// What is wrong with a licence, if anything is.
fn problem(license: Option<&str>) -> Option<String> {
    let Some(license) = license else {
        return Some("names no licence".to_owned());
    };
    match Expression::parse_mode(license, ParseMode::LAX) {
        Err(error) => Some(format!("`{license}` cannot be read: {}", error.reason)),
        Ok(expression) if expression.evaluate(is_allowed) => None,
        Ok(_) => Some(format!("`{license}` is not among the allowed licences")),
    }
}

fn is_allowed(licence: &LicenseReq) -> bool {
    licence
        .license
        .id()
        .is_some_and(|id| ALLOWED.contains(&id.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_and_sums() {
        for fine in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "Apache-2.0 WITH LLVM-exception",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
        ] {
            assert_eq!(problem(Some(fine)), None, "{fine}");
        }
        for wrong in [
            Some("GPL-3.0"),
            Some("MIT AND GPL-3.0"),
            Some("my own"),
            None,
        ] {
            assert!(problem(wrong).is_some(), "{wrong:?}");
        }
    }
}
