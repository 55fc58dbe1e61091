//! `verify DIR`: run directories, data folders and raw records of the public harness.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, texts};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn verify(folder: &Path) -> (i32, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_native-runner"));
    let (code, stdout, stderr) = texts(&program.arg("verify").arg(folder).output().unwrap());
    (code, stdout + &stderr)
}

/// Changes a JSON file, verifies the folder, and puts the file back.
fn with(folder: &Path, file: &str, change: impl FnOnce(&mut Value)) -> (i32, String) {
    let path = folder.join(file);
    let before = fs::read(&path).unwrap();
    let mut value: Value = serde_json::from_slice(&before).unwrap();
    change(&mut value);
    fs::write(&path, value.to_string()).unwrap();
    let answer = verify(folder);
    fs::write(&path, before).unwrap();
    answer
}

fn fails(answer: &(i32, String), parts: &[&str]) {
    assert_eq!(answer.0, 1, "{}", answer.1);
    for part in parts {
        assert!(
            answer.1.contains(part),
            "\n{}\ndoes not say {part}",
            answer.1
        );
    }
}

#[test]
fn folders_of_the_repository_verify() {
    for (folder, told) in [
        ("data", "arm_1: 40 files, imported figures"),
        ("data/x86_1", "x86_1: 43 files"),
        (
            "native-runner/tests/fixtures/records",
            "2 files, 1 instances, 1 records computed again from their trials, 1 profiles from their ticks; 2 libraries and logs that they name are not at hand",
        ),
    ] {
        let (code, text) = verify(&repository().join(folder));
        assert_eq!(code, 0, "{folder}: {text}");
        assert!(text.contains(told), "{folder}: {text}");
    }
}

#[test]
fn what_holds_nothing_to_verify_is_bad_input() {
    let empty = tempfile::tempdir().unwrap();
    let (code, text) = verify(empty.path());
    assert_eq!(code, 2);
    assert!(text.contains("nothing to verify"), "{text}");
    let (code, text) = verify(&empty.path().join("none"));
    assert_eq!(code, 2);
    assert!(text.contains("is no folder"), "{text}");
}

#[test]
fn each_difference_of_a_foreign_record_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let fixtures = repository().join("native-runner/tests/fixtures/records");
    for name in [
        "harness_record_schema2.json",
        "harness_profile_schema2.json",
    ] {
        fs::copy(fixtures.join(name), folder.path().join(name)).unwrap();
    }
    let record =
        |change: &dyn Fn(&mut Value)| with(folder.path(), "harness_record_schema2.json", change);
    fails(
        &record(&|v| {
            v["trials"][0]["seconds"] = 0.6.into();
        }),
        &[
            "kem-14/DTRU-648 enc: trials are not those of its processes",
            "mean_seconds is 0.000048",
            "median_trial_seconds is",
            "max_trial_seconds is",
            "operations_per_second is",
        ],
    );
    fails(
        &record(&|v| v["measurements"] = 22_147.into()),
        &["measurements is 22147, its trials have 22146"],
    );
    fails(
        &record(&|v| v["processes"][1]["status"] = "killed".into()),
        &["a process has status “killed”"],
    );
    fails(
        &record(&|v| v["schema"] = 3.into()),
        &["schema 3 where 2 was expected"],
    );
    let profile = with(folder.path(), "harness_profile_schema2.json", |v| {
        v["calls"][1]["ticks"] = 67_801.into();
    });
    fails(
        &profile,
        &["share of pseudohash is 0.073", "hash_share is 0.2955"],
    );
    // The KAT log beside it is checked as soon as it is there.
    fs::create_dir_all(folder.path().join("kat/kem-14")).unwrap();
    fs::write(folder.path().join("kat/kem-14/DTRU-648.log"), "x").unwrap();
    fails(
        &verify(folder.path()),
        &["kat/kem-14/DTRU-648.log: SHA-256 is 2d711642"],
    );
}

#[test]
fn a_run_directory_verifies_until_something_is_altered() {
    let bench = Bench::new(&["honest", "broken"]);
    let run = bench.quick_run(&[]).output().unwrap();
    let folder = bench.run_directory();
    let (code, text) = verify(&folder);
    assert_eq!(code, 0, "{text}{:?}", texts(&run));
    assert!(
        text.contains("2 instances with 3 operations computed from their raw trials"),
        "{text}"
    );
    let enc = "records/toy/honest__clean__enc.json";
    fails(
        &with(&folder, enc, |v| v["instance"] = "other".into()),
        &["toy/honest: record of enc: instance is “other”"],
    );
    fails(
        &with(&folder, enc, |v| v["trials"][0]["seconds"] = 0.into()),
        &["honest__clean__enc.json: trials[0].seconds: 0 is not a positive duration"],
    );
    fails(
        &with(&folder, "build/toy/honest__clean.json", |v| {
            v["commands"] = 1.into()
        }),
        &["honest__clean.json: invalid type"],
    );
    fs::write(folder.join("build/toy/honest__clean.so"), "x").unwrap();
    fails(
        &verify(&folder),
        &["build/toy/honest__clean.so: SHA-256 is"],
    );
}
