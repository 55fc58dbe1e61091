//! Identifiers of systems and families, which are also names of folders and files.

/// Longest identifier accepted.
pub const MAX_LENGTH: usize = 64;

/// Whether a text can be the identifier of a system or a family: 1 to 64 ASCII letters, digits,
/// `-` and `_`, beginning with a letter or digit. Such a text is safe as a file name and in a URL.
pub fn is_identifier(text: &str) -> bool {
    let starts_well = text
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_alphanumeric());
    starts_well
        && text.len() <= MAX_LENGTH
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Names of a system's own files and folders, which no family can have.
const RESERVED: [&str; 4] = ["index", "raw", "summary", "system"];

/// Whether a text can be the identifier of a family: an identifier that is not the name of one of a
/// system's own files.
pub fn is_family_identifier(text: &str) -> bool {
    is_identifier(text) && !RESERVED.contains(&text.to_ascii_lowercase().as_str())
}

/// Whether a system is private to a clone: `local` and everything that begins with `local-`.
/// Such systems are kept out of version control and have an index of their own.
pub fn is_private_system(system: &str) -> bool {
    system == "local" || system.starts_with("local-")
}

/// Whether a text is a SHA-256 in 64 lower-case hex digits.
pub fn is_sha256(text: &str) -> bool {
    text.len() == 64 && is_lower_hex(text)
}

/// Whether a text consists of lower-case hex digits only (and of at least one).
pub fn is_lower_hex(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Whether a text can be one word of a path: not empty, no `/`, no control characters, not `.` or `..`.
pub fn is_path_word(text: &str) -> bool {
    let plain = |c: char| c != '/' && c != '\\' && !c.is_control();
    !text.is_empty() && text != "." && text != ".." && text.chars().all(plain)
}

/// Whether a text is a relative path that stays below where it begins: words with `/` between them.
pub fn is_plain_path(text: &str) -> bool {
    text.split('/').all(is_path_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_safe_as_file_names() {
        for good in ["arm_1", "kem-14", "local", "x86_1", "classic-mceliece"] {
            assert!(is_identifier(good), "{good}");
        }
        for bad in ["", ".", "..", "a/b", "a b", "-x", "ä", "a\\b", "a.b"] {
            assert!(!is_identifier(bad), "{bad}");
        }
        assert!(!is_identifier(&"a".repeat(65)));
        assert!(is_family_identifier("kem-14"));
        assert!(!is_family_identifier("summary") && !is_family_identifier("System"));
    }

    #[test]
    fn private_systems_are_local_ones() {
        assert!(is_private_system("local"));
        assert!(is_private_system("local-board"));
        assert!(!is_private_system("localhost"));
        assert!(!is_private_system("arm_1"));
    }

    #[test]
    fn paths_stay_below_their_folder() {
        for path in ["build/toy/x__clean.so", "a", "Größe/b c.json"] {
            assert!(is_plain_path(path), "{path}");
        }
        for path in [
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a//b",
            "a/./b",
            "a\nb",
            "a\\b",
            "a/",
        ] {
            assert!(!is_plain_path(path), "{path}");
        }
    }
}
