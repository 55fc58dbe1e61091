//! The known-answer test of an instance, as the runner sees it.

mod expectation;
mod log;

pub use expectation::Expectation;
pub use log::{KatLog, Logged};

use crate::child::protocol::{Reply, Task};
use crate::executor::{ExecuteError, Executor, Target, ended_from_outside, unexpected};
use crate::files::FileError;
use crate::package::Instance;
use kemscope_schema::run::{Failure, FailureKind, KatRun};
use kemscope_schema::{DigestOrigin, KatResult, KatStatus, Rejection, Sizes};
use std::path::Path;
use std::time::Duration;

/// What came of a known-answer test.
#[derive(Clone, Debug, PartialEq)]
pub struct KatOutcome {
    /// Status and digests.
    pub result: KatResult,
    /// The log, where a text was generated.
    pub log: Option<Logged>,
    /// Sizes that the library declares.
    pub sizes: Option<Sizes>,
    /// What stopped the test.
    pub failure: Option<Failure>,
    /// Wall-clock time in seconds.
    pub wall_seconds: f64,
}

/// What keeps a test from being made at all.
#[derive(Debug, thiserror::Error)]
pub enum KatError {
    /// The log.
    #[error(transparent)]
    File(#[from] FileError),
    /// The measuring process.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
}

impl KatOutcome {
    /// Of an instance without a library; `log` is the build log that tells why.
    pub fn build_failed(message: &str, log: &str) -> KatOutcome {
        KatOutcome::of(KatResult {
            message: Some(format!("The build failed: {message} (see {log})")),
            ..KatResult::of(KatStatus::BuildFail)
        })
    }

