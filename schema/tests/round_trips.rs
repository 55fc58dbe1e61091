//! Properties: what is written reads back the same; what is printed reads back within its digits.

use kemscope_schema::csv::{self, CsvRow};
use kemscope_schema::{
    Category, CycleSource, DigestOrigin, Environment, EnvironmentItem, Evidence, EvidenceKind,
    Family, FamilyRecord, Figure, Finding, Implementation, InstanceRecord, KatResult, KatStatus,
    Memory, Operation, OperationRecord, PlanKind, PrimitiveCalls, Profile, Provenance,
    SCHEMA_VERSION, SectionNotes, Sizes, Source, SourceKind, Summary, System, Timing, Validate,
    format, load, parse,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

fn positive() -> impl Strategy<Value = f64> {
    // Over all magnitudes that figures have: picoseconds to months, one cycle to 10^15.
    (1.0f64..10.0, -12i32..15).prop_map(|(m, e)| m * 10f64.powi(e))
}

fn figure() -> impl Strategy<Value = Figure> {
    (positive(), option::of(1u8..17)).prop_map(|(value, significant_digits)| Figure {
        value,
        significant_digits,
    })
}

fn share() -> impl Strategy<Value = Figure> {
    (0.0f64..=1.0).prop_map(Figure::exact)
}

fn words() -> impl Strategy<Value = String> {
    // Commas, quotation marks, line feeds and non-ASCII must survive CSV and JSON.
    "[a-zA-Z0-9µ–\",;\n ()+-]{1,20}".prop_filter("not blank", |s| !s.trim().is_empty())
}

fn identifier() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9_-]{0,12}"
}

prop_compose! {
    fn timing()(
        mean_cycles in option::of(figure()),
        source in select(vec![CycleSource::Perf, CycleSource::Tsc, CycleSource::Estimated]),
        mean_seconds in option::of(figure()),
        median_trial_seconds in option::of(figure()),
        ops_per_second in option::of(figure()),
        plan in option::of(select(vec![PlanKind::Quick, PlanKind::Published, PlanKind::Adaptive])),
        calls in option::of((1u64..10, 1u64..20_000)),
        interval in option::of((0.0..1.0f64, 1.0..2.0f64)),
        drift in option::of(-1.0..1.0f64),
        counts in option::of((1.0..1e9f64, 0.01..8.0f64)),
        repeated_trials in 0u64..11,
    ) -> Timing {
        Timing {
            mean_cycles,
            cycle_source: mean_cycles.map(|_| source),
            mean_seconds,
            median_trial_seconds,
            ops_per_second,
            calls: calls.map(|(t, i)| t * i),
            trials: calls.map(|c| c.0),
            iterations: calls.map(|c| c.1),
            calls_at_least: calls.is_none().then_some(100),
            plan,
            interval_low_seconds: interval.map(|i| Figure::exact(i.0)),
            interval_high_seconds: interval.map(|i| Figure::exact(i.1)),
            spread: interval.map(|i| Figure::exact(i.0)),
            drift,
            drift_notable: drift.is_some_and(|d| d > 0.5),
            mean_instructions: counts.map(|c| Figure::exact(c.0)),
            instructions_per_cycle: counts.map(|c| Figure::exact(c.1)),
            repeated_trials,
            ..Timing::default()
        }
    }
}

prop_compose! {
    fn operation_record(operation: Operation)(
        timing in option::of(timing()),
        memory in option::of((option::of(1u64..1 << 40), option::of(1u64..1 << 40))),
        profile in option::of((option::of(share()), option::of(share()), vec(("[a-zA-Z0-9]{1,9}", 0u32..900), 0..4))),
        failure in option::of(words()),
    ) -> OperationRecord {
        OperationRecord {
            operation,
            timing,
            memory: memory.map(|(elf_load_bytes, peak_rss_bytes)| Memory {
                elf_load_bytes,
                peak_rss_bytes,
                stack_bytes: elf_load_bytes,
                heap_allocations: Some(0),
                ..Memory::default()
            }),
            profile: profile.map(|(hash_share, drng_share, calls)| Profile {
                hash_share,
                drng_share,
                primitive_calls: calls
                    .into_iter()
                    .map(|(primitive, n)| PrimitiveCalls {
                        primitive,
                        calls: Figure::printed(f64::from(n), 3),
                    })
                    .collect(),
                ..Profile::default()
            }),
            failure,
        }
    }
}

