//! Query strings: `key=value` pairs with percent coding that keeps common characters readable.

use std::fmt::Write;

/// Percent-decodes one component; `+` is a space. Sequences that are no valid coding, or no UTF-8,
/// are taken as they stand: a URL typed by hand must not lose its other parameters.
pub fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = |offset: usize| {
            bytes
                .get(at + offset)
                .and_then(|b| (*b as char).to_digit(16))
        };
        match (byte, hex(1), hex(2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (b'+', ..) => {
                out.push(b' ');
                at += 1;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// Percent-encodes one component. Letters, digits and `-._~` stay; a space becomes `+`.
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(byte as char);
            }
            b' ' => out.push('+'),
            // Writing to a string cannot fail.
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    out
}

/// The pairs of a query string, with or without its leading `?`. Values stay encoded, because lists
/// are split at plain commas first.
pub fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query
        .trim_start_matches('?')
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

/// The decoded items of a list value; empty items are dropped.
pub fn list(value: &str) -> Vec<String> {
    // A comma that came percent-encoded separates too when a mail program has encoded all of them.
    let plain = value.contains(',') || !value.to_ascii_uppercase().contains("%2C");
    if plain {
        value
            .split(',')
            .map(decode)
            .filter(|s| !s.is_empty())
            .collect()
    } else {
        decode(value)
            .split(',')
            .map(str::to_owned)
            .filter(|s| !s.is_empty())
            .collect()
    }
}

/// A list as a value: items encoded, commas between them plain.
pub fn join<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> String {
    let mut out = String::new();
    for item in items {
        if !out.is_empty() {
            out.push(',');
        }
        out.push_str(&encode(item.as_ref()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn damaged_codings_are_kept() {
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%zz"), "%zz");
        assert_eq!(decode("%ff"), "%ff");
        assert_eq!(decode("a+b%2Bc"), "a b+c");
    }

    #[test]
    fn lists_survive_encoded_commas() {
        assert_eq!(list("arm_1,x86_1"), ["arm_1", "x86_1"]);
        assert_eq!(list("arm_1%2Cx86_1"), ["arm_1", "x86_1"]);
        assert_eq!(list(",,"), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn every_text_comes_back(text in ".*") {
            prop_assert_eq!(decode(&encode(&text)), text);
        }
    }
}
