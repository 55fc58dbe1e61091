//! Shares and mean calls from counted calls.

use kemscope_schema::run::{PrimitiveKind, ProfileRun, ProfiledCalls};
use kemscope_schema::{Figure, PrimitiveCalls, Profile, UnknownShare, format};
use std::collections::BTreeMap;

/// Calls and ticks of one primitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Number of calls.
    pub calls: u64,
    /// Their ticks.
    pub ticks: u64,
}

/// Calls and ticks by primitive, and what they are parts of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    by_function: BTreeMap<String, Sum>,
    operations: u64,
    total_ticks: u64,
}

impl Sums {
    /// Adds up rows of (function, calls, ticks).
    ///
    /// # Errors
    /// If there were no operations, or the sums cannot be: they do not fit into 64 bits, or the calls took longer
    /// than the operations that they are in.
    pub fn new<'a>(
        rows: impl IntoIterator<Item = (&'a str, u64, u64)>,
        operations: u64,
        total_ticks: u64,
    ) -> Result<Sums, String> {
        if total_ticks == 0 || operations == 0 {
            return Err("total has no ticks or no operations".to_owned());
        }
        let mut by_function: BTreeMap<String, Sum> = BTreeMap::new();
        let mut inside: u64 = 0;
        for (function, calls, ticks) in rows {
            let sum = by_function.entry(function.to_owned()).or_default();
            let added = sum
                .calls
                .checked_add(calls)
                .zip(sum.ticks.checked_add(ticks));
            let all = inside.checked_add(ticks);
            let ((calls, ticks), all) = added
                .zip(all)
                .ok_or("calls or ticks do not fit into 64 bits")?;
            *sum = Sum { calls, ticks };
            inside = all;
        }
        if inside > total_ticks {
            return Err(format!(
                "the calls have {inside} ticks, the operations they are part of {total_ticks}"
            ));
        }
        Ok(Sums {
            by_function,
            operations,
            total_ticks,
        })
    }

    /// The primitives by name, with their sums.
    pub fn functions(&self) -> impl Iterator<Item = (&str, Sum)> {
        self.by_function
            .iter()
            .map(|(name, sum)| (name.as_str(), *sum))
    }

    /// Ticks as a fraction of the operations'.
    pub fn share(&self, ticks: u64) -> f64 {
        ticks as f64 / self.total_ticks as f64
    }

    /// Fraction of the operations spent in the primitives that `counts` accepts.
    pub fn share_of(&self, counts: impl Fn(&str) -> bool) -> f64 {
        let counted = self.functions().filter(|(name, _)| counts(name));
        self.share(counted.map(|(_, sum)| sum.ticks).sum())
    }

    /// Mean calls per operation, by name.
    pub fn mean_calls(&self) -> Vec<PrimitiveCalls> {
        self.functions()
            .map(|(name, sum)| PrimitiveCalls {
                primitive: name.to_owned(),
                calls: Figure::exact(sum.calls as f64 / self.operations as f64),
            })
            .collect()
    }

    /// Shares and calls; which primitives are hashes and which generators, `kind` says.
    pub fn profile(&self, kind: impl Fn(&str) -> Option<PrimitiveKind>) -> Profile {
        let share = |wanted| Figure::exact(self.share_of(|name| kind(name) == Some(wanted)));
        Profile {
            hash_share: Some(share(PrimitiveKind::Hash)),
            drng_share: Some(share(PrimitiveKind::Drng)),
            primitive_calls: self.mean_calls(),
            operations_profiled: Some(self.operations),
            ..Profile::default()
        }
    }
}

/// What is published of a profile.
///
/// # Errors
/// If its sums cannot be.
pub fn published(run: &ProfileRun) -> Result<Profile, String> {
    if let Some(failure) = &run.failure {
        return Ok(Profile {
            hash_share_unknown: Some(UnknownShare::Undetermined),
            drng_share_unknown: Some(UnknownShare::Undetermined),
            message: Some(format!("not profiled: {}", failure.message)),
            ..Profile::default()
        });
    }
    let rows = run
        .calls
        .iter()
        .map(|row| (row.function.as_str(), row.calls, row.ticks));
    let sums = Sums::new(rows, run.operations, run.total_ticks)?;
    let kind = |name: &str| {
        let wrapped = run.wrapped.iter().find(|w| w.function == name);
        wrapped.map(|w| w.kind)
    };
    let mut profile = sums.profile(kind);
    for unseen in &run.unseen {
        let (share, unknown) = match unseen.kind {
            PrimitiveKind::Hash => (&mut profile.hash_share, &mut profile.hash_share_unknown),
            PrimitiveKind::Drng => (&mut profile.drng_share, &mut profile.drng_share_unknown),
        };
        *share = None;
        *unknown = Some(UnknownShare::Undetermined);
    }
    profile.message = message(run);
    Ok(profile)
}

/// What limits a profile, in sentences.
fn message(run: &ProfileRun) -> Option<String> {
    let mut sentences: Vec<String> = Vec::new();
    for unseen in &run.unseen {
        if !sentences.contains(&unseen.message) {
            sentences.push(unseen.message.clone());
        }
    }
    if run.overflow_calls > 0 {
        sentences.push(format!(
            "{} calls had more different lengths than are kept apart; they are counted and timed without them",
            run.overflow_calls
        ));
    }
    if let (true, Some(seconds), Some(cpu)) = (run.disturbed, run.seconds, run.cpu_seconds)
        && seconds > 0.0
    {
        let lost = format::share((1.0 - cpu / seconds).clamp(0.0, 1.0));
        sentences.push(format!(
            "other work had the processor for {lost} of the time"
        ));
    }
    (!sentences.is_empty()).then(|| sentences.join("; "))
}

/// What does not hold within a profile, in lines.
pub fn contradictions(run: &ProfileRun) -> Vec<String> {
    let mut lines = Vec::new();
    let lengthless = |row: &&ProfiledCalls| row.in_bits.is_none() || row.out_bits.is_none();
    let lost = run.calls.iter().filter(lengthless);
    let lost = lost.fold(0_u64, |sum, row| sum.saturating_add(row.calls));
    if lost != run.overflow_calls {
        lines.push(format!(
            "overflow_calls is {}, calls without lengths are {lost}",
            run.overflow_calls
        ));
    }
    for row in &run.calls {
        if !run.wrapped.iter().any(|w| w.function == row.function) {
            lines.push(format!("calls of {}, which was not wrapped", row.function));
        }
    }
    if let Err(message) = published(run) {
        lines.push(message);
    }
    lines
}

#[cfg(test)]
#[path = "share_tests.rs"]
pub(in crate::profile) mod tests;
