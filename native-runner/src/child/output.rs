//! The way back to the runner: the original standard output, kept out of the library's reach.

use super::protocol::Event;
use nix::unistd::{dup, dup2_stdout};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};

static DESCRIPTOR: AtomicI32 = AtomicI32::new(-1);

/// Writes events to the runner.
pub struct Output {
    pipe: std::fs::File,
}

impl Output {
    /// Takes over standard output and lets everything else that is printed go to standard error.
    pub fn take_over() -> io::Result<Output> {
        let pipe: OwnedFd = dup(io::stdout())?;
        dup2_stdout(io::stderr())?;
        DESCRIPTOR.store(pipe.as_raw_fd(), Ordering::Relaxed);
        Ok(Output { pipe: pipe.into() })
    }

    /// Sends one event.
    pub fn send(&mut self, event: &Event) -> io::Result<()> {
        self.pipe.write_all(line(event).as_bytes())
    }
}

/// The line of an event.
pub fn line(event: &Event) -> String {
    // Events are plain data with string keys; should it fail all the same, the runner reports the
    // broken line.
    let mut text = serde_json::to_string(event).unwrap_or_default();
    text.push('\n');
    text
}

/// Writes to the runner from within a signal handler.
pub fn write_in_handler(bytes: &[u8]) {
    let descriptor = DESCRIPTOR.load(Ordering::Relaxed);
    if descriptor >= 0 {
        // SAFETY: write(2) is allowed in handlers; pointer and length are those of a valid slice.
        unsafe { nix::libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
    }
}
