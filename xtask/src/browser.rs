//! The browser that tests drive.

use crate::process;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// Chromium and the program that drives it.
#[derive(Clone, Debug)]
pub struct Browser {
    /// The browser.
    pub chromium: PathBuf,
    /// ChromeDriver of the same version.
    pub driver: PathBuf,
}

impl Browser {
    /// Finds both on PATH.
    ///
    /// # Errors
    /// One line with the remedy when one is missing.
    pub fn find() -> Result<Browser> {
        let chromium = ["chromium", "chromium-browser", "google-chrome"]
            .into_iter()
            .find_map(process::find);
        match (chromium, process::find("chromedriver")) {
            (Some(chromium), Some(driver)) => Ok(Browser { chromium, driver }),
            (None, _) => bail!("the browser tests need Chromium: {}", remedy()),
            (_, None) => bail!("the browser tests need ChromeDriver: {}", remedy()),
        }
    }
}

fn remedy() -> &'static str {
    "install both (Debian: `apt-get install chromium chromium-driver`) and see that they are on PATH"
}
