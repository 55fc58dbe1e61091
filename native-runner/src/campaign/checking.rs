//! The known-answer step.

use super::work::{KAT_SECONDS, is_final};
use super::{Campaign, CampaignError};
use crate::build::flags::{GUIDE, HARNESS_DEFAULT};
use crate::executor::Target;
use crate::kat::{self, KatOutcome, with_stop};
use crate::package::Instance;
use crate::time;
use kemscope_schema::run::{BuildResult, BuildStatus, KatRun};
use kemscope_schema::{KatStatus, SCHEMA_VERSION};

impl Campaign<'_> {
    /// Runs the test unless its result is there, and then tries ciphertexts with a flipped bit unless that was
    /// done: a text may take hours, and is not generated again for what comes after it.
    pub(super) fn kat_step(
        &mut self,
        instance: &Instance,
        build: &BuildResult,
    ) -> Result<(), CampaignError> {
        let known = self.known::<KatRun>(&self.layout(instance).kat())?;
        let (record, build) = match known {
            Some(known)
                if known.library_sha256 == build.library_sha256
                    && is_final(known.failure.as_ref()) =>
            {
                (known, build.clone())
            }
            _ => self.kat_text(instance, build)?,
        };
        self.rejection(instance, &build, record)
    }

    /// Runs the test and writes its record. Where it does not pass with the guide's flags, the instance is built
    /// once more with the harness's own, which are kept if it passes with them; answers what was kept.
    fn kat_text(
        &mut self,
        instance: &Instance,
        build: &BuildResult,
    ) -> Result<(KatRun, BuildResult), CampaignError> {
        let layout = self.layout(instance);
        self.progress
            .doing(&format!("known-answer test {}", instance.name));
        let started_utc = time::now_utc();
        let mut build = build.clone();
        let mut outcome = match self.target(instance, &build) {
            None => {
                let message = build.message.as_deref().unwrap_or("no library");
                KatOutcome::build_failed(message, &build.log)
            }
            Some(target) => self.tested(instance, &target, &layout.kat_log())?,
        };
        if not_passed(outcome.result.status) && GUIDE.is_labelled(&build.flag_set) {
            self.try_fallback(instance, &mut build, &mut outcome)?;
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
            log: outcome.log.as_ref().map(|_| layout.kat_log()),
            log_abbreviated: outcome.log.as_ref().is_some_and(|log| log.abbreviated),
            log_sha256: outcome.log.map(|log| log.log_sha256),
            library_sha256: build.library_sha256.clone(),
            sizes: outcome.sizes,
            rejection: None,
            failure: outcome.failure,
            started_utc,
            wall_seconds: outcome.wall_seconds,
        };
        self.directory.write(&layout.kat(), &record)?;
        let remark = remark.map_or(String::new(), |text| format!(": {text}"));
        self.tell(&format!("{}: KAT {status}{remark}", instance.name))?;
        self.progress.advance(KAT_SECONDS);
        Ok((record, build))
    }

    /// Tries ciphertexts with a flipped bit on a library that agrees with itself.
    fn rejection(
        &mut self,
        instance: &Instance,
        build: &BuildResult,
        mut record: KatRun,
    ) -> Result<(), CampaignError> {
        if record.rejection.is_some() || record.failure.is_some() {
            return Ok(());
        }
        let Some(target) = self.target(instance, build) else {
            return Ok(());
        };
        self.progress
            .doing(&format!("flipped ciphertexts {}", instance.name));
        let timeout = self.settings.call_timeout;
        record.rejection = Some(kat::reject(self.executor, &target, timeout)?);
        let path = self.layout(instance).kat();
        Ok(self.directory.write(&path, &record)?)
    }

    /// Tests a library; its text goes to `log`.
    fn tested(
        &mut self,
        instance: &Instance,
        target: &Target,
        log: &str,
    ) -> Result<KatOutcome, CampaignError> {
        let log = self.directory.file(log);
        let outcome = kat::run(
            self.executor,
            target,
            instance,
            self.settings.call_timeout,
            &log,
        )?;
        Ok(outcome)
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
            abi: instance.abi.clone(),
            cpu: self.manifest.cpu,
        };
        let layout = self.layout(instance);
        let log = layout.kat_fallback_log();
        let second = self.tested(instance, &target, &log)?;
        if second.result.status.is_well() {
            self.directory.rename(&log, &layout.kat_log())?;
            *build = self.keep_build(instance, &other)?;
            *outcome = second;
        } else {
            self.directory.remove(&log)?;
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
