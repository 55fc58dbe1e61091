//! What a library depends on, as one digest: equal digest, equal library.

use super::attempt::SHIM;
use crate::package::Instance;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::io;

/// SHA-256 over compiler, flags, shim, namespace, and the names and contents of all input files, as
/// 64 lower-case hex digits. Where the sources lie does not matter.
pub fn of(instance: &Instance, compiler: &str, flags: &[String]) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        // Lengths keep `ab` + `c` and `a` + `bc` apart.
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(compiler.as_bytes());
    part(flags.join("\0").as_bytes());
    part(SHIM.as_bytes());
    part(instance.namespace.as_bytes());
    for path in &instance.inputs {
        let name = path.file_name().unwrap_or(OsStr::new(""));
        part(name.as_encoded_bytes());
        part(&std::fs::read(path)?);
    }
    Ok(format!("{:x}", hash.finalize()))
}
