//! How many operations are profiled.

use kemscope_schema::PlanKind;

/// A call that takes longer needs no warming up, in seconds.
const LONG_CALL_SECONDS: f64 = 5.0;

/// How an operation is profiled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Most operations to profile.
    pub operations: u64,
    /// After so many seconds no further one is begun.
    pub seconds: f64,
    /// Calls before them.
    pub warmups: u64,
}

/// The plan of an operation whose calls take so long, where that is known. Means over a thousand operations, as in
/// the public harness, tell how often something random happens to three digits.
pub fn plan(kind: PlanKind, call_seconds: Option<f64>) -> Plan {
    let (operations, seconds) = match kind {
        PlanKind::Published | PlanKind::Adaptive => (1000, 2.0),
        PlanKind::Quick => (100, 0.1),
    };
    let long = call_seconds.is_some_and(|seconds| seconds >= LONG_CALL_SECONDS);
    Plan {
        operations,
        seconds,
        warmups: u64::from(!long),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_calls_are_not_warmed_up() {
        let warmups = |seconds| plan(PlanKind::Published, seconds).warmups;
        assert_eq!([None, Some(0.1), Some(5.0)].map(warmups), [1, 1, 0]);
    }
}
