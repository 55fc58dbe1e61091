//! Profiles: what wrappers count, what they cannot see, and how that is published and verified.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::{Bench, texts};
use kemscope_schema::run::{PrimitiveKind, ProfileRun, TickSource};
use kemscope_schema::{FamilyRecord, Operation, OperationRecord, Profile, UnknownShare};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A bench of one KEM that has the shared hash functions at hand.
fn bench(kem: &str) -> Bench {
    let bench = Bench::new(&[kem]);
    for file in ["fips202.h", "fips202.c", "sponge.h", "sponge.c"] {
        fs::copy(
            common::fixture(file),
            bench.packages().join("common").join(file),
        )
        .unwrap();
    }
    bench
}

/// Profiles a bench's KEM.
fn profile(bench: &Bench) -> String {
    let mut command = bench.program();
    command
        .args(["profile", "--quick", "--timeout", "5", "--packages"])
        .arg(bench.packages())
        .arg("--runs")
        .arg(bench.runs());
    let (code, stdout, stderr) = texts(&command.output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    stdout + &stderr
}

fn record(bench: &Bench, kem: &str, operation: Operation) -> ProfileRun {
    let path = format!("profiles/toy/{kem}__clean__{operation}.json");
    serde_json::from_value(bench.json(&path)).unwrap()
}

/// Rows as (function, bits in, bits out, calls per operation).
fn rows(run: &ProfileRun) -> Vec<(&str, Option<u64>, Option<u64>, f64)> {
    run.calls
        .iter()
        .map(|row| {
            let calls = row.calls as f64 / run.operations as f64;
            (row.function.as_str(), row.in_bits, row.out_bits, calls)
        })
        .collect()
}

/// What holds of every profile that went well.
fn is_sound(run: &ProfileRun) {
    assert_eq!(run.failure, None);
    assert!(run.operations >= 1 && run.operations <= 100);
    let inside: u64 = run.calls.iter().map(|row| row.ticks).sum();
    assert!(inside <= run.total_ticks, "{inside} > {}", run.total_ticks);
    let expected = match std::env::consts::ARCH {
        "x86_64" => TickSource::Tsc,
        "aarch64" => TickSource::CntvctEl0,
        _ => TickSource::ClockGettime,
    };
    assert_eq!(run.tick_source, Some(expected));
    assert!(run.tick_hz.unwrap() > 1e6);
    assert!(run.tick_step.unwrap() > 0);
    assert!(run.profiled_library_sha256.is_some());
    assert_ne!(run.profiled_library_sha256, run.library_sha256);
}

#[test]
fn calls_within_calls_are_part_of_them() {
    let bench = bench("hashes");
    profile(&bench);
    let keygen = record(&bench, "hashes", Operation::Keygen);
    is_sound(&keygen);
    assert_eq!(rows(&keygen), [("randombytes", Some(0), Some(256), 1.0)]);
    let enc = record(&bench, "hashes", Operation::Enc);
    is_sound(&enc);
    assert_eq!(
        rows(&enc),
        [
            ("randombytes", Some(0), Some(256), 1.0),
            ("shake256", Some(256), Some(256), 1.0),
            ("shake256", Some(256), Some(512), 2.0),
        ]
    );
    // Called by itself it is counted.
    let dec = record(&bench, "hashes", Operation::Dec);
    is_sound(&dec);
    assert_eq!(rows(&dec), [("sha3_256", Some(320), Some(256), 1.0)]);
    assert!(enc.unseen.is_empty() && dec.unseen.is_empty());
}

#[test]
fn a_library_without_hash_functions_is_no_share_of_zero() {
    let bench = Bench::new(&["honest"]);
    let said = profile(&bench);
    assert!(
        said.contains("calls no hash function that is known"),
        "{said}"
    );
    let enc = record(&bench, "honest", Operation::Enc);
    is_sound(&enc);
    assert_eq!(rows(&enc), [("randombytes", Some(0), Some(256), 1.0)]);
    assert_eq!(enc.unseen.len(), 1);
}

#[test]
fn hash_functions_in_the_file_of_their_callers_are_told() {
    let bench = Bench::new(&["own_hash"]);
    let said = profile(&bench);
    assert!(said.contains("hash ??%"), "{said}");
    let message = |operation| {
        let run = record(&bench, "own_hash", operation);
        is_sound(&run);
        let messages: Vec<String> = run.unseen.into_iter().map(|u| u.message).collect();
        messages.join("; ")
    };
    let enc = message(Operation::Enc);
    assert!(
        enc.starts_with("`sha3_256` is static in the file of"),
        "{enc}"
    );
    let dec = message(Operation::Dec);
    assert!(
        dec.starts_with("`shake256` is defined in the file of"),
        "{dec}"
    );
}

#[test]
fn more_lengths_than_are_kept_apart_are_counted_without_them() {
    let bench = bench("many_lengths");
    profile(&bench);
    let enc = record(&bench, "many_lengths", Operation::Enc);
    is_sound(&enc);
    // 1024 rows, one of them the generator's.
    assert_eq!(enc.calls.len(), 1025);
    let lost: Vec<&_> = enc
        .calls
        .iter()
        .filter(|row| row.in_bits.is_none())
        .collect();
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0].function, "shake256");
    assert_eq!(lost[0].calls, enc.overflow_calls);
    let calls: u64 = enc.calls.iter().map(|row| row.calls).sum();
    assert_eq!(calls, 1501 * enc.operations);
    assert!(enc.overflow_calls > 0 && enc.overflow_calls < 500 * enc.operations);
    assert!(lost[0].ticks > 0);
}

