//! The build step.

use super::work::BUILD_SECONDS;
use super::{Campaign, CampaignError};
use crate::build::Build;
use crate::files;
use crate::package::Instance;
use kemscope_schema::run::{BuildResult, BuildStatus};
use std::sync::atomic::{AtomicBool, Ordering};

impl Campaign<'_> {
    /// Builds what has no whole build yet, on all processors.
    pub(super) fn build_all(&mut self) -> Result<(), CampaignError> {
        let mut open = Vec::new();
        for instance in self.instances.clone() {
            if self.whole_build(&instance)?.is_none() {
                open.push(instance);
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        self.progress
            .doing(&format!("build {} instances", open.len()));
        let list: Vec<&Instance> = open.iter().collect();
        let (builder, interrupt) = (self.builder, self.interrupt.clone());
        let mut first_error = None;
        let failed = AtomicBool::new(false);
        let go_on = || !interrupt.requested() && !failed.load(Ordering::Relaxed);
        builder.build_all(&list, &go_on, &mut |number, built| {
            let kept = built
                .map_err(CampaignError::from)
                // Ctrl-C reaches the compiler too; its failure then says nothing about the sources.
                .and_then(|build| self.stop_if_asked().map(|()| build))
                .and_then(|build| self.keep_and_tell(list[number], &build));
            if let Err(error) = kept {
                failed.store(true, Ordering::Relaxed);
                first_error.get_or_insert(error);
            }
        });
        match first_error {
            Some(error) => Err(error),
            None => self.stop_if_asked(),
        }
    }

    /// The build of an instance in the run directory.
    pub(super) fn build_of(&mut self, instance: &Instance) -> Result<BuildResult, CampaignError> {
        if let Some(result) = self.whole_build(instance)? {
            return Ok(result);
        }
        let build = self.builder.build(instance)?;
        self.stop_if_asked()?;
        self.keep_and_tell(instance, &build)
    }

    fn whole_build(&mut self, instance: &Instance) -> Result<Option<BuildResult>, CampaignError> {
        let known = self.known::<BuildResult>(&self.layout(instance).build())?;
        // What this process built is current. What an earlier one left may be of other sources, and a failure may
        // have had a passing reason.
        let now = self.built.contains(&instance.full_name());
        Ok(known.filter(|result| {
            self.is_whole(result)
                && (now
                    || (result.status == BuildStatus::Built
                        && self.builder.is_current(instance, result)))
        }))
    }

    fn keep_and_tell(
        &mut self,
        instance: &Instance,
        build: &Build,
    ) -> Result<BuildResult, CampaignError> {
        let result = self.keep_build(instance, build)?;
        let name = instance.full_name();
        let text = match (&result.message, build.reused) {
            (Some(message), _) => {
                let log = self.directory.file(&result.log);
                format!("{name}: does not build: {message} (see {})", log.display())
            }
            (None, true) => format!("{name}: library is up to date"),
            (None, false) => format!("{name}: built with `{}`", result.flag_set),
        };
        self.tell(&text)?;
        if let Some(reason) = &result.fallback_reason {
            self.tell(&format!("{name}: {reason}"))?;
        }
        self.progress.advance(BUILD_SECONDS);
        Ok(result)
    }

    /// Copies a build from the cache into the run directory; the record comes last.
    pub(super) fn keep_build(
        &mut self,
        instance: &Instance,
        build: &Build,
    ) -> Result<BuildResult, CampaignError> {
        let layout = self.layout(instance);
        let mut result = build.result.clone();
        if let Some(bytes) = build.read_library()? {
            self.directory.write_bytes(&layout.library(), &bytes)?;
            result.library = Some(layout.library());
        }
        let log = build.read_log()?;
        result.log_sha256 = self.directory.write_log(&layout.build_log(), &log)?;
        result.log = layout.build_log();
        self.directory.write(&layout.build(), &result)?;
        self.built.insert(instance.full_name());
        Ok(result)
    }

    /// Whether the library that a record tells of is there and the same.
    fn is_whole(&self, result: &BuildResult) -> bool {
        match (result.status, &result.library, &result.library_sha256) {
            (BuildStatus::Failed, ..) => true,
            (BuildStatus::Built, Some(library), Some(digest)) => {
                files::read(&self.directory.file(library))
                    .is_ok_and(|bytes| files::sha256_hex(&bytes) == *digest)
            }
            _ => false,
        }
    }
}
