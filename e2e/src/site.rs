//! The site under test.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use xtask::dashboard::{Copies, Source, install_data};
use xtask::paths::Workspace;
use xtask::server::{Faults, Server};

/// A served copy of the built dashboard.
#[derive(Debug)]
pub struct Site {
    server: Server,
    /// Faults that its server injects; paths are relative to the first page.
    pub faults: Faults,
    // Holds the served folder where it is a copy.
    _copy: Option<TempDir>,
}

/// The built dashboard: `KEMSCOPE_DIST`, otherwise `dist/`.
///
/// # Errors
/// When there is none.
pub fn dist() -> Result<PathBuf> {
    let path =
        std::env::var_os("KEMSCOPE_DIST").map_or_else(|| Workspace::here().dist(), PathBuf::from);
    ensure!(
        path.join("index.html").is_file(),
        "there is no built dashboard in {}: run `cargo xtask build` first, or `cargo xtask test --only e2e`",
        path.display()
    );
    Ok(path)
}

/// The folder of the fixtures' data sets.
pub fn fixtures() -> PathBuf {
    Workspace::here().join("e2e/fixtures/data")
}

impl Site {
    /// The dashboard with the published systems alone, below `base`. Whatever was measured on this machine is left out:
    /// tests must not depend on it.
    ///
    /// # Errors
    /// When there is no build or it cannot be copied.
    pub async fn published(base: &str) -> Result<Site> {
        let data = Workspace::here().data();
        Site::with_sources(base, &[Source::new(&data, "index.json")]).await
    }

    /// The published systems and the fixture's, which shares names of instances with them.
    ///
    /// # Errors
    /// When there is no build or it cannot be copied.
    pub async fn with_fixture(base: &str) -> Result<Site> {
        let data = Workspace::here().data();
        let sources = [
            Source::new(&data, "index.json"),
            Source::new(&fixtures(), "index.json"),
        ];
        Site::with_sources(base, &sources).await
    }

    /// The build as it stands, below `/`.
    ///
    /// # Errors
    /// When there is no build.
    pub async fn as_built() -> Result<Site> {
        Site::serve(&dist()?, "/", None).await
    }

    async fn with_sources(base: &str, sources: &[Source]) -> Result<Site> {
        let copy = tempfile::tempdir().context("no temporary folder for the site")?;
        copy_folder(&dist()?, copy.path())?;
        install_data(copy.path(), sources, Copies::Plain)?;
        let root = copy.path().to_owned();
        Site::serve(&root, base, Some(copy)).await
    }

    async fn serve(root: &Path, base: &str, copy: Option<TempDir>) -> Result<Site> {
        let site = xtask::server::Site::new(root).under(base);
        let faults = site.faults.clone();
        let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let server = Server::start(any_port, site)
            .await
            .context("the site cannot be served")?;
        Ok(Site {
            server,
            faults,
            _copy: copy,
        })
    }

    /// Address of the first page, with a slash at its end.
    pub fn url(&self) -> String {
        self.server.url()
    }
}

/// Copies the program's files of a build; data and the pages of families are made anew.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?.path();
        if entry.is_file()
            && let Some(name) = entry.file_name()
        {
            fs::copy(&entry, to.join(name))
                .with_context(|| format!("cannot copy {}", entry.display()))?;
        }
    }
    Ok(())
}
