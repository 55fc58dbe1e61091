//! A misbehaving KEM beside an honest one.

use super::{Bench, texts};
use kemscope_schema::CycleSource;
use kemscope_schema::run::OperationRun;
use serde_json::Value;

/// Runs one KEM beside an honest one; gives its test, its build and its records.
pub fn run(kem: &str, expected_code: i32) -> (Bench, Value) {
    let bench = Bench::new(&[kem, "honest"]);
    let output = bench.quick_run(&["--timeout", "1"]).output().unwrap();
    let (code, stdout, stderr) = texts(&output);
    assert_eq!(code, expected_code, "{stdout}{stderr}");
    // Whatever the first one did, the campaign went on.
    let honest = bench.json("kat/toy/honest__clean.json");
    assert_eq!(honest["result"]["status"], "pass", "{honest}");
    for operation in ["keygen", "enc", "dec"] {
        let record = bench.json(&format!("records/toy/honest__clean__{operation}.json"));
        assert_eq!(record["trials"].as_array().unwrap().len(), 5, "{record}");
        assert_eq!(record["plan_kind"], "quick");
        assert_eq!(record["honest_decapsulation"], true);
        has_cycles(record, &bench.json("manifest.json"));
    }
    assert_eq!(bench.json("manifest.json")["status"], "complete");
    let kat = bench.json(&format!("kat/toy/{kem}__clean.json"));
    (bench, kat)
}

/// Whether a finished record has the cycles that the host can count.
fn has_cycles(record: Value, manifest: &Value) {
    let record: OperationRun = serde_json::from_value(record).unwrap();
    let statistics = record.statistics().unwrap();
    let source = record.cycle_source();
    let promised = &manifest["environment"]["cycle_source"];
    assert_eq!(source.map(CycleSource::name), promised.as_str());
    assert_eq!(statistics.mean_cycles.is_some(), source.is_some());
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap();
    if cfg!(target_arch = "x86_64") && cpu.contains("constant_tsc") && cpu.contains("nonstop_tsc") {
        assert!(statistics.mean_cycles.unwrap() > 0.0);
    }
}

/// The failure in a record, and its message.
pub fn failure(bench: &Bench, kem: &str, operation: &str) -> (Value, String) {
    let record = bench.json(&format!("records/toy/{kem}__clean__{operation}.json"));
    let failure = record["failure"].clone();
    let message = failure["message"].as_str().unwrap_or_default().to_owned();
    assert!(record["trials"].as_array().unwrap().is_empty() || failure.is_null());
    (failure, message)
}
