//! The heap counter, where it was loaded before the C library.

use kemscope_schema::run::HeapUse;
use libloading::os::unix::Library;

/// What `csrc/heap.c` fills in.
#[repr(C)]
#[derive(Default)]
struct Numbers {
    peak_bytes: u64,
    allocations: u64,
    requested_bytes: u64,
    kept_bytes: u64,
    overflow: u64,
}

/// Begins and ends counting.
#[derive(Clone, Copy)]
pub struct HeapCounter {
    begin: unsafe extern "C" fn(),
    end: unsafe extern "C" fn(*mut Numbers),
}

impl HeapCounter {
    /// The counter of this process; `None` where none was loaded.
    pub fn find() -> Option<HeapCounter> {
        let program = Library::this();
        // SAFETY: only our own library defines functions of these names, with these types.
        let begin = unsafe { program.get(b"kemscope_heap_begin\0") }.ok()?;
        // SAFETY: as above.
        let end = unsafe { program.get(b"kemscope_heap_end\0") }.ok()?;
        Some(HeapCounter {
            begin: *begin,
            end: *end,
        })
    }

    /// Counts from now on.
    pub fn begin(self) {
        // SAFETY: the function has no conditions.
        unsafe { (self.begin)() };
    }

    /// What was counted since; an error where there were too many blocks at once to keep account of.
    pub fn end(self) -> Result<HeapUse, &'static str> {
        let mut numbers = Numbers::default();
        // SAFETY: the function fills in a structure of this layout.
        unsafe { (self.end)(&mut numbers) };
        if numbers.overflow != 0 {
            return Err("it held more blocks at one moment than the counter can keep account of");
        }
        Ok(HeapUse {
            peak_bytes: numbers.peak_bytes,
            allocations: numbers.allocations,
            requested_bytes: numbers.requested_bytes,
            kept_bytes: numbers.kept_bytes,
        })
    }
}
