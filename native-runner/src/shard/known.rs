//! What is known of how long instances take: from an earlier run, or from a file.

use super::cost::{Calls, Work, records};
use super::guess;
use crate::files;
use crate::package::Instance;
use crate::run::Layout;
use kemscope_schema::Operation;
use kemscope_schema::run::{
    Calibration, Failure, FailureKind, KatRun, OperationRun, RunInstance, RunManifest,
};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// First line of a file of costs.
const HEADER: &str = "instance,seconds";

/// How long instances take. What is not known is guessed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    known: BTreeMap<String, Known>,
}

/// What is known of an instance.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    /// Its whole time in seconds.
    Total(f64),
    /// The time of a call of each operation, in seconds, where that is known.
    Calls([Option<f64>; 3]),
    /// Its calls hang.
    Hanging,
}

/// Costs that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CostError {
    /// A file.
    #[error(transparent)]
    File(#[from] files::FileError),
    /// It says something else than was expected.
    #[error("{path}: {message}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What was expected, and where.
        message: String,
    },
}

impl Costs {
    /// From a run directory, whatever its plan and however far it got, or from a CSV file with lines
    /// `FAMILY/NAME/IMPLEMENTATION,SECONDS` below the header `instance,seconds`.
    ///
    /// # Errors
    /// If there is neither.
    pub fn read(path: &Path) -> Result<Costs, CostError> {
        if path.join("manifest.json").is_file() {
            return Costs::of_run(path);
        }
        let bytes = files::read(path)?;
        parse(&String::from_utf8_lossy(&bytes)).map_err(|message| CostError::Malformed {
            path: path.to_owned(),
            message,
        })
    }

    fn of_run(run: &Path) -> Result<Costs, CostError> {
        let manifest: RunManifest = files::read_json(&run.join("manifest.json"))?;
        let mut costs = Costs::default();
        for instance in &manifest.instances {
            if let Some(known) = of_instance(run, instance)? {
                let name = name(
                    &instance.family.id,
                    &instance.name,
                    &instance.implementation,
                );
                costs.known.insert(name, known);
            }
        }
        Ok(costs)
    }

    /// From calls that were timed, each of an instance's full name and an operation.
    pub fn of_calls(timed: impl Iterator<Item = (String, Operation, f64)>) -> Costs {
        let mut costs = Costs::default();
        for (name, operation, seconds) in timed {
            let known = costs.known.entry(name).or_insert(Known::Calls([None; 3]));
            if let Known::Calls(calls) = known
                && let Some(at) = Operation::ALL.iter().position(|known| *known == operation)
                && let Some(call) = calls.get_mut(at)
            {
                *call = Some(seconds);
            }
        }
        costs
    }

    /// As a file of costs: what these instances will take.
    pub fn to_csv(&self, instances: &[Instance], work: &Work) -> String {
        let mut text = format!("{HEADER}\n");
        for instance in instances {
            let seconds = self.seconds(instance, work);
            text.push_str(&format!("{},{seconds:.3}\n", instance.full_name()));
        }
        text
    }

    /// Seconds that an instance will take.
    pub fn seconds(&self, instance: &Instance, work: &Work) -> f64 {
        let records = records(instance.declared.kat.as_ref().map(|kat| kat.form));
        let guess = guess::calls(instance.family.category, &instance.declared.sizes);
        match self.known.get(&instance.full_name()) {
            None => work.seconds(guess, records),
            Some(Known::Total(seconds)) => *seconds,
            Some(Known::Hanging) => work.hanging_seconds(),
            Some(Known::Calls(calls)) => {
                let mut known: Calls = guess;
                for (known, call) in known.iter_mut().zip(calls) {
                    *known = call.unwrap_or(*known);
                }
                work.seconds(known, records)
            }
        }
    }

    /// How many of these instances are known.
    pub fn known_among(&self, instances: &[Instance]) -> usize {
        let known = |instance: &&Instance| self.known.contains_key(&instance.full_name());
        instances.iter().filter(known).count()
    }
}

