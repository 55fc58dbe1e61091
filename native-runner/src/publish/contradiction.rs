//! What does not hold within the raw files of an instance.

use super::raw::RawInstance;
use crate::files;
use crate::profile::share;
use kemscope_schema::run::{
    BuildStatus, MemoryRun, OperationRun, ProfileRun, RunInstance, RunManifest, RunStep,
};
use kemscope_schema::{KatStatus, Operation, PlanKind};

/// Collects the lines.
#[derive(Default)]
struct Lines(Vec<String>);

impl Lines {
    fn same(&mut self, what: &str, field: &str, found: &str, expected: &str) {
        self.require(found == expected, || {
            format!("{what}: {field} is “{found}” where “{expected}” was expected")
        });
    }

    fn require(&mut self, holds: bool, line: impl FnOnce() -> String) {
        if !holds {
            self.0.push(line());
        }
    }

    /// The key of a file against the instance's.
    fn key(&mut self, what: &str, found: [&str; 3], instance: &RunInstance) {
        let expected = [
            ("family", &instance.family.id),
            ("instance", &instance.name),
            ("implementation", &instance.implementation),
        ];
        for (found, (field, expected)) in found.into_iter().zip(expected) {
            self.same(what, field, found, expected);
        }
    }
}

impl RawInstance {
    /// What does not hold within the raw files: missing ones, files of another instance or run,
    /// results of another library, too few trials, a KAT pass without equal digests. Empty if all is
    /// well.
    pub fn contradictions(&self, manifest: &RunManifest, instance: &RunInstance) -> Vec<String> {
        let mut lines = Lines::default();
        self.build_lines(instance, &mut lines);
        if manifest.steps.contains(&RunStep::Kat) {
            self.kat_lines(instance, &mut lines);
        }
        let timed = manifest.steps.contains(&RunStep::Measure);
        for operation in Operation::ALL.into_iter().filter(|_| timed) {
            match self.operations.iter().find(|o| o.operation == operation) {
                Some(run) => self.operation_lines(run, manifest, instance, &mut lines),
                None => lines.require(!self.is_built(), || {
                    format!("the record of {operation} is missing")
                }),
            }
        }
        for operation in Operation::ALL {
            match self.profiles.iter().find(|p| p.operation == operation) {
                Some(run) => self.profile_lines(run, manifest, instance, &mut lines),
                None => {
                    let asked = manifest.steps.contains(&RunStep::Profile);
                    lines.require(!(asked && self.is_built()), || {
                        format!("the profile of {operation} is missing")
                    });
                }
            }
        }
        for memory in &self.memory {
            self.memory_lines(memory, manifest, instance, &mut lines);
        }
        lines.0
    }

    fn profile_lines(
        &self,
        run: &ProfileRun,
        manifest: &RunManifest,
        instance: &RunInstance,
        lines: &mut Lines,
    ) {
        let what = format!("profile of {}", run.operation);
        let found = [&*run.family, &*run.instance, &*run.implementation];
        lines.key(&what, found, instance);
        lines.same(&what, "run", &run.run, manifest.run_of(instance));
        lines.same(&what, "system", &run.system, &manifest.system);
        if let (Some(found), Some(expected)) = (run.library_sha256.as_deref(), self.library()) {
            lines.same(&what, "library_sha256", found, expected);
        }
        let own = share::contradictions(run).into_iter();
        lines.0.extend(own.map(|line| format!("{what}: {line}")));
    }

    fn memory_lines(
        &self,
        memory: &MemoryRun,
        manifest: &RunManifest,
        instance: &RunInstance,
        lines: &mut Lines,
    ) {
        let what = format!("memory of {}", memory.operation);
        let found = [&*memory.family, &*memory.instance, &*memory.implementation];
        lines.key(&what, found, instance);
        lines.same(&what, "run", &memory.run, manifest.run_of(instance));
        if let (Some(found), Some(expected)) = (memory.library_sha256.as_deref(), self.library()) {
            lines.same(&what, "library_sha256", found, expected);
        }
    }

    fn is_built(&self) -> bool {
        self.build
            .as_ref()
            .is_some_and(|build| build.status == BuildStatus::Built)
    }

    fn library(&self) -> Option<&str> {
        self.build.as_ref()?.library_sha256.as_deref()
    }

