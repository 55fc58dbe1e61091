//! What is to be timed, and in which order: everything is made ready first, then the cheapest operation of all
//! instances comes first, so that figures come early and what takes hours keeps nobody waiting for the rest.

use super::exchange::Exchange;
use super::work::unplanned_seconds;
use super::{Campaign, CampaignError};
use crate::executor::Target;
use crate::measure::{self, Timed};
use crate::package::Instance;
use crate::time;
use kemscope_schema::run::{BuildResult, Calibration, KatRun, OperationRun};
use kemscope_schema::{KatStatus, Operation, SCHEMA_VERSION};
use std::rc::Rc;

/// An instance that is ready to be timed.
pub(super) struct Ready {
    /// The instance.
    pub instance: Instance,
    /// Its build.
    pub build: BuildResult,
    /// Its library.
    pub target: Target,
    /// Outcome of its known-answer test.
    pub kat: KatStatus,
    /// The honest exchange before timing.
    pub exchange: Exchange,
}

/// An operation to be timed, or at least its memory to be looked at.
pub(super) struct Job {
    /// Of which instance.
    pub ready: Rc<Ready>,
    /// The operation.
    pub operation: Operation,
    /// Duration of its calibration call in seconds; `None` where it is timed already.
    pub call_seconds: Option<f64>,
    /// What timing it will take, in seconds.
    pub expected_seconds: f64,
}

impl Campaign<'_> {
    /// Times every open operation of every instance, the cheapest first.
    pub(super) fn measure_all(&mut self) -> Result<(), CampaignError> {
        let mut jobs = Vec::new();
        for instance in self.instances.clone() {
            self.stop_if_asked()?;
            let build = self.build_of(&instance)?;
            jobs.extend(self.jobs_of(instance, build)?);
        }
        // Stable: among equals the order of the instances.
        jobs.sort_by(|a, b| a.expected_seconds.total_cmp(&b.expected_seconds));
        for job in &jobs {
            self.stop_if_asked()?;
            let failed = match job.call_seconds {
                Some(call_seconds) => self.time_job(job, call_seconds)?,
                None => false,
            };
            let path = self.layout(&job.ready.instance).memory(job.operation);
            if !failed && self.is_memory_open(&path, &job.ready.build)? {
                self.memory_of(&job.ready, job.operation)?;
            }
        }
        Ok(())
    }

    /// The open operations of an instance, each with a calibration call made now or before. What cannot be
    /// timed is recorded at once.
    fn jobs_of(
        &mut self,
        instance: Instance,
        build: BuildResult,
    ) -> Result<Vec<Job>, CampaignError> {
        let layout = self.layout(&instance);
        let kat: Option<KatRun> = self.known(&layout.kat())?;
        let kat = kat.map_or(KatStatus::NotRun, |run| run.result.status);
        let (open, without_memory) = self.open_operations(&instance, &build, kat)?;
        let unplanned = unplanned_seconds(self.settings.kind);
        let Some(target) = self.target(&instance, &build) else {
            self.progress.adjust(-(open.len() as f64) * unplanned);
            for operation in open {
                // Of a library that is no more.
                self.directory.remove(&layout.record(operation))?;
                self.directory.remove(&layout.memory(operation))?;
            }
            return Ok(Vec::new());
        };
        if open.is_empty() && without_memory.is_empty() {
            return Ok(Vec::new());
        }
        let name = instance.full_name();
        self.progress.doing(&format!("calibrate {name}"));
        let exchange = self.exchange(&target)?;
        let ready = Rc::new(Ready {
            instance,
            build,
            target,
            kat,
            exchange,
        });
        let mut jobs: Vec<Job> = without_memory
            .into_iter()
            .map(|operation| Job {
                ready: ready.clone(),
                operation,
                call_seconds: None,
                expected_seconds: 0.0,
            })
            .collect();
        for operation in open {
            self.stop_if_asked()?;
            let calibrated = match ready.exchange.foregone(operation) {
                Some(failure) => Err(failure),
                None => self.calibration(&ready, operation)?,
            };
            match calibrated {
                Ok(call_seconds) => {
                    let plan = self.plan(call_seconds, &ready.exchange);
                    let expected_seconds =
                        measure::expected_seconds(&plan, ready.exchange.wall_seconds);
                    self.progress.adjust(expected_seconds - unplanned);
                    jobs.push(Job {
                        ready: ready.clone(),
                        operation,
                        call_seconds: Some(call_seconds),
                        expected_seconds,
                    });
                }
                Err(failure) => {
                    self.progress.adjust(-unplanned);
                    let begun = self.begun(&ready, operation)?;
                    let timed = Timed {
                        failure: Some(failure),
                        ..Timed::default()
                    };
                    self.keep_timed(&ready, operation, begun, timed)?;
                }
            }
        }
        Ok(jobs)
    }

    /// Duration of the calibration call of an operation: an earlier one of the same library, or a new one.
    fn calibration(
        &mut self,
        ready: &Ready,
        operation: Operation,
    ) -> Result<Result<f64, kemscope_schema::run::Failure>, CampaignError> {
        let path = self.layout(&ready.instance).calibration(operation);
        let library_sha256 = &ready.build.library_sha256;
        if let Some(known) = self.known::<Calibration>(&path)?
            && known.library_sha256 == *library_sha256
        {
            return Ok(Ok(known.seconds));
        }
        let started_utc = time::now_utc();
        let call_timeout = self.settings.call_timeout;
        let seconds =
            match measure::calibrate(self.executor, &ready.target, operation, call_timeout)? {
                Ok(seconds) => seconds,
                Err(failure) => return Ok(Err(failure)),
            };
        let calibration = Calibration {
            schema_version: SCHEMA_VERSION,
            family: ready.instance.family.id.clone(),
            instance: ready.instance.name.clone(),
            implementation: ready.instance.implementation.clone(),
            operation,
            library_sha256: library_sha256.clone(),
            seconds,
            started_utc,
        };
        self.directory.write(&path, &calibration)?;
        Ok(Ok(seconds))
    }

    /// The operations that are still to be timed: without a record, with one of another library, or with
    /// one that the runner itself spoilt. The others learn of the present test. Beside them those that are timed
    /// well, but whose memory is still to be looked at.
    fn open_operations(
        &mut self,
        instance: &Instance,
        build: &BuildResult,
        kat: KatStatus,
    ) -> Result<(Vec<Operation>, Vec<Operation>), CampaignError> {
        let layout = self.layout(instance);
        let (mut open, mut without_memory) = (Vec::new(), Vec::new());
        for operation in Operation::ALL {
            let path = layout.record(operation);
            match self.known::<OperationRun>(&path)? {
                Some(mut record)
                    if record.library_sha256 == build.library_sha256
                        && super::work::is_final(record.failure.as_ref()) =>
                {
                    // Left where the program was killed just behind the record.
                    self.directory.remove(&layout.partial(operation))?;
                    if record.kat != kat {
                        record.kat = kat;
                        self.directory.write(&path, &record)?;
                    }
                    let path = layout.memory(operation);
                    if record.failure.is_none() && self.is_memory_open(&path, build)? {
                        without_memory.push(operation);
                    }
                }
                _ => open.push(operation),
            }
        }
        Ok((open, without_memory))
    }
}
