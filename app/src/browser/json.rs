//! Reading of the contract's files with the browser's own JSON parser.
//!
//! The contract's `load` parses in Rust; that parser is a tenth of the dashboard's bytes, and every browser has one.
//! Order and outcome are the same: version first, then structure, then values.

use js_sys::{JSON, Reflect};
use kemscope_schema::load::{LoadError, LoadReason};
use kemscope_schema::{SCHEMA_VERSION, Validate};
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

/// Reads a file's text as `T` and validates it. `file` is the name used in the error.
///
/// # Errors
/// If the text is not JSON of the expected structure, has another major version, or has values
/// that break the contract.
pub fn load<T: DeserializeOwned + Validate>(file: &str, text: &str) -> Result<T, LoadError> {
    let value = parse(text).map_err(|reason| fail(file, reason))?;
    let value: T = serde_wasm_bindgen::from_value(value)
        .map_err(|error| fail(file, LoadReason::Structure(message(&error.into()))))?;
    let problems = value.problems();
    if problems.is_empty() {
        Ok(value)
    } else {
        Err(fail(file, LoadReason::Values(problems)))
    }
}

fn fail(file: &str, reason: LoadReason) -> LoadError {
    LoadError {
        file: file.to_owned(),
        reason,
    }
}

/// The parsed text, if its major version is the one that this program reads.
fn parse(text: &str) -> Result<JsValue, LoadReason> {
    let value = JSON::parse(text).map_err(|error| LoadReason::Structure(message(&error)))?;
    let version = Reflect::get(&value, &JsValue::from_str("schema_version"))
        .ok()
        .and_then(|v| v.as_f64());
    match version {
        Some(version) if version == f64::from(SCHEMA_VERSION) => Ok(value),
        Some(version) if version == f64::from(version as u32) => {
            Err(LoadReason::Version(version as u32))
        }
        Some(version) => Err(LoadReason::Structure(format!(
            "schema_version is {version}, which is no version: a whole number is expected"
        ))),
        None => Err(LoadReason::Structure(
            "missing field `schema_version`".to_owned(),
        )),
    }
}

/// The message of a JavaScript error.
fn message(error: &JsValue) -> String {
    Reflect::get(error, &JsValue::from_str("message"))
        .ok()
        .and_then(|message| message.as_string())
        .unwrap_or_else(|| "not readable as JSON".to_owned())
}
