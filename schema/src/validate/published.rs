//! The published files: index, system, summary, family records.

use super::{Checker, Validate};
use crate::environment::Environment;
use crate::evidence::Evidence;
use crate::family::FamilyRecord;
use crate::figure::Figure;
use crate::identifier::is_lower_hex;
use crate::index::Index;
use crate::instance::{InstanceRecord, OperationRecord, Profile, Timing};
use crate::provenance::CycleSource;
use crate::summary::{Summary, SummaryOperation, SummaryRow};
use crate::system::System;

impl Validate for Environment {
    fn check(&self, c: &mut Checker) {
        c.positive("fixed_clock_hz", self.fixed_clock_hz);
        c.positive("measured_clock_hz", self.measured_clock_hz);
        c.whole("memory_mib", self.memory_mib);
        for (field, text) in [
            ("campaign_start_utc", &self.campaign_start_utc),
            ("campaign_end_utc", &self.campaign_end_utc),
        ] {
            if let Some(text) = text {
                c.require(looks_like_time(text), field, || {
                    format!("“{text}” is not a time like 2026-09-28T15:05:46")
                });
            }
        }
    }
}

/// `YYYY-MM-DDThh:mm:ss` with anything behind it (fractions).
pub(super) fn looks_like_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 19
        && bytes[..19].iter().enumerate().all(|(i, b)| match i {
            4 | 7 => *b == b'-',
            10 => *b == b'T',
            13 | 16 => *b == b':',
            _ => b.is_ascii_digit(),
        })
}

impl Validate for System {
    fn check(&self, c: &mut Checker) {
        c.version(self.schema_version);
        c.identifier("id", &self.id);
        c.within("environment", |c| self.environment.check(c));
    }
}

impl Validate for Index {
    fn check(&self, c: &mut Checker) {
        c.version(self.schema_version);
        c.unique(
            "systems",
            "system",
            self.systems.iter().map(|s| s.id.as_str()),
        );
        c.each("systems", &self.systems, |c, system| {
            c.identifier("id", &system.id);
            c.unique(
                "families",
                "family",
                system.families.iter().map(String::as_str),
            );
            for family in &system.families {
                c.family("families", family);
            }
            c.unique(
                "files",
                "file",
                system.files.iter().map(|f| f.path.as_str()),
            );
            c.each("files", &system.files, |c, file| {
                c.sha256("sha256", Some(&file.sha256));
                c.require(is_plain_path(&file.path), "path", || {
                    format!("“{}” is not a relative path without ..", file.path)
                });
                let own = file.path.strip_prefix(&system.id);
                c.require(own.is_some_and(|p| p.starts_with('/')), "path", || {
                    format!("“{}” is not below {}/", file.path, system.id)
                });
            });
        });
    }
}

/// A relative path with forward slashes that stays below its folder.
pub(super) fn is_plain_path(path: &str) -> bool {
    !path.is_empty()
        && !path.contains('\\')
        && path
            .split('/')
            .all(|part| !part.is_empty() && part != "." && part != "..")
}

impl Validate for FamilyRecord {
    fn check(&self, c: &mut Checker) {
        c.version(self.schema_version);
        c.identifier("system", &self.system);
        c.family("family.id", &self.family.id);
        c.sha256("source.sha256", self.source.sha256.as_deref());
        if let Some(environment) = &self.environment {
            c.within("environment", |c| environment.check(c));
        }
        let keys: Vec<String> = self
            .instances
            .iter()
            .map(|i| format!("{} ({})", i.name, i.implementation.variant))
            .collect();
        c.unique("instances", "instance", keys.iter().map(String::as_str));
        c.each("instances", &self.instances, |c, instance| {
            instance.check(c);
        });
    }
}

impl Validate for InstanceRecord {
    fn check(&self, c: &mut Checker) {
        c.require(!self.name.trim().is_empty(), "name", || {
            "is empty".to_owned()
        });
        c.require(
            !self.implementation.variant.is_empty(),
            "implementation.variant",
            || "is empty".to_owned(),
        );
        category(c, self.nist_category);
        c.sha256("kat.text_sha256", self.kat.text_sha256.as_deref());
        c.sha256("kat.expected_sha256", self.kat.expected_sha256.as_deref());
        c.within("sizes", |c| {
            c.whole("public_key_bytes", self.sizes.public_key_bytes);
            c.whole("secret_key_bytes", self.sizes.secret_key_bytes);
            c.whole("ciphertext_bytes", self.sizes.ciphertext_bytes);
            c.whole("shared_secret_bytes", self.sizes.shared_secret_bytes);
        });
        c.unique(
            "operations",
            "operation",
            self.operations.iter().map(|o| o.operation.name()),
        );
        c.each("operations", &self.operations, |c, o| o.check(c));
        c.each("evidence", &self.evidence, |c, e| e.check(c));
    }
}

fn category(c: &mut Checker, nist_category: Option<u8>) {
    c.require(
        nist_category.is_none_or(|n| (1..=5).contains(&n)),
        "nist_category",
        || {
            format!(
                "{} is not a category from 1 to 5",
                nist_category.unwrap_or(0)
            )
        },
    );
}

impl Validate for Evidence {
    fn check(&self, c: &mut Checker) {
        c.require(is_plain_path(&self.path), "path", || {
            format!("“{}” is not a relative path without ..", self.path)
        });
        c.sha256("sha256", self.sha256.as_deref());
        if let Some(prefix) = &self.sha256_prefix {
            c.require(is_lower_hex(prefix), "sha256_prefix", || {
                format!("“{prefix}” is not made of lower-case hex digits")
            });
        }
    }
}

