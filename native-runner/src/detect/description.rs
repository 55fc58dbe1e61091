//! The text of a description that nobody has edited yet, and how to tell.

use super::{Detected, NoteKind};
use crate::files::sha256_hex;

/// What stands before the digest of all that follows.
const SEAL: &str = "# sha256 of what follows: ";

/// The text of a `kem.toml`.
pub fn kem_toml(detected: &Detected) -> String {
    let mut remarks = detected.remarks.clone();
    remarks.head = vec![
        format!("What native-runner builds, tests and measures of {}.", detected.file.name),
        "Written by `native-runner add`, which looked at the files of the package. Correct what is wrong: the".to_owned(),
        "file is not written over once it was edited. docs/packages.md explains every key.".to_owned(),
    ];
    let unknown: Vec<String> = detected
        .notes
        .iter()
        .filter(|note| note.kind == NoteKind::Unknown)
        .map(|note| format!("- {note}"))
        .collect();
    if !unknown.is_empty() {
        remarks.head.push(String::new());
        remarks
            .head
            .push("What could not be told and is to be settled here:".to_owned());
        remarks.head.extend(unknown);
    }
    sealed(&detected.file.to_toml(&remarks))
}

/// A text with the digest of it in front.
pub fn sealed(text: &str) -> String {
    format!("{SEAL}{}\n{text}", sha256_hex(text.as_bytes()))
}

/// Whether a text is still as it was written.
pub fn is_untouched(text: &str) -> bool {
    let digest = text
        .split_once('\n')
        .and_then(|(first, rest)| Some((first.strip_prefix(SEAL)?, rest)));
    digest.is_some_and(|(digest, rest)| digest == sha256_hex(rest.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_change_shows() {
        let text = sealed("a = 1\nb = 2\n");
        assert!(is_untouched(&text));
        assert!(!is_untouched(&text.replace("b = 2", "b = 3")));
        assert!(!is_untouched("a = 1\n"));
        assert!(!is_untouched(""));
    }
}
