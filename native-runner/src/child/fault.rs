//! Tells a reach into a guard page from any other crash.
//!
//! The handler runs in the middle of whatever the library did: it only compares addresses, writes a
//! line that was made ready before, and ends the process.

use super::output;
use super::protocol::Event;
use kemscope_schema::run::FailureKind;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Guard pages that can be watched: two for each of a KEM's five buffers, and some to spare.
const SLOTS: usize = 16;

struct Slot {
    begin: AtomicUsize,
    end: AtomicUsize,
    line: AtomicPtr<String>,
}

static WATCHED: [Slot; SLOTS] = [const {
    Slot {
        begin: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        line: AtomicPtr::new(std::ptr::null_mut()),
    }
}; SLOTS];
static USED: AtomicUsize = AtomicUsize::new(0);

/// Watches the guard page from `begin` to `end` of the named buffer. Beyond [`SLOTS`] pages a fault
/// is reported as a plain crash.
pub fn watch(name: &str, length: usize, begin: usize, end: usize) {
    let message =
        format!("reached outside the {name} buffer of {length} bytes into its guard page");
    watch_for(FailureKind::Overflow, message, begin, end);
}

/// Watches the guard page from `begin` to `end` of a stack of `length` bytes.
pub fn watch_stack(length: usize, begin: usize, end: usize) {
    let message = format!("needs more than {length} bytes of stack");
    watch_for(FailureKind::Crash, message, begin, end);
}

fn watch_for(kind: FailureKind, message: String, begin: usize, end: usize) {
    let Some(slot) = WATCHED.get(USED.fetch_add(1, Ordering::Relaxed)) else {
        return;
    };
    let event = Event::Failed {
        kind,
        message,
        operation: None,
        return_code: None,
    };
    let line = output::line(&event);
    // The handler may run at any later moment: the line is never freed.
    slot.line
        .store(Box::into_raw(Box::new(line)), Ordering::Relaxed);
    slot.end.store(end, Ordering::Relaxed);
    slot.begin.store(begin, Ordering::Release);
}

/// Installs the handler for this process.
pub fn install() -> nix::Result<()> {
    let action = SigAction::new(
        SigHandler::SigAction(handle),
        // The library may have run out of stack: use the one that the Rust runtime set aside.
        SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK | SaFlags::SA_RESETHAND,
        SigSet::empty(),
    );
    for signal in [Signal::SIGSEGV, Signal::SIGBUS] {
        // SAFETY: the handler uses only atomics, write(2) and _exit(2), which are allowed in it.
        unsafe { sigaction(signal, &action) }?;
    }
    Ok(())
}

extern "C" fn handle(_signal: i32, info: *mut nix::libc::siginfo_t, _context: *mut c_void) {
    // SAFETY: with SA_SIGINFO the kernel passes a valid siginfo; for these signals it has an address.
    let address = unsafe { (*info).si_addr() } as usize;
    for slot in &WATCHED {
        let begin = slot.begin.load(Ordering::Acquire);
        if begin != 0 && (begin..slot.end.load(Ordering::Relaxed)).contains(&address) {
            let line = slot.line.load(Ordering::Relaxed);
            // SAFETY: `line` was leaked by `watch` before `begin` was set, and is never changed.
            let line = unsafe { &*line };
            output::write_in_handler(line.as_bytes());
            // SAFETY: _exit ends the process without running anything else.
            unsafe { nix::libc::_exit(super::EXIT_FAILED) };
        }
    }
    // Returning repeats the access with the default action restored: the process dies of the signal.
}
