//! A request to stop, which all long work looks at.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Whether the user, or the batch system, asked to stop. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    requested: Arc<AtomicBool>,
    /// Number of the signal that asked last; 0 if none did.
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// One that SIGINT, SIGTERM and SIGHUP set. A second signal of the kind ends the program at
    /// once; the run stays resumable even then.
    pub fn install() -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let exit_code = 128 + signal;
            signal_hook::flag::register_conditional_shutdown(
                signal,
                exit_code,
                Arc::clone(&interrupt.requested),
            )?;
            let number = usize::try_from(signal).unwrap_or_default();
            signal_hook::flag::register_usize(signal, Arc::clone(&interrupt.signal), number)?;
            signal_hook::flag::register(signal, Arc::clone(&interrupt.requested))?;
        }
        Ok(interrupt)
    }

    /// Whether to stop.
    pub fn requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }

    /// The signal that asked to stop, if it was one.
    pub fn signal(&self) -> Option<i32> {
        match self.signal.load(Ordering::SeqCst) {
            0 => None,
            number => i32::try_from(number).ok(),
        }
    }

    /// Asks to stop, as a signal would.
    pub fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
    }
}
