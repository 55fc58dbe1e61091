//! The profiling step.

use super::work::{is_final, profile_seconds};
use super::{Campaign, CampaignError};
use crate::child::protocol::{Reply, Task};
use crate::executor::{Target, unexpected};
use crate::package::Instance;
use crate::profile::library::{Prepared, prepare};
use crate::profile::plan::{Plan, plan};
use crate::profile::record;
use crate::profile::sight::Wrap;
use crate::terminal;
use crate::time;
use kemscope_schema::run::{BuildResult, Failure, FailureKind, OperationRun, ProfileRun};
use kemscope_schema::{Operation, SCHEMA_VERSION};
use std::time::Duration;

/// How often a disturbed profile is repeated.
const RETRIES: u32 = 2;

impl Campaign<'_> {
    /// Profiles the operations that have no profile yet. Without a library there is nothing to profile.
    pub(super) fn profile_step(
        &mut self,
        instance: &Instance,
        build: &BuildResult,
    ) -> Result<(), CampaignError> {
        let layout = self.layout(instance);
        let open = self.open_profiles(instance, build)?;
        let expected = profile_seconds(self.settings.kind);
        if build.library.is_none() {
            self.progress.adjust(-(open.len() as f64) * expected);
            for operation in open {
                // Of a library that is no more.
                self.directory.remove(&layout.profile(operation))?;
            }
            return Ok(());
        }
        if open.is_empty() {
            return Ok(());
        }
        self.progress
            .doing(&format!("link wrappers into {}", instance.name));
        let prepared = prepare(self.builder, instance, build)?;
        // Ctrl-C reaches the compiler too.
        self.stop_if_asked()?;
        let mut earlier: Option<Failure> = None;
        for operation in open {
            self.stop_if_asked()?;
            let label = format!("{} {operation}", instance.name);
            self.progress.doing(&format!("profile {label}"));
            let timed: Option<OperationRun> = self.known(&layout.record(operation))?;
            let profile = self.profile(instance, build, operation, &prepared, timed, &earlier)?;
            earlier = profile.failure.clone().or(earlier);
            self.directory.write(&layout.profile(operation), &profile)?;
            self.tell(&terminal::profile_line(&profile))?;
            self.progress.advance(expected);
        }
        Ok(())
    }

    fn open_profiles(
        &mut self,
        instance: &Instance,
        build: &BuildResult,
    ) -> Result<Vec<Operation>, CampaignError> {
        let layout = self.layout(instance);
        let mut open = Vec::new();
        for operation in Operation::ALL {
            let known = self.known::<ProfileRun>(&layout.profile(operation))?;
            let done = known.is_some_and(|profile| {
                profile.library_sha256 == build.library_sha256 && is_final(profile.failure.as_ref())
            });
            if !done {
                open.push(operation);
            }
        }
        Ok(open)
    }

    /// Profiles one operation. `earlier` is what stopped an operation before it.
    fn profile(
        &mut self,
        instance: &Instance,
        build: &BuildResult,
        operation: Operation,
        prepared: &Result<Prepared, String>,
        timed: Option<OperationRun>,
        earlier: &Option<Failure>,
    ) -> Result<ProfileRun, CampaignError> {
        let call_seconds = timed.as_ref().and_then(|run| run.calibration_seconds);
        let plan = plan(self.settings.kind, call_seconds);
        let mut profile = ProfileRun {
            schema_version: SCHEMA_VERSION,
            run: self.directory.name(),
            system: self.manifest.system.clone(),
            family: instance.family.id.clone(),
            instance: instance.name.clone(),
            implementation: instance.implementation.clone(),
            operation,
            plan_kind: self.settings.kind,
            library_sha256: build.library_sha256.clone(),
            profiled_library_sha256: None,
            flag_set: build.flag_set.clone(),
            flags: Vec::new(),
            wrapped: Vec::new(),
            unseen: Vec::new(),
            warmups: plan.warmups,
            operations: 0,
            total_ticks: 0,
            seconds: None,
            cpu_seconds: None,
            disturbed_retries: 0,
            disturbed: false,
            tick_source: None,
            tick_hz: None,
            tick_step: None,
            tick_overhead: None,
            overflow_calls: 0,
            calls: Vec::new(),
            failure: None,
            cpu: self.manifest.cpu,
            started_utc: time::now_utc(),
            wall_seconds: 0.0,
            command: Vec::new(),
        };
        if let Some(failure) = foregone(operation, timed.as_ref(), earlier.as_ref()) {
            profile.failure = Some(failure);
            return Ok(profile);
        }
        match self.profiled(instance, &mut profile, prepared, plan)? {
            Ok(()) => {}
            Err(failure) => profile.failure = Some(failure),
        }
        Ok(profile)
    }

    /// Runs the profiled library and enters what it counted.
    fn profiled(
        &mut self,
        instance: &Instance,
        profile: &mut ProfileRun,
        prepared: &Result<Prepared, String>,
        plan: Plan,
    ) -> Result<Result<(), Failure>, CampaignError> {
        let label = instance.qualified_name();
        let operation = profile.operation;
        let failure = |kind, what: String| Failure {
            kind,
            message: format!("{label} {operation}: {what}"),
            operation: None,
            signal: None,
            return_code: None,
            stderr: None,
        };
        let unbuilt = |message: &str| {
            let what = format!("the library does not build for profiling: {message}");
            Ok(Err(failure(FailureKind::BuildFail, what)))
        };
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(message) => return unbuilt(message),
        };
        let build = &prepared.build;
        profile.flags.clone_from(&build.result.flags);
        profile.flags.extend(prepared.more_flags());
        profile.wrapped = prepared.wraps.iter().map(Wrap::record).collect();
        profile.unseen = prepared.unseen(operation).to_vec();
        let Some(library) = build.library() else {
            let message = build.result.message.as_deref();
            return unbuilt(message.unwrap_or("there is no library"));
        };
        profile
            .profiled_library_sha256
            .clone_from(&build.result.library_sha256);
        let target = Target {
            label: label.clone(),
            library,
            abi: instance.abi.clone(),
            cpu: self.manifest.cpu,
        };
        let task = Task::Profile {
            operation,
            operations: plan.operations,
            seconds: plan.seconds,
            warmups: plan.warmups,
        };
        // Two calls set the operation up, one warms up, and one more may begin at the last moment.
        let timeout = self.settings.call_timeout * 4 + Duration::from_secs_f64(plan.seconds);
        let retries = match self.settings.method.keep_disturbed {
            true => 0,
            false => RETRIES,
        };
        loop {
            profile.started_utc = time::now_utc();
            let execution = self.executor.execute(&target, &task, timeout)?;
            profile.wall_seconds = execution.wall_seconds;
            profile.command = execution.command;
            let profiled = match execution.outcome {
                Ok(Reply::Profile(profiled)) => profiled,
                Ok(other) => return Ok(Err(unexpected(&label, Some(operation), &other))),
                Err(failure) => return Ok(Err(failure)),
            };
            profile.disturbed = record::is_disturbed(&profiled);
            if profile.disturbed && profile.disturbed_retries < retries {
                profile.disturbed_retries += 1;
                continue;
            }
            let entered = record::enter(profile, &profiled, &prepared.wraps);
            return Ok(entered.map_err(|message| failure(FailureKind::Harness, message)));
        }
    }
}

