//! What a browser recorded while a page was open: console messages and requests.

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;
use thirtyfour::prelude::*;

/// A request that the page made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its address.
    pub url: String,
}

/// The errors that the console shows, since the last call.
///
/// # Errors
/// When the driver does not answer.
pub async fn console_errors(session: &WebDriver) -> Result<Vec<String>> {
    let entries = session
        .get_log("browser")
        .await
        .context("the console cannot be read")?;
    Ok(entries
        .into_iter()
        .filter(|entry| entry.level == "SEVERE")
        .map(|entry| entry.message)
        .collect())
}

#[derive(Deserialize)]
struct Event {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    method: String,
    #[serde(default)]
    params: Value,
}

/// The requests since the last call, in order. Addresses within the page (`data:`, `blob:`) are none.
///
/// # Errors
/// When the driver does not answer or its log has another form.
pub async fn requests(session: &WebDriver) -> Result<Vec<Request>> {
    let entries = session
        .get_log("performance")
        .await
        .context("the requests cannot be read")?;
    let mut requests = Vec::new();
    for entry in entries {
        let event: Event =
            serde_json::from_str(&entry.message).context("an entry of the performance log")?;
        if event.message.method != "Network.requestWillBeSent" {
            continue;
        }
        let text = |pointer| {
            event
                .message
                .params
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        // The browser shows a page of its own before ours.
        if text("/documentURL").starts_with("chrome://") {
            continue;
        }
        let url = text("/request/url");
        if !url.starts_with("data:") && !url.starts_with("blob:") {
            requests.push(Request {
                url: url.to_owned(),
            });
        }
    }
    Ok(requests)
}
