//! What decapsulation answers to ciphertexts that were tampered with.

use serde::{Deserialize, Serialize};

/// What decapsulation answered to ciphertexts with one flipped bit each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Rejection {
    /// All tries in one word: the one that says most against the library.
    pub outcome: RejectionOutcome,
    /// The tries.
    #[serde(default)]
    pub tries: Vec<RejectionTry>,
    /// What went wrong, in a sentence, if something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// How a tampered ciphertext was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RejectionOutcome {
    /// Implicitly: success is reported, with another secret that is the same each time.
    Implicit,
    /// By an error.
    Error,
    /// Success is reported with another secret that differs from call to call.
    Unstable,
    /// Not at all: the tampered ciphertext gives the honest secret.
    Accepted,
    /// The library did not survive it.
    Failed,
}

impl RejectionOutcome {
    /// The word in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            RejectionOutcome::Implicit => "implicit",
            RejectionOutcome::Error => "error",
            RejectionOutcome::Unstable => "unstable",
            RejectionOutcome::Accepted => "accepted",
            RejectionOutcome::Failed => "failed",
        }
    }

    /// One sentence for people.
    pub fn explanation(self) -> &'static str {
        match self {
            RejectionOutcome::Implicit => {
                "a ciphertext with a flipped bit gives another secret, the same each time"
            }
            RejectionOutcome::Error => "a ciphertext with a flipped bit is answered by an error",
            RejectionOutcome::Unstable => {
                "a ciphertext with a flipped bit gives another secret at each call"
            }
            RejectionOutcome::Accepted => {
                "a ciphertext with a flipped bit gives the secret of the honest one"
            }
            RejectionOutcome::Failed => {
                "the library did not survive a ciphertext with a flipped bit"
            }
        }
    }
}

/// One tampered ciphertext.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct RejectionTry {
    /// The byte, counted from 0, whose lowest bit was flipped.
    pub byte: u64,
    /// What decapsulation returned.
    pub return_code: i32,
    /// Whether it gave the secret of the honest ciphertext.
    pub same_secret: bool,
    /// Whether a second call gave the same secret as the first.
    pub repeatable: bool,
}

impl RejectionTry {
    /// How it was answered.
    pub fn outcome(&self) -> RejectionOutcome {
        match (self.return_code, self.same_secret, self.repeatable) {
            (0, true, _) => RejectionOutcome::Accepted,
            (0, false, true) => RejectionOutcome::Implicit,
            (0, false, false) => RejectionOutcome::Unstable,
            _ => RejectionOutcome::Error,
        }
    }
}

impl Rejection {
    /// Of tries.
    pub fn of(tries: Vec<RejectionTry>) -> Rejection {
        let worst = tries.iter().map(RejectionTry::outcome).max();
        Rejection {
            outcome: worst.unwrap_or(RejectionOutcome::Failed),
            message: worst.is_none().then(|| "there is no ciphertext".to_owned()),
            tries,
        }
    }

    /// Of a library that failed; the message is a sentence.
    pub fn failed(message: String) -> Rejection {
        Rejection {
            outcome: RejectionOutcome::Failed,
            tries: Vec::new(),
            message: Some(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(return_code: i32, same_secret: bool, repeatable: bool) -> RejectionTry {
        RejectionTry {
            byte: 0,
            return_code,
            same_secret,
            repeatable,
        }
    }

    #[test]
    fn the_worst_try_counts() {
        let outcome = |tries: &[RejectionTry]| Rejection::of(tries.to_vec()).outcome;
        let (implicit, error) = (tried(0, false, true), tried(-1, false, true));
        assert_eq!(outcome(&[implicit, implicit]), RejectionOutcome::Implicit);
        assert_eq!(outcome(&[implicit, error]), RejectionOutcome::Error);
        assert_eq!(
            outcome(&[error, tried(0, true, true)]),
            RejectionOutcome::Accepted
        );
        assert_eq!(
            outcome(&[implicit, tried(0, false, false)]),
            RejectionOutcome::Unstable
        );
        assert_eq!(outcome(&[]), RejectionOutcome::Failed);
    }
}
