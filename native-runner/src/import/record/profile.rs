//! Symmetric shares from a hash profile.

use super::check::close;
use super::raw::HarnessProfile;
use kemscope_schema::{Figure, PrimitiveCalls, Profile};
use std::collections::BTreeMap;

/// Hash functions of the symmetric share.
const HASHES: [&str; 3] = ["sm3hash", "pseudohash", "pseudoXOF"];

/// The profile, its shares computed again from the ticks, and what it states of itself that does not
/// follow from them.
///
/// # Errors
/// If nothing can be computed.
pub fn profile(raw: &HarnessProfile) -> Result<(Profile, Vec<String>), String> {
    let mut lines = Vec::new();
    if raw.total.ticks == 0 || raw.total.operations == 0 {
        return Err("total has no ticks or no operations".to_owned());
    }
    let mut ticks: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for call in &raw.calls {
        let sum = ticks.entry(&call.function).or_default();
        let added = sum
            .0
            .checked_add(call.calls)
            .zip(sum.1.checked_add(call.ticks));
        *sum = added.ok_or("calls or ticks do not fit into 64 bits")?;
    }
    let share_of = |ticks: u64| ticks as f64 / raw.total.ticks as f64;
    for (function, (_, sum)) in &ticks {
        let stated = raw.share.get(*function).copied();
        if !stated.is_some_and(|s| close(s, share_of(*sum))) {
            lines.push(format!(
                "share of {function} is {}, its ticks give {}",
                stated.map_or_else(|| "missing".to_owned(), |s| s.to_string()),
                share_of(*sum)
            ));
        }
    }
    let hash_ticks = HASHES
        .iter()
        .filter_map(|name| ticks.get(name))
        .try_fold(0u64, |sum, (_, t)| sum.checked_add(*t))
        .ok_or("ticks do not fit into 64 bits")?;
    let hash_share = share_of(hash_ticks);
    if !close(raw.hash_share, hash_share) {
        lines.push(format!(
            "hash_share is {}, its ticks give {hash_share}",
            raw.hash_share
        ));
    }
    let drng_ticks = ticks.get("drng").map_or(0, |(_, t)| *t);
    let profile = Profile {
        hash_share: Some(Figure::exact(hash_share)),
        hash_share_unknown: None,
        drng_share: Some(Figure::exact(share_of(drng_ticks))),
        drng_share_unknown: None,
        primitive_calls: ticks
            .iter()
            .map(|(name, (calls, _))| PrimitiveCalls {
                primitive: (*name).to_owned(),
                calls: Figure::exact(*calls as f64 / raw.total.operations as f64),
            })
            .collect(),
    };
    Ok((profile, lines))
}
