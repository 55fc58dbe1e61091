use super::*;
use kemscope_schema::run::{Failure, FailureKind, TickSource, Unseen, WrappedSymbol};
use kemscope_schema::{Operation, PlanKind, SCHEMA_VERSION};
use proptest::prelude::*;

fn row(function: &str, in_bits: Option<u64>, calls: u64, ticks: u64) -> ProfiledCalls {
    ProfiledCalls {
        function: function.to_owned(),
        in_bits,
        out_bits: in_bits,
        calls,
        ticks,
    }
}

fn wrapped(function: &str, kind: PrimitiveKind) -> WrappedSymbol {
    WrappedSymbol {
        symbol: function.to_owned(),
        function: function.to_owned(),
        kind,
    }
}

pub(in crate::profile) fn run(calls: Vec<ProfiledCalls>) -> ProfileRun {
    ProfileRun {
        schema_version: SCHEMA_VERSION,
        run: "r".to_owned(),
        system: "s".to_owned(),
        family: "f".to_owned(),
        instance: "i".to_owned(),
        implementation: "clean".to_owned(),
        operation: Operation::Enc,
        plan_kind: PlanKind::Quick,
        library_sha256: None,
        profiled_library_sha256: None,
        flag_set: "guide".to_owned(),
        flags: vec![],
        wrapped: vec![
            wrapped("drng", PrimitiveKind::Drng),
            wrapped("sm3hash", PrimitiveKind::Hash),
            wrapped("pseudoXOF", PrimitiveKind::Hash),
        ],
        unseen: vec![],
        warmups: 1,
        operations: 4,
        total_ticks: 1000,
        seconds: Some(1.0),
        cpu_seconds: Some(0.7),
        disturbed_retries: 0,
        disturbed: false,
        tick_source: Some(TickSource::Tsc),
        tick_hz: Some(1e9),
        tick_step: Some(1),
        tick_overhead: Some(20.0),
        overflow_calls: 0,
        calls,
        failure: None,
        cpu: None,
        started_utc: String::new(),
        wall_seconds: 1.0,
        command: vec![],
    }
}

fn calls(profile: &Profile) -> Vec<(&str, f64)> {
    profile
        .primitive_calls
        .iter()
        .map(|c| (c.primitive.as_str(), c.calls.value))
        .collect()
}

#[test]
fn rows_of_a_function_are_added_up() {
    let run = run(vec![
        row("sm3hash", Some(8), 4, 100),
        row("drng", Some(0), 4, 50),
        row("sm3hash", Some(16), 1, 25),
        row("pseudoXOF", Some(8), 10, 125),
    ]);
    let profile = published(&run).unwrap();
    assert_eq!(profile.hash_share, Some(Figure::exact(0.25)));
    assert_eq!(profile.drng_share, Some(Figure::exact(0.05)));
    assert_eq!(profile.operations_profiled, Some(4));
    assert_eq!(
        calls(&profile),
        [("drng", 1.0), ("pseudoXOF", 2.5), ("sm3hash", 1.25)]
    );
    assert_eq!(profile.message, None);
    assert!(contradictions(&run).is_empty());
}

#[test]
fn no_calls_are_a_share_of_zero() {
    let profile = published(&run(vec![])).unwrap();
    assert_eq!(profile.hash_share, Some(Figure::exact(0.0)));
    assert_eq!(profile.drng_share, Some(Figure::exact(0.0)));
}

#[test]
fn what_is_not_seen_makes_its_own_share_unknown() {
    let mut run = run(vec![row("drng", Some(0), 4, 50)]);
    run.unseen = vec![Unseen {
        kind: PrimitiveKind::Hash,
        message: "`sm3hash` is hidden".to_owned(),
    }];
    let profile = published(&run).unwrap();
    assert_eq!(profile.hash_share, None);
    assert_eq!(profile.hash_share_unknown, Some(UnknownShare::Undetermined));
    assert_eq!(profile.drng_share, Some(Figure::exact(0.05)));
    assert_eq!(profile.drng_share_unknown, None);
    assert_eq!(profile.message.as_deref(), Some("`sm3hash` is hidden"));
}

