//! What a resumed run keeps, and what it makes again.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::{Bench, signal, texts, wait_until};
use nix::sys::signal::Signal;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;

#[test]
fn an_interruption_during_trials_costs_one_at_most() {
    let bench = Bench::new(&["slow"]);
    let mut process = bench
        .quick_run(&[])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let partial = "records/toy/slow__clean__keygen.partial.json";
    let trials_at = |run: &Path| -> Option<Vec<Value>> {
        let bytes = fs::read(run.join(partial)).ok()?;
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        value["trials"].as_array().cloned()
    };
    wait_until("two trials are done", || {
        assert!(process.try_wait().unwrap().is_none(), "the run ended early");
        let run = bench.run_directories().pop();
        run.and_then(|run| trials_at(&run))
            .is_some_and(|trials| trials.len() >= 2)
    });
    signal(&process, Signal::SIGINT);
    let (code, stdout, stderr) = texts(&process.wait_with_output().unwrap());
    assert_eq!(code, 1, "{stdout}{stderr}");
    let calibration = bench.json("calibration/toy/slow__clean__keygen.json");
    let kept = trials_at(&bench.run_directory()).expect("the trials are kept");
    assert!(kept.len() < 5, "it was interrupted during its trials");

    let mut command = bench.program();
    command
        .args(["run", "--resume", "--runs"])
        .arg(bench.runs());
    let (code, stdout, stderr) = texts(&command.output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let record = bench.json("records/toy/slow__clean__keygen.json");
    let trials = record["trials"].as_array().unwrap();
    assert_eq!(trials.len(), 5);
    assert_eq!(trials[..kept.len()], kept);
    assert_eq!(record["calibration_seconds"], calibration["seconds"]);
    assert!(!bench.run_directory().join(partial).exists());
}

#[test]
fn results_that_cannot_be_trusted_are_made_again() {
    let bench = Bench::new(&["honest"]);
    let (code, stdout, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let change = |relative: &str, change: &dyn Fn(&mut Value)| {
        let mut value = bench.json(relative);
        change(&mut value);
        let bytes = serde_json::to_vec(&value).unwrap();
        fs::write(bench.run_directory().join(relative), bytes).unwrap();
    };
    let resume = || {
        let mut command = bench.program();
        command
            .arg("run")
            .arg("--resume")
            .arg(bench.run_directory());
        texts(&command.output().unwrap())
    };
    let (kat, enc) = (
        "kat/toy/honest__clean.json",
        "records/toy/honest__clean__enc.json",
    );
    let dec = bench.json("records/toy/honest__clean__dec.json");

    // The runner itself had failed: even a complete run tries again.
    let failure = serde_json::json!({"kind": "harness", "message": "no memory"});
    change(enc, &|v| v["failure"] = failure.clone());
    change(kat, &|v| {
        v["failure"] = failure.clone();
        v["result"]["status"] = "not-run".into();
    });
    let (code, stdout, stderr) = resume();
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(bench.json(enc)["failure"].is_null());
    assert_eq!(bench.json(kat)["result"]["status"], "pass");
    assert_eq!(bench.json("records/toy/honest__clean__dec.json"), dec);

    // A test and a calibration of another library say nothing; a damaged record is told.
    let other = "0".repeat(64);
    change("manifest.json", &|v| v["status"] = "interrupted".into());
    change(kat, &|v| {
        v["library_sha256"] = other.clone().into();
        v["result"]["status"] = "mismatch".into();
    });
    let calibration = "calibration/toy/honest__clean__enc.json";
    change(calibration, &|v| {
        v["library_sha256"] = other.clone().into();
        v["seconds"] = 1000.into();
    });
    fs::write(bench.run_directory().join(enc), "{").unwrap();
    let (code, stdout, stderr) = resume();
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stderr.contains("damaged, to be made again"), "{stderr}");
    assert_eq!(bench.json(kat)["result"]["status"], "pass");
    assert_ne!(bench.json(calibration)["seconds"], 1000);
    assert_eq!(bench.json(enc)["trials"].as_array().unwrap().len(), 5);

    // What another version wrote is not written over.
    change("manifest.json", &|v| v["status"] = "interrupted".into());
    change(kat, &|v| v["schema_version"] = 99.into());
    let (code, _, stderr) = resume();
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("schema version 99"), "{stderr}");
}

#[test]
fn a_run_belongs_to_one_state_of_the_machine_and_tells_disturbed_trials() {
    let bench = Bench::new(&["honest"]);
    let (code, stdout, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let run = bench.run_directory();
    let write = |relative: &str, value: &Value| {
        fs::write(run.join(relative), serde_json::to_vec(value).unwrap()).unwrap();
    };
    let resume = || {
        let mut command = bench.program();
        texts(
            &command
                .args(["run", "--resume"])
                .arg(&run)
                .output()
                .unwrap(),
        )
    };
    let record = "records/toy/honest__clean__enc.json";
    let mut disturbed = bench.json(record);
    for trial in disturbed["trials"].as_array_mut().unwrap() {
        trial["disturbed"] = false.into();
        trial["disturbance"] = Value::Array(Vec::new());
    }
    disturbed["trials"][3]["disturbed"] = true.into();
    disturbed["trials"][3]["disturbance"] = serde_json::json!(["cpu-time-lost"]);
    write(record, &disturbed);
    // They were to be kept as they came: told, but no fault of the run.
    let told = "honest enc (1: other work took CPU time)";
    let (code, stdout, stderr) = resume();
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains(told), "{stdout}");
    let mut manifest = bench.json("manifest.json");
    manifest["method"] = serde_json::json!({});
    write("manifest.json", &manifest);
    let (code, stdout, stderr) = resume();
    assert_eq!(code, 1, "{stdout}{stderr}");
    assert!(stdout.contains(told), "{stdout}");

    for (field, value, expected) in [
        (
            "cycle_source",
            Value::from("estimated"),
            "with cycle source",
        ),
        ("emulated", Value::from(true), "with emulator `yes`"),
    ] {
        let mut other = manifest.clone();
        other["status"] = "interrupted".into();
        other["environment"][field] = value;
        write("manifest.json", &other);
        let (code, _, stderr) = resume();
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    }
    let mut other = manifest.clone();
    other["status"] = "interrupted".into();
    other["architecture"] = "sparc".into();
    write("manifest.json", &other);
    assert!(resume().2.contains("with architecture `sparc`"));
}