    fn build_lines(&self, instance: &RunInstance, lines: &mut Lines) {
        let Some(build) = &self.build else {
            lines.0.push("the build result is missing".to_owned());
            return;
        };
        let found = [&*build.family, &*build.instance, &*build.implementation];
        lines.key("build result", found, instance);
        let digest = self.digest_of(&build.log);
        lines.same("build log", "SHA-256", &digest, &build.log_sha256);
    }

    fn kat_lines(&self, instance: &RunInstance, lines: &mut Lines) {
        let Some(kat) = &self.kat else {
            lines.require(!self.is_built(), || "the KAT result is missing".to_owned());
            return;
        };
        let what = "KAT result";
        let found = [&*kat.family, &*kat.instance, &*kat.implementation];
        lines.key(what, found, instance);
        if let (Some(found), Some(expected)) = (kat.library_sha256.as_deref(), self.library()) {
            lines.same(what, "library_sha256", found, expected);
        }
        if let Some(log) = &kat.log {
            let digest = self.digest_of(log);
            let stated = kat.log_sha256.as_deref().unwrap_or("nothing");
            lines.same("KAT log", "SHA-256", &digest, stated);
            if let Some(text) = &kat.result.text_sha256
                && !kat.log_abbreviated
            {
                lines.same("KAT log", "SHA-256", &digest, text);
            }
        }
        let equal = [KatStatus::Pass, KatStatus::ModelMatch, KatStatus::Partial];
        if equal.contains(&kat.result.status) {
            let text = kat.result.compared_sha256().unwrap_or("nothing");
            let expected = kat.result.expected_sha256.as_deref().unwrap_or("unknown");
            let what = format!("KAT {}", kat.result.status);
            lines.same(&what, "the compared SHA-256", text, expected);
        }
    }

    fn operation_lines(
        &self,
        run: &OperationRun,
        manifest: &RunManifest,
        instance: &RunInstance,
        lines: &mut Lines,
    ) {
        let what = format!("record of {}", run.operation);
        let found = [&*run.family, &*run.instance, &*run.implementation];
        lines.key(&what, found, instance);
        lines.same(&what, "run", &run.run, manifest.run_of(instance));
        lines.same(&what, "system", &run.system, &manifest.system);
        if let (Some(found), Some(expected)) = (run.library_sha256.as_deref(), self.library()) {
            lines.same(&what, "library_sha256", found, expected);
        }
        if let Some(kat) = &self.kat {
            lines.same(&what, "kat", run.kat.name(), kat.result.status.name());
        }
        if run.failure.is_none() {
            trial_lines(run, &what, lines);
        }
    }

    /// Digest of a kept file, by its path in the run directory.
    fn digest_of(&self, relative: &str) -> String {
        let end = format!("/{relative}");
        let file = self.files.iter().find(|f| f.path.ends_with(&end));
        file.map_or_else(|| "unknown".to_owned(), |f| files::sha256_hex(&f.bytes))
    }
}

/// The number of trials against the plan, and what each says of its disturbance against its numbers.
fn trial_lines(run: &OperationRun, what: &str, lines: &mut Lines) {
    let count = run.trials.len();
    match run.plan {
        None => lines.0.push(format!("{what}: the plan is missing")),
        Some(plan) if plan.precision.is_none() => lines
            .require(count as u64 == plan.trials, || {
                format!("{what}: {count} trials where {} were planned", plan.trials)
            }),
        Some(plan) => {
            let end = plan.first_end(&run.trials).map(|(count, _)| count);
            lines.require(end == Some(count), || {
                let needed = end.map_or("more".to_owned(), |end| end.to_string());
                format!("{what}: {count} trials where its precision asks for {needed}")
            });
        }
    }
    let adaptive = run.plan_kind == PlanKind::Adaptive;
    for (i, trial) in run.trials.iter().enumerate() {
        let expected = if adaptive { i as u64 } else { 0 };
        lines.require(trial.seed_number == expected, || {
            format!(
                "{what}: trial {i}: seed_number is {} where {expected} was expected",
                trial.seed_number
            )
        });
    }
    let environment = &run.environment;
    let fixed_clock = environment.fixed_clock_hz.map(|figure| figure.value);
    for (i, trial) in run.trials.iter().enumerate() {
        // Runners before the causes were recorded judged by the clock alone.
        if trial.cpu_seconds.is_none() {
            continue;
        }
        let causes = trial.disturbances(environment.cycle_source, fixed_clock);
        let honest = trial.disturbance == causes && trial.disturbed != causes.is_empty();
        lines.require(honest, || {
            format!("{what}: trial {i}: its numbers do not show the disturbance that it tells of")
        });
    }
}
