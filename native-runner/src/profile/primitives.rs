//! The symmetric primitives that wrappers are linked around, and how they are known.

use kemscope_schema::run::PrimitiveKind;

/// A primitive: how it is called, so far as its lengths go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Primitive {
    /// Its name in profiles.
    pub name: String,
    /// What it does.
    pub kind: PrimitiveKind,
    /// Bits that a call takes in, as a C expression of its arguments `a` to `f`.
    pub in_bits: String,
    /// Bits that a call gives out, likewise.
    pub out_bits: String,
}

/// The interface that a library has, as far as its primitives go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitives {
    /// The helpers of the NGCC interface.
    Iccs,
    /// `randombytes`, and SHA-3 and SHAKE as PQClean, liboqs and the packages of pq-crystals call them.
    Nist,
}

fn primitive(name: &str, kind: PrimitiveKind, in_bits: &str, out_bits: &str) -> Primitive {
    Primitive {
        name: name.to_owned(),
        kind,
        in_bits: in_bits.to_owned(),
        out_bits: out_bits.to_owned(),
    }
}

impl Primitives {
    /// The primitive that a symbol names, if it names one.
    pub fn of_symbol(self, symbol: &str) -> Option<Primitive> {
        match self {
            Primitives::Iccs => iccs(symbol),
            Primitives::Nist => nist(symbol),
        }
    }

    /// Whether a function's name says that it hashes. Of such a function that is neither a primitive nor
    /// leads to one, no wrapper knows.
    pub fn sounds_like_a_hash(self, symbol: &str) -> bool {
        let words: &[&str] = match self {
            // The share is, by definition, that of the interface's helpers: copies of them are looked for.
            Primitives::Iccs => &["sm3", "pseudohash", "pseudoxof"],
            Primitives::Nist => &[
                "keccak", "sha3", "shake", "sha256", "sha384", "sha512", "blake",
            ],
        };
        let symbol = symbol.to_ascii_lowercase();
        words.iter().any(|word| symbol.contains(word))
    }

    /// Whether an operation that reaches none of the hash primitives has a share of zero. The helpers of the NGCC
    /// interface are all that counts there; elsewhere it may hash with a function of any name.
    pub fn are_all_there_is(self) -> bool {
        self == Primitives::Iccs
    }
}

fn iccs(symbol: &str) -> Option<Primitive> {
    use PrimitiveKind::{Drng, Hash};
    // sm3hash(digest bits, message, message bits, digest) and pseudohash have an `int` first: the upper half of
    // its register is not said.
    let digest_bits = "(uint32_t)a";
    match symbol {
        "sm3hash" | "pseudohash" => Some(primitive(symbol, Hash, "c", digest_bits)),
        // pseudoXOF(output bits, message, message bits, output)
        "pseudoXOF" => Some(primitive(symbol, Hash, "c", "a")),
        // get_random_number(state, output, output bits)
        "get_random_number" => Some(primitive("drng", Drng, "0", "c")),
        _ => None,
    }
}

fn nist(symbol: &str) -> Option<Primitive> {
    if symbol == "randombytes" || symbol == "PQCLEAN_randombytes" {
        // randombytes(output, bytes)
        return Some(primitive("randombytes", PrimitiveKind::Drng, "0", "8 * b"));
    }
    let start = NAMES
        .iter()
        .filter_map(|name| symbol.rfind(name))
        .max()
        .filter(|start| is_known_prefix(&symbol[..*start]))?;
    fips202(&symbol[start..])
}

/// Beginnings of the names of FIPS 202's functions.
const NAMES: [&str; 5] = ["shake128", "shake256", "sha3_256", "sha3_384", "sha3_512"];

/// Prefixes of packages that keep the functions and their arguments and put the names into a space of their own.
fn is_known_prefix(prefix: &str) -> bool {
    prefix.is_empty()
        || prefix == "OQS_SHA3_"
        || (prefix.ends_with('_') && prefix.to_ascii_lowercase().contains("fips202"))
}

