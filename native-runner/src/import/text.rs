//! Reading a file as UTF-8 text, with errors that help.

use super::error::ImportError;
use std::path::Path;

/// Largest file that is read as a page, table or record, in bytes. A real page has some 15 kB.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Reads a text file: UTF-8, a byte-order mark is dropped, line ends may be CR LF.
///
/// # Errors
/// If the file cannot be read, is larger than 64 MiB, or is not UTF-8 (names line and byte).
pub fn read(path: &Path) -> Result<String, ImportError> {
    let file = path.display().to_string();
    let fail = |line, message| ImportError {
        file: file.clone(),
        line,
        section: None,
        message,
    };
    let length = std::fs::metadata(path)
        .map_err(|e| fail(None, format!("cannot be read: {e}")))?
        .len();
    if length > MAX_BYTES {
        return Err(fail(
            None,
            format!("has {length} bytes; a page or table of at most {MAX_BYTES} was expected"),
        ));
    }
    let bytes = std::fs::read(path).map_err(|e| fail(None, format!("cannot be read: {e}")))?;
    decode(bytes).map_err(|(line, message)| fail(line, message))
}

/// Decodes the bytes of a text file; the error carries a line, where one can be named.
fn decode(bytes: Vec<u8>) -> Result<String, (Option<usize>, String)> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err((
            None,
            "is UTF-16; save it as UTF-8 (for example with iconv -f UTF-16 -t UTF-8)".to_owned(),
        ));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text
            .strip_prefix('\u{feff}')
            .map(str::to_owned)
            .unwrap_or(text)),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let line = bytes[..valid].iter().filter(|b| **b == b'\n').count() + 1;
            Err((
                Some(line),
                format!(
                    "byte 0x{:02x} at offset {valid} is not UTF-8; save the file as UTF-8 (for example with iconv -f LATIN1 -t UTF-8)",
                    bytes[valid]
                ),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_apart() {
        assert_eq!(decode(b"\xef\xbb\xbfabc".to_vec()).unwrap(), "abc");
        assert!(
            decode(b"\xff\xfea\0".to_vec())
                .unwrap_err()
                .1
                .contains("UTF-16")
        );
        let (line, message) = decode(b"one\ntwo \xb5s".to_vec()).unwrap_err();
        assert_eq!(line, Some(2));
        assert!(message.contains("0xb5 at offset 8"), "{message}");
    }
}
