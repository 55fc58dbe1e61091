//! Upper-case hex, as known-answer tests print it.

/// Two upper-case digits per byte.
pub fn upper(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_digit() {
        assert_eq!(super::upper(&[0x01, 0x9a, 0xff]), "019AFF");
    }
}
