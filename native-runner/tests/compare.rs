//! `compare` through the program: published systems, run directories, exit codes.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, texts};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn compare(arguments: &[&str]) -> (i32, String, String) {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut program = Command::new(env!("CARGO_BIN_EXE_native-runner"));
    program
        .current_dir(repository)
        .arg("compare")
        .args(arguments);
    texts(&program.output().unwrap())
}

/// A copy of a run whose operations take `factor` times as long.
fn slower(run: &Path, name: &str, factor: f64) -> PathBuf {
    let copy = run.with_file_name(name);
    let status = Command::new("cp")
        .arg("-r")
        .arg(run)
        .arg(&copy)
        .status()
        .unwrap();
    assert!(status.success());
    for file in fs::read_dir(copy.join("records/toy")).unwrap() {
        let path = file.unwrap().path();
        let mut record: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        for (i, trial) in record["trials"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .enumerate()
        {
            // The machine of the tests may be noisy; the copies are not.
            let calls = trial["measurements"].as_f64().unwrap();
            let mean = 1e-5 * factor * (1.0 + 1e-4 * i as f64);
            trial["seconds"] = (calls * mean).into();
            trial["cycles"] = Value::Null;
        }
        fs::write(&path, record.to_string()).unwrap();
    }
    copy
}

#[test]
fn published_systems_are_compared_without_intervals() {
    let (code, stdout, stderr) = compare(&["arm_1", "x86_1", "--family", "kem-14"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stdout.contains("A: arm_1 – imported system, Qualcomm Oryon"),
        "{stdout}"
    );
    assert!(stdout.contains("compared: cycles (perf) of "), "{stdout}");
    assert!(
        stdout.contains("A: a printed figure, its trials are not at hand"),
        "{stdout}"
    );
    let ratios: Vec<f64> = stdout
        .lines()
        .filter(|line| line.starts_with("kem-14/"))
        .map(|line| {
            line.split_whitespace()
                .rev()
                .nth(2)
                .unwrap()
                .parse()
                .unwrap()
        })
        .collect();
    assert!(ratios.len() >= 3, "{stdout}");
    let effects: Vec<f64> = ratios.iter().map(|ratio| ratio.ln().abs()).collect();
    assert!(
        effects.windows(2).all(|pair| pair[0] >= pair[1]),
        "{ratios:?}"
    );
}

#[test]
fn a_system_of_reference_cycles_is_never_compared_in_cycles() {
    let board = "e2e/fixtures/data/board_1";
    let (code, _, stderr) = compare(&[board, "data/arm_1"]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("no operation that can be compared"),
        "{stderr}"
    );
    let (code, stdout, _) = compare(&[board, board, "--format", "csv", "--operation", "enc"]);
    assert_eq!(code, 0);
    let mut reader = csv::Reader::from_reader(stdout.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    for row in rows {
        assert_eq!((&row[2], &row[5], &row[8]), ("enc", "seconds", "1"));
        assert!(row[14].ends_with("its trials are not at hand"), "{row:?}");
    }
}

#[test]
fn runs_exit_with_1_on_regressions_beyond_the_threshold() {
    let bench = Bench::new(&["honest"]);
    let run = bench.quick_run(&[]).output().unwrap();
    assert_eq!(texts(&run).0, 0, "{:?}", texts(&run));
    let run = bench.run_directory();
    let (a, b) = (slower(&run, "a", 1.0), slower(&run, "b", 1.08));
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    let (code, stdout, stderr) = compare(&[a, b]);
    assert_eq!(code, 1, "{stderr}");
    assert!(
        stdout.contains("compared: seconds of 3 operations"),
        "{stdout}"
    );
    assert!(stdout.contains("1.080  1.0"), "{stdout}");
    assert!(stdout.contains("▲ slower  ⚠ A: quick"), "{stdout}");
    assert_eq!(compare(&[a, b, "--threshold", "10%"]).0, 0);
    assert_eq!(compare(&[b, a]).0, 0, "an improvement is none");
    assert_eq!(compare(&[a, a]).0, 0);
    let (code, stdout, _) = compare(&[a, b, "--format", "json", "--operation", "dec"]);
    assert_eq!(code, 1);
    let json: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(json["rows"].as_array().unwrap().len(), 1);
    assert!(json["rows"][0]["adjusted_p_value"].as_f64().unwrap() < 0.05);
}

#[test]
fn a_published_system_is_compared_by_its_raw_trials() {
    let bench = Bench::new(&["honest"]);
    let run = bench.quick_run(&[]).output().unwrap();
    let data = bench.runs().parent().unwrap().join("data");
    let mut publish = bench.program();
    publish
        .arg("publish")
        .arg("--runs")
        .arg(bench.runs())
        .arg("--data")
        .arg(&data);
    assert_eq!(texts(&publish.output().unwrap()).0, 0, "{:?}", texts(&run));
    let directory = bench.run_directory();
    let words = [
        directory.to_str().unwrap(),
        "local",
        "--data",
        data.to_str().unwrap(),
    ];
    let (code, stdout, stderr) = compare(&words);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("3 operations: 0 regressions, 0 improvements, 0 significant within the threshold, 3 the same, 0 without interval"), "{stdout}");
    let raw = data
        .join("local/raw")
        .join(directory.file_name().unwrap())
        .join("records/toy/honest__clean__enc.json");
    fs::write(&raw, "{}").unwrap();
    let (code, _, stderr) = compare(&words);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("honest__clean__enc.json: was changed after it was published"),
        "{stderr}"
    );
}

#[test]
fn bad_input_is_told() {
    for (arguments, told) in [
        (
            &["arm_1", "nowhere"][..],
            "nowhere is neither a run directory nor a system of data; there are arm_1, x86_1",
        ),
        (
            &["arm_1", "--variants", "reference,avx2"],
            "arm_1 has no variant avx2; there are reference",
        ),
        (
            &["arm_1", "--variants", "reference"],
            "two variants were expected",
        ),
        (&["arm_1"], "required"),
        (
            &["arm_1", "x86_1", "--threshold", "much"],
            "a percentage like 5% was expected",
        ),
        (
            &["arm_1", "x86_1", "--confidence", "100%"],
            "below 100% was expected",
        ),
        (
            &["arm_1", "docs/schema"],
            "docs/schema is neither a run directory",
        ),
    ] {
        let (code, _, stderr) = compare(arguments);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(stderr.contains(told), "{arguments:?}: {stderr}");
    }
}