/// The failure that would meet an operation under wrappers too: the one that it was timed with, or that of an
/// operation before it that it cannot do without. Every process sees the same random bytes.
fn foregone(
    operation: Operation,
    timed: Option<&OperationRun>,
    earlier: Option<&Failure>,
) -> Option<Failure> {
    let own = timed.and_then(|run| run.failure.as_ref());
    let earlier =
        earlier.filter(|failure| failure.operation.is_some_and(|failed| failed <= operation));
    own.or(earlier)
        .filter(|failure| is_final(Some(failure)))
        .cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(kind: FailureKind, operation: Option<Operation>) -> Failure {
        Failure {
            kind,
            message: String::new(),
            operation,
            signal: None,
            return_code: None,
            stderr: None,
        }
    }

    #[test]
    fn what_an_operation_cannot_do_without_fails_it() {
        let enc = failure(FailureKind::Crash, Some(Operation::Enc));
        let hit = |operation| foregone(operation, None, Some(&enc)).is_some();
        assert_eq!(Operation::ALL.map(hit), [false, true, true]);
        // Neither a failure of this program nor one of a build says anything of the library's calls.
        let harness = failure(FailureKind::Harness, Some(Operation::Keygen));
        assert_eq!(foregone(Operation::Dec, None, Some(&harness)), None);
        let build = failure(FailureKind::BuildFail, None);
        assert_eq!(foregone(Operation::Dec, None, Some(&build)), None);
    }
}
