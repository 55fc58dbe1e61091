//! A page in a browser on a server, from opening to the final check.

use crate::chromium::{Chromium, Options};
use crate::page::Page;
use crate::site::Site;
use crate::trace::{self, Request};
use anyhow::{Result, ensure};

/// What a scene is made of, before it is opened.
#[derive(Debug, Default)]
pub struct Stage {
    base: Option<String>,
    fixture: bool,
    options: Options,
}

impl Stage {
    /// The published systems at `/` in a wide window.
    pub fn new() -> Stage {
        Stage::default()
    }

    /// Below another path.
    #[must_use]
    pub fn under(mut self, base: &str) -> Stage {
        self.base = Some(base.to_owned());
        self
    }

    /// With the fixture's system beside the published ones.
    #[must_use]
    pub fn with_fixture(mut self) -> Stage {
        self.fixture = true;
        self
    }

    /// In a window of this size.
    #[must_use]
    pub fn window(mut self, width: u32, height: u32) -> Stage {
        self.options.window = (width, height);
        self
    }

    /// In a browser with one more flag.
    #[must_use]
    pub fn flag(mut self, flag: &str) -> Stage {
        self.options.flags.push(flag.to_owned());
        self
    }

    /// Starts server and browser; no page is open yet, so that faults can be set.
    ///
    /// # Errors
    /// When one of them does not start.
    pub async fn set(self) -> Result<Scene> {
        let base = self.base.as_deref().unwrap_or("/");
        let site = if self.fixture {
            Site::with_fixture(base).await?
        } else {
            Site::published(base).await?
        };
        let chromium = Chromium::start(&self.options).await?;
        Ok(Scene {
            page: Page::new(chromium.session.clone(), site.url()),
            site,
            chromium,
        })
    }

    /// The same, with a page opened and ready.
    ///
    /// # Errors
    /// When it does not become ready.
    pub async fn open(self, path: &str) -> Result<Scene> {
        let scene = self.set().await?;
        scene.page.open(path).await?;
        Ok(scene)
    }
}

/// A page, its browser and its server.
#[derive(Debug)]
pub struct Scene {
    /// The page.
    pub page: Page,
    /// The site.
    pub site: Site,
    chromium: Chromium,
}

impl Scene {
    /// Ends the scene and checks what was recorded: no console error, no request to another origin.
    ///
    /// # Errors
    /// When something was recorded that must not be.
    pub async fn close(self) -> Result<()> {
        let errors = trace::console_errors(&self.chromium.session).await?;
        ensure!(
            errors.is_empty(),
            "the console shows errors:\n{}",
            errors.join("\n")
        );
        self.close_after_faults().await.map(drop)
    }

    /// The same for a test that injects faults, which the console names: returns those messages.
    ///
    /// # Errors
    /// When a request went to another origin, or the console shows a violated policy or an error of the program itself.
    pub async fn close_after_faults(self) -> Result<Vec<String>> {
        let errors = trace::console_errors(&self.chromium.session).await?;
        let own = |message: &&String| {
            [
                "Content Security Policy",
                "panicked",
                "unreachable",
                "Uncaught",
            ]
            .iter()
            .any(|word| message.contains(word))
        };
        if let Some(error) = errors.iter().find(own) {
            anyhow::bail!("the console shows an error of the program: {error}");
        }
        let strange: Vec<Request> = self.foreign_requests().await?;
        ensure!(strange.is_empty(), "requests left the site: {strange:?}");
        self.chromium.quit().await?;
        Ok(errors)
    }

    async fn foreign_requests(&self) -> Result<Vec<Request>> {
        let mut requests = trace::requests(&self.chromium.session).await?;
        requests.retain(|request| !request.url.starts_with(&self.site.url()));
        Ok(requests)
    }
}
