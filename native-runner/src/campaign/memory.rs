//! Stack and heap of each operation, in a process of its own after it was timed.

use super::jobs::Ready;
use super::work::{MEMORY_SECONDS, is_final};
use super::{Campaign, CampaignError};
use crate::child::protocol::{MemoryUse, Reply, Task};
use crate::executor::{Execution, unexpected};
use crate::{terminal, time};
use kemscope_schema::run::{BuildResult, Failure, MemoryRun};
use kemscope_schema::{Operation, SCHEMA_VERSION};

impl Campaign<'_> {
    /// Whether the memory of an operation is still to be looked at: there is no record of this library, or one
    /// that the runner itself spoilt.
    pub(super) fn is_memory_open(
        &mut self,
        path: &str,
        build: &BuildResult,
    ) -> Result<bool, CampaignError> {
        let known = self.known::<MemoryRun>(path)?;
        Ok(!known.is_some_and(|known| {
            known.library_sha256 == build.library_sha256 && is_final(known.failure.as_ref())
        }))
    }

    /// Calls an operation once and keeps what it used.
    pub(super) fn memory_of(
        &mut self,
        ready: &Ready,
        operation: Operation,
    ) -> Result<(), CampaignError> {
        let name = ready.instance.full_name();
        self.progress.doing(&format!("memory {name} {operation}"));
        let started_utc = time::now_utc();
        let counter = self.builder.heap_counter();
        let task = Task::Memory {
            operation,
            heap_counter: counter.as_ref().ok().cloned(),
        };
        // Decapsulation needs two other calls before its own.
        let timeout = self.settings.call_timeout * 3;
        let execution = self.executor.execute(&ready.target, &task, timeout)?;
        let (used, failure) = outcome(&ready.target.label, operation, execution);
        let instance = &ready.instance;
        let record = MemoryRun {
            schema_version: SCHEMA_VERSION,
            run: self.directory.name(),
            family: instance.family.id.clone(),
            instance: instance.name.clone(),
            implementation: instance.implementation.clone(),
            operation,
            library_sha256: ready.build.library_sha256.clone(),
            touched_stack_bytes: used.as_ref().map(|used| used.touched_stack_bytes),
            entry_stack_bytes: used.as_ref().map(|used| used.entry_stack_bytes),
            available_stack_bytes: used.as_ref().map(|used| used.available_stack_bytes),
            heap: used.as_ref().and_then(|used| used.heap),
            // Why it could not even be loaded tells more than that it was not.
            heap_unknown: counter.err().or(used.and_then(|used| used.heap_unknown)),
            failure,
            started_utc,
        };
        let path = self.layout(instance).memory(operation);
        self.directory.write(&path, &record)?;
        self.progress.advance(MEMORY_SECONDS);
        self.tell(&terminal::memory_line(&record))
    }
}

fn outcome(
    label: &str,
    operation: Operation,
    execution: Execution,
) -> (Option<MemoryUse>, Option<Failure>) {
    match execution.outcome {
        Ok(Reply::Memory(used)) => (Some(used), None),
        Ok(other) => (None, Some(unexpected(label, Some(operation), &other))),
        Err(failure) => (None, Some(failure)),
    }
}