impl Validate for OperationRecord {
    fn check(&self, c: &mut Checker) {
        if let Some(timing) = &self.timing {
            c.within("timing", |c| timing.check(c));
        }
        if let Some(memory) = &self.memory {
            c.within("memory", |c| {
                c.whole("elf_load_bytes", memory.elf_load_bytes);
                c.whole("baseline_rss_bytes", memory.baseline_rss_bytes);
                c.whole("peak_rss_bytes", memory.peak_rss_bytes);
            });
        }
        if let Some(profile) = &self.profile {
            c.within("profile", |c| profile.check(c));
        }
    }
}

/// Cycles are nothing without what counted them.
fn cycles(c: &mut Checker, mean_cycles: Option<Figure>, source: Option<CycleSource>) {
    c.positive("mean_cycles", mean_cycles);
    c.require(
        mean_cycles.is_none() || source.is_some(),
        "cycle_source",
        || "is null though there are cycles".to_owned(),
    );
}

impl Validate for Timing {
    fn check(&self, c: &mut Checker) {
        cycles(c, self.mean_cycles, self.cycle_source);
        c.positive("mean_seconds", self.mean_seconds);
        c.positive("median_trial_seconds", self.median_trial_seconds);
        c.positive("min_trial_seconds", self.min_trial_seconds);
        c.positive("max_trial_seconds", self.max_trial_seconds);
        c.positive("median_trial_cycles", self.median_trial_cycles);
        c.positive("ops_per_second", self.ops_per_second);
        self.reliability(c);
        c.whole("calls", self.calls);
        c.whole("calls_at_least", self.calls_at_least);
        c.whole("trials", self.trials);
        c.whole("iterations", self.iterations);
        if let (Some(calls), Some(trials), Some(iterations)) =
            (self.calls, self.trials, self.iterations)
        {
            c.require(
                trials.checked_mul(iterations) == Some(calls),
                "calls",
                || format!("{calls} is not {trials} × {iterations}"),
            );
        }
    }
}

impl Timing {
    fn reliability(&self, c: &mut Checker) {
        for (field, low, high) in [
            (
                "interval_low_seconds",
                self.interval_low_seconds,
                self.interval_high_seconds,
            ),
            (
                "interval_low_cycles",
                self.interval_low_cycles,
                self.interval_high_cycles,
            ),
        ] {
            c.figure(field, low);
            c.figure(&field.replace("low", "high"), high);
            let ordered = match (low, high) {
                (Some(low), Some(high)) => low.value <= high.value,
                (low, high) => low.is_none() && high.is_none(),
            };
            c.require(ordered, field, || {
                "is no lower end of an interval".to_owned()
            });
        }
        c.figure("spread", self.spread);
        c.require(self.drift.is_none_or(f64::is_finite), "drift", || {
            "is not a finite number".to_owned()
        });
        c.positive("mean_instructions", self.mean_instructions);
        c.positive("instructions_per_cycle", self.instructions_per_cycle);
        c.positive("precision", self.precision);
    }
}

impl Validate for Profile {
    fn check(&self, c: &mut Checker) {
        c.fraction("hash_share", self.hash_share);
        c.fraction("drng_share", self.drng_share);
        c.whole("operations_profiled", self.operations_profiled);
        c.each("primitive_calls", &self.primitive_calls, |c, calls| {
            c.figure("calls", Some(calls.calls));
            c.require(!calls.primitive.is_empty(), "primitive", || {
                "is empty".to_owned()
            });
        });
    }
}

impl Validate for Summary {
    fn check(&self, c: &mut Checker) {
        c.version(self.schema_version);
        c.identifier("system", &self.system);
        c.positive("fixed_clock_hz", self.fixed_clock_hz);
        c.unique(
            "families",
            "family",
            self.families.iter().map(|f| f.id.as_str()),
        );
        c.each("families", &self.families, |c, f| c.family("id", &f.id));
        let keys: Vec<String> = self
            .rows
            .iter()
            .map(|r| format!("{}/{} ({})", r.family, r.instance, r.implementation))
            .collect();
        c.unique("rows", "row", keys.iter().map(String::as_str));
        c.each("rows", &self.rows, |c, row| {
            c.require(
                self.families.iter().any(|f| f.id == row.family),
                "family",
                || format!("“{}” is not among the families", row.family),
            );
            row.check(c);
        });
    }
}

impl Validate for SummaryRow {
    fn check(&self, c: &mut Checker) {
        c.require(!self.instance.is_empty(), "instance", || {
            "is empty".to_owned()
        });
        category(c, self.nist_category);
        c.whole("public_key_bytes", self.public_key_bytes);
        c.whole("secret_key_bytes", self.secret_key_bytes);
        c.whole("ciphertext_bytes", self.ciphertext_bytes);
        c.whole("shared_secret_bytes", self.shared_secret_bytes);
        for (field, operation) in [
            ("keygen", &self.keygen),
            ("enc", &self.enc),
            ("dec", &self.dec),
        ] {
            if let Some(operation) = operation {
                c.within(field, |c| operation.check(c));
            }
        }
    }
}

impl Validate for SummaryOperation {
    fn check(&self, c: &mut Checker) {
        cycles(c, self.mean_cycles, self.cycle_source);
        c.positive("mean_seconds", self.mean_seconds);
        c.whole("calls", self.calls);
        c.whole("calls_at_least", self.calls_at_least);
        c.fraction("hash_share", self.hash_share);
    }
}
