//! The raw files of a run.

use super::{Checker, Validate};
use crate::identifier::{is_path_word, is_plain_path};
use crate::run::{
    BuildResult, Calibration, KatRun, MemoryRun, OperationRun, ProfileRun, RunManifest,
    SplitInstance,
};

/// Names of files are made of it.
fn path_word(c: &mut Checker, field: &str, text: &str) {
    c.require(is_path_word(text), field, || {
        format!("“{text}” cannot be a word of a path")
    });
}

/// A file of the same folder.
fn plain_path(c: &mut Checker, field: &str, path: Option<&str>) {
    let path = path.unwrap_or("none");
    c.require(is_plain_path(path), field, || {
        format!("“{path}” is no path within the run directory")
    });
}

impl Validate for RunManifest {
    fn check(&self, c: &mut Checker) {
        c.version(self.schema_version);
        c.identifier("system", &self.system);
        path_word(c, "run", &self.run);
        c.within("environment", |c| self.environment.check(c));
        c.each("instances", &self.instances, |c, instance| {
            c.family("family.id", &instance.family.id);
            path_word(c, "name", &instance.name);
            path_word(c, "implementation", &instance.implementation);
        });
        c.sha256("campaign_sha256", self.campaign_sha256.as_deref());
        if let Some(shard) = &self.shard {
            c.within("shard", |c| {
                numbered(c, shard.number, shard.of);
                c.each("split", &shard.split, |c, entry| {
                    entry_of(c, entry, shard.of);
                });
            });
        }
        if let Some(merged) = &self.merged_from {
            c.within("merged_from", |c| {
                c.each("shards", &merged.shards, |c, shard| {
                    numbered(c, shard.number, merged.of);
                    c.within("environment", |c| shard.environment.check(c));
                });
                c.each("split", &merged.split, |c, entry| {
                    entry_of(c, entry, merged.of);
                });
            });
        }
    }
}

fn numbered(c: &mut Checker, number: u32, of: u32) {
    c.require((1..=of).contains(&number), "number", || {
        format!("is {number} of {of}")
    });
}

fn entry_of(c: &mut Checker, entry: &SplitInstance, of: u32) {
    c.family("family", &entry.family);
    c.require((1..=of).contains(&entry.shard), "shard", || {
        format!("is {} of {of}", entry.shard)
    });
    c.require(
        entry.expected_seconds.is_finite() && entry.expected_seconds >= 0.0,
        "expected_seconds",
        || format!("{} is not a duration", entry.expected_seconds),
    );
    for digest in &entry.input_sha256 {
        c.sha256("input_sha256", Some(digest));
    }
}

impl Validate for BuildResult {
    fn check(&self, c: &mut Checker) {
        c.version(self.schema_version);
        c.family("family", &self.family);
        c.sha256("library_sha256", self.library_sha256.as_deref());
        c.sha256("log_sha256", Some(&self.log_sha256));
        plain_path(c, "log", Some(&self.log));
        plain_path(c, "library", self.library.as_deref());
    }
}

impl Validate for KatRun {
    fn check(&self, c: &mut Checker) {
        c.version(self.schema_version);
        c.family("family", &self.family);
        c.sha256("log_sha256", self.log_sha256.as_deref());
        plain_path(c, "log", self.log.as_deref());
        c.sha256("library_sha256", self.library_sha256.as_deref());
        c.sha256("result.text_sha256", self.result.text_sha256.as_deref());
        c.sha256(
            "result.expected_sha256",
            self.result.expected_sha256.as_deref(),
        );
    }
}

impl Validate for Calibration {
    fn check(&self, c: &mut Checker) {
        c.version(self.schema_version);
        c.family("family", &self.family);
        c.require(
            self.seconds.is_finite() && self.seconds >= 0.0,
            "seconds",
            || format!("{} is not a duration", self.seconds),
        );
    }
}

impl Validate for MemoryRun {
    fn check(&self, c: &mut Checker) {
        c.version(self.schema_version);
        c.family("family", &self.family);
        c.sha256("library_sha256", self.library_sha256.as_deref());
        c.require(
            self.touched_stack_bytes <= self.available_stack_bytes,
            "touched_stack_bytes",
            || "is more than there were".to_owned(),
        );
    }
}

impl Validate for OperationRun {
    fn check(&self, c: &mut Checker) {
        c.version(self.schema_version);
        c.identifier("system", &self.system);
        c.family("family", &self.family);
        c.sha256("library_sha256", self.library_sha256.as_deref());
        c.within("environment", |c| self.environment.check(c));
        c.each("trials", &self.trials, |c, trial| {
            c.require(trial.measurements > 0, "measurements", || {
                "a trial has no calls".to_owned()
            });
            c.require(
                trial.seconds.is_finite() && trial.seconds > 0.0,
                "seconds",
                || format!("{} is not a positive duration", trial.seconds),
            );
        });
    }
}

impl Validate for ProfileRun {
    fn check(&self, c: &mut Checker) {
        c.version(self.schema_version);
        c.identifier("system", &self.system);
        c.family("family", &self.family);
        c.sha256("library_sha256", self.library_sha256.as_deref());
        c.sha256(
            "profiled_library_sha256",
            self.profiled_library_sha256.as_deref(),
        );
        c.each("calls", &self.calls, |c, row| {
            c.require(!row.function.is_empty(), "fn", || "is empty".to_owned());
            c.require(row.calls > 0, "calls", || "is 0".to_owned());
        });
        c.require(
            self.failure.is_some() || (self.operations > 0 && self.total_ticks > 0),
            "operations",
            || "nothing was profiled, and no failure says why".to_owned(),
        );
    }
}
