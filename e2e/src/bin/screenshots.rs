//! Pictures of the dashboard for people to look at; with `--readme` also the README's.

use anyhow::{Context, Result};
use e2e::chromium::{Chromium, Options};
use e2e::{Page, Site};
use std::fs;
use xtask::paths::Workspace;

const PAGES: [(&str, &str); 4] = [
    ("overview", ""),
    ("family", "family/kem-14/?sys=arm_1"),
    ("families", "families/"),
    ("systems", "systems/"),
];
const WINDOWS: [(&str, u32, u32); 2] = [("wide", 1440, 900), ("phone", 390, 844)];

#[tokio::main]
async fn main() -> Result<()> {
    let workspace = Workspace::here();
    let readme = std::env::args().any(|argument| argument == "--readme");
    let folder = workspace.target().join("screenshots");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    // The published systems alone, so that the pictures do not depend on this machine's measurement.
    let site = Site::published("/").await?;
    let chromium = Chromium::start(&Options::default()).await?;
    let page = Page::new(chromium.session.clone(), site.url());
    for (window, width, height) in WINDOWS {
        page.resize(width, height).await?;
        for scheme in ["light", "dark"] {
            page.colours(scheme).await?;
            for (name, path) in PAGES {
                page.open(path).await?;
                let picture = folder.join(format!("{name}-{window}-{scheme}.png"));
                page.session().screenshot(&picture).await?;
                println!("{}", picture.display());
            }
        }
    }
    chromium.quit().await?;
    if readme {
        let images = workspace.join("docs/images");
        fs::create_dir_all(&images)
            .with_context(|| format!("cannot create {}", images.display()))?;
        let target = images.join("overview.png");
        fs::copy(folder.join("overview-wide-light.png"), &target)
            .context("cannot copy the README's picture")?;
        println!("{}", target.display());
    }
    Ok(())
}
