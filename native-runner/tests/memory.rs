//! Stack and heap of operations whose needs are known.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::{Bench, texts};
use serde_json::Value;
use std::fs;

fn memory(bench: &Bench, operation: &str) -> Value {
    bench.json(&format!("memory/toy/greedy__clean__{operation}.json"))
}

#[test]
fn what_an_operation_needs_is_found_published_and_verified() {
    let bench = Bench::new(&["greedy"]);
    let (code, stdout, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");

    let stack = |operation| {
        let record = memory(&bench, operation);
        let bytes = |field: &str| record[field].as_u64().unwrap();
        assert!(bytes("available_stack_bytes") >= 8 << 20);
        bytes("touched_stack_bytes") - bytes("entry_stack_bytes")
    };
    let (keygen, enc, dec) = (stack("keygen"), stack("enc"), stack("dec"));
    assert!((100_000..110_000).contains(&keygen), "{keygen}");
    assert!(enc < 10_000 && dec < 10_000, "{enc} {dec}");

    let expected = serde_json::json!({
        "peak_bytes": 9400, "allocations": 3, "requested_bytes": 14_400, "kept_bytes": 0
    });
    assert_eq!(memory(&bench, "enc")["heap"], expected);
    assert_eq!(memory(&bench, "dec")["heap"]["allocations"], 0);
    assert!(stderr.contains("greedy enc: stack "), "{stderr}");
    assert!(stderr.contains("heap 9.2 KiB in 3 allocations"), "{stderr}");

    // Published from the raw file, and made again from it.
    let data = bench.packages().with_file_name("data");
    let mut publish = bench.program();
    publish.args(["publish", "--runs"]).arg(bench.runs());
    let (code, stdout, stderr) = texts(&publish.arg("--data").arg(&data).output().unwrap());
    assert_ne!(code, 2, "{stdout}{stderr}");
    let record = fs::read_to_string(data.join("local/toy.json")).unwrap();
    let record: Value = serde_json::from_str(&record).unwrap();
    let operations = &record["instances"][0]["operations"];
    assert_eq!(operations[0]["memory"]["stack_bytes"], keygen);
    assert_eq!(operations[1]["memory"]["heap_peak_bytes"], 9400);
    assert_eq!(operations[1]["memory"]["heap_allocations"], 3);
    assert_eq!(operations[2]["memory"]["heap_peak_bytes"], 0);
    let evidence = record["instances"][0]["evidence"].as_array().unwrap();
    let of_memory = evidence.iter().filter(|e| e["kind"] == "memory");
    assert_eq!(of_memory.count(), 3);
    let verify = || {
        let mut command = bench.program();
        texts(
            &command
                .args(["verify", "--data"])
                .arg(&data)
                .output()
                .unwrap(),
        )
    };
    let (code, stdout, stderr) = verify();
    assert_eq!(code, 0, "{stdout}{stderr}");
    let run = bench.run_directory().file_name().unwrap().to_owned();
    let raw = data.join("local/raw").join(run);
    let raw = raw.join("memory/toy/greedy__clean__enc.json");
    let text = fs::read_to_string(&raw).unwrap();
    fs::write(&raw, text.replace("9400", "400")).unwrap();
    let (code, stdout, _) = verify();
    assert_eq!(code, 1);
    assert!(
        stdout.contains("operations[1].memory.heap_peak_bytes: 9400 is published, 400 comes"),
        "{stdout}"
    );
}

#[test]
fn a_missing_record_of_memory_is_made_on_resume_without_timing_again() {
    let bench = Bench::new(&["greedy"]);
    let (code, stdout, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let run = bench.run_directory();
    let record = run.join("records/toy/greedy__clean__enc.json");
    let before = fs::read(&record).unwrap();
    let enc = memory(&bench, "enc");
    fs::remove_file(run.join("memory/toy/greedy__clean__enc.json")).unwrap();
    let manifest = run.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"complete\"", "\"interrupted\"")).unwrap();
    let mut resume = bench.program();
    let (code, stdout, stderr) =
        texts(&resume.args(["run", "--resume"]).arg(&run).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert_eq!(memory(&bench, "enc")["heap"], enc["heap"]);
    assert_eq!(fs::read(&record).unwrap(), before);
}

#[test]
fn an_operation_that_fails_has_no_memory() {
    let bench = Bench::new(&["crash"]);
    let (code, _, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 1, "{stderr}");
    let there = |operation: &str| {
        let file = format!("memory/toy/crash__clean__{operation}.json");
        bench.run_directory().join(file).is_file()
    };
    // It aborts in encapsulation, which decapsulation needs.
    assert_eq!(["keygen", "enc", "dec"].map(there), [true, false, false]);
}
