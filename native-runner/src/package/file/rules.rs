//! What the values of a `kem.toml` may be.

use super::flags;
use kemscope_schema::identifier::{is_family_identifier, is_lower_hex};

/// Security targets that a parameter set may claim, in bits.
pub const TARGETS: [u64; 3] = [128, 256, 512];

/// The instruction sets that an instance can be restricted to, as compilers name them.
pub const ARCHITECTURES: [&str; 2] = ["x86_64", "aarch64"];

/// Extensions of what is compiled.
pub const SOURCE_EXTENSIONS: [&str; 7] = ["c", "cc", "cpp", "cxx", "C", "S", "s"];

/// Why a text cannot be the identifier of a family; `None` if it can.
pub fn family_id(id: &str) -> Option<String> {
    (!is_family_identifier(id)).then(|| {
        format!(
            "`{id}` cannot be a family's identifier: letters, digits, - and _, beginning with a letter or digit, at \
             most 64, and not system, summary, index or raw"
        )
    })
}

/// Why a text cannot be the name of an instance or variant; `None` if it can. Names become parts of paths.
pub fn name(name: &str) -> Option<String> {
    let fine = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    let good = !name.is_empty()
        && name.len() <= 64
        && !name.starts_with('.')
        && name.chars().all(fine)
        && !name.contains("__");
    (!good).then(|| {
        format!(
            "`{name}` cannot be a name: only letters, digits and . _ + -, at most 64 (no leading dot, no double \
             underscore)"
        )
    })
}

/// Why a text cannot be a line of free text; `None` if it can.
pub fn one_line(text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return Some("must not be empty".to_owned());
    }
    let broken = text.chars().any(char::is_control);
    broken.then(|| "must be one line, without control characters".to_owned())
}

/// Why a text cannot be a namespace; `None` if it can.
pub fn namespace(text: &str) -> Option<String> {
    (!is_c_identifier(text)).then(|| {
        format!(
            "`{text}` is no prefix of C names; it is what stands before `_crypto_kem_keypair` in api.h"
        )
    })
}

/// Why a text cannot be a macro definition; `None` if it can.
pub fn define(text: &str) -> Option<String> {
    if text.starts_with("-D") {
        return Some(format!("`{text}`: without -D, `NAME` or `NAME=VALUE`"));
    }
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let good = is_c_identifier(name) && !value.chars().any(char::is_control);
    (!good).then(|| format!("`{text}` is no macro: `NAME` or `NAME=VALUE`"))
}

/// Why a text cannot be a compiler flag of a package; `None` if it can.
pub fn flag(text: &str) -> Option<String> {
    flags::objection(text)
}

/// Why a text cannot be a library; `None` if it can.
pub fn library(text: &str) -> Option<String> {
    let good = text
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_')
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_+.-".contains(&b));
    (!good).then(|| {
        format!(
            "`{text}` is no library of the system: its name without lib, .so and -l, for example `m`; libraries \
             that a package ships are not linked"
        )
    })
}

/// Why a text cannot be an instruction set; `None` if it can.
pub fn architecture(text: &str) -> Option<String> {
    (!ARCHITECTURES.contains(&text)).then(|| {
        let known = ARCHITECTURES.join("`, `");
        format!("`{text}` is no instruction set that is known here; there are `{known}`")
    })
}

/// A SHA-256 in lower case; `Err` says why a text is none.
pub fn sha256(text: &str) -> Result<String, String> {
    let lower = text.to_ascii_lowercase();
    if lower.len() == 64 && is_lower_hex(&lower) {
        return Ok(lower);
    }
    Err(format!("must be a SHA-256, 64 hex digits, found `{text}`"))
}

fn is_c_identifier(text: &str) -> bool {
    let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_';
    text.bytes().next().is_some_and(letter) && text.bytes().all(|b| letter(b) || b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_leave_their_folder() {
        for bad in ["../x", "", ".hidden", "a/b", "a__b", "é", "a b"] {
            assert!(name(bad).is_some(), "{bad}");
        }
        for good in ["DTRU-648", "mceliece348864", "a.b+c_d"] {
            assert_eq!(name(good), None);
        }
    }

    #[test]
    fn macros_and_libraries() {
        for good in ["N", "N=3", "N=", "NAME=\"x y\"", "_x=1=2"] {
            assert_eq!(define(good), None);
        }
        for bad in ["", "3N", "-DN", "N M", "=1", "N=a\nb", "F(x)=x"] {
            assert!(define(bad).is_some(), "{bad}");
        }
        for good in ["m", "crypto", "stdc++"] {
            assert_eq!(library(good), None);
        }
        for bad in ["", "-lm", ":libx.a", "/usr/lib/x", "x y", "../x", "."] {
            assert!(library(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn digests_are_kept_in_lower_case() {
        assert_eq!(sha256(&"Ab".repeat(32)), Ok("ab".repeat(32)));
        assert!(sha256("ab").is_err());
        assert!(sha256(&"g".repeat(64)).is_err());
    }
}
