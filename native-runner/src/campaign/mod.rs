//! A campaign: build and check every instance of a run, then time and profile all their operations, keeping every
//! result at once.
//!
//! Each result is a file of the run directory; what has its file is not done again. So a run can be
//! stopped at any moment, by its user or by a power cut, and resumed.

mod building;
mod checking;
mod exchange;
mod jobs;
mod memory;
mod partial;
mod profiling;
mod timing;
pub(crate) mod work;

pub use work::is_settled;

use crate::build::{BuildError, Builder};
use crate::executor::{ExecuteError, Executor, Target};
use crate::host::in_use::name_cores;
use crate::interrupt::Interrupt;
use crate::kat::KatError;
use crate::measure::Settings;
use crate::package::Instance;
use crate::progress::Progress;
use crate::run::{Found, Layout, RunDirectory, RunError};
use crate::time;
use kemscope_schema::Environment;
use kemscope_schema::run::{BuildResult, RunManifest, RunStatus, RunStep};
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;

/// Everything that a campaign works with.
pub struct Campaign<'a> {
    /// Where results go.
    pub directory: RunDirectory,
    /// What is to be done; its status is kept up to date.
    pub manifest: RunManifest,
    /// Full names of the instances that this process has built.
    pub built: BTreeSet<String>,
    /// The instances of the manifest, in its order.
    pub instances: Vec<Instance>,
    /// Builds libraries.
    pub builder: &'a Builder,
    /// Runs libraries.
    pub executor: &'a mut dyn Executor,
    /// How operations are timed.
    pub settings: Settings,
    /// Shows how far it is.
    pub progress: &'a mut dyn Progress,
    /// Asks it to stop.
    pub interrupt: Interrupt,
    /// Reads the load averages.
    pub load_average: &'a dyn Fn() -> Option<[f64; 3]>,
}

/// What keeps a campaign from going on.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The user stopped it. The run can be resumed.
    #[error("interrupted")]
    Interrupted,
    /// A file of the run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The compiler, or a file of the cache.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The measuring processes.
    #[error(transparent)]
    Execute(ExecuteError),
}

impl From<KatError> for CampaignError {
    fn from(error: KatError) -> CampaignError {
        match error {
            KatError::File(error) => CampaignError::Run(error.into()),
            KatError::Execute(error) => error.into(),
        }
    }
}

impl From<ExecuteError> for CampaignError {
    fn from(error: ExecuteError) -> CampaignError {
        match error {
            ExecuteError::Interrupted => CampaignError::Interrupted,
            other => CampaignError::Execute(other),
        }
    }
}

impl Campaign<'_> {
    /// Does what is still to be done. The manifest says afterwards whether the run is complete.
    pub fn run(&mut self) -> Result<RunStatus, CampaignError> {
        self.set_status(RunStatus::Running)?;
        let total = self.instances.iter().map(|i| self.pending(i)).sum();
        self.progress.begin(total);
        let done = self.build_all().and_then(|()| self.all_instances());
        self.progress.end();
        match done {
            Ok(()) => {
                let now = time::now_utc();
                self.manifest.environment.campaign_end_utc = Some(now.clone());
                self.manifest.ended_utc = Some(now);
                self.set_status(RunStatus::Complete)?;
            }
            Err(CampaignError::Interrupted) => self.set_status(RunStatus::Interrupted)?,
            Err(error) => return Err(error),
        }
        Ok(self.manifest.status)
    }

    fn all_instances(&mut self) -> Result<(), CampaignError> {
        for instance in self.instances.clone() {
            self.stop_if_asked()?;
            let build = self.build_of(&instance)?;
            if self.has_step(RunStep::Kat) {
                self.kat_step(&instance, &build)?;
            }
        }
        if self.has_step(RunStep::Measure) {
            self.measure_all()?;
        }
        if self.has_step(RunStep::Profile) {
            for instance in self.instances.clone() {
                self.stop_if_asked()?;
                let build = self.build_of(&instance)?;
                self.profile_step(&instance, &build)?;
            }
        }
        Ok(())
    }

    fn has_step(&self, step: RunStep) -> bool {
        self.manifest.steps.contains(&step)
    }

    fn set_status(&mut self, status: RunStatus) -> Result<(), CampaignError> {
        self.manifest.status = status;
        self.directory.write_manifest(&self.manifest)?;
        let word = match status {
            RunStatus::Running => "running",
            RunStatus::Interrupted => "interrupted",
            RunStatus::Complete => "complete",
        };
        Ok(self.directory.log(&format!("run {word}"))?)
    }

    fn stop_if_asked(&self) -> Result<(), CampaignError> {
        if self.interrupt.requested() {
            Err(CampaignError::Interrupted)
        } else {
            Ok(())
        }
    }

    /// Tells the user and the log.
    fn tell(&mut self, text: &str) -> Result<(), CampaignError> {
        self.progress.line(text);
        Ok(self.directory.log(text)?)
    }

    /// A record of the run directory, if there is a whole one.
    fn known<T: DeserializeOwned>(&mut self, relative: &str) -> Result<Option<T>, CampaignError> {
        match self.directory.read(relative)? {
            Found::Record(record) => Ok(Some(record)),
            Found::Nothing => Ok(None),
            Found::Damaged(message) => {
                self.tell(&format!("damaged, to be made again: {message}"))?;
                Ok(None)
            }
        }
    }

    fn layout(&self, instance: &Instance) -> Layout {
        Layout::new(
            &instance.family.id,
            &instance.name,
            &instance.implementation,
        )
    }

    /// The host as records have it: with the one core that is in use now.
    fn environment(&self) -> Environment {
        let mut environment = self.manifest.environment.clone();
        if let Some(cpu) = self.manifest.cpu {
            name_cores(&mut environment, &[cpu]);
        }
        environment
    }

    /// The library of a build in the run directory; `None` where there is none.
    fn target(&self, instance: &Instance, build: &BuildResult) -> Option<Target> {
        let library = build.library.as_ref()?;
        Some(Target {
            label: instance.qualified_name(),
            library: self.directory.file(library),
            abi: instance.abi.clone(),
            cpu: self.manifest.cpu,
        })
    }
}
