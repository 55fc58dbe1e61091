//! Which functions and objects compiled sources define.

use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;

/// Names of the global symbols that an object file defines.
///
/// # Errors
/// If it is no object file.
pub fn defined(object: &[u8]) -> Result<BTreeSet<String>, String> {
    let file = object::File::parse(object).map_err(|e| format!("no object file: {e}"))?;
    Ok(file
        .symbols()
        // A common symbol is a definition without a section of its own.
        .filter(|symbol| symbol.is_global() && (symbol.is_definition() || symbol.is_common()))
        .filter_map(|symbol| symbol.name().ok().map(str::to_owned))
        .collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_text_is_no_object() {
        assert!(super::defined(b"int x;").unwrap_err().contains("no object"));
    }
}
