//! What a library depends on, as one digest: equal digest, equal library.

use super::attempt::SHIM;
use super::toolchain::Toolchain;
use crate::package::Instance;
use sha2::{Digest, Sha256};
use std::io;
use std::path::Path;

/// SHA-256 over compiler, flags, link flags, shim, namespace, and the names and contents of all input
/// files, as 64 lower-case hex digits. Names are relative to the package: where it lies does not matter.
pub fn of(instance: &Instance, compiler: &str, flags: &[String]) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        // Lengths keep `ab` + `c` and `a` + `bc` apart.
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(compiler.as_bytes());
    part(flags.join("\0").as_bytes());
    for flag in Toolchain::link_flags() {
        part(flag.as_bytes());
    }
    part(SHIM.as_bytes());
    part(instance.namespace.as_bytes());
    for path in &instance.inputs {
        let name = relative(instance, path);
        part(name.as_os_str().as_encoded_bytes());
        part(&std::fs::read(path)?);
    }
    Ok(format!("{:x}", hash.finalize()))
}

/// A path as seen from the folder that holds it: the implementation's, or the package tree's.
fn relative<'a>(instance: &Instance, path: &'a Path) -> &'a Path {
    let tree = instance.common.parent().unwrap_or(&instance.common);
    path.strip_prefix(&instance.directory)
        .or_else(|_| path.strip_prefix(tree))
        .unwrap_or(path)
}
