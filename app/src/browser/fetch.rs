//! Fetching of the dashboard's own files.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// Why a file did not come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchError {
    /// No answer: offline, or the server is gone.
    Unreachable,
    /// The server answered with this status.
    Status(u16),
}

impl FetchError {
    /// The reason in a sentence that says what can be done.
    pub fn sentence(&self) -> String {
        match self {
            FetchError::Unreachable => {
                "no answer from the server; check the connection and try again".to_owned()
            }
            FetchError::Status(404) => "the server does not have this file".to_owned(),
            FetchError::Status(status) => format!("the server answered with status {status}"),
        }
    }
}

/// The text of a file of this site.
///
/// # Errors
/// If no answer comes, or one that is no success.
pub async fn text(url: &str) -> Result<String, FetchError> {
    let unreachable = |_| FetchError::Unreachable;
    let window = web_sys::window().ok_or(FetchError::Unreachable)?;
    let response = JsFuture::from(window.fetch_with_str(url))
        .await
        .map_err(unreachable)?;
    let response: Response = response.dyn_into().map_err(unreachable)?;
    if !response.ok() {
        return Err(FetchError::Status(response.status()));
    }
    let text = JsFuture::from(response.text().map_err(unreachable)?)
        .await
        .map_err(unreachable)?;
    text.as_string().ok_or(FetchError::Unreachable)
}
