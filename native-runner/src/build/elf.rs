//! What a shared library takes in memory.

use object::{Object, ObjectSegment};

/// Sum of the memory sizes of the loadable segments (PT_LOAD) of an ELF file, in bytes.
pub fn load_bytes(file: &[u8]) -> Result<u64, String> {
    let elf = object::File::parse(file).map_err(|e| format!("no ELF file: {e}"))?;
    Ok(elf.segments().map(|segment| segment.size()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_has_loadable_segments() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(load_bytes(&own).unwrap() > 10_000);
    }

    #[test]
    fn a_text_is_no_library() {
        assert!(load_bytes(b"#!/bin/sh\n").unwrap_err().contains("no ELF"));
    }
}
