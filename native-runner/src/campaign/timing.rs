//! The measuring step.

use super::exchange::Exchange;
use super::partial::Partial;
use super::work::{is_final, trial_seconds, unplanned_seconds};
use super::{Campaign, CampaignError};
use crate::executor::Target;
use crate::measure::{Timed, Timing, time_operation};
use crate::package::Instance;
use crate::terminal;
use crate::time;
use kemscope_schema::run::{BuildResult, Calibration, KatRun, OperationRun};
use kemscope_schema::{KatStatus, Operation, SCHEMA_VERSION};

impl Campaign<'_> {
    /// Times the operations that have no record yet. Without a library there is nothing to time.
    pub(super) fn measure_step(
        &mut self,
        instance: &Instance,
        build: &BuildResult,
    ) -> Result<(), CampaignError> {
        let layout = self.layout(instance);
        let kat: Option<KatRun> = self.known(&layout.kat())?;
        let kat = kat.map_or(KatStatus::NotRun, |run| run.result.status);
        let open = self.open_operations(instance, build, kat)?;
        let unplanned = unplanned_seconds(self.settings.kind);
        let Some(target) = self.target(instance, build) else {
            self.progress.adjust(-(open.len() as f64) * unplanned);
            for operation in open {
                // Of a library that is no more.
                self.directory.remove(&layout.record(operation))?;
            }
            return Ok(());
        };
        if open.is_empty() {
            return Ok(());
        }
        let exchange = self.exchange(&target)?;
        for operation in open {
            self.stop_if_asked()?;
            let label = format!("{} {operation}", instance.name);
            self.progress.doing(&format!("time {label}"));
            let begun = self.begun(instance, build, operation)?;
            let (started_utc, load_average_start) =
                (begun.started_utc.clone(), begun.load_average_start);
            let timed = match exchange.foregone(operation) {
                Some(failure) => {
                    self.progress.adjust(-unplanned);
                    Timed {
                        failure: Some(failure),
                        ..Timed::default()
                    }
                }
                None => self.time(instance, &target, operation, begun, &exchange)?,
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
                generator: instance.abi.generator(),
                library: build.library.clone(),
                library_sha256: build.library_sha256.clone(),
                elf_load_bytes: build.elf_load_bytes,
                flag_set: build.flag_set.clone(),
                flags: build.flags.clone(),
                sizes: exchange.sizes.unwrap_or_default(),
                environment: self.manifest.environment.clone(),
                load_average_start,
                load_average_end: (self.load_average)(),
                started_utc,
                ended_utc: time::now_utc(),
            };
            self.directory.write(&layout.record(operation), &record)?;
            self.directory.remove(&layout.partial(operation))?;
            self.tell(&terminal::operation_line(&record))?;
        }
        Ok(())
    }

    /// The operations that are still to be timed: without a record, with one of another library, or with
    /// one that the runner itself spoilt. The others learn of the present test.
    fn open_operations(
        &mut self,
        instance: &Instance,
        build: &BuildResult,
        kat: KatStatus,
    ) -> Result<Vec<Operation>, CampaignError> {
        let layout = self.layout(instance);
        let mut open = Vec::new();
        for operation in Operation::ALL {
            let path = layout.record(operation);
            match self.known::<OperationRun>(&path)? {
                Some(mut record)
                    if record.library_sha256 == build.library_sha256
                        && is_final(record.failure.as_ref()) =>
                {
                    // Left where the program was killed just behind the record.
                    self.directory.remove(&layout.partial(operation))?;
                    if record.kat != kat {
                        record.kat = kat;
                        self.directory.write(&path, &record)?;
                    }
                }
                _ => open.push(operation),
            }
        }
        Ok(open)
    }

    /// What an earlier, interrupted run has left of an operation, if it is of the same library.
    fn begun(
        &mut self,
        instance: &Instance,
        build: &BuildResult,
        operation: Operation,
    ) -> Result<Partial, CampaignError> {
        let path = self.layout(instance).partial(operation);
        let left = self
            .known::<Partial>(&path)?
            .filter(|left| left.library_sha256 == build.library_sha256);
        Ok(left.unwrap_or_else(|| {
            let library = build.library_sha256.clone();
            Partial::begin(library, time::now_utc(), (self.load_average)())
        }))
    }

    /// Times an operation. Calibration and trials are written down as they come.
    fn time(
        &mut self,
        instance: &Instance,
        target: &Target,
        operation: Operation,
        mut begun: Partial,
        exchange: &Exchange,
    ) -> Result<Timed, CampaignError> {
        let layout = self.layout(instance);
        let path = layout.calibration(operation);
        let known = self
            .known::<Calibration>(&path)?
            .filter(|known| known.library_sha256 == begun.library_sha256);
        let started_utc = time::now_utc();
        let trials = std::mem::take(&mut begun.trials);
        let timing = Timing {
            target,
            operation,
            settings: &self.settings,
            now_utc: &time::now_utc,
            calibrated: known.as_ref().map(|c| c.seconds),
            kept: begun.plan.map(|plan| (plan, trials)),
            set_up_seconds: exchange.wall_seconds,
        };
        let (progress, directory) = (&mut *self.progress, &self.directory);
        let mut expected = unplanned_seconds(self.settings.kind);
        let mut planned = false;
        let mut observe = |timed: &Timed| -> Result<(), CampaignError> {
            let (Some(plan), Some(seconds)) = (timed.plan, timed.calibration_seconds) else {
                return Ok(());
            };
            let trial = trial_seconds(&plan);
            if planned {
                progress.advance(trial);
                expected -= trial;
            } else {
                planned = true;
                let left = plan.trials.saturating_sub(timed.trials.len() as u64);
                progress.adjust(trial * left as f64 - expected);
                expected = trial * left as f64;
                if known.is_none() {
                    let calibration = Calibration {
                        schema_version: SCHEMA_VERSION,
                        family: instance.family.id.clone(),
                        instance: instance.name.clone(),
                        implementation: instance.implementation.clone(),
                        operation,
                        library_sha256: begun.library_sha256.clone(),
                        seconds,
                        started_utc: started_utc.clone(),
                    };
                    directory.write(&path, &calibration)?;
                }
            }
            begun.plan = Some(plan);
            begun.trials.clone_from(&timed.trials);
            Ok(directory.write(&layout.partial(operation), &begun)?)
        };
        let timed = time_operation(self.executor, timing, &mut observe)?;
        // What a failure left undone is not work any more.
        self.progress.adjust(-expected.max(0.0));
        Ok(timed)
    }
}
