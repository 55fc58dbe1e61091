//! Randomness made on another stack: what the generator of this process needs is not the operation's own.

use crate::drbg;
use nix::sched::sched_yield;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{JoinHandle, Thread};

/// The thread that makes it, while there is one.
static HELPER: Mutex<Option<Thread>> = Mutex::new(None);
/// Whether there is one: what every other process asks with one reading of memory.
static THERE: AtomicBool = AtomicBool::new(false);
static STOP: AtomicBool = AtomicBool::new(false);
/// Where the bytes are wanted; null if nowhere.
static WANTED: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// Makes randomness in a thread of its own as long as it lives.
pub struct Elsewhere {
    thread: Option<JoinHandle<()>>,
}

impl Elsewhere {
    /// Starts the thread.
    pub fn start() -> std::io::Result<Elsewhere> {
        STOP.store(false, Ordering::Release);
        let thread = std::thread::Builder::new().spawn(serve)?;
        *helper() = Some(thread.thread().clone());
        THERE.store(true, Ordering::Release);
        Ok(Elsewhere {
            thread: Some(thread),
        })
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        THERE.store(false, Ordering::Release);
        *helper() = None;
        STOP.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It does not panic; should it have, the process has its randomness no more and fails anyway.
            let _ = thread.join();
        }
    }
}

fn helper() -> std::sync::MutexGuard<'static, Option<Thread>> {
    HELPER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has the bytes made elsewhere, if there is somebody; answers whether that was so. Needs little stack.
pub fn fill(output: *mut u8, length: usize) -> bool {
    if !THERE.load(Ordering::Relaxed) {
        return false;
    }
    // Held until the bytes are there: one request at a time.
    let helper = helper();
    let Some(thread) = helper.as_ref() else {
        return false;
    };
    LENGTH.store(length, Ordering::Relaxed);
    WANTED.store(output, Ordering::Release);
    thread.unpark();
    while !WANTED.load(Ordering::Acquire).is_null() {
        // Both threads may be bound to one CPU.
        let _ = sched_yield();
    }
    true
}

fn serve() {
    while !STOP.load(Ordering::Acquire) {
        let output = WANTED.load(Ordering::Acquire);
        if output.is_null() {
            std::thread::park();
            continue;
        }
        let length = LENGTH.load(Ordering::Relaxed);
        // SAFETY: whoever asked waits, and answers for so many writable bytes there.
        drbg::fill(unsafe { std::slice::from_raw_parts_mut(output, length) });
        WANTED.store(std::ptr::null_mut(), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_from_elsewhere_only_while_somebody_is_there() {
        let mut bytes = [0xaau8; 40];
        assert!(!fill(bytes.as_mut_ptr(), bytes.len()));
        let elsewhere = Elsewhere::start().unwrap();
        for _ in 0..100 {
            assert!(fill(bytes.as_mut_ptr(), bytes.len()));
            // Zeros before seeding, pseudo-random bytes after: written in any case.
            assert_ne!(bytes, [0xaa; 40]);
            bytes = [0xaa; 40];
        }
        drop(elsewhere);
        assert!(!fill(bytes.as_mut_ptr(), bytes.len()));
    }
}
