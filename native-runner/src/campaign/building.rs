//! The build step.

use super::work::BUILD_SECONDS;
use super::{Campaign, CampaignError};
use crate::build::Build;
use crate::files;
use crate::package::Instance;
use kemscope_schema::run::{BuildResult, BuildStatus};

impl Campaign<'_> {
    /// The build of an instance: that of the run directory if it is whole, else a new one.
    pub(super) fn build_step(&mut self, instance: &Instance) -> Result<BuildResult, CampaignError> {
        let layout = self.layout(instance);
        if let Some(result) = self.known::<BuildResult>(&layout.build())?
            && self.is_whole(&result)
        {
            return Ok(result);
        }
        self.progress.doing(&format!("build {}", instance.name));
        let build = self.builder.build(instance)?;
        // Ctrl-C reaches the compiler too; its failure then says nothing about the sources.
        self.stop_if_asked()?;
        let result = self.keep_build(instance, &build)?;
        let text = match (&result.message, build.reused) {
            (Some(message), _) => {
                let log = self.directory.file(&result.log);
                let log = log.display();
                format!("{}: does not build: {message} (see {log})", instance.name)
            }
            (None, true) => format!("{}: library is up to date", instance.name),
            (None, false) => format!("{}: built with `{}`", instance.name, result.flag_set),
        };
        self.tell(&text)?;
        if let Some(reason) = &result.fallback_reason {
            self.tell(&format!("{}: {reason}", instance.name))?;
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