#[test]
fn a_failing_operation_has_no_profile_and_says_why() {
    let bench = Bench::new(&["crash"]);
    let mut command = bench.program();
    command
        .args(["profile", "--quick", "--packages"])
        .arg(bench.packages())
        .arg("--runs")
        .arg(bench.runs());
    let (code, stdout, stderr) = texts(&command.output().unwrap());
    assert_eq!(code, 1, "{stdout}{stderr}");
    is_sound(&record(&bench, "crash", Operation::Keygen));
    let enc = record(&bench, "crash", Operation::Enc);
    assert!(enc.failure.unwrap().message.contains("SIGABRT"), "{stderr}");
    // What an operation cannot do without is not tried again.
    let dec = record(&bench, "crash", Operation::Dec);
    assert!(dec.command.is_empty());
    assert!(dec.failure.unwrap().message.contains("SIGABRT"));
}

/// Publishes the bench's run into a data folder.
fn publish(bench: &Bench) -> (PathBuf, FamilyRecord) {
    let data = bench.runs().with_file_name("data");
    let mut command = bench.program();
    command
        .args(["publish", "--data"])
        .arg(&data)
        .arg(bench.run_directory());
    let (code, stdout, stderr) = texts(&command.output().unwrap());
    assert!(code <= 1, "{stdout}{stderr}");
    let text = fs::read_to_string(data.join("local/toy.json")).unwrap();
    (data, serde_json::from_str(&text).unwrap())
}

fn verify(bench: &Bench, data: &Path) -> (i32, String) {
    let mut command: Command = bench.program();
    command.args(["verify", "--data"]).arg(data);
    let (code, stdout, stderr) = texts(&command.output().unwrap());
    (code, stdout + &stderr)
}

fn operation(family: &FamilyRecord, operation: Operation) -> &OperationRecord {
    let operations = &family.instances[0].operations;
    operations
        .iter()
        .find(|o| o.operation == operation)
        .unwrap()
}

#[test]
fn a_run_publishes_profiles_and_verify_makes_them_again() {
    let bench = bench("hashes");
    let (code, stdout, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("share of hashing + randomness"), "{stdout}");
    let (data, family) = publish(&bench);
    let run = record(&bench, "hashes", Operation::Enc);
    let profile = operation(&family, Operation::Enc).profile.clone().unwrap();
    let ticks = |hash: bool| -> u64 {
        let rows = run
            .calls
            .iter()
            .filter(|row| (row.function == "shake256") == hash);
        rows.map(|row| row.ticks).sum()
    };
    let share = |ticks: u64| ticks as f64 / run.total_ticks as f64;
    assert_eq!(profile.hash_share.unwrap().value, share(ticks(true)));
    assert_eq!(profile.drng_share.unwrap().value, share(ticks(false)));
    assert_eq!(profile.operations_profiled, Some(run.operations));
    let calls: Vec<(&str, f64)> = profile
        .primitive_calls
        .iter()
        .map(|c| (c.primitive.as_str(), c.calls.value))
        .collect();
    assert_eq!(calls, [("randombytes", 1.0), ("shake256", 3.0)]);
    let labels: Vec<String> = family.instances[0]
        .evidence
        .iter()
        .map(|evidence| evidence.kind.label())
        .collect();
    assert!(
        labels.contains(&"hash profile enc".to_owned()),
        "{labels:?}"
    );
    assert_eq!(verify(&bench, &data).0, 0);
    // A share that the counted ticks do not give.
    let raw = data
        .join("local/raw")
        .join(bench.run_directory().file_name().unwrap());
    let path = raw.join("profiles/toy/hashes__clean__enc.json");
    let mut json: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let doubled = json["total_ticks"].as_u64().unwrap() * 2;
    json["total_ticks"] = doubled.into();
    fs::write(&path, serde_json::to_vec_pretty(&json).unwrap()).unwrap();
    let (code, said) = verify(&bench, &data);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("hash_share") && said.contains("SHA-256"),
        "{said}"
    );
}

