//! The measuring step.

use super::work::{trial_seconds, unplanned_seconds};
use super::{Campaign, CampaignError};
use crate::child::protocol::{Reply, Task};
use crate::executor::Target;
use crate::measure::{Timed, Timing, time_operation};
use crate::package::Instance;
use crate::report;
use crate::time;
use kemscope_schema::run::{
    BuildResult, Calibration, Failure, FailureKind, Generator, KatRun, OperationRun,
};
use kemscope_schema::{KatStatus, Operation, SCHEMA_VERSION, Sizes};

/// What an honest exchange before timing showed.
#[derive(Default)]
struct Exchange {
    /// Whether both sides have the same secret.
    agrees: Option<bool>,
    sizes: Option<Sizes>,
    failure: Option<Failure>,
}

impl Exchange {
    /// The failure that would meet `operation` too: its own, or that of one it cannot do without.
    /// Every process sees the same random bytes, so there is no point in trying again.
    fn foregone(&self, operation: Operation) -> Option<Failure> {
        let failure = self.failure.as_ref()?;
        let hit = failure.operation.is_none_or(|failed| failed <= operation);
        hit.then(|| failure.clone())
    }
}

impl Campaign<'_> {
    /// Times the operations that have no record yet. Without a library there is nothing to time.
    pub(super) fn measure_step(
        &mut self,
        instance: &Instance,
        build: &BuildResult,
    ) -> Result<(), CampaignError> {
        let layout = self.layout(instance);
        let open = |operation: &Operation| {
            let known = self
                .directory
                .read::<OperationRun>(&layout.record(*operation));
            known.is_none_or(|record| record.library_sha256 != build.library_sha256)
        };
        let open: Vec<Operation> = Operation::ALL.into_iter().filter(open).collect();
        let unplanned = unplanned_seconds(self.settings.kind);
        let Some(target) = self.target(instance, build) else {
            self.progress.adjust(-(open.len() as f64) * unplanned);
            return Ok(());
        };
        if open.is_empty() {
            return Ok(());
        }
        let kat: Option<KatRun> = self.directory.read(&layout.kat());
        let kat = kat.map_or(KatStatus::NotRun, |run| run.result.status);
        let exchange = self.exchange(&target)?;
        for operation in open {
            self.stop_if_asked()?;
            let label = format!("{} {operation}", instance.name);
            self.progress.doing(&format!("time {label}"));
            let (started_utc, load_average_start) = (time::now_utc(), (self.load_average)());
            let timed = match exchange.foregone(operation) {
                Some(failure) => {
                    self.progress.adjust(-unplanned);
                    Timed {
                        failure: Some(failure),
                        ..Timed::default()
                    }
                }
                None => self.time(instance, &target, operation)?,
            };
            let record = OperationRun {
                schema_version: SCHEMA_VERSION,
                run: self.directory.name(),
                system: self.manifest.system.clone(),
                family: instance.family.id.clone(),
                instance: instance.name.clone(),
                implementation: instance.implementation.clone(),
                operation,
                kat,
                honest_decapsulation: exchange.agrees,
                plan_kind: self.settings.kind,
                plan: timed.plan,
                calibration_seconds: timed.calibration_seconds,
                trials: timed.trials,
                failure: timed.failure,
                generator: Generator::NistCtrDrbg,
                library: build.library.clone(),
                library_sha256: build.library_sha256.clone(),
                elf_load_bytes: build.elf_load_bytes,
                flag_set: build.flag_set.clone(),
                flags: build.flags.clone(),
                sizes: exchange.sizes.unwrap_or(instance.declared.sizes),
                environment: self.manifest.environment.clone(),
                load_average_start,
                load_average_end: (self.load_average)(),
                started_utc,
                ended_utc: time::now_utc(),
            };
            self.directory.write(&layout.record(operation), &record)?;
            self.tell(&report::operation_line(&record))?;
        }
        Ok(())
    }

    /// One honest exchange: does decapsulation give what encapsulation gave?
    fn exchange(&mut self, target: &Target) -> Result<Exchange, CampaignError> {
        let timeout = self.settings.call_timeout * 3;
        let execution = self.executor.execute(target, &Task::RoundTrip, timeout)?;
        Ok(match execution.outcome {
            Ok(Reply::RoundTrip { sizes }) => Exchange {
                agrees: Some(true),
                sizes: Some(sizes),
                failure: None,
            },
            Ok(_) => Exchange::default(),
            Err(failure) => {
                let refuted = failure.kind == FailureKind::CryptoFail
                    && failure.operation == Some(Operation::Dec)
                    && failure.return_code.is_none();
                Exchange {
                    agrees: refuted.then_some(false),
                    sizes: None,
                    failure: Some(failure),
                }
            }
        })
    }

    fn time(
        &mut self,
        instance: &Instance,
        target: &Target,
        operation: Operation,
    ) -> Result<Timed, CampaignError> {
        let layout = self.layout(instance);
        let path = layout.calibration(operation);
        let known: Option<Calibration> = self.directory.read(&path);
        let started_utc = time::now_utc();
        let timing = Timing {
            target,
            operation,
            settings: &self.settings,
            now_utc: &time::now_utc,
            calibrated: known.as_ref().map(|c| c.seconds),
        };
        let progress = &mut *self.progress;
        let mut expected = unplanned_seconds(self.settings.kind);
        let mut observe = |timed: &Timed| {
            let Some(plan) = &timed.plan else { return };
            let trial = trial_seconds(plan);
            if timed.trials.is_empty() {
                progress.adjust(trial * plan.trials as f64 - expected);
                expected = trial * plan.trials as f64;
            } else {
                progress.advance(trial);
                expected -= trial;
            }
        };
        let timed = time_operation(self.executor, &timing, &mut observe)?;
        // What a failure left undone is not work any more.
        self.progress.adjust(-expected.max(0.0));
        if let (None, Some(seconds)) = (known, timed.calibration_seconds) {
            let calibration = Calibration {
                schema_version: SCHEMA_VERSION,
                family: instance.family.id.clone(),
                instance: instance.name.clone(),
                implementation: instance.implementation.clone(),
                operation,
                seconds,
                started_utc,
            };
            self.directory.write(&path, &calibration)?;
        }
        Ok(timed)
    }
}