/// The functions of PQClean's `fips202.h`, and their like without `inc`.
fn fips202(name: &str) -> Option<Primitive> {
    let hash = |in_bits: &str, out_bits: &str| {
        Some(primitive(name, PrimitiveKind::Hash, in_bits, out_bits))
    };
    let (function, rest) = name.split_at(NAMES[0].len());
    // Bytes of a block; of SHA-3, bits of the digest.
    match (function, rest) {
        // shake128(output, output bytes, input, input bytes)
        ("shake128" | "shake256", "") => hash("8 * d", "8 * b"),
        // shake128_squeezeblocks(output, blocks, state)
        ("shake128", "_squeezeblocks") => hash("0", "8 * 168 * b"),
        ("shake256", "_squeezeblocks") => hash("0", "8 * 136 * b"),
        // shake128_inc_squeeze(output, output bytes, state)
        ("shake128" | "shake256", "_inc_squeeze" | "_squeeze") => hash("0", "8 * b"),
        ("shake128" | "shake256", "_inc_finalize" | "_finalize") => hash("0", "0"),
        ("shake128" | "shake256", "_absorb" | "_absorb_once") => hash("8 * c", "0"),
        ("shake128" | "shake256", "_ctx_release" | "_ctx_clone" | "_init") => hash("0", "0"),
        // sha3_256(digest, input, input bytes)
        (_, "") => hash("8 * c", digest_bits(function)),
        // sha3_256_inc_finalize(digest, state)
        (_, "_inc_finalize") => hash("0", digest_bits(function)),
        // …_inc_absorb(state, input, input bytes)
        (_, "_inc_absorb") => hash("8 * c", "0"),
        (_, "_inc_init" | "_inc_ctx_release" | "_inc_ctx_clone") => hash("0", "0"),
        _ => None,
    }
}

fn digest_bits(function: &str) -> &str {
    function.rsplit('_').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nist(symbol: &str) -> Option<(String, String, String)> {
        let found = Primitives::Nist.of_symbol(symbol)?;
        Some((found.name, found.in_bits, found.out_bits))
    }

    fn found(name: &str, in_bits: &str, out_bits: &str) -> Option<(String, String, String)> {
        Some((name.to_owned(), in_bits.to_owned(), out_bits.to_owned()))
    }

    #[test]
    fn functions_of_pqclean() {
        assert_eq!(nist("shake256"), found("shake256", "8 * d", "8 * b"));
        assert_eq!(nist("sha3_512"), found("sha3_512", "8 * c", "512"));
        assert_eq!(
            nist("sha3_384_inc_finalize"),
            found("sha3_384_inc_finalize", "0", "384")
        );
        assert_eq!(
            nist("shake256_inc_finalize"),
            found("shake256_inc_finalize", "0", "0")
        );
        assert_eq!(
            nist("shake128_squeezeblocks"),
            found("shake128_squeezeblocks", "0", "8 * 168 * b")
        );
        assert_eq!(
            nist("PQCLEAN_randombytes"),
            found("randombytes", "0", "8 * b")
        );
    }

    #[test]
    fn names_in_other_spaces() {
        assert_eq!(
            nist("OQS_SHA3_shake128_inc_absorb"),
            found("shake128_inc_absorb", "8 * c", "0")
        );
        assert_eq!(
            nist("pqcrystals_kyber_fips202_ref_shake128_absorb_once"),
            found("shake128_absorb_once", "8 * c", "0")
        );
    }

    #[test]
    fn other_names_are_none() {
        for symbol in [
            "PQCLEAN_MLKEM768_CLEAN_kyber_shake128_absorb",
            "shake256x4",
            "shake128_absorb_more",
            "cshake128",
            "sha3_2",
            "sha512",
            "shake",
            "",
        ] {
            assert_eq!(Primitives::Nist.of_symbol(symbol), None, "{symbol}");
        }
        assert_eq!(Primitives::Iccs.of_symbol("shake128"), None);
        assert_eq!(Primitives::Nist.of_symbol("sm3hash"), None);
    }

    #[test]
    fn helpers_of_the_ngcc_interface() {
        let generator = Primitives::Iccs.of_symbol("get_random_number").unwrap();
        assert_eq!(generator.name, "drng");
        assert_eq!(generator.kind, PrimitiveKind::Drng);
        for helper in ["sm3hash", "pseudohash", "pseudoXOF"] {
            let helper = Primitives::Iccs.of_symbol(helper).unwrap();
            assert_eq!(helper.kind, PrimitiveKind::Hash);
        }
    }

    #[test]
    fn names_that_sound_like_hashes() {
        assert!(Primitives::Nist.sounds_like_a_hash("KeccakF1600_StatePermute"));
        assert!(Primitives::Nist.sounds_like_a_hash("my_SHAKE256x4"));
        assert!(!Primitives::Nist.sounds_like_a_hash("poly_reduce"));
        assert!(Primitives::Iccs.sounds_like_a_hash("local_SM3_block"));
        assert!(!Primitives::Iccs.sounds_like_a_hash("keccak"));
    }
}