#[test]
fn an_unknown_share_is_published_as_such() {
    let bench = Bench::new(&["own_hash"]);
    let (code, stdout, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let (data, family) = publish(&bench);
    let profile: Profile = operation(&family, Operation::Enc).profile.clone().unwrap();
    assert_eq!(profile.hash_share, None);
    assert_eq!(profile.hash_share_unknown, Some(UnknownShare::Undetermined));
    assert!(profile.drng_share.is_some());
    assert!(profile.message.unwrap().starts_with("`sha3_256` is static"));
    assert_eq!(verify(&bench, &data).0, 0);
}

#[test]
fn profiles_can_be_left_out() {
    let bench = Bench::new(&["honest"]);
    let output = bench.quick_run(&["--no-profile"]).output().unwrap();
    let (code, stdout, stderr) = texts(&output);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(!bench.run_directory().join("profiles").exists());
    let (_, family) = publish(&bench);
    assert_eq!(operation(&family, Operation::Enc).profile, None);
}

#[test]
fn a_profile_that_is_missing_is_made_on_resume_and_the_others_stay() {
    let bench = bench("hashes");
    let (code, stdout, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let folder = bench.run_directory().join("profiles/toy");
    let (enc, dec) = (
        folder.join("hashes__clean__enc.json"),
        folder.join("hashes__clean__dec.json"),
    );
    let before = fs::read(&enc).unwrap();
    fs::remove_file(&dec).unwrap();
    let manifest = bench.run_directory().join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"complete\"", "\"running\"")).unwrap();
    // Until then it cannot be published.
    let mut resume = bench.program();
    resume.args(["run", "--resume"]).arg(bench.run_directory());
    let (code, stdout, stderr) = texts(&resume.output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(dec.is_file());
    assert_eq!(fs::read(&enc).unwrap(), before);
}

/// A copy of the package in the form of a submission, described by `add`; its folder.
fn submission(bench: &Bench) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/packages/toy");
    let to = bench.packages().with_file_name("toy");
    copy(&from, &to);
    let mut add = bench.program();
    let (code, stdout, stderr) = texts(&add.arg("add").arg(&to).output().unwrap());
    assert!(code <= 1, "{stdout}{stderr}");
    to
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn profile_package(bench: &Bench, package: &Path) {
    let mut command = bench.program();
    command
        .args(["profile", "--quick", "--packages"])
        .arg(package)
        .arg("--runs")
        .arg(bench.runs());
    let (code, stdout, stderr) = texts(&command.output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
}

/// Helpers of the package's own, and where it has none the runner's; C, C++ and assembler.
#[test]
fn helpers_of_the_ngcc_interface_are_counted_whoever_brings_them() {
    let bench = Bench::new(&["honest"]);
    profile_package(&bench, &submission(&bench));
    for (name, bits) in [
        ("TOY-128__reference", 128),
        ("TOY-128__additional-cpp", 128),
        ("TOY-128__optimized-asm", 128),
        ("TOY-256__reference", 256),
    ] {
        let read = |operation: Operation| -> ProfileRun {
            let path = format!("profiles/toy/{name}__{operation}.json");
            serde_json::from_value(bench.json(&path)).unwrap()
        };
        let drng = ("drng", Some(0), Some(bits), 1.0);
        let xof = ("pseudoXOF", Some(bits), Some(bits), 1.0);
        let hash = ("pseudohash", Some(2 * bits), Some(512), 1.0);
        let expected: [(Operation, &[_]); 3] = [
            (Operation::Keygen, &[drng, xof]),
            (Operation::Enc, &[drng, xof, hash]),
            (Operation::Dec, &[xof, hash]),
        ];
        for (operation, expected) in expected {
            let run = read(operation);
            is_sound(&run);
            assert_eq!(run.unseen, [], "{name} {operation}");
            assert_eq!(rows(&run), expected, "{name} {operation}");
        }
    }
    // A chain of hashes is nearly all there is.
    let slow: ProfileRun =
        serde_json::from_value(bench.json("profiles/toy/TOY-512__reference__dec.json")).unwrap();
    is_sound(&slow);
    assert_eq!(
        rows(&slow),
        [
            ("pseudohash", Some(1024), Some(512), 1.0),
            ("sm3hash", Some(512), Some(256), 20_000.0),
        ]
    );
    let inside: u64 = slow.calls.iter().map(|row| row.ticks).sum();
    assert!(
        inside > slow.total_ticks / 2,
        "{inside} of {}",
        slow.total_ticks
    );
}

/// Across files the optimiser would see through the wrappers: it is off where they are in.
#[test]
fn link_time_optimisation_hides_no_calls() {
    let bench = Bench::new(&["honest"]);
    let package = submission(&bench);
    let description = package.join("kem.toml");
    let text = fs::read_to_string(&description).unwrap();
    let optimised = text.replace(
        "abi = \"iccs\"",
        "abi = \"iccs\"\nflags = [\"-O3\", \"-flto\"]",
    );
    fs::write(&description, optimised).unwrap();
    profile_package(&bench, &package);
    let path = "profiles/toy/TOY-128__reference__enc.json";
    let run: ProfileRun = serde_json::from_value(bench.json(path)).unwrap();
    is_sound(&run);
    let functions: Vec<&str> = run.calls.iter().map(|row| row.function.as_str()).collect();
    assert_eq!(functions, ["drng", "pseudoXOF", "pseudohash"]);
    assert!(run.flags.contains(&"-fno-lto".to_owned()));
    let log = bench
        .run_directory()
        .join("build/toy/TOY-128__reference.log");
    assert!(fs::read_to_string(log).unwrap().contains("-flto"));
}

/// A package of one file hides everything, but only from those operations that call it.
#[test]
fn a_submission_in_one_file_has_unknown_shares() {
    let bench = Bench::new(&["honest"]);
    let package = submission(&bench);
    let folder = package.join("Implementations/Reference_Implementation/TOY-128");
    let mut one =
        String::from("#include \"../common/toy_core.c\"\n#include \"KEM_AlgorithmInstance.c\"\n");
    for file in ["auxfunc.c", "drng.c"] {
        one.push_str(&format!("#include \"{file}\"\n"));
    }
    // Sources that are included keep names that nobody compiles by themselves.
    for (name, renamed) in [
        ("KEM_AlgorithmInstance.c", "kem.inc"),
        ("auxfunc.c", "auxfunc.inc"),
        ("drng.c", "drng.inc"),
    ] {
        fs::rename(folder.join(name), folder.join(renamed)).unwrap();
        one = one.replace(&format!("\"{name}\""), &format!("\"{renamed}\""));
    }
    fs::write(folder.join("one.c"), one).unwrap();
    let description = "[package]\nid = \"toy\"\nname = \"Toy\"\nsource = \"test\"\n\n\
        [[instance]]\nname = \"TOY-128\"\nvariant = \"reference\"\nabi = \"iccs\"\n\
        sources = [\"Implementations/Reference_Implementation/TOY-128/one.c\"]\n\
        include = [\"Implementations/Reference_Implementation/TOY-128\", \
        \"Implementations/Reference_Implementation/common\"]\n";
    fs::write(package.join("kem.toml"), description).unwrap();
    profile_package(&bench, &package);
    let unseen = |operation: Operation| {
        let path = format!("profiles/toy/TOY-128__reference__{operation}.json");
        let run: ProfileRun = serde_json::from_value(bench.json(&path)).unwrap();
        assert_eq!(rows(&run), []);
        run.unseen.iter().map(|u| u.kind).collect::<BTreeSet<_>>()
    };
    let both = BTreeSet::from([PrimitiveKind::Hash, PrimitiveKind::Drng]);
    assert_eq!(unseen(Operation::Keygen), both);
    assert_eq!(
        unseen(Operation::Dec),
        BTreeSet::from([PrimitiveKind::Hash])
    );
}
