//! Buffers that notice when somebody reaches outside them.
//!
//! Each buffer lies at the end of its own pages, with an inaccessible page before and behind. The
//! start is kept aligned to a cache line as an allocator's would be, so up to 63 bytes remain before
//! the page behind; they and everything before the buffer are filled with a pattern that is checked
//! after every operation. A long overrun faults at once, a short one is found by the pattern.

use super::fault;
use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::ptr::NonNull;

/// Alignment of a buffer's first byte: a cache line of every current core but a few.
const ALIGNMENT: usize = 64;

/// A buffer between guards.
pub struct Guarded {
    /// What the buffer is, for messages: `public key`.
    name: &'static str,
    mapping: NonNull<c_void>,
    mapped: usize,
    /// Bytes of one page.
    page: usize,
    /// Offset of the buffer in the mapping.
    offset: usize,
    length: usize,
}

impl Guarded {
    /// A zeroed buffer of `length` bytes.
    pub fn new(name: &'static str, length: usize) -> Result<Guarded, String> {
        let page = page_bytes();
        let fail = |what: &str| format!("no memory for the {name} of {length} bytes ({what})");
        let data = length
            .max(1)
            .checked_next_multiple_of(ALIGNMENT)
            .and_then(|n| n.checked_next_multiple_of(page))
            .ok_or_else(|| fail("too large"))?;
        let mapped = data
            .checked_add(2 * page)
            .and_then(NonZeroUsize::new)
            .ok_or_else(|| fail("too large"))?;
        // SAFETY: a new anonymous private mapping at an address of the kernel's choice aliases nothing.
        let mapping = unsafe {
            mmap_anonymous(
                None,
                mapped,
                ProtFlags::PROT_READ | ProtFlags::PROT_WRITE,
                MapFlags::MAP_PRIVATE,
            )
        }
        .map_err(|e| fail(e.desc()))?;
        let padded = length.max(1).next_multiple_of(ALIGNMENT);
        let buffer = Guarded {
            name,
            mapping,
            mapped: mapped.get(),
            page,
            offset: page + data - padded,
            length,
        };
        for start in [0, page + data] {
            // SAFETY: both pages lie in the mapping made above, which nobody else knows.
            unsafe { mprotect(mapping.byte_add(start), page, ProtFlags::PROT_NONE) }
                .map_err(|e| fail(e.desc()))?;
            let begin = mapping.as_ptr() as usize + start;
            fault::watch(name, length, begin, begin + page);
        }
        buffer.fill_pattern();
        Ok(buffer)
    }

    /// What the buffer is, for messages.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// First byte, for the library.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.at(self.offset)
    }

    fn as_ptr(&self) -> *const u8 {
        self.at(self.offset)
    }

    /// Fills the content with a byte.
    pub fn fill(&mut self, byte: u8) {
        // SAFETY: the range is the buffer, in the writable part of our mapping.
        unsafe { std::ptr::write_bytes(self.as_mut_ptr(), byte, self.length) };
    }

    /// Flips the lowest bit of a byte of the content.
    pub fn flip(&mut self, place: usize) {
        if place < self.length {
            let byte = self.at(self.offset + place);
            // SAFETY: the place lies within the buffer, in the writable part of our mapping.
            unsafe { byte.write(byte.read() ^ 1) };
        }
    }

    /// The content.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the range lies in the readable part of our mapping, and was zeroed by the kernel.
        unsafe { std::slice::from_raw_parts(self.as_ptr(), self.length) }
    }

    /// Checks the pattern around the buffer; says how far somebody wrote outside.
    pub fn check(&self) -> Result<(), String> {
        let (name, length) = (self.name, self.length);
        let written = |place: usize| self.read(place) != pattern(place);
        if let Some(last) = self.after().rev().find(|&p| written(p)) {
            let beyond = last + 1 - (self.offset + length);
            return Err(format!(
                "wrote {beyond} bytes beyond the end of the {name} buffer of {length} bytes"
            ));
        }
        if let Some(first) = self.before().find(|&p| written(p)) {
            let ahead = self.offset - first;
            return Err(format!(
                "wrote {ahead} bytes ahead of the {name} buffer of {length} bytes"
            ));
        }
        Ok(())
    }

    fn before(&self) -> std::ops::Range<usize> {
        // One page ahead at most: more would cost resident memory and finds nothing new.
        let first = self.page.max(self.offset.saturating_sub(self.page));
        first..self.offset
    }

    fn after(&self) -> std::ops::Range<usize> {
        self.offset + self.length..self.mapped - self.page
    }

    fn fill_pattern(&self) {
        for place in self.before().chain(self.after()) {
            // SAFETY: `before` and `after` lie in the writable part of our mapping.
            unsafe { self.at(place).write(pattern(place)) };
        }
    }

    fn read(&self, place: usize) -> u8 {
        // SAFETY: callers pass places of `before` and `after`, in the readable part of our mapping.
        // Volatile, because the library may have written there behind the compiler's back.
        unsafe { self.at(place).read_volatile() }
    }

    fn at(&self, place: usize) -> *mut u8 {
        self.mapping.as_ptr().cast::<u8>().wrapping_add(place)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no pointer to it outlives the buffer. Failure leaks it.
        let _ = unsafe { munmap(self.mapping, self.mapped) };
    }
}

/// A byte that depends on its place, so that a copied neighbour shows too.
fn pattern(place: usize) -> u8 {
    (place as u8).wrapping_mul(167) ^ 0x5a
}

/// Bytes of one page of memory.
pub fn page_bytes() -> usize {
    nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE)
        .ok()
        .flatten()
        .and_then(|n| usize::try_from(n).ok())
        // The largest page in common use is a multiple of every smaller one.
        .unwrap_or(65536)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poke(buffer: &mut Guarded, offset: isize) {
        let place = buffer.as_mut_ptr().wrapping_offset(offset);
        // SAFETY: the tests stay within the pattern around the buffer, which is writable.
        unsafe { place.write(place.read() ^ 0xff) };
    }

    #[test]
    fn honest_use_is_fine() {
        for length in [0, 1, 32, 63, 64, 65, 800, 4096, 4097, 261_120] {
            let mut buffer = Guarded::new("ciphertext", length).unwrap();
            for i in 0..length {
                poke(&mut buffer, i as isize);
            }
            assert_eq!(buffer.check(), Ok(()));
            assert_eq!(buffer.as_ptr() as usize % ALIGNMENT, 0);
            assert!(buffer.bytes().iter().all(|&b| b == 0xff));
        }
    }

    #[test]
    fn one_byte_too_many_is_found() {
        let mut buffer = Guarded::new("ciphertext", 729).unwrap();
        poke(&mut buffer, 729);
        let message = buffer.check().unwrap_err();
        assert_eq!(
            message,
            "wrote 1 bytes beyond the end of the ciphertext buffer of 729 bytes"
        );
    }

    #[test]
    fn a_write_ahead_is_found() {
        let mut buffer = Guarded::new("public key", 800).unwrap();
        poke(&mut buffer, -8);
        let message = buffer.check().unwrap_err();
        assert!(
            message.contains("8 bytes ahead of the public key"),
            "{message}"
        );
    }
}