#[test]
fn calls_without_room_count_all_the_same() {
    let mut run = run(vec![
        row("sm3hash", Some(8), 3, 100),
        row("sm3hash", None, 5, 300),
    ]);
    assert_eq!(
        contradictions(&run),
        ["overflow_calls is 0, calls without lengths are 5"]
    );
    run.overflow_calls = 5;
    assert!(contradictions(&run).is_empty());
    let profile = published(&run).unwrap();
    assert_eq!(profile.hash_share, Some(Figure::exact(0.4)));
    assert_eq!(calls(&profile), [("sm3hash", 2.0)]);
    assert!(profile.message.unwrap().starts_with("5 calls had more"));
}

#[test]
fn a_disturbed_profile_says_so() {
    let mut run = run(vec![]);
    run.disturbed = true;
    let message = published(&run).unwrap().message.unwrap();
    assert_eq!(message, "other work had the processor for 30% of the time");
}

#[test]
fn a_failure_says_why_there_is_no_share() {
    let mut run = run(vec![]);
    run.operations = 0;
    run.failure = Some(Failure {
        kind: FailureKind::Crash,
        message: "f/i enc: the process died of SIGSEGV".to_owned(),
        operation: Some(Operation::Enc),
        signal: None,
        return_code: None,
        stderr: None,
    });
    let profile = published(&run).unwrap();
    assert_eq!(profile.hash_share, None);
    assert_eq!(profile.drng_share, None);
    assert_eq!(profile.hash_share_unknown, Some(UnknownShare::Undetermined));
    assert!(profile.message.unwrap().contains("SIGSEGV"));
    assert_eq!(profile.operations_profiled, None);
}

#[test]
fn impossible_sums_are_refused() {
    let refused = |run: &ProfileRun, part: &str| {
        let message = published(run).unwrap_err();
        assert!(message.contains(part), "{message}");
        assert!(contradictions(run).contains(&message));
    };
    let longer = run(vec![row("sm3hash", Some(8), 1, 1001)]);
    refused(&longer, "1001 ticks, the operations they are part of 1000");
    let huge = run(vec![
        row("sm3hash", Some(8), u64::MAX, 1),
        row("sm3hash", Some(9), 1, 1),
    ]);
    refused(&huge, "64 bits");
    let mut nothing = run(vec![]);
    nothing.operations = 0;
    refused(&nothing, "no ticks or no operations");
    let stranger = run(vec![row("md5", Some(8), 1, 1)]);
    assert_eq!(
        contradictions(&stranger),
        ["calls of md5, which was not wrapped"]
    );
}

proptest! {
    /// Shares are fractions of one whole, whatever was counted.
    #[test]
    fn shares_are_parts_of_the_whole(
        rows in prop::collection::vec((0_usize..3, 1_u64..1000, 0_u64..1 << 40), 0..20),
        rest in 1_u64..1 << 40,
        operations in 1_u64..1000,
    ) {
        let names = ["drng", "sm3hash", "pseudoXOF"];
        let inside: u64 = rows.iter().map(|(_, _, ticks)| ticks).sum();
        let mut run = run(rows.iter().map(|(name, calls, ticks)| row(names[*name], Some(1), *calls, *ticks)).collect());
        run.operations = operations;
        run.total_ticks = inside + rest;
        let profile = published(&run).unwrap();
        let (hash, drng) = (profile.hash_share.unwrap().value, profile.drng_share.unwrap().value);
        prop_assert!(hash >= 0.0 && drng >= 0.0 && hash + drng <= 1.0);
        let expected = inside as f64 / (inside + rest) as f64;
        prop_assert!((hash + drng - expected).abs() < 1e-12);
        let total: f64 = profile.primitive_calls.iter().map(|c| c.calls.value).sum();
        let counted: u64 = rows.iter().map(|(_, calls, _)| calls).sum();
        prop_assert!((total * operations as f64 - counted as f64).abs() < 1e-6 * (1.0 + counted as f64));
    }
}
