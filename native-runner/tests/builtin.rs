//! The built-in KEMs reproduce their published known-answer digests on this machine.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

use std::path::Path;
use std::process::Command;

#[test]
fn all_seven_pass_their_known_answer_tests() {
    // The cache outlives the test: sources are fetched and libraries built once.
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("builtin-cache");
    let runs = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_native-runner"))
        .env("KEMSCOPE_CACHE", cache)
        .args(["kat", "--runs"])
        .arg(runs.path())
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stdout}{stderr}");
    for instance in [
        "ml-kem/ML-KEM-512",
        "ml-kem/ML-KEM-768",
        "ml-kem/ML-KEM-1024",
        "hqc/HQC-128",
        "hqc/HQC-192",
        "hqc/HQC-256",
        "classic-mceliece/mceliece348864",
    ] {
        let row = stdout.lines().find(|line| line.starts_with(instance));
        assert!(row.is_some_and(|row| row.ends_with("PASS")), "{stdout}");
    }
}
