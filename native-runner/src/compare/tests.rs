use super::*;
use kemscope_schema::run::OperationRun;
use kemscope_schema::{CycleSource, Figure, InstanceRecord, KatStatus, OperationRecord, Timing};
use serde_json::json;

/// The raw record of an operation whose trials took so many microseconds and cycles per call.
fn run(operation: Operation, trials: &[(f64, Option<u64>)]) -> OperationRun {
    let trials: Vec<serde_json::Value> = trials
        .iter()
        .map(|(micros, cycles)| {
            json!({
                "measurements": 1000, "seconds": micros / 1000.0, "cycles": cycles.map(|c| c * 1000),
                "cycle_source": "perf", "voluntary_context_switches": 0,
                "involuntary_context_switches": 0, "minor_page_faults": 0, "major_page_faults": 0,
                "started_utc": "2026-09-28T15:05:46", "wall_seconds": 1.0, "disturbed_retries": 0,
                "command": [],
            })
        })
        .collect();
    serde_json::from_value(json!({
        "schema_version": 1, "run": "r", "system": "s", "family": "toy", "instance": "T",
        "implementation": "clean", "operation": operation, "kat": "pass", "plan_kind": "published",
        "trials": trials, "generator": "nist-ctr-drbg", "flag_set": "guide", "flags": [],
        "environment": {}, "started_utc": "2026-09-28T15:05:46", "ended_utc": "2026-09-28T15:05:46",
    }))
    .unwrap()
}

fn entry(
    name: &str,
    variant: &str,
    timings: &[(Operation, Timing)],
    runs: Vec<OperationRun>,
) -> Entry {
    let mut record = InstanceRecord::empty(name, variant);
    record.kat.status = KatStatus::Pass;
    for (operation, timing) in timings {
        record.operations.push(OperationRecord {
            timing: Some(*timing),
            ..OperationRecord::empty(*operation)
        });
    }
    Entry {
        family: "toy".to_owned(),
        record,
        runs,
        emulated: false,
    }
}

fn side(entries: Vec<Entry>) -> Side {
    Side {
        name: "s".to_owned(),
        description: "a side".to_owned(),
        findings: Vec::new(),
        fixed_clock_hz: None,
        entries,
    }
}

fn timing(seconds: f64, cycles: f64, source: CycleSource) -> Timing {
    Timing {
        mean_seconds: Some(Figure::exact(seconds)),
        mean_cycles: Some(Figure::exact(cycles)),
        cycle_source: Some(source),
        ..Timing::default()
    }
}

/// Five trials around a mean in microseconds, with a scatter of about 0.1 %.
fn measured(name: &str, variant: &str, operations: &[(Operation, f64)]) -> Entry {
    let runs = operations.iter().map(|(operation, micros)| {
        let trials = [0.999, 1.0, 1.001, 0.9995, 1.0005].map(|factor| (micros * factor, None));
        run(*operation, &trials)
    });
    let timings: Vec<(Operation, Timing)> = operations
        .iter()
        .map(|(operation, micros)| {
            let timing = Timing {
                mean_seconds: Some(Figure::exact(micros * 1e-6)),
                ..Timing::default()
            };
            (*operation, timing)
        })
        .collect();
    entry(name, variant, &timings, runs.collect())
}

fn settings() -> Settings {
    Settings {
        clock: Clock::Auto,
        confidence: 0.95,
        threshold: 0.05,
        families: Vec::new(),
        operations: Vec::new(),
    }
}

use Operation::{Dec, Enc, Keygen};

#[test]
fn rows_are_judged_and_sorted_by_effect() {
    let a = side(vec![measured(
        "T",
        "clean",
        &[(Keygen, 100.0), (Enc, 100.0), (Dec, 100.0)],
    )]);
    let b = side(vec![measured(
        "T",
        "clean",
        &[(Keygen, 101.0), (Enc, 80.0), (Dec, 110.0)],
    )]);
    let comparison = Comparison::of(&a, &b, &settings());
    let found: Vec<(Operation, Verdict)> = comparison
        .rows
        .iter()
        .map(|r| (r.operation, r.verdict))
        .collect();
    assert_eq!(
        found,
        [
            (Enc, Verdict::Improvement),
            (Dec, Verdict::Regression),
            (Keygen, Verdict::Small)
        ]
    );
    let interval = comparison.rows[1].interval.unwrap();
    assert!(interval.low < 1.1 && 1.1 < interval.high && interval.high - interval.low < 0.005);
    let same = Comparison::of(&a, &a, &settings());
    assert_eq!(same.count(Verdict::Same), 3);
    let lenient = Comparison::of(
        &a,
        &b,
        &Settings {
            threshold: 0.2,
            ..settings()
        },
    );
    assert_eq!(lenient.count(Verdict::Regression), 0);
    assert_eq!(lenient.count(Verdict::Small), 2);
}

#[test]
fn cycles_of_two_sources_are_never_compared() {
    let of = |source| {
        side(vec![entry(
            "T",
            "clean",
            &[(Enc, timing(1e-4, 2e5, source))],
            Vec::new(),
        )])
    };
    let (perf, tsc) = (of(CycleSource::Perf), of(CycleSource::Tsc));
    let auto = Comparison::of(&perf, &tsc, &settings());
    assert_eq!(auto.rows[0].measure, Measure::Seconds);
    let cycles = Settings {
        clock: Clock::Cycles,
        ..settings()
    };
    let none = Comparison::of(&perf, &tsc, &cycles);
    assert!(none.rows.is_empty());
    assert_eq!(
        none.left_out,
        ["toy/T enc: cycles are of different sources (A perf, B tsc)"]
    );
    let core = Comparison::of(&perf, &perf, &settings());
    assert_eq!(core.rows[0].measure, Measure::Cycles(CycleSource::Perf));
    let reference = Comparison::of(&tsc, &tsc, &settings());
    assert_eq!(reference.rows[0].measure, Measure::Seconds);
    let asked = Comparison::of(&tsc, &tsc, &cycles);
    assert_eq!(asked.rows[0].measure, Measure::Cycles(CycleSource::Tsc));
}

