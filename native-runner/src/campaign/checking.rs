//! The known-answer step.

use super::work::{KAT_SECONDS, is_final};
use super::{Campaign, CampaignError};
use crate::build::flags::{GUIDE, HARNESS_DEFAULT};
use crate::executor::Target;
use crate::files;
use crate::kat::{self, KatOutcome};
use crate::package::Instance;
use crate::time;
use kemscope_schema::run::{BuildResult, BuildStatus, KatRun};
use kemscope_schema::{KatStatus, SCHEMA_VERSION};

impl Campaign<'_> {
    /// Runs the test unless its result is there. Where it does not pass with the guide's flags, the
    /// instance is built once more with the harness's own, which are kept if it passes with them.
    pub(super) fn kat_step(
        &mut self,
        instance: &Instance,
        build: &BuildResult,
    ) -> Result<(), CampaignError> {
        let layout = self.layout(instance);
        if let Some(known) = self.known::<KatRun>(&layout.kat())?
            && known.library_sha256 == build.library_sha256
            && is_final(known.failure.as_ref())
        {
            return Ok(());
        }
        self.progress
            .doing(&format!("known-answer test {}", instance.name));
        let started_utc = time::now_utc();
        let mut build = build.clone();
        let mut outcome = match self.target(instance, &build) {
            None => {
                let message = build.message.as_deref().unwrap_or("no library");
                KatOutcome::build_failed(message, &build.log)
            }
            Some(target) => kat::run(self.executor, &target, instance, self.kat_timeout)?,
        };
        if not_passed(outcome.result.status) && GUIDE.is_labelled(&build.flag_set) {
            self.try_fallback(instance, &mut build, &mut outcome)?;
        }
        let mut log_sha256 = None;
        if let Some(text) = &outcome.text {
            self.directory
                .write_bytes(&layout.kat_log(), text.as_bytes())?;
            log_sha256 = Some(files::sha256_hex(text.as_bytes()));
        }
        let status = outcome.result.status;
        let remark = outcome.result.message.clone();
        let record = KatRun {
            schema_version: SCHEMA_VERSION,
            family: instance.family.id.clone(),
            instance: instance.name.clone(),
            implementation: instance.implementation.clone(),
            result: outcome.result,
            generator: instance.kat_generator(),
            log: log_sha256.as_ref().map(|_| layout.kat_log()),
            log_sha256,
            library_sha256: build.library_sha256,
            sizes: outcome.sizes,
            failure: outcome.failure,
            started_utc,
            wall_seconds: outcome.wall_seconds,
        };
        self.directory.write(&layout.kat(), &record)?;
        let remark = remark.map_or(String::new(), |text| format!(": {text}"));
        self.tell(&format!("{}: KAT {status}{remark}", instance.name))?;
        self.progress.advance(KAT_SECONDS);
        Ok(())
    }

    /// Builds with the harness's flags and tests that library from the cache.
    fn try_fallback(
        &mut self,
        instance: &Instance,
        build: &mut BuildResult,
        outcome: &mut KatOutcome,
    ) -> Result<(), CampaignError> {
        let first = outcome.result.status;
        let reason = format!("KAT {first} with `{}`", GUIDE.name);
        let other = self
            .builder
            .build_with(instance, &HARNESS_DEFAULT, Some(reason))?;
        self.stop_if_asked()?;
        let Some(library) = other
            .library()
            .filter(|_| other.result.status == BuildStatus::Built)
        else {
            return Ok(());
        };
        let target = Target {
            label: instance.qualified_name(),
            library,
            namespace: instance.namespace.clone(),
            cpu: self.manifest.cpu,
        };
        let second = kat::run(self.executor, &target, instance, self.kat_timeout)?;
        if second.result.status.is_well() {
            *build = self.keep_build(instance, &other)?;
            *outcome = second;
        } else {
            let note = format!(
                "Built with `{}` instead: KAT {}.",
                HARNESS_DEFAULT.name, second.result.status
            );
            outcome.result.message = Some(match outcome.result.message.take() {
                Some(message) => format!("{} {note}", with_stop(message)),
                None => note,
            });
        }
        Ok(())
    }
}

/// Whether other flags might help.
fn not_passed(status: KatStatus) -> bool {
    matches!(
        status,
        KatStatus::Mismatch | KatStatus::CryptoFail | KatStatus::Timeout | KatStatus::Overflow
    )
}

fn with_stop(mut sentence: String) -> String {
    if !sentence.ends_with('.') {
        sentence.push('.');
    }
    sentence
}
