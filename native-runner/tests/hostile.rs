//! KEMs that misbehave in every way cost their own operation alone, and are told apart.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::beside::{failure, run};
use common::{Bench, texts};

#[test]
fn a_crash_names_signal_instance_and_operation() {
    let (bench, kat) = run("crash", 1);
    assert_eq!(kat["result"]["status"], "crypto-fail");
    assert_eq!(kat["failure"]["signal"], "SIGABRT");
    let (_, message) = failure(&bench, "crash", "enc");
    assert_eq!(message, "toy/crash enc: the process died of SIGABRT");
    // Key generation is not hit; decapsulation cannot be reached.
    assert!(failure(&bench, "crash", "keygen").0.is_null());
    assert_eq!(failure(&bench, "crash", "dec").0["kind"], "crash");
}

#[test]
fn a_wild_write_costs_its_operation_alone() {
    let (bench, kat) = run("wild", 1);
    assert_eq!(kat["failure"]["signal"], "SIGSEGV");
    assert!(failure(&bench, "wild", "keygen").0.is_null());
    assert!(failure(&bench, "wild", "enc").0.is_null());
    assert_eq!(failure(&bench, "wild", "dec").0["operation"], "dec");
}

#[test]
fn a_hang_is_stopped_in_time() {
    let (bench, kat) = run("hang", 1);
    assert_eq!(kat["result"]["status"], "timeout");
    let (_, message) = failure(&bench, "hang", "keygen");
    assert!(
        message.contains("toy/hang keygen: did not end within 3 s"),
        "{message}"
    );
}

#[test]
fn a_non_zero_return_is_no_success() {
    let (bench, kat) = run("nonzero", 1);
    assert_eq!(kat["result"]["status"], "crypto-fail");
    assert_eq!(kat["failure"]["return_code"], -7);
    let (_, message) = failure(&bench, "nonzero", "dec");
    assert_eq!(message, "toy/nonzero dec: returned -7 instead of 0");
}

#[test]
fn two_bytes_too_many_are_an_overflow() {
    let (bench, kat) = run("overflow", 1);
    assert_eq!(kat["result"]["status"], "overflow");
    let (_, message) = failure(&bench, "overflow", "enc");
    assert!(
        message.contains("wrote 2 bytes beyond the end of the ciphertext buffer of 40 bytes"),
        "{message}"
    );
}

#[test]
fn a_long_overrun_meets_the_guard_page() {
    let (bench, kat) = run("overrun", 1);
    assert_eq!(kat["result"]["status"], "overflow");
    let (_, message) = failure(&bench, "overrun", "enc");
    assert!(
        message.contains("ciphertext buffer of 40 bytes into its guard page"),
        "{message}"
    );
}

#[test]
fn a_wrong_decapsulation_is_not_timed() {
    let (bench, kat) = run("wrong", 1);
    assert_eq!(kat["result"]["status"], "crypto-fail");
    let (failure, message) = failure(&bench, "wrong", "dec");
    assert_eq!(failure["kind"], "crypto-fail");
    assert!(message.contains("another shared secret"), "{message}");
    let record = bench.json("records/toy/wrong__clean__enc.json");
    assert_eq!(record["honest_decapsulation"], false);
}

#[test]
fn what_a_library_prints_cannot_pass_for_an_answer() {
    let (_, kat) = run("noisy", 0);
    assert_eq!(kat["result"]["status"], "pass");
}

#[test]
fn a_process_left_behind_is_no_hang() {
    let (bench, kat) = run("forks", 0);
    assert_eq!(kat["result"]["status"], "pass", "{kat}");
    for operation in ["keygen", "enc", "dec"] {
        let (failure, message) = failure(&bench, "forks", operation);
        assert!(failure.is_null(), "{message}");
    }
}

#[test]
fn sources_that_do_not_compile_name_their_log() {
    let (bench, kat) = run("broken", 1);
    assert_eq!(kat["result"]["status"], "build-fail");
    let message = kat["result"]["message"].as_str().unwrap();
    assert!(message.contains("undeclared_key"), "{message}");
    assert!(message.contains("build/toy/broken__clean.log"), "{message}");
    let log =
        std::fs::read_to_string(bench.run_directory().join("build/toy/broken__clean.log")).unwrap();
    assert!(
        log.contains("-c") && log.contains("undeclared_key"),
        "{log}"
    );
    assert_eq!(
        bench.json("build/toy/broken__clean.json")["flag_set"],
        "harness-default"
    );
    assert!(
        !bench
            .run_directory()
            .join("records/toy/broken__clean__keygen.json")
            .exists()
    );
}

#[test]
fn gnu_c_falls_back_to_the_harness_flags_and_says_so() {
    let (bench, kat) = run("gnu", 0);
    assert_eq!(kat["result"]["status"], "pass");
    let build = bench.json("build/toy/gnu__clean.json");
    assert_eq!(build["flag_set"], "harness-default");
    let reason = build["fallback_reason"].as_str().unwrap();
    assert!(reason.contains("did not build with `guide`"), "{reason}");
    assert_eq!(
        bench.json("records/toy/gnu__clean__dec.json")["flag_set"],
        "harness-default"
    );
    assert_eq!(
        bench.json("build/toy/honest__clean.json")["flag_set"],
        "guide"
    );
}

#[test]
fn a_test_that_passes_only_with_the_harness_flags_is_kept_so() {
    let (bench, kat) = run("strict", 0);
    assert_eq!(kat["result"]["status"], "pass");
    let build = bench.json("build/toy/strict__clean.json");
    assert_eq!(build["flag_set"], "harness-default");
    let reason = build["fallback_reason"].as_str().unwrap();
    assert!(reason.contains("KAT CRYPTOFAIL with `guide`"), "{reason}");
    assert_eq!(kat["library_sha256"], build["library_sha256"]);
}

#[test]
fn a_mismatch_is_flagged_and_measured_all_the_same() {
    let bench = Bench::new(&["honest"]);
    let meta = bench.packages().join("crypto_kem/honest/META.yml");
    let text = std::fs::read_to_string(&meta).unwrap();
    let wrong = text.replace(common::HONEST_DIGEST, &"0".repeat(64));
    std::fs::write(&meta, wrong).unwrap();
    let (code, stdout, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 1, "{stdout}{stderr}");
    assert!(stdout.contains("MISMATCH"), "{stdout}");
    let kat = bench.json("kat/toy/honest__clean.json");
    assert_eq!(kat["result"]["status"], "mismatch");
    assert_eq!(kat["result"]["text_sha256"], common::HONEST_DIGEST);
    let message = kat["result"]["message"].as_str().unwrap();
    assert!(message.contains("harness-default"), "{message}");
    let record = bench.json("records/toy/honest__clean__enc.json");
    assert_eq!(record["kat"], "mismatch");
    assert_eq!(record["trials"].as_array().unwrap().len(), 5);
}
