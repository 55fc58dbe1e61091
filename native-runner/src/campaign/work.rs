//! How much work lies ahead, in estimated seconds.

use super::Campaign;
use crate::measure::TRIALS;
use crate::package::Instance;
use crate::profile;
use crate::run::{Found, Layout, RunDirectory, RunError};
use kemscope_schema::run::{
    Failure, FailureKind, KatRun, MemoryRun, OperationRun, ProfileRun, RunManifest, RunStep,
};
use kemscope_schema::{Operation, PlanKind};

/// A build of a small C library.
pub const BUILD_SECONDS: f64 = 2.0;
/// A known-answer test.
pub const KAT_SECONDS: f64 = 0.5;

/// A look at the memory of an operation.
pub const MEMORY_SECONDS: f64 = 0.05;

/// An operation whose plan is not made yet.
pub fn unplanned_seconds(kind: PlanKind) -> f64 {
    let trial = match kind {
        PlanKind::Published => 0.8,
        PlanKind::Quick => 0.08,
        PlanKind::Adaptive => 0.12,
    };
    trial * TRIALS as f64
}

/// A profile of an operation, its share of the profiled library's build included.
pub fn profile_seconds(kind: PlanKind) -> f64 {
    profile::plan::plan(kind, None).seconds / 2.0 + 0.5
}

/// Whether a result is one of the library, and not of a runner that failed itself: that is tried again
/// when the run is resumed.
pub fn is_final(failure: Option<&Failure>) -> bool {
    failure.is_none_or(|failure| failure.kind != FailureKind::Harness)
}

/// Whether a run has nothing that another try could mend: damaged files, or results that are not
/// [final](is_final).
///
/// # Errors
/// If its files cannot be read.
pub fn is_settled(directory: &RunDirectory, manifest: &RunManifest) -> Result<bool, RunError> {
    for instance in &manifest.instances {
        let layout = Layout::new(
            &instance.family.id,
            &instance.name,
            &instance.implementation,
        );
        let kat = match directory.read::<KatRun>(&layout.kat())? {
            Found::Record(kat) => is_final(kat.failure.as_ref()),
            Found::Nothing => true,
            Found::Damaged(_) => false,
        };
        if !kat {
            return Ok(false);
        }
        for operation in Operation::ALL {
            let timed = match directory.read::<OperationRun>(&layout.record(operation))? {
                Found::Record(record) => is_final(record.failure.as_ref()),
                Found::Nothing => true,
                Found::Damaged(_) => false,
            };
            let profiled = match directory.read::<ProfileRun>(&layout.profile(operation))? {
                Found::Record(record) => is_final(record.failure.as_ref()),
                Found::Nothing => true,
                Found::Damaged(_) => false,
            };
            let memory = match directory.read::<MemoryRun>(&layout.memory(operation))? {
                Found::Record(record) => is_final(record.failure.as_ref()),
                Found::Nothing => true,
                Found::Damaged(_) => false,
            };
            if !(timed && profiled && memory) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

impl Campaign<'_> {
    /// What is still to be done for an instance.
    pub(super) fn pending(&self, instance: &Instance) -> f64 {
        let layout = self.layout(instance);
        let missing = |relative: &str| !self.directory.file(relative).is_file();
        let mut seconds = 0.0;
        if missing(&layout.build()) {
            seconds += BUILD_SECONDS;
        }
        if self.has_step(RunStep::Kat) && missing(&layout.kat()) {
            seconds += KAT_SECONDS;
        }
        if self.has_step(RunStep::Measure) {
            let open = Operation::ALL
                .into_iter()
                .filter(|&operation| missing(&layout.record(operation)))
                .count();
            seconds += open as f64 * (unplanned_seconds(self.settings.kind) + MEMORY_SECONDS);
        }
        if self.has_step(RunStep::Profile) {
            let open = Operation::ALL
                .into_iter()
                .filter(|&operation| missing(&layout.profile(operation)))
                .count();
            seconds += open as f64 * profile_seconds(self.settings.kind);
        }
        seconds
    }
}
