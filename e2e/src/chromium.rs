//! A headless Chromium with a profile of its own.

use crate::driver::Driver;
use anyhow::{Context, Result};
use tempfile::TempDir;
use thirtyfour::prelude::*;
use thirtyfour::{ChromiumLikeCapabilities, LoggingPrefsLogLevel};
use xtask::browser::Browser;

/// Flags for a browser that does nothing but show our page. `--no-sandbox` because tests often run as root in a
/// container, where Chromium's sandbox does not start; it only ever opens pages of our own server.
const FLAGS: [&str; 11] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
];

/// How a browser is started.
#[derive(Clone, Debug)]
pub struct Options {
    /// Width and height of the window in CSS pixels.
    pub window: (u32, u32),
    /// More flags.
    pub flags: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            window: (1400, 900),
            flags: Vec::new(),
        }
    }
}

/// A running browser. Dropped, it ends together with its driver.
#[derive(Debug)]
pub struct Chromium {
    /// The WebDriver session.
    pub session: WebDriver,
    // Dropped after the session, in this order: what runs, then what it runs in.
    _driver: Driver,
    _profile: TempDir,
}

impl Chromium {
    /// Starts one.
    ///
    /// # Errors
    /// When Chromium or ChromeDriver are missing or do not start.
    pub async fn start(options: &Options) -> Result<Chromium> {
        let browser = Browser::find()?;
        let driver = Driver::start(&browser.driver).await?;
        let profile =
            tempfile::tempdir().context("no temporary folder for the browser's profile")?;
        let mut wishes = DesiredCapabilities::chrome();
        wishes.set_binary(&browser.chromium.to_string_lossy())?;
        for flag in FLAGS {
            wishes.add_arg(flag)?;
        }
        wishes.add_arg(&format!("--user-data-dir={}", profile.path().display()))?;
        wishes.add_arg(&format!(
            "--window-size={},{}",
            options.window.0, options.window.1
        ))?;
        for flag in &options.flags {
            wishes.add_arg(flag)?;
        }
        // Console messages, and every request that the page makes.
        wishes.set_logging_prefs("browser", LoggingPrefsLogLevel::All)?;
        wishes.set_logging_prefs("performance", LoggingPrefsLogLevel::All)?;
        let session = WebDriver::new(driver.url(), wishes)
            .await
            .context("Chromium did not start")?;
        Ok(Chromium {
            session,
            _driver: driver,
            _profile: profile,
        })
    }

    /// Ends it.
    ///
    /// # Errors
    /// When the driver does not answer.
    pub async fn quit(self) -> Result<()> {
        self.session.quit().await.context("Chromium did not end")
    }
}
