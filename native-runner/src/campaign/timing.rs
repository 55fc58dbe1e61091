//! Timing one operation and keeping what comes of it.

use super::jobs::{Job, Ready};
use super::partial::Partial;
use super::{Campaign, CampaignError};
use crate::measure::{self, Settings, Timed, Timing, time_operation};
use crate::terminal;
use crate::time;
use kemscope_schema::run::{OperationRun, Plan};
use kemscope_schema::{Operation, SCHEMA_VERSION};

impl Campaign<'_> {
    /// Times an operation, and answers whether it failed. Trials are written down as they come, so that an
    /// interruption costs one.
    pub(super) fn time_job(&mut self, job: &Job, call_seconds: f64) -> Result<bool, CampaignError> {
        let (ready, operation) = (&*job.ready, job.operation);
        let label = format!("{} {operation}", ready.instance.full_name());
        self.progress.doing(&format!("time {label}"));
        let mut begun = self.begun(ready, operation)?;
        let trials = std::mem::take(&mut begun.trials);
        let set_up_seconds = ready.exchange.wall_seconds;
        let timing = Timing {
            target: &ready.target,
            operation,
            settings: &self.settings,
            now_utc: &time::now_utc,
            calibrated: Some(call_seconds),
            kept: begun.plan.map(|plan| (plan, trials)),
            set_up_seconds,
        };
        let path = self.layout(&ready.instance).partial(operation);
        let (progress, directory) = (&mut *self.progress, &self.directory);
        let mut left = job.expected_seconds;
        let mut first = true;
        let mut observe = |timed: &Timed| -> Result<(), CampaignError> {
            let Some(plan) = timed.plan else {
                return Ok(());
            };
            let trial = measure::expected_trial_seconds(&plan, set_up_seconds);
            // The first report tells of the trials that an interrupted run had left.
            if std::mem::take(&mut first) {
                let kept = trial * timed.trials.len() as f64;
                progress.adjust(-kept);
                left -= kept;
            } else {
                progress.advance(trial);
                left -= trial;
            }
            begun.plan = Some(plan);
            begun.trials.clone_from(&timed.trials);
            Ok(directory.write(&path, &begun)?)
        };
        let timed = time_operation(self.executor, timing, &mut observe)?;
        // What a failure, or a narrow interval, left undone is not work any more.
        self.progress.adjust(-left.max(0.0));
        let failed = timed.failure.is_some();
        self.keep_timed(ready, operation, begun, timed)?;
        Ok(failed)
    }

    /// The plan of an operation.
    pub(super) fn plan(&self, call_seconds: f64, exchange: &super::exchange::Exchange) -> Plan {
        let Settings { kind, method, .. } = &self.settings;
        measure::plan(*kind, method, call_seconds, exchange.wall_seconds)
    }

    /// Writes the record of an operation.
    pub(super) fn keep_timed(
        &mut self,
        ready: &Ready,
        operation: Operation,
        begun: Partial,
        timed: Timed,
    ) -> Result<(), CampaignError> {
        let (instance, build) = (&ready.instance, &ready.build);
        let layout = self.layout(instance);
        let record = OperationRun {
            schema_version: SCHEMA_VERSION,
            run: self.directory.name(),
            system: self.manifest.system.clone(),
            family: instance.family.id.clone(),
            instance: instance.name.clone(),
            implementation: instance.implementation.clone(),
            operation,
            kat: ready.kat,
            honest_decapsulation: ready.exchange.agrees,
            plan_kind: self.settings.kind,
            plan: timed.plan,
            calibration_seconds: timed.calibration_seconds,
            trials: timed.trials,
            failure: timed.failure,
            generator: instance.abi.generator(),
            library: build.library.clone(),
            library_sha256: build.library_sha256.clone(),
            elf_load_bytes: build.elf_load_bytes,
            flag_set: build.flag_set.clone(),
            flags: build.flags.clone(),
            sizes: ready.exchange.sizes.unwrap_or_default(),
            environment: self.environment(),
            load_average_start: begun.load_average_start,
            load_average_end: (self.load_average)(),
            started_utc: begun.started_utc,
            ended_utc: time::now_utc(),
        };
        self.directory.write(&layout.record(operation), &record)?;
        self.directory.remove(&layout.partial(operation))?;
        if record.failure.is_some() {
            // Of a library that did better.
            self.directory.remove(&layout.memory(operation))?;
        }
        self.tell(&terminal::operation_line(&record))?;
        Ok(())
    }

    /// What an earlier, interrupted run has left of an operation, if it is of the same library.
    pub(super) fn begun(
        &mut self,
        ready: &Ready,
        operation: Operation,
    ) -> Result<Partial, CampaignError> {
        let library = &ready.build.library_sha256;
        let path = self.layout(&ready.instance).partial(operation);
        let left = self
            .known::<Partial>(&path)?
            .filter(|left| left.library_sha256 == *library)
            // The trials of an operation are of one core.
            .filter(|left| left.trials.iter().all(|t| t.cpu == self.manifest.cpu));
        Ok(left.unwrap_or_else(|| {
            Partial::begin(library.clone(), time::now_utc(), (self.load_average)())
        }))
    }
}
