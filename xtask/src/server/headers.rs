//! Header fields of answers.

use crate::digest;
use axum::http::{HeaderMap, HeaderValue, header};

/// The content security policy: everything from the site itself, no inline code, no other origin. The page repeats it in
/// a meta element for hosts that set no headers; there `frame-ancestors` has no effect.
pub const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                          img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'self'; \
                          form-action 'none'; frame-ancestors 'self'";

/// Adds what every answer carries.
pub(super) fn add(headers: &mut HeaderMap) {
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    );
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
}

/// Adds what belongs to a file: its tag, and that it must be asked for again.
pub(super) fn describe(headers: &mut HeaderMap, tag: &str, brotli: bool) {
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if brotli {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
}

/// The tag of a content.
pub(super) fn tag(content: &[u8]) -> String {
    let hash = digest::of_bytes(content);
    format!("\"{}\"", hash.get(..32).unwrap_or(&hash))
}

/// Whether the client has a content of this tag.
pub(super) fn has_tag(headers: &HeaderMap, tag: &str) -> bool {
    items(headers, header::IF_NONE_MATCH)
        .any(|item| item == "*" || item.trim_start_matches("W/") == tag)
}

/// Whether the client takes brotli.
pub(super) fn accepts_brotli(headers: &HeaderMap) -> bool {
    items(headers, header::ACCEPT_ENCODING).any(|item| {
        let mut parts = item.split(';').map(str::trim);
        parts.next() == Some("br")
            && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

fn items(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    headers
        .get_all(name)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|v| v.split(','))
        .map(str::trim)
}
