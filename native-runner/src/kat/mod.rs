//! The known-answer test of an instance, as the runner sees it.

use crate::child::protocol::{Reply, Task};
use crate::executor::{ExecuteError, Executor, Target, unexpected};
use crate::files::sha256_hex;
use crate::package::Instance;
use kemscope_schema::run::{Failure, FailureKind};
use kemscope_schema::{DigestOrigin, KatResult, KatStatus, Sizes};
use std::time::Duration;

/// What came of a known-answer test.
#[derive(Clone, Debug, PartialEq)]
pub struct KatOutcome {
    /// Status and digests.
    pub result: KatResult,
    /// The generated text.
    pub text: Option<String>,
    /// Sizes that the library declares.
    pub sizes: Option<Sizes>,
    /// What stopped the test.
    pub failure: Option<Failure>,
    /// Wall-clock time in seconds.
    pub wall_seconds: f64,
}

impl KatOutcome {
    /// Of an instance without a library; `log` is the build log that tells why.
    pub fn build_failed(message: &str, log: &str) -> KatOutcome {
        KatOutcome {
            result: KatResult {
                message: Some(format!("The build failed: {message} (see {log})")),
                ..KatResult::of(KatStatus::BuildFail)
            },
            text: None,
            sizes: None,
            failure: None,
            wall_seconds: 0.0,
        }
    }
}

/// Runs the test in a process of its own; `timeout` is for all three operations together.
pub fn run(
    executor: &mut dyn Executor,
    target: &Target,
    instance: &Instance,
    timeout: Duration,
) -> Result<KatOutcome, ExecuteError> {
    let task = Task::Kat {
        generator: instance.kat_generator(),
    };
    let execution = executor.execute(target, &task, timeout)?;
    let wall_seconds = execution.wall_seconds;
    Ok(match execution.outcome {
        Ok(Reply::Kat { text, sizes }) => KatOutcome {
            result: compare(instance, &text, &sizes),
            text: Some(text),
            sizes: Some(sizes),
            failure: None,
            wall_seconds,
        },
        Ok(other) => failed(unexpected(&target.label, None, &other), wall_seconds),
        Err(failure) => failed(failure, wall_seconds),
    })
}

/// Compares the text's digest with the published one, and the sizes with the metadata's.
fn compare(instance: &Instance, text: &str, sizes: &Sizes) -> KatResult {
    let digest = sha256_hex(text.as_bytes());
    let declared = &instance.declared;
    let expected = declared.kat.as_ref().map(|kat| kat.sha256.clone());
    let (status, mut message) = match &expected {
        None => (KatStatus::NoKat, None),
        Some(expected) if *expected == digest => (KatStatus::Pass, None),
        Some(expected) => {
            let message = format!(
                "The text's SHA-256 begins with {}, expected was {}.",
                &digest[..16],
                expected.get(..16).unwrap_or(expected)
            );
            (KatStatus::Mismatch, Some(message))
        }
    };
    if *sizes != declared.sizes {
        let note = "The sizes in api.h differ from those in META.yml.";
        message = Some(match message {
            Some(first) => format!("{first} {note}"),
            None => note.to_owned(),
        });
    }
    KatResult {
        status,
        text_sha256: Some(digest),
        digest_origin: expected.is_some().then_some(DigestOrigin::Official),
        expected_sha256: expected,
        message,
    }
}

fn failed(failure: Failure, wall_seconds: f64) -> KatOutcome {
    KatOutcome {
        result: KatResult {
            message: Some(failure.message.clone()),
            ..KatResult::of(status_of(failure.kind))
        },
        text: None,
        sizes: None,
        failure: Some(failure),
        wall_seconds,
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
