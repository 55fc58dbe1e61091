//! Ctrl-C and friends: a flag that long work looks at.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user asked to stop. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A flag that SIGINT, SIGTERM and SIGHUP set. A second signal of the kind ends the program at
    /// once; the run stays resumable even then.
    pub fn install() -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let exit_code = 128 + signal;
            signal_hook::flag::register_conditional_shutdown(
                signal,
                exit_code,
                Arc::clone(&interrupt.0),
            )?;
            signal_hook::flag::register(signal, Arc::clone(&interrupt.0))?;
        }
        Ok(interrupt)
    }

    /// Whether to stop.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Asks to stop, as a signal would.
    pub fn request(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