prop_compose! {
    fn instance()(
        name in words(),
        target_bits in option::of(select(vec![128u16, 256, 512])),
        nist_category in option::of(1u8..=5),
        status in select(KatStatus::ALL.to_vec()),
        digest in option::of("[0-9a-f]{64}"),
        sizes in (option::of(1u64..1 << 30), option::of(1u64..1 << 30)),
        keygen in operation_record(Operation::Keygen),
        dec in option::of(operation_record(Operation::Dec)),
        note in option::of(words()),
    ) -> InstanceRecord {
        InstanceRecord {
            name,
            target_bits,
            nist_category,
            implementation: Implementation {
                variant: "reference".to_owned(),
                language: Some("C".to_owned()),
                source: None,
                build_flags: Some("guide".to_owned()),
                flags: None,
            },
            rejection: None,
            kat: KatResult {
                text_sha256: digest.clone(),
                digest_origin: digest.as_ref().map(|_| DigestOrigin::Official),
                ..KatResult::of(status)
            },
            sizes: Sizes {
                public_key_bytes: sizes.0,
                ciphertext_bytes: sizes.1,
                ..Sizes::default()
            },
            operations: std::iter::once(keygen).chain(dec).collect(),
            run: None,
            evidence: vec![Evidence {
                kind: EvidenceKind::Timing { operation: Operation::Dec },
                path: "records/a/b__dec.json".to_owned(),
                sha256: digest,
                sha256_prefix: None,
            }],
            note,
        }
    }
}

prop_compose! {
    fn record()(
        system in identifier(),
        id in identifier(),
        name in words(),
        category in option::of(select(Category::ALL.to_vec())),
        provenance in select(vec![Provenance::Measured, Provenance::Imported]),
        mut instances in vec(instance(), 0..4),
        message in words(),
    ) -> FamilyRecord {
        for (i, instance) in instances.iter_mut().enumerate() {
            instance.name = format!("{} {i}", instance.name);
        }
        FamilyRecord {
            schema_version: SCHEMA_VERSION,
            system,
            family: Family { id, name: name.clone(), category },
            provenance,
            source: Source { kind: SourceKind::Run, title: name, sha256: None },
            basic: None,
            environment: Some(Environment {
                findings: vec![Finding { check: "virtualised".to_owned(), message: message.clone(), remedy: String::new() }],
                additional: vec![EnvironmentItem { item: "x".to_owned(), value: message }],
                ..Environment::default()
            }),
            notes: SectionNotes::default(),
            survey_verdict: None,
            instances,
        }
    }
}

/// The relation that a printed figure must have with the value it was printed from.
fn within_print(value: f64, read: Option<Figure>) -> Result<(), TestCaseError> {
    let read = read.ok_or_else(|| TestCaseError::fail("not readable"))?;
    prop_assert!(
        (read.value - value).abs() <= read.half_unit() * (1.0 + 1e-9),
        "{} is not {} within {}",
        read.value,
        value,
        read.half_unit()
    );
    Ok(())
}

