//! Packages cross-built for AArch64 and run under an emulator.
//!
//! Needs a cross compiler, QEMU's user-mode emulator and the native-runner that `cargo xtask cross-runner` builds;
//! without them the tests say so and check nothing.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::{Bench, texts};
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// The native-runner for AArch64 beside the program under test.
fn cross_runner() -> Option<PathBuf> {
    let program = Path::new(env!("CARGO_BIN_EXE_native-runner"));
    let target = program.parent().and_then(Path::parent).unwrap();
    let runner = target.join(TARGET).join("release/native-runner");
    let works = |name: &str| Command::new(name).arg("--version").output().is_ok();
    let all = runner.is_file() && works("qemu-aarch64-static") && works("aarch64-linux-gnu-gcc");
    if !all {
        println!(
            "skipped: needs aarch64-linux-gnu-gcc, qemu-aarch64-static and `cargo xtask cross-runner`"
        );
    }
    all.then_some(runner)
}

#[test]
fn cross_built_libraries_pass_under_the_emulator_and_are_not_published() {
    let Some(runner) = cross_runner() else {
        return;
    };
    let bench = Bench::new(&["honest", "crash"]);
    let mut run = bench.quick_run(&["--target", TARGET, "--emulate", "--system", "emulated"]);
    run.arg("--runner").arg(&runner);
    let (code, stdout, stderr) = texts(&run.output().unwrap());
    assert_eq!(code, 1, "{stdout}{stderr}");
    let kat = bench.json("kat/toy/honest__clean.json");
    assert_eq!(kat["result"]["status"], "pass", "{kat}");
    // The toy does not look at the last bytes of its ciphertext.
    assert_eq!(kat["rejection"]["outcome"], "accepted", "{kat}");
    let crash = bench.json("kat/toy/crash__clean.json");
    assert_eq!(crash["failure"]["signal"], "SIGABRT", "{crash}");

    let manifest = bench.json("manifest.json");
    assert_eq!(manifest["architecture"], "aarch64");
    assert_eq!(manifest["emulation"]["target"], TARGET);
    let library = std::fs::read(bench.run_directory().join("build/toy/honest__clean.so")).unwrap();
    // ELF's machine number of AArch64.
    assert_eq!(library[18..20], [183, 0]);
    let record = bench.json("records/toy/honest__clean__enc.json");
    assert_eq!(record["trials"].as_array().unwrap().len(), 5);
    let environment = &record["environment"];
    assert_eq!(environment["emulated"], true);
    assert!(environment["cycle_source"].is_null());
    assert!(
        environment["processor"]
            .as_str()
            .unwrap()
            .contains("emulated")
    );
    assert_eq!(environment["findings"][0]["check"], "emulated");

    // Wrappers are linked by the cross linker and count under the emulator too.
    let profile = bench.json("profiles/toy/honest__clean__enc.json");
    assert_eq!(profile["tick_source"], "cntvct_el0", "{profile}");
    assert_eq!(profile["calls"][0]["fn"], "randombytes", "{profile}");
    assert_eq!(profile["calls"][0]["calls"], profile["operations"]);

    let mut publish = bench.program();
    publish.args(["publish", "--runs"]).arg(bench.runs());
    publish.arg("--data").arg(bench.packages().join("data"));
    let (code, _, stderr) = texts(&publish.output().unwrap());
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("emulated"), "{stderr}");
}

#[test]
fn the_runner_itself_runs_under_the_emulator() {
    let Some(runner) = cross_runner() else {
        return;
    };
    let bench = Bench::new(&["honest"]);
    let mut run = Command::new("qemu-aarch64-static");
    run.args(["-L", "/usr/aarch64-linux-gnu"]).arg(&runner);
    run.args(["run", "--quick", "--packages"])
        .arg(bench.packages());
    run.arg("--runs").arg(bench.runs());
    run.env("KEMSCOPE_CACHE", bench.packages().join("cache"));
    // The compiler is a program of the real machine.
    run.env("CC", "aarch64-linux-gnu-gcc")
        .env("QEMU_LD_PREFIX", "/usr/aarch64-linux-gnu");
    let output = run.output().unwrap();
    let (code, stdout, stderr) = texts(&output);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert_eq!(bench.json("manifest.json")["architecture"], "aarch64");
    assert_eq!(bench.json("manifest.json")["environment"]["emulated"], true);
}

#[test]
fn what_does_not_run_here_is_built_but_not_measured() {
    let bench = Bench::new(&["honest"]);
    let target = match std::env::consts::ARCH {
        "aarch64" => "x86_64-unknown-linux-gnu",
        _ => TARGET,
    };
    let output = bench.quick_run(&["--target", target]).output().unwrap();
    let (code, _, stderr) = texts(&output);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("add --emulate"), "{stderr}");
    assert!(!bench.runs().exists(), "nothing was begun");
}
