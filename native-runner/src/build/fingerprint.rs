//! What a library depends on, as one digest: equal digest, equal library.

use super::{Relink, support, toolchain::Toolchain};
use crate::package::Instance;
use sha2::{Digest, Sha256};
use std::io;

/// SHA-256 over compiler, flags, link flags, shim, interface, and the names and contents of all input
/// files, as 64 lower-case hex digits. Names are relative to the package: where it lies does not matter.
pub fn of(
    instance: &Instance,
    toolchain: &Toolchain,
    flags: &[String],
    relink: &Relink,
) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        // Lengths keep `ab` + `c` and `a` + `bc` apart.
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(toolchain.version().as_bytes());
    part(toolchain.target().as_bytes());
    let own = [
        flags,
        &instance.defines,
        &instance.flags,
        &instance.libraries,
    ];
    for list in own {
        part(list.join("\0").as_bytes());
    }
    Toolchain::link_flags().for_each(|flag| part(flag.as_bytes()));
    part(relink.link_flags.join("\0").as_bytes());
    let own = support::all(&instance.abi);
    let own = own.map(|(name, text)| (name.to_owned(), text.to_owned()));
    for (name, text) in own.chain(relink.sources.iter().cloned()) {
        part(name.as_bytes());
        part(text.as_bytes());
    }
    part(instance.abi.name().as_bytes());
    part(instance.abi.symbol("").as_bytes());
    for folder in &instance.include {
        part(instance.relative(folder).as_os_str().as_encoded_bytes());
    }
    for path in &instance.sources {
        part(instance.relative(path).as_os_str().as_encoded_bytes());
    }
    for path in &instance.inputs {
        part(instance.relative(path).as_os_str().as_encoded_bytes());
        part(&std::fs::read(path)?);
    }
    Ok(format!("{:x}", hash.finalize()))
}
