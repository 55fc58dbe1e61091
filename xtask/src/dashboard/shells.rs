//! One page per client-side route, so that links and reloads work on a host that knows nothing of routes.

use super::data::Copies;
use super::{compress, page, remove};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Routes that exist whatever the data are.
const ROUTES: [&str; 2] = ["families", "systems"];

/// What a static host shows for an address that does not exist. It stands alone, because no relative address is right at
/// every depth.
const NOT_FOUND: &str = "<!doctype html>
<html lang=\"en\">
  <head>
    <meta charset=\"utf-8\" />
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />
    <meta name=\"color-scheme\" content=\"light dark\" />
    <title>No such page · KEMscope</title>
  </head>
  <body>
    <h1>KEMscope has no such page</h1>
    <p>The address may have been cut, or the family it names is not in this data set. The first page of the dashboard lists all.</p>
  </body>
</html>
";

/// Writes the pages of all routes; those of families that are gone are removed.
///
/// # Errors
/// When a page cannot be read or written.
pub(super) fn write(out: &Path, families: &BTreeSet<String>, copies: Copies) -> Result<()> {
    let html = fs::read_to_string(out.join("index.html")).context("cannot read index.html")?;
    remove(&out.join("family"))?;
    let families = families.iter().map(|family| format!("family/{family}"));
    for route in ROUTES.map(str::to_owned).into_iter().chain(families) {
        let depth = route.matches('/').count() + 1;
        let folder = out.join(&route);
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        fs::write(folder.join("index.html"), page::at_depth(&html, depth)?)
            .with_context(|| format!("cannot write the page of route {route}"))?;
        if copies == Copies::Compressed {
            compress::folder(&folder)?;
        }
    }
    fs::write(out.join("404.html"), NOT_FOUND).context("cannot write 404.html")
}
