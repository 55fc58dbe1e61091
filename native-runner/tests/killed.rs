//! A run is killed in every phase, without warning, and goes on as if nothing had happened.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::gate::{Gate, finished};
use common::{Bench, files_below, signal, texts, wait_until};
use nix::sys::signal::{Signal, kill};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

fn resume(bench: &Bench) -> Command {
    let mut command = bench.program();
    command
        .args(["run", "--resume", "--runs"])
        .arg(bench.runs());
    command
}

/// Whether all that was finished is there still, as it was.
fn assert_kept(before: &BTreeMap<PathBuf, Vec<u8>>, bench: &Bench) {
    let now = finished(bench);
    for (path, bytes) in before {
        assert!(now.get(path) == Some(bytes), "{} changed", path.display());
    }
}

#[test]
fn a_run_that_is_killed_in_each_phase_loses_and_repeats_nothing() {
    let (bench, gate) = (Bench::new(&["honest", "gate"]), Gate::new());
    let is_file = |relative: &str| {
        let run = bench.run_directories().pop();
        run.is_some_and(|run| run.join(relative).is_file())
    };
    let is_told = |text: &str| {
        let log = fs::read_to_string(bench.run_directory().join("run.log"));
        log.is_ok_and(|log| log.contains(text))
    };

    // While one library is built and the other is not.
    gate.close_for_compiler();
    gate.kill_at(&mut bench.quick_run(&[]), &|| {
        is_file("build/toy/honest__clean.json") && is_told("toy/honest/clean: built")
    });
    assert!(!is_file("build/toy/gate__clean.json"));

    // In the known-answer test, then behind its text, in a calibration, between the trials, and in what looks at
    // memory and at hash functions.
    let phases: [(usize, &str, &str); 6] = [
        (1, r#""kind":"kat""#, "build/toy/gate__clean.json"),
        (1, r#""kind":"reject""#, "kat/toy/gate__clean.log"),
        (
            1,
            r#""kind":"calibrate","operation":"enc""#,
            "calibration/toy/gate__clean__keygen.json",
        ),
        (
            3,
            r#""kind":"trial","operation":"enc""#,
            "records/toy/gate__clean__enc.partial.json",
        ),
        (
            1,
            r#""kind":"memory","operation":"enc""#,
            "records/toy/gate__clean__enc.json",
        ),
        (
            1,
            r#""kind":"profile","operation":"enc""#,
            "profiles/toy/gate__clean__keygen.json",
        ),
    ];
    let mut trials = Vec::new();
    for (number, word, there) in phases {
        let before = finished(&bench);
        gate.close(number, word);
        gate.kill_at(&mut resume(&bench), &|| true);
        assert_kept(&before, &bench);
        assert!(is_file(there), "killed in {word}");
        assert_eq!(bench.json("manifest.json")["status"], "running");
        if is_file("records/toy/gate__clean__enc.partial.json") {
            let partial = bench.json("records/toy/gate__clean__enc.partial.json");
            trials = partial["trials"].as_array().unwrap().clone();
        }
    }
    assert_eq!(trials.len(), 2);
    let kat = bench.json("kat/toy/gate__clean.json");

    let before = finished(&bench);
    let (code, stdout, stderr) = texts(&gate.before(&mut resume(&bench)).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert_kept(&before, &bench);
    assert_eq!(bench.json("manifest.json")["status"], "complete");

    // What was finished was not done again: only the processes that were killed have a second one.
    let counts = gate.counts();
    let expected = [
        ("kat", 2),
        ("reject", 2),
        ("calibrate keygen", 1),
        ("calibrate enc", 2),
        ("calibrate dec", 1),
        ("trial keygen", 5),
        ("trial enc", 6),
        ("trial dec", 5),
        ("memory keygen", 1),
        ("memory enc", 2),
        ("memory dec", 1),
        ("profile keygen", 1),
        ("profile enc", 2),
        ("profile dec", 1),
    ];
    for (task, number) in expected {
        assert_eq!(counts.get(task), Some(&number), "{task}: {counts:?}");
    }
    assert_eq!(bench.json("kat/toy/gate__clean.json"), kat);
    let record = bench.json("records/toy/gate__clean__enc.json");
    assert_eq!(record["trials"].as_array().unwrap()[..2], trials);

    // Nothing is left lying about, and the whole holds together.
    let left: Vec<PathBuf> = files_below(&bench.run_directory())
        .into_iter()
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            name.contains(".partial") || name.ends_with(".tmp")
        })
        .collect();
    assert!(left.is_empty(), "{left:?}");
    let mut verify = bench.program();
    verify.arg("verify").arg(bench.run_directory());
    let (code, stdout, stderr) = texts(&verify.output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
}

#[test]
fn a_text_is_not_generated_again_for_what_comes_after_it() {
    let (bench, gate) = (Bench::new(&["gate"]), Gate::new());
    gate.close(1, r#""kind":"reject""#);
    gate.kill_at(&mut bench.quick_run(&[]), &|| true);
    let kat = bench.json("kat/toy/gate__clean.json");
    assert_eq!(kat["result"]["status"], "pass");
    assert_eq!(kat["rejection"], Value::Null);
    let (code, stdout, stderr) = texts(&gate.before(&mut resume(&bench)).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert_eq!(gate.counts()["kat"], 1);
    let mut whole = bench.json("kat/toy/gate__clean.json");
    assert!(whole["rejection"].is_object(), "{whole}");
    whole.as_object_mut().unwrap().remove("rejection");
    let mut kat = kat;
    kat.as_object_mut().unwrap().remove("rejection");
    assert_eq!(whole, kat);
}

#[test]
fn a_batch_system_that_stops_all_processes_at_once_stops_the_run_in_order() {
    let (bench, gate) = (Bench::new(&["gate"]), Gate::new());
    gate.close(3, r#""kind":"trial","operation":"enc""#);
    let process = gate.hold(&mut bench.quick_run(&[]));
    // The measuring process first: its end is not to be taken for the library's.
    kill(gate.measuring().unwrap(), Signal::SIGTERM).unwrap();
    signal(&process, Signal::SIGTERM);
    let (code, stdout, stderr) = texts(&process.wait_with_output().unwrap());
    gate.open();
    assert_eq!(code, 143, "{stdout}{stderr}");
    assert!(stdout.contains("run --resume"), "{stdout}");
    assert_eq!(bench.json("manifest.json")["status"], "interrupted");
    let (code, stdout, stderr) = texts(&gate.before(&mut resume(&bench)).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let record = bench.json("records/toy/gate__clean__enc.json");
    assert_eq!(record["failure"], Value::Null);
}

#[test]
fn a_process_that_somebody_else_killed_is_started_once_more() {
    let (bench, gate) = (Bench::new(&["gate"]), Gate::new());
    for (number, word) in [
        (1, r#""kind":"kat""#),
        (2, r#""kind":"trial","operation":"dec""#),
    ] {
        gate.close(number, word);
        let mut command = match gate.tasks().len() {
            0 => bench.quick_run(&[]),
            _ => resume(&bench),
        };
        let mut process = gate.hold(&mut command);
        kill(gate.measuring().unwrap(), Signal::SIGKILL).unwrap();
        gate.open();
        if word.contains("kat") {
            wait_until("the test is done", || {
                bench
                    .run_directory()
                    .join("kat/toy/gate__clean.json")
                    .is_file()
            });
            signal(&process, Signal::SIGTERM);
        }
        process.wait().unwrap();
    }
    assert_eq!(bench.json("manifest.json")["status"], "complete");
    assert_eq!(
        bench.json("kat/toy/gate__clean.json")["result"]["status"],
        "pass"
    );
    let record = bench.json("records/toy/gate__clean__dec.json");
    assert_eq!(record["failure"], Value::Null);
    assert_eq!(record["trials"].as_array().unwrap().len(), 5);
}
