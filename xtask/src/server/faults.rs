//! Faults for tests: files that answer with something else, or late.

use axum::http::StatusCode;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// Faults by path below the base. Clones share them, so that a test changes them while the server runs.
#[derive(Clone, Debug, Default)]
pub struct Faults(Arc<Mutex<HashMap<String, Fault>>>);

impl Faults {
    /// Lets a path answer with a fault from now on.
    pub fn set(&self, path: &str, fault: Fault) {
        self.lock().insert(path.to_owned(), fault);
    }

    /// Lets a path answer as usual again.
    pub fn clear(&self, path: &str) {
        self.lock().remove(path);
    }

    pub(super) fn get(&self, path: &str) -> Option<Fault> {
        self.lock().get(path).cloned()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Fault>> {
        // A map is whole after every single change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What happens to requests of one path.
#[derive(Clone, Debug, Default)]
pub struct Fault {
    answer: Option<(StatusCode, Vec<u8>)>,
    gate: Option<watch::Receiver<bool>>,
}

impl Fault {
    /// Another content, with status 200.
    pub fn body(body: impl Into<Vec<u8>>) -> Fault {
        Fault {
            answer: Some((StatusCode::OK, body.into())),
            gate: None,
        }
    }

    /// An error status without content.
    pub fn status(status: u16) -> Fault {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Fault {
            answer: Some((status, Vec::new())),
            gate: None,
        }
    }

    /// The usual answer, once the gate is opened.
    pub fn held() -> (Fault, Gate) {
        let (opener, gate) = watch::channel(false);
        (
            Fault {
                answer: None,
                gate: Some(gate),
            },
            Gate(opener),
        )
    }

    pub(super) async fn pass(&self) {
        if let Some(gate) = &self.gate {
            // A gate that was dropped is open.
            let _ = gate.clone().wait_for(|open| *open).await;
        }
    }

    pub(super) fn answer(self) -> Option<(StatusCode, Vec<u8>)> {
        self.answer
    }
}

/// Holds requests back until it is opened or dropped.
#[derive(Debug)]
pub struct Gate(watch::Sender<bool>);

impl Gate {
    /// Lets all requests through.
    pub fn open(self) {
        self.0.send_replace(true);
    }
}
