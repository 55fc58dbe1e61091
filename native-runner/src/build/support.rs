//! What the runner adds to a package's own sources: the shim of its interface, and headers for what packages
//! leave to the organisers' files.

use crate::abi::Abi;
use std::io;
use std::path::Path;

/// The shim of NIST's interface.
const NIST_SHIM: &str = include_str!("../../csrc/nist_shim.c");
/// The shim of the NGCC interface.
const ICCS_SHIM: &str = include_str!("../../csrc/iccs_shim.c");

/// Headers that are found only where a package brings none of the name.
const HEADERS: [(&str, &str); 4] = [
    ("auxfunc.h", include_str!("../../csrc/support/auxfunc.h")),
    ("drng.h", include_str!("../../csrc/support/drng.h")),
    (
        "randombytes.h",
        include_str!("../../csrc/support/randombytes.h"),
    ),
    ("rng.h", include_str!("../../csrc/support/rng.h")),
];

/// The shim that is compiled into a library of an interface.
pub fn shim(abi: &Abi) -> &'static str {
    match abi {
        Abi::Iccs => ICCS_SHIM,
        Abi::Nist | Abi::Pqclean { .. } => NIST_SHIM,
    }
}

/// Names of the functions and objects that the shim defines where the package does not.
pub fn supplied(abi: &Abi) -> &'static [&'static str] {
    match abi {
        Abi::Iccs => &[
            "drng_algorithm",
            "sm3hash",
            "pseudohash",
            "pseudoXOF",
            "init_random_number",
            "get_random_number",
        ],
        Abi::Nist => &["randombytes"],
        Abi::Pqclean { .. } => &["PQCLEAN_randombytes"],
    }
}

/// Writes the headers into a folder.
pub fn write_headers(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, text) in HEADERS {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

/// Names and contents of everything that may go into a library of an interface.
pub fn all(abi: &Abi) -> impl Iterator<Item = (&'static str, &'static str)> {
    [("shim", shim(abi))].into_iter().chain(HEADERS)
}
