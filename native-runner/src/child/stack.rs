//! A stack that was painted before: afterwards it shows how deep it was used.

use super::fault;
use super::guarded::page_bytes;
use nix::libc;
use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use nix::sys::resource::{Resource, getrlimit};
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::ptr::NonNull;

/// Bytes of one painted word.
const WORD: usize = size_of::<u64>();
/// A stack has at least as much as processes usually have.
const SMALLEST_BYTES: u64 = 8 << 20;
/// … and no more where the system sets no limit: all of it is painted.
const LARGEST_BYTES: u64 = 64 << 20;
/// Stack of the signal handler that tells of an overrun.
const SIGNAL_BYTES: usize = 64 << 10;

/// A stack for one thread at a time, between a guard page and our own memory.
pub struct PaintedStack {
    mapping: NonNull<c_void>,
    mapped: usize,
    /// Bytes of the guard page at the low end.
    guard: usize,
    signal_stack: Vec<u8>,
}

/// What a thread is to do, and what came of it.
struct Job<F, T> {
    body: Option<F>,
    result: Option<T>,
    signal_stack: *mut c_void,
}

impl PaintedStack {
    /// A stack as large as the limit of this process's own, within bounds.
    pub fn new() -> Result<PaintedStack, String> {
        let fail = |what: &str| format!("no memory for a stack ({what})");
        let limit = getrlimit(Resource::RLIMIT_STACK).map_or(SMALLEST_BYTES, |(soft, _)| soft);
        let guard = page_bytes();
        let bytes = usize::try_from(limit.clamp(SMALLEST_BYTES, LARGEST_BYTES))
            .map_err(|_| fail("too large"))?
            .next_multiple_of(guard);
        let mapped = NonZeroUsize::new(bytes + guard).ok_or_else(|| fail("no size"))?;
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
        let stack = PaintedStack {
            mapping,
            mapped: mapped.get(),
            guard,
            signal_stack: vec![0; SIGNAL_BYTES],
        };
        // SAFETY: the first page of the mapping made above, which nobody else knows.
        unsafe { mprotect(mapping, guard, ProtFlags::PROT_NONE) }.map_err(|e| fail(e.desc()))?;
        let begin = mapping.as_ptr() as usize;
        fault::watch_stack(stack.bytes(), begin, begin + guard);
        Ok(stack)
    }

    /// Bytes of the stack.
    pub fn bytes(&self) -> usize {
        self.mapped - self.guard
    }

    /// Runs `body` in a thread on this stack; answers its result and how many bytes from the top of the stack
    /// downwards were written to.
    pub fn run<T>(&mut self, body: impl FnOnce() -> T) -> Result<(T, u64), String> {
        self.paint();
        let mut job = Job {
            body: Some(body),
            result: None,
            signal_stack: self.signal_stack.as_mut_ptr().cast(),
        };
        self.run_thread(&mut job)?;
        let result = job.result.ok_or("the thread ended without a result")?;
        Ok((result, self.touched()))
    }

    /// How deep an address of it lies, in bytes from the top; zero for what is not of this stack.
    pub fn depth_of(&self, address: usize) -> u64 {
        let begin = self.mapping.as_ptr() as usize;
        let place = address.wrapping_sub(begin);
        if (self.guard..self.mapped).contains(&place) {
            (self.mapped - place) as u64
        } else {
            0
        }
    }

