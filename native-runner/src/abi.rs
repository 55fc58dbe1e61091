//! The interfaces that KEM libraries have.

use kemscope_schema::run::Generator;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a library's functions are called and where its randomness comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "abi")]
pub enum Abi {
    /// NGCC: `kem_keygen`, `kem_enc`, `kem_dec`, sizes from `kem_get_*_len_bytes`, randomness from the global
    /// `drng_algorithm`.
    Iccs,
    /// NIST: `crypto_kem_keypair`, `crypto_kem_enc`, `crypto_kem_dec`, sizes from `api.h`, randomness from
    /// `randombytes`.
    Nist,
    /// NIST's with a prefix before every name, and `PQCLEAN_randombytes`.
    Pqclean {
        /// The prefix without its last underscore: `PQCLEAN_MLKEM768_CLEAN`.
        namespace: String,
    },
}

impl Abi {
    /// The word in `kem.toml` and in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Abi::Iccs => "iccs",
            Abi::Nist => "nist",
            Abi::Pqclean { .. } => "pqclean",
        }
    }

    /// The generator that feeds everything but known-answer tests.
    pub fn generator(&self) -> Generator {
        match self {
            Abi::Iccs => Generator::IccsSm3,
            Abi::Nist | Abi::Pqclean { .. } => Generator::NistCtrDrbg,
        }
    }

    /// The name of an interface's function in the library: `crypto_kem_enc`, with the prefix where there is one.
    pub fn symbol(&self, function: &str) -> String {
        match self {
            Abi::Pqclean { namespace } => format!("{namespace}_{function}"),
            Abi::Iccs | Abi::Nist => function.to_owned(),
        }
    }
}

impl fmt::Display for Abi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