#[test]
fn printed_figures_have_a_ratio_and_a_reason() {
    let printed = |cycles| {
        let timing = Timing {
            mean_cycles: Some(Figure::printed(cycles, 4)),
            cycle_source: Some(CycleSource::Perf),
            ..Timing::default()
        };
        side(vec![entry("T", "clean", &[(Enc, timing)], Vec::new())])
    };
    let comparison = Comparison::of(&printed(241_900.0), &printed(483_800.0), &settings());
    let row = &comparison.rows[0];
    assert_eq!(
        (row.ratio, row.interval, row.verdict),
        (2.0, None, Verdict::Unknown)
    );
    let why = row.no_interval.as_deref().unwrap();
    assert_eq!(why, "A: a printed figure, its trials are not at hand");
    // Without measured seconds they are derived where the clock was fixed, and said to be.
    let mut clocked = printed(241_900.0);
    clocked.fixed_clock_hz = Some(Figure::printed(2.71e9, 3));
    let seconds = Settings {
        clock: Clock::Seconds,
        ..settings()
    };
    let derived = Comparison::of(&clocked, &clocked, &seconds);
    assert_eq!(derived.rows[0].measure, Measure::DerivedSeconds);
}

#[test]
fn variants_are_paired_by_name_or_where_there_is_one_each() {
    let both = side(vec![
        measured("T", "clean", &[(Enc, 100.0)]),
        measured("T", "avx2", &[(Enc, 50.0)]),
        measured("U", "clean", &[(Enc, 1.0)]),
    ]);
    let other = side(vec![
        measured("T", "avx2", &[(Enc, 50.0)]),
        measured("U", "reference", &[(Enc, 1.0)]),
    ]);
    let comparison = Comparison::of(&both, &other, &settings());
    let mut found: Vec<&str> = comparison
        .rows
        .iter()
        .map(|r| r.variant_b.as_str())
        .collect();
    found.sort_unstable();
    assert_eq!(found, ["avx2", "reference"]);
    assert_eq!(comparison.only_a, ["toy/T/clean"]);
    let (clean, avx2) = variants(&both, "clean", "avx2");
    let comparison = Comparison::of(&clean, &avx2, &settings());
    assert_eq!(comparison.rows.len(), 1);
    assert!((comparison.rows[0].ratio - 0.5).abs() < 1e-9);
    assert_eq!(comparison.only_a, ["toy/U/clean"]);
}

#[test]
fn what_makes_a_side_doubtful_is_marked() {
    let a = side(vec![measured("T", "clean", &[(Enc, 100.0)])]);
    let mut b = measured("T", "clean", &[(Enc, 100.0)]);
    b.emulated = true;
    b.record.kat.status = KatStatus::Mismatch;
    b.runs[0].trials[0].disturbed = true;
    let comparison = Comparison::of(&a, &side(vec![b]), &settings());
    assert_eq!(
        comparison.rows[0].marks,
        ["B: KAT MISMATCH", "B: emulated", "B: 1 trials disturbed"]
    );
}

#[test]
fn operations_without_figures_are_named() {
    let a = side(vec![measured("T", "clean", &[(Enc, 100.0), (Dec, 100.0)])]);
    let mut failed = measured("T", "clean", &[(Enc, 100.0)]);
    failed.record.operations.push(OperationRecord {
        failure: Some("T dec: SIGSEGV".to_owned()),
        ..OperationRecord::empty(Dec)
    });
    let comparison = Comparison::of(&a, &side(vec![failed]), &settings());
    assert_eq!(
        comparison.left_out,
        ["toy/T dec: B has no figure: T dec: SIGSEGV"]
    );
}

#[test]
fn each_form_has_every_row() {
    let a = side(vec![measured("T", "clean", &[(Enc, 100.0)])]);
    let b = side(vec![measured("T", "clean", &[(Enc, 110.0)])]);
    let comparison = Comparison::of(&a, &b, &settings());
    let text = render::text(&comparison);
    assert!(text.contains("compared: seconds of 1 operations"), "{text}");
    assert!(text.contains("100 µs  110 µs  1.100  1.0"), "{text}");
    assert!(text.contains("▲ slower"), "{text}");
    assert!(text.ends_with("1 operations: 1 regressions, 0 improvements, 0 significant within the threshold, 0 the same, 0 without interval\n"));
    let markdown = render::markdown(&comparison);
    assert!(
        markdown.contains("| `toy/T` | enc | seconds | 100 µs | 110 µs | 1.100 |"),
        "{markdown}"
    );
    let csv = render::csv(&comparison).unwrap();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(
        (rows.len(), &rows[0][1], &rows[0][13]),
        (1, "T", "regression")
    );
    let json: serde_json::Value =
        serde_json::from_str(&render::json(&comparison).unwrap()).unwrap();
    assert_eq!(json["rows"][0]["verdict"], "regression");
    assert_eq!(json["rows"][0]["measure"]["unit"], "seconds");
}