    fn of(result: KatResult) -> KatOutcome {
        KatOutcome {
            result,
            log: None,
            sizes: None,
            failure: None,
            wall_seconds: 0.0,
        }
    }
}

/// Whether a result was compared with what the package expects now. A test that was stopped compared nothing.
pub fn is_of_what_is_expected(known: &KatRun, instance: &Instance) -> bool {
    if known.failure.is_some() || known.result.status == KatStatus::BuildFail {
        return true;
    }
    let now = Expectation::of(instance).unwrap_or_else(|_| Expectation::bare(instance));
    let (digest, origin) = now.digest.unzip();
    let result = &known.result;
    known.generator == instance.kat_generator()
        && result.expected_sha256 == digest
        && result.digest_origin == origin
        && result.mode == now.mode.map(|mode| mode.to_string())
}

/// Runs the test in a process of its own and writes its text to the log at `log`; `timeout` is for each
/// operation.
pub fn run(
    executor: &mut dyn Executor,
    target: &Target,
    instance: &Instance,
    timeout: Duration,
    log: &Path,
) -> Result<KatOutcome, KatError> {
    // What is wrong with the package's own vectors is no reason not to generate a text.
    let (expectation, complaint) = match Expectation::of(instance) {
        Ok(expectation) => (expectation, None),
        Err(message) => (Expectation::bare(instance), Some(message)),
    };
    let task = Task::Kat {
        form: expectation.form,
        generator: instance.kat_generator(),
        records: expectation.records,
    };
    let mut generate = || -> Result<_, KatError> {
        let mut log = KatLog::create(log, expectation.comparison())?;
        let execution =
            executor.execute_text(target, &task, timeout, &mut |text| log.push(text))?;
        Ok((execution, log))
    };
    let (mut execution, mut log) = generate()?;
    if ended_from_outside(&execution) {
        (execution, log) = generate()?;
    }
    let logged = log.finish()?;
    let mut outcome = match execution.outcome {
        Ok(Reply::Kat { sizes }) => KatOutcome {
            sizes: Some(sizes),
            ..KatOutcome::of(compare(instance, &expectation, logged.as_ref(), &sizes))
        },
        Ok(other) => failed(unexpected(&target.label, None, &other)),
        Err(failure) => failed(failure),
    };
    outcome.wall_seconds = execution.wall_seconds;
    outcome.log = logged;
    if let Some(message) = complaint {
        add_note(&mut outcome.result, &with_stop(message));
    }
    Ok(outcome)
}

/// What the library answers to ciphertexts with a flipped bit, in a process of its own. To be tried where the
/// library agrees with itself.
pub fn reject(
    executor: &mut dyn Executor,
    target: &Target,
    timeout: Duration,
) -> Result<Rejection, ExecuteError> {
    let mut no_text = |_: &str| Ok(());
    let mut attempt = || executor.execute_text(target, &Task::Reject, timeout, &mut no_text);
    let mut execution = attempt()?;
    if ended_from_outside(&execution) {
        execution = attempt()?;
    }
    Ok(match execution.outcome {
        Ok(Reply::Rejection { tries }) => Rejection::of(tries),
        Ok(other) => Rejection::failed(unexpected(&target.label, None, &other).message),
        Err(failure) => Rejection::failed(failure.message),
    })
}

/// Compares the text's digest with the expected one, and the sizes with the declared ones.
fn compare(
    instance: &Instance,
    expectation: &Expectation,
    logged: Option<&Logged>,
    sizes: &Sizes,
) -> KatResult {
    let text_sha256 = logged.map(|logged| logged.text_sha256.clone());
    let canonical_sha256 = logged.and_then(|logged| logged.compared_sha256.clone());
    let found = match expectation.mode {
        Some(_) => &canonical_sha256,
        None => &text_sha256,
    };
    let short = |digest: &str| digest.get(..16).unwrap_or(digest).to_owned();
    let (status, message) = match (&expectation.digest, found) {
        (None, _) => (KatStatus::NoKat, None),
        (Some((expected, origin)), Some(found)) if expected == found => {
            let status = match (expectation.partial, origin) {
                (true, _) => KatStatus::Partial,
                (false, DigestOrigin::Official) => KatStatus::Pass,
                (false, DigestOrigin::Model) => KatStatus::ModelMatch,
            };
            let records = expectation.records;
            let note = format!("Only {records} of the official records could be checked.");
            (status, expectation.partial.then_some(note))
        }
        (Some((expected, _)), found) => {
            let message = format!(
                "The text's SHA-256 begins with {}, expected was {}.",
                found.as_deref().map_or("nothing".to_owned(), short),
                short(expected)
            );
            (KatStatus::Mismatch, Some(message))
        }
    };
    let mut result = KatResult {
        text_sha256,
        canonical_sha256,
        mode: expectation.mode.map(|mode| mode.to_string()),
        records: Some(expectation.records),
        expected_sha256: expectation
            .digest
            .as_ref()
            .map(|(digest, _)| digest.clone()),
        digest_origin: expectation.digest.as_ref().map(|(_, origin)| *origin),
        message,
        ..KatResult::of(status)
    };
    if let Some(note) = other_sizes(instance, sizes) {
        add_note(&mut result, &note);
    }
    result
}

/// Which sizes the library declares otherwise than the package's metadata, if any.
fn other_sizes(instance: &Instance, found: &Sizes) -> Option<String> {
    let declared = &instance.declared.sizes;
    let pairs = [
        (
            "public key",
            declared.public_key_bytes,
            found.public_key_bytes,
        ),
        (
            "secret key",
            declared.secret_key_bytes,
            found.secret_key_bytes,
        ),
        (
            "ciphertext",
            declared.ciphertext_bytes,
            found.ciphertext_bytes,
        ),
        (
            "shared secret",
            declared.shared_secret_bytes,
            found.shared_secret_bytes,
        ),
    ];
    let other: Vec<&str> = pairs
        .into_iter()
        .filter(|(_, declared, found)| declared.is_some() && declared != found)
        .map(|(name, ..)| name)
        .collect();
    (!other.is_empty()).then(|| {
        format!(
            "The library declares another size of {} than the package's metadata.",
            other.join(", ")
        )
    })
}

fn add_note(result: &mut KatResult, note: &str) {
    result.message = Some(match result.message.take() {
        Some(first) => format!("{first} {note}"),
        None => note.to_owned(),
    });
}

/// The text as a sentence.
pub fn with_stop(mut sentence: String) -> String {
    if !sentence.ends_with('.') {
        sentence.push('.');
    }
    sentence
}

fn failed(failure: Failure) -> KatOutcome {
    KatOutcome {
        failure: Some(failure.clone()),
        ..KatOutcome::of(KatResult {
            message: Some(failure.message),
            ..KatResult::of(status_of(failure.kind))
        })
    }
}

/// The status under which a failure goes. A crash is the library's wrong answer to an honest call.
pub fn status_of(kind: FailureKind) -> KatStatus {
    match kind {
        FailureKind::BuildFail => KatStatus::BuildFail,
        FailureKind::LoadFail | FailureKind::CryptoFail | FailureKind::Crash => {
            KatStatus::CryptoFail
        }
        FailureKind::Timeout => KatStatus::Timeout,
        FailureKind::Overflow => KatStatus::Overflow,
        FailureKind::Harness => KatStatus::NotRun,
    }
}
