//! Hex: upper case as known-answer tests print it, lower case for digests.

/// Two upper-case digits per byte.
pub fn upper(bytes: &[u8]) -> String {
    digits(bytes, b"0123456789ABCDEF")
}

/// Two lower-case digits per byte.
pub fn lower(bytes: &[u8]) -> String {
    digits(bytes, b"0123456789abcdef")
}

fn digits(bytes: &[u8], digits: &[u8; 16]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(digits[usize::from(byte >> 4)]));
        text.push(char::from(digits[usize::from(byte & 15)]));
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_digit() {
        assert_eq!(super::upper(&[0x01, 0x9a, 0xff]), "019AFF");
        assert_eq!(super::lower(&[0x01, 0x9a, 0xff]), "019aff");
    }
}
