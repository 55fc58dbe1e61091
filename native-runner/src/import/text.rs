//! Reading a file as UTF-8 text, with errors that help.

use super::error::ImportError;
use std::io::Read;
use std::path::Path;

/// Largest file that is read as a page, table or record, in bytes. A real page has some 15 kB.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Reads a text file: UTF-8, a byte-order mark is dropped, line ends may be CR LF.
///
/// # Errors
/// If the file cannot be read, is larger than 16 MiB, or is not UTF-8 (names line and byte).
pub fn read(path: &Path) -> Result<String, ImportError> {
    let file = path.display().to_string();
    let fail = |line, message| ImportError {
        file: file.clone(),
        line,
        section: None,
        message,
    };
    let unreadable = |e: std::io::Error| fail(None, format!("cannot be read: {e}"));
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too long; devices have no length to ask for.
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(fail(
            None,
            format!("is longer than {MAX_BYTES} bytes; a page, table or record was expected"),
        ));
    }
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