fn name(family: &str, instance: &str, implementation: &str) -> String {
    format!("{family}/{instance}/{implementation}")
}

fn parse(text: &str) -> Result<Costs, String> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(at, line)| (at + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    match lines.next() {
        Some((_, header)) if header.replace(' ', "") == HEADER => {}
        _ => {
            return Err(format!(
                "neither a run directory nor a file of costs, which begins with the line `{HEADER}`"
            ));
        }
    }
    let mut costs = Costs::default();
    for (at, line) in lines {
        let parsed = line.rsplit_once(',').and_then(|(name, seconds)| {
            let seconds: f64 = seconds.trim().parse().ok()?;
            (seconds.is_finite() && seconds >= 0.0).then(|| (name.trim().to_owned(), seconds))
        });
        let Some((name, seconds)) = parsed.filter(|(name, _)| name.matches('/').count() == 2)
        else {
            return Err(format!(
                "line {at}: FAMILY/NAME/IMPLEMENTATION,SECONDS was expected"
            ));
        };
        if costs
            .known
            .insert(name.clone(), Known::Total(seconds))
            .is_some()
        {
            return Err(format!("line {at}: {name} stands there twice"));
        }
    }
    Ok(costs)
}

/// What a run tells of an instance: mean times of its operations, calibrations where there are no more.
fn of_instance(run: &Path, instance: &RunInstance) -> Result<Option<Known>, CostError> {
    let layout = Layout::new(
        &instance.family.id,
        &instance.name,
        &instance.implementation,
    );
    let hangs = |failure: Option<&Failure>| {
        failure.is_some_and(|failure| failure.kind == FailureKind::Timeout)
    };
    let kat: Option<KatRun> = optional(&run.join(layout.kat()))?;
    if hangs(kat.as_ref().and_then(|kat| kat.failure.as_ref())) {
        return Ok(Some(Known::Hanging));
    }
    let mut calls = [None; 3];
    for (call, operation) in calls.iter_mut().zip(Operation::ALL) {
        let record: Option<OperationRun> = optional(&run.join(layout.record(operation)))?;
        if hangs(record.as_ref().and_then(|record| record.failure.as_ref())) {
            return Ok(Some(Known::Hanging));
        }
        *call = match record.and_then(|record| record.statistics().ok()) {
            Some(statistics) => Some(statistics.mean_seconds),
            None => optional::<Calibration>(&run.join(layout.calibration(operation)))?
                .map(|calibration| calibration.seconds),
        };
    }
    Ok(calls
        .iter()
        .any(Option::is_some)
        .then_some(Known::Calls(calls)))
}

fn optional<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, CostError> {
    match files::read_json(path) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_line_for_each_instance() {
        let text = "instance, seconds\n# measured in May\nkem-1/A-128/reference, 12.5\n\nkem-1/A+B/neon,3\n";
        let costs = parse(text).unwrap();
        assert_eq!(costs.known.len(), 2);
        assert_eq!(
            costs.known.get("kem-1/A-128/reference"),
            Some(&Known::Total(12.5))
        );
    }

    #[test]
    fn timed_calls_are_of_their_operation() {
        let costs = Costs::of_calls(
            [
                ("f/x/clean".to_owned(), Operation::Dec, 3.0),
                ("f/x/clean".to_owned(), Operation::Keygen, 1.0),
            ]
            .into_iter(),
        );
        let known = Known::Calls([Some(1.0), None, Some(3.0)]);
        assert_eq!(costs.known.get("f/x/clean"), Some(&known));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let wrong = |text: &str| parse(text).unwrap_err();
        assert!(wrong("a,b").contains("instance,seconds"));
        assert!(wrong("").contains("instance,seconds"));
        for line in ["a/b/c", "a/b,1", "a/b/c,x", "a/b/c,-1", "a/b/c,inf"] {
            let message = wrong(&format!("{HEADER}\n{line}\n"));
            assert!(message.contains("line 2"), "{message}");
        }
        assert!(
            wrong("instance,seconds\na/b/c,1\na/b/c,1")
                .contains("line 3: a/b/c stands there twice")
        );
    }
}
