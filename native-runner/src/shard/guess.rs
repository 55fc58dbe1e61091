//! How long the calls of an instance may take of which nobody has measured anything.

use super::cost::Calls;
use kemscope_schema::{Category, Sizes};

/// Sizes where none are declared.
const KEY_BYTES: u64 = 1500;

/// A guess from mathematical basis and declared sizes, right to about a power of ten for portable C on a current
/// core. It need not be better: most operations are fast enough that a trial takes its second whatever they
/// are, and the slow ones are told from them by isogenies and large keys.
pub fn calls(category: Option<Category>, sizes: &Sizes) -> Calls {
    let bytes = |size: Option<u64>| size.unwrap_or(KEY_BYTES) as f64;
    let (key, ciphertext) = (bytes(sizes.public_key_bytes), bytes(sizes.ciphertext_bytes));
    // Seconds per byte: 50 µs for a lattice key of 1 KB, 1 ms for one of a code, 100 ms for isogenies.
    let rate = match category {
        Some(Category::Lattice) => 5e-8,
        Some(Category::Code) => 5e-7,
        Some(Category::Isogeny) => 3e-4,
        Some(Category::PreQuantum) => 1e-6,
        None => 1e-7,
    };
    // The large key is read through once where it is used.
    let other = ciphertext + key / 10.0;
    [rate * key, rate * other, rate * other]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_keys_and_isogenies_are_slow() {
        let of = |category, key| {
            let sizes = Sizes {
                public_key_bytes: Some(key),
                ..Sizes::default()
            };
            calls(Some(category), &sizes)[0]
        };
        assert!(of(Category::Code, 1_000_000) > 0.1);
        assert!(of(Category::Isogeny, 300) > 0.05);
        assert!(of(Category::Lattice, 1200) < 1e-3);
    }

    #[test]
    fn nothing_declared_is_no_reason_to_fail() {
        assert!(
            calls(None, &Sizes::default())
                .iter()
                .all(|call| *call > 0.0)
        );
    }
}
