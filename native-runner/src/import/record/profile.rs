//! Symmetric shares from a hash profile.

use super::check::close;
use super::raw::HarnessProfile;
use crate::profile::share::Sums;
use kemscope_schema::Profile;
use kemscope_schema::run::PrimitiveKind;

/// Hash functions of the symmetric share.
const HASHES: [&str; 3] = ["sm3hash", "pseudohash", "pseudoXOF"];

/// The profile, its shares computed again from the ticks, and what it states of itself that does not
/// follow from them.
///
/// # Errors
/// If nothing can be computed.
pub fn profile(raw: &HarnessProfile) -> Result<(Profile, Vec<String>), String> {
    let mut lines = Vec::new();
    let rows = raw
        .calls
        .iter()
        .map(|call| (call.function.as_str(), call.calls, call.ticks));
    let sums = Sums::new(rows, raw.total.operations, raw.total.ticks)?;
    for (function, sum) in sums.functions() {
        let (stated, computed) = (raw.share.get(function).copied(), sums.share(sum.ticks));
        if !stated.is_some_and(|s| close(s, computed)) {
            lines.push(format!(
                "share of {function} is {}, its ticks give {computed}",
                stated.map_or_else(|| "missing".to_owned(), |s| s.to_string()),
            ));
        }
    }
    let hash_share = sums.share_of(|name| kind(name) == Some(PrimitiveKind::Hash));
    if !close(raw.hash_share, hash_share) {
        lines.push(format!(
            "hash_share is {}, its ticks give {hash_share}",
            raw.hash_share
        ));
    }
    Ok((sums.profile(kind), lines))
}

fn kind(function: &str) -> Option<PrimitiveKind> {
    match function {
        "drng" => Some(PrimitiveKind::Drng),
        _ if HASHES.contains(&function) => Some(PrimitiveKind::Hash),
        _ => None,
    }
}