proptest! {
    #[test]
    fn json_reads_back_the_same(record in record()) {
        prop_assert_eq!(record.problems(), vec![]);
        let text = serde_json::to_string_pretty(&record).unwrap();
        let read: FamilyRecord = load("r.json", &text).unwrap();
        prop_assert_eq!(read, record);
    }

    #[test]
    fn summaries_read_back_the_same(record in record()) {
        let system = System {
            schema_version: SCHEMA_VERSION,
            id: record.system.clone(),
            label: "l".to_owned(),
            host_name: None,
            architecture: "aarch64".to_owned(),
            provenance: record.provenance,
            environment: record.environment.clone().unwrap(),
        };
        let summary = Summary::of(&system, std::slice::from_ref(&record));
        prop_assert_eq!(summary.rows.len(), record.instances.len());
        let read: Summary = load("s.json", &serde_json::to_string(&summary).unwrap()).unwrap();
        prop_assert_eq!(read, summary);
    }

    #[test]
    fn csv_reads_back_the_same(records in vec(record(), 0..3)) {
        let rows: Vec<CsvRow> = records.iter().flat_map(csv::rows).collect();
        let text = csv::write(&rows).unwrap();
        prop_assert_eq!(csv::read(&text).unwrap(), rows);
    }

    #[test]
    fn damaged_csv_is_an_error_or_other_rows_but_never_a_panic(
        record in record(), at in 0.0f64..1.0, with in ".{0,3}",
    ) {
        let mut text = csv::write(&csv::rows(&record)).unwrap();
        let mut i = (at * text.len() as f64) as usize;
        while !text.is_char_boundary(i) { i -= 1; }
        text.replace_range(i..i, &with);
        let _ = csv::read(&text);
    }

    #[test]
    fn printed_figures_read_back_within_their_digits(value in positive()) {
        within_print(value, parse::seconds(&format::seconds(value)))?;
        within_print(value, parse::ops_per_second(&format::ops_per_second(value)))?;
        within_print(value, parse::calls_per_operation(&format::calls_per_operation(value)))?;
        if value >= 1.0 {
            within_print(value, parse::cycles(&format::cycles(value)))?;
        }
        prop_assert_eq!(parse::decimal(&format::shortest(value), 0).unwrap().value, value);
    }

    #[test]
    fn memory_reads_back_the_same(kib in 1u64..1 << 40) {
        prop_assert_eq!(parse::memory_bytes(&format::kib(kib * 1024)), Some(kib * 1024));
    }

    #[test]
    fn shares_read_back_within_their_digits(value in 0.0f64..=1.0) {
        let read = parse::share(&format::share(value)).unwrap();
        let unit = if value < 0.0995 { 0.001 } else { 0.01 };
        prop_assert!((read.value - value).abs() <= unit / 2.0 + 1e-12);
    }

    #[test]
    fn printing_what_was_read_prints_the_same(value in positive().prop_filter("range", |v| *v >= 1.0)) {
        let cycles = format::cycles(value);
        prop_assert_eq!(format::cycles(parse::cycles(&cycles).unwrap().value), cycles);
        let seconds = format::seconds(value / 1e9);
        prop_assert_eq!(format::seconds(parse::seconds(&seconds).unwrap().value), seconds);
        let rate = format::ops_per_second(value);
        prop_assert_eq!(format::ops_per_second(parse::ops_per_second(&rate).unwrap().value), rate);
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in ".{0,24}") {
        let _ = (parse::cycles(&text), parse::seconds(&text), parse::share(&text));
        let _ = (parse::memory_bytes(&text), parse::whole(&text), parse::ops_per_second(&text));
        let _ = load::<FamilyRecord>("x", &text);
    }
}

#[test]
fn values_that_break_the_contract_are_named() {
    let mut record: FamilyRecord = load(
        "r.json",
        r#"{"schema_version": 1, "system": "arm_1", "family": {"id": "kem-1", "name": "K"},
            "provenance": "imported", "source": {"kind": "report-page", "title": "t"},
            "instances": [{"name": "K-1", "implementation": {"variant": "reference"},
            "kat": {"status": "pass"}, "sizes": {}, "operations": [{"operation": "enc",
            "timing": {"calls": 10, "trials": 5, "iterations": 2}}]}]}"#,
    )
    .unwrap();
    let timing = record.instances[0].operations[0].timing.as_mut().unwrap();
    timing.calls = Some(11);
    timing.mean_cycles = Some(Figure::exact(-5.0));
    record.instances[0].sizes.public_key_bytes = Some(0);
    let problems: Vec<String> = record.problems().iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "instances[0].sizes.public_key_bytes: 0 is not a figure; unknown is null",
            "instances[0].operations[0].timing.mean_cycles: -5 is not a finite number of at least 0",
            "instances[0].operations[0].timing.cycle_source: is null though there are cycles",
            "instances[0].operations[0].timing.calls: 11 is not 5 × 2",
        ]
    );
}
