//! A loaded library with its buffers: single checked calls.

use super::buffers::Buffers;
use super::library::KemLibrary;
use super::output::Output;
use super::protocol::{Event, Reply, TEXT_BYTES};
use crate::drbg;
use kemscope_schema::Operation;
use kemscope_schema::run::{FailureKind, Generator};
use std::ffi::c_int;

/// Why a task ended early.
pub struct Stop {
    kind: FailureKind,
    message: String,
    operation: Option<Operation>,
    return_code: Option<i32>,
}

impl Stop {
    /// A failure outside any operation.
    pub fn of(kind: FailureKind, message: String) -> Stop {
        Stop {
            kind,
            message,
            operation: None,
            return_code: None,
        }
    }

    /// A failure of the measuring process itself.
    pub fn harness(message: String) -> Stop {
        Stop::of(FailureKind::Harness, message)
    }

    /// A failure in an operation.
    pub fn in_operation(kind: FailureKind, message: String, operation: Operation) -> Stop {
        Stop {
            operation: Some(operation),
            ..Stop::of(kind, message)
        }
    }

    /// The sentence that says it.
    pub fn into_message(self) -> String {
        self.message
    }

    /// The event that reports it.
    pub fn into_event(self) -> Event {
        Event::Failed {
            kind: self.kind,
            message: self.message,
            operation: self.operation,
            return_code: self.return_code,
        }
    }
}

/// A loaded library, its buffers, and the way to the runner.
pub struct Session<'a> {
    /// The library.
    pub library: KemLibrary,
    /// Its buffers.
    pub buffers: Buffers,
    generator: Generator,
    output: &'a mut Output,
}

impl<'a> Session<'a> {
    /// Allocates the buffers.
    /// `generator` feeds everything but known-answer tests.
    pub fn new(
        library: KemLibrary,
        generator: Generator,
        output: &'a mut Output,
    ) -> Result<Session<'a>, Stop> {
        let buffers = library.buffers().map_err(Stop::harness)?;
        Ok(Session {
            library,
            buffers,
            generator,
            output,
        })
    }

    /// Seeds the generator that the library draws from.
    pub fn seed(&mut self, generator: Generator, bytes: &[u8]) -> Result<(), Stop> {
        self.library
            .seed(generator, bytes)
            .map_err(|message| Stop::of(FailureKind::CryptoFail, message))
    }

    /// Sends text to the runner, in pieces.
    pub fn text(&mut self, text: &str) -> Result<(), Stop> {
        let mut rest = text;
        while !rest.is_empty() {
            let mut end = rest.len().min(TEXT_BYTES);
            while !rest.is_char_boundary(end) {
                end -= 1;
            }
            let (piece, more) = rest.split_at(end);
            let text = piece.to_owned();
            self.send(&Event::Text { text })?;
            rest = more;
        }
        Ok(())
    }

    fn send(&mut self, event: &Event) -> Result<(), Stop> {
        self.output
            .send(event)
            .map_err(|e| Stop::harness(format!("the runner is gone: {e}")))
    }

    /// Tells the runner which operation is entered, so that it can name it should this process die.
    pub fn announce(&mut self, operation: Operation) -> Result<(), Stop> {
        self.send(&Event::Enter { operation })
    }

    /// Calls an operation once, unchecked.
    pub fn call(&mut self, operation: Operation) -> c_int {
        match operation {
            Operation::Keygen => self.library.keygen(&mut self.buffers),
            Operation::Enc => self.library.enc(&mut self.buffers),
            Operation::Dec => self.library.dec(&mut self.buffers),
        }
    }

    /// Announces and calls an operation once, and checks what it returned and wrote.
    pub fn checked_call(&mut self, operation: Operation) -> Result<(), Stop> {
        self.announce(operation)?;
        let code = self.call(operation);
        self.check(operation, code)
    }

    /// Checks a return value, the buffers' surroundings and, after decapsulation, the secret.
    pub fn check(&self, operation: Operation, code: c_int) -> Result<(), Stop> {
        self.buffers
            .check()
            .map_err(|message| Stop::in_operation(FailureKind::Overflow, message, operation))?;
        if code != 0 {
            let message = format!("returned {code} instead of 0");
            return Err(Stop {
                return_code: Some(code),
                ..Stop::in_operation(FailureKind::CryptoFail, message, operation)
            });
        }
        if operation == Operation::Dec && !self.buffers.secrets_agree() {
            let message = "gave another shared secret than encapsulation".to_owned();
            return Err(Stop::in_operation(
                FailureKind::CryptoFail,
                message,
                operation,
            ));
        }
        Ok(())
    }

    /// What has to happen before an operation can be called: keys for encapsulation, keys and a
    /// ciphertext for decapsulation. Seeds the generator first, by the published method.
    pub fn set_up(&mut self, operation: Operation) -> Result<(), Stop> {
        self.set_up_with(operation, &drbg::counting_seed())
    }

    /// The same with another seed.
    pub fn set_up_with(&mut self, operation: Operation, seed: &[u8]) -> Result<(), Stop> {
        self.seed(self.generator, seed)?;
        if operation != Operation::Keygen {
            self.checked_call(Operation::Keygen)?;
        }
        if operation == Operation::Dec {
            self.checked_call(Operation::Enc)?;
        }
        Ok(())
    }

    /// One honest exchange.
    pub fn round_trip(&mut self) -> Result<Reply, Stop> {
        self.set_up(Operation::Dec)?;
        self.checked_call(Operation::Dec)?;
        Ok(Reply::RoundTrip {
            sizes: self.library.sizes(),
        })
    }
}