    fn run_thread<F: FnOnce() -> T, T>(&mut self, job: &mut Job<F, T>) -> Result<(), String> {
        let check = |what: &str, code: i32| match code {
            0 => Ok(()),
            code => Err(format!(
                "{what}: {}",
                nix::errno::Errno::from_raw(code).desc()
            )),
        };
        let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
        // SAFETY: initialises the attributes.
        check("pthread_attr_init", unsafe {
            libc::pthread_attr_init(attributes.as_mut_ptr())
        })?;
        let mut thread = std::mem::MaybeUninit::<libc::pthread_t>::uninit();
        let lowest = self.at(self.guard).cast::<c_void>();
        // SAFETY: the attributes were initialised above; the stack is readable and writable memory of that size,
        // used by this thread alone as long as it lives, and it is joined below.
        check("pthread_attr_setstack", unsafe {
            libc::pthread_attr_setstack(attributes.as_mut_ptr(), lowest, self.bytes())
        })?;
        // SAFETY: `start` gets a pointer to a job of its own types, which lives until the thread is joined and is
        // not looked at before.
        let created = unsafe {
            libc::pthread_create(
                thread.as_mut_ptr(),
                attributes.as_ptr(),
                start::<F, T>,
                std::ptr::from_mut(job).cast(),
            )
        };
        // SAFETY: initialised above, not used any more.
        unsafe { libc::pthread_attr_destroy(attributes.as_mut_ptr()) };
        check("pthread_create", created)?;
        // SAFETY: the thread was created just now and nobody else joins it.
        check("pthread_join", unsafe {
            libc::pthread_join(thread.assume_init(), std::ptr::null_mut())
        })
    }

    fn paint(&mut self) {
        for place in self.words() {
            // SAFETY: words of the writable part of our mapping; no thread runs on it now.
            unsafe { self.at(place).cast::<u64>().write(colour(place)) };
        }
    }

    /// Bytes from the top to the lowest word that has lost its colour.
    fn touched(&self) -> u64 {
        let lowest = self.words().find(|&place| {
            // SAFETY: as for `paint`. Volatile, because the thread wrote behind the compiler's back.
            let word = unsafe { self.at(place).cast::<u64>().read_volatile() };
            word != colour(place)
        });
        lowest.map_or(0, |place| (self.mapped - place) as u64)
    }

    /// Places of the words, from the low end.
    fn words(&self) -> impl Iterator<Item = usize> + use<> {
        (self.guard..self.mapped).step_by(WORD)
    }

    fn at(&self, place: usize) -> *mut u8 {
        self.mapping.as_ptr().cast::<u8>().wrapping_add(place)
    }
}

impl Drop for PaintedStack {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and every thread on it was joined. Failure leaks it.
        let _ = unsafe { munmap(self.mapping, self.mapped) };
    }
}

/// A word that depends on its place, so that copied stretches of stack show too.
fn colour(place: usize) -> u64 {
    (place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5aa5_c33c_0ff0_9669
}

extern "C" fn start<F: FnOnce() -> T, T>(argument: *mut c_void) -> *mut c_void {
    // SAFETY: `run_thread` passes a job of these types, and waits.
    let job = unsafe { &mut *argument.cast::<Job<F, T>>() };
    let signal_stack = libc::stack_t {
        ss_sp: job.signal_stack,
        ss_flags: 0,
        ss_size: SIGNAL_BYTES,
    };
    // SAFETY: memory of that size which outlives the thread. Without it an overrun is reported as a plain crash.
    unsafe { libc::sigaltstack(&signal_stack, std::ptr::null_mut()) };
    if let Some(body) = job.body.take() {
        job.result = Some(body());
    }
    std::ptr::null_mut()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[inline(never)]
    fn uses<const BYTES: usize>() -> u8 {
        let mut room = [1u8; BYTES];
        black_box(&mut room);
        room[BYTES / 2]
    }

    #[test]
    fn depth_shows_to_the_word() {
        let mut stack = PaintedStack::new().unwrap();
        let (result, nothing) = stack.run(|| 7).unwrap();
        assert_eq!(result, 7);
        let (_, small) = stack.run(uses::<10_000>).unwrap();
        let (_, large) = stack.run(uses::<1_000_000>).unwrap();
        let (_, again) = stack.run(|| 7).unwrap();
        let (small, large) = (small - nothing, large - nothing);
        assert!((10_000..12_000).contains(&small), "{small}");
        assert!((1_000_000..1_010_000).contains(&large), "{large}");
        assert_eq!(again, nothing, "it is painted anew");
        assert!(stack.bytes() as u64 >= SMALLEST_BYTES);
    }

    #[test]
    fn what_is_moved_into_the_thread_comes_back() {
        let mut stack = PaintedStack::new().unwrap();
        let words = ["a".to_owned(), "b".to_owned()];
        let (joined, _) = stack.run(move || words.concat()).unwrap();
        assert_eq!(joined, "ab");
    }
}
