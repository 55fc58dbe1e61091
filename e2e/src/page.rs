//! The page, in terms of its test hooks.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use thirtyfour::prelude::*;

/// The longest that any condition may take; two cores shared with a compiler are slow.
const PATIENCE: Duration = Duration::from_secs(30);

/// The page that a browser shows.
#[derive(Clone, Debug)]
pub struct Page {
    session: WebDriver,
    url: String,
}

/// A row of the overview table as the page shows it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct TableRow {
    /// `data-system`.
    pub system: String,
    /// `data-family`.
    pub family: String,
    /// `data-instance`.
    pub instance: String,
    /// `data-implementation`.
    pub implementation: String,
    /// Text of each cell by `data-col`.
    pub cells: BTreeMap<String, String>,
}

impl TableRow {
    /// What tells rows apart.
    pub fn key(&self) -> (String, String, String, String) {
        (
            self.system.clone(),
            self.family.clone(),
            self.instance.clone(),
            self.implementation.clone(),
        )
    }
}

impl Page {
    /// The page of a session whose site begins at `url`.
    pub fn new(session: WebDriver, url: String) -> Page {
        Page { session, url }
    }

    /// The WebDriver session.
    pub fn session(&self) -> &WebDriver {
        &self.session
    }

    /// Opens a path of the site and waits until it is ready.
    ///
    /// # Errors
    /// When it does not become ready.
    pub async fn open(&self, path: &str) -> Result<()> {
        self.go(path).await?;
        self.wait_ready().await
    }

    /// Opens a path of the site without waiting for the dashboard.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub async fn go(&self, path: &str) -> Result<()> {
        let address = format!("{}{path}", self.url);
        self.session
            .goto(&address)
            .await
            .with_context(|| format!("cannot open {address}"))
    }

    /// Runs a script in every document that is opened from now on, before any of its own.
    ///
    /// # Errors
    /// When the browser refuses it.
    pub async fn before_load(&self, script: &str) -> Result<()> {
        let parameters = json!({ "source": script });
        self.devtools("Page.addScriptToEvaluateOnNewDocument", parameters)
            .await
    }

    /// Makes the page's window this large in CSS pixels, however small; real windows have a least width.
    ///
    /// # Errors
    /// When the browser refuses it.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        let parameters =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", parameters)
            .await
    }

    /// Makes the system's colour scheme `light` or `dark`.
    ///
    /// # Errors
    /// When the browser refuses it.
    pub async fn colours(&self, scheme: &str) -> Result<()> {
        let parameters =
            json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.devtools("Emulation.setEmulatedMedia", parameters)
            .await
    }

    async fn devtools(&self, method: &str, parameters: Value) -> Result<()> {
        let answer = self.session.cdp().send_raw(method, parameters).await;
        answer.with_context(|| method.to_owned()).map(drop)
    }

    /// Waits for `<body data-ready="true">`.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn wait_ready(&self) -> Result<()> {
        self.wait(
            "the page to be ready",
            "document.body && document.body.dataset.ready === 'true'",
        )
        .await
    }

    /// Waits until a JavaScript expression is true.
    ///
    /// # Errors
    /// When it does not become true within half a minute; the error says `what` was waited for and what is on screen.
    pub async fn wait(&self, what: &str, condition: &str) -> Result<()> {
        let script = format!("return Boolean({condition})");
        let end = Instant::now() + PATIENCE;
        loop {
            // Between two pages the script may have nowhere to run.
            if let Ok(found) = self.session.execute(&script, Vec::new()).await
                && found.json() == &Value::Bool(true)
            {
                return Ok(());
            }
            if Instant::now() > end {
                let text: String = self
                    .eval("document.body ? document.body.innerText.slice(0, 2000) : ''")
                    .await?;
                bail!("waited in vain for {what} ({condition}); the page shows:\n{text}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The value of a JavaScript expression.
    ///
    /// # Errors
    /// When it throws or has another type.
    pub async fn eval<T: DeserializeOwned>(&self, expression: &str) -> Result<T> {
        let script = format!("return ({expression})");
        let value = self
            .session
            .execute(&script, Vec::new())
            .await
            .with_context(|| expression.to_owned())?;
        serde_json::from_value(value.json().clone())
            .with_context(|| format!("value of {expression}: {}", value.json()))
    }

    /// The element of a CSS selector, waited for.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn find(&self, selector: &str) -> Result<WebElement> {
        let quoted = serde_json::to_string(selector)?;
        self.wait(selector, &format!("document.querySelector({quoted})"))
            .await?;
        self.session
            .find(By::Css(selector))
            .await
            .with_context(|| selector.to_owned())
    }

    /// Clicks the element of a CSS selector as a mouse would.
    ///
    /// # Errors
    /// When it is not there or something covers it.
    pub async fn click(&self, selector: &str) -> Result<()> {
        let element = self.find(selector).await?;
        element
            .click()
            .await
            .with_context(|| format!("cannot click {selector}"))
    }

    /// Clicks the element with this `data-testid`.
    ///
    /// # Errors
    /// When it is not there or something covers it.
    pub async fn click_id(&self, id: &str) -> Result<()> {
        self.click(&by_id(id)).await
    }

    /// Shown text of the element of a CSS selector.
    ///
    /// # Errors
    /// When it is not there.
    pub async fn text(&self, selector: &str) -> Result<String> {
        self.find(selector)
            .await?
            .text()
            .await
            .with_context(|| selector.to_owned())
    }

    /// How many elements fit a CSS selector.
    ///
    /// # Errors
    /// When the selector is none.
    pub async fn count(&self, selector: &str) -> Result<usize> {
        self.eval(&format!(
            "document.querySelectorAll({}).length",
            serde_json::to_string(selector)?
        ))
        .await
    }

    /// All rows of the overview table in their order.
    ///
    /// # Errors
    /// When there is no table.
    pub async fn rows(&self) -> Result<Vec<TableRow>> {
        self.eval(
            "[...document.querySelectorAll('[data-testid=overview-table] tbody tr[data-row]')].map(row => ({
                system: row.dataset.system, family: row.dataset.family, instance: row.dataset.instance,
                implementation: row.dataset.implementation,
                cells: Object.fromEntries([...row.querySelectorAll('[data-col]')].map(
                    cell => [cell.dataset.col, cell.textContent])),
            }))",
        )
        .await
    }

    /// The query of the page's address, with its `?`.
    ///
    /// # Errors
    /// When there is no page.
    pub async fn query(&self) -> Result<String> {
        self.eval("location.search").await
    }

    /// Waits until the page's query has this form.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn wait_query(&self, query: &str) -> Result<()> {
        self.wait(
            "the address",
            &format!("location.search === {}", serde_json::to_string(query)?),
        )
        .await
    }

    /// Waits until the table has this number of rows.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn wait_rows(&self, count: usize) -> Result<()> {
        let rows =
            "document.querySelectorAll('[data-testid=overview-table] tbody tr[data-row]').length";
        self.wait(&format!("{count} rows"), &format!("{rows} === {count}"))
            .await
    }
}

/// Selector of a `data-testid`.
pub fn by_id(id: &str) -> String {
    format!("[data-testid=\"{id}\"]")
}
