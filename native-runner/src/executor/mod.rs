//! Carrying out a task on a library, wherever that happens.

mod lines;
mod preload;
mod process;

pub use process::ProcessExecutor;

use crate::abi::Abi;
use crate::child::protocol::{Reply, Task};
use kemscope_schema::Operation;
use kemscope_schema::run::{Failure, FailureKind};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// A library to work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// `family/name`, for messages.
    pub label: String,
    /// The shared library.
    pub library: PathBuf,
    /// How its functions are called.
    pub abi: Abi,
    /// The CPU to run on.
    pub cpu: Option<u32>,
}

/// What came of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Execution {
    /// The reply, or why there is none.
    pub outcome: Result<Reply, Failure>,
    /// Life of the process in seconds.
    pub wall_seconds: f64,
    /// Its command line.
    pub command: Vec<String>,
}

/// The failure of a measuring process that answered another question than it was asked.
pub fn unexpected(label: &str, operation: Option<Operation>, reply: &Reply) -> Failure {
    let place = operation.map_or(String::new(), |operation| format!(" {operation}"));
    Failure {
        kind: FailureKind::Harness,
        message: format!(
            "{label}{place}: the measuring process answered another question: {reply:?}"
        ),
        operation,
        signal: None,
        return_code: None,
        stderr: None,
    }
}

/// Whether a signal ended the process that other programs send: a batch system that stops a job (the runner's own
/// turn comes in a moment), an administrator, a kernel short of memory. Once is no word of the library; a task is
/// carried out once more then.
pub fn ended_from_outside(execution: &Execution) -> bool {
    let signal = match &execution.outcome {
        Err(failure) => failure.signal.as_deref(),
        Ok(_) => None,
    };
    signal.is_some_and(|name| ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"].contains(&name))
}

/// Why a task was not even carried out.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// No process could be started, or its output not be read.
    #[error("cannot run a measuring process")]
    Process(#[from] std::io::Error),
    /// What a task generates cannot be kept.
    #[error("cannot write what the measuring process generates: {0}")]
    Sink(std::io::Error),
    /// The request has no JSON form: a path that is not valid Unicode.
    #[error("cannot write the request for {label}: {cause}")]
    Request {
        /// The instance.
        label: String,
        /// Why.
        cause: serde_json::Error,
    },
}

/// Carries out tasks. The real one starts a process for each; tests answer from memory.
pub trait Executor {
    /// Carries out one task; ends it after `timeout`.
    fn execute(
        &mut self,
        target: &Target,
        task: &Task,
        timeout: Duration,
    ) -> Result<Execution, ExecuteError>;

    /// Carries out a task that generates text and hands the text on piece by piece. The task is ended when
    /// nothing is heard of it for `timeout`: neither text nor the beginning of an operation.
    ///
    /// An executor that starts no process has no text to hand on.
    fn execute_text(
        &mut self,
        target: &Target,
        task: &Task,
        timeout: Duration,
        _sink: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<Execution, ExecuteError> {
        self.execute(target, task, timeout)
    }
}
