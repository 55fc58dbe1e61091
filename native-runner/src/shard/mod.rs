//! Campaigns in shards: parts of about the same length, for the cores and hosts of a batch system.
//!
//! Nobody hands the parts out. Each shard computes the same [split](split()) of the same instances from the same [costs](Costs),
//! which are known from an earlier run or file or [guessed](guess), does its own, and notes the whole in its
//! manifest, so that `merge` can tell whether shards belong together.

mod cost;
mod guess;
mod identity;
mod known;
mod split;

pub use cost::Work;
pub use identity::{Asked, campaign_sha256};
pub use known::{CostError, Costs};

use crate::package::Instance;
use kemscope_schema::run::SplitInstance;
use std::fmt;
use std::str::FromStr;

/// Most shards that a campaign can have.
pub const MOST: u32 = 100_000;

/// A shard among so many: `2/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 1.
    pub number: u32,
    /// Number of shards.
    pub of: u32,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let parsed = text.split_once('/').and_then(|(number, of)| {
            Some(Part {
                number: number.trim().parse().ok()?,
                of: of.trim().parse().ok()?,
            })
        });
        match parsed {
            Some(part) if (1..=MOST).contains(&part.of) && (1..=part.of).contains(&part.number) => {
                Ok(part)
            }
            _ => Err(format!(
                "K/N was expected, for example 2/8: a number from 1 to N, and the number of shards, at most {MOST}"
            )),
        }
    }
}

/// The split of instances into `of` shards: the same for everybody who asks with the same instances, work and
/// costs. `inputs` are the digests of each instance's inputs.
pub fn split(
    instances: &[Instance],
    inputs: &[Vec<String>],
    work: &Work,
    costs: &Costs,
    of: u32,
) -> Vec<SplitInstance> {
    let seconds: Vec<f64> = instances
        .iter()
        .map(|instance| costs.seconds(instance, work))
        .collect();
    let shards = split::longest_first(&seconds, of);
    instances
        .iter()
        .zip(shards.into_iter().zip(seconds))
        .enumerate()
        .map(
            |(at, (instance, (shard, expected_seconds)))| SplitInstance {
                family: instance.family.id.clone(),
                instance: instance.name.clone(),
                implementation: instance.implementation.clone(),
                shard,
                expected_seconds,
                input_sha256: inputs.get(at).cloned().unwrap_or_default(),
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_written_k_of_n() {
        let part: Part = "2/8".parse().unwrap();
        assert_eq!((part.number, part.of), (2, 8));
        assert_eq!(part.to_string(), "2/8");
        for wrong in [
            "",
            "2",
            "0/2",
            "3/2",
            "1/0",
            "a/b",
            "-1/2",
            "1/2/3",
            "1/4000000000",
        ] {
            let message = wrong.parse::<Part>().unwrap_err();
            assert!(message.contains("2/8"), "{wrong}: {message}");
        }
    }
}
