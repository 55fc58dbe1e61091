//! Libraries, disks and clocks at their limits: each costs what it has to, and says why.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::beside::{failure, run};
use common::{Bench, fixture, texts};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

#[test]
fn an_exit_in_the_middle_is_no_success() {
    let (bench, kat) = run("exits", 1);
    assert_eq!(kat["result"]["status"], "crypto-fail");
    let (failure, message) = failure(&bench, "exits", "enc");
    assert_eq!(failure["kind"], "crash");
    assert_eq!(
        message,
        "toy/exits enc: the process ended with exit code 0 before it was done"
    );
}

#[test]
fn closed_descriptors_are_named() {
    let (bench, kat) = run("closes", 1);
    assert_eq!(kat["result"]["status"], "crypto-fail");
    let (_, message) = failure(&bench, "closes", "enc");
    assert!(
        message.contains("could not report: its descriptors were closed"),
        "{message}"
    );
}

#[test]
fn endless_output_ends_with_its_time() {
    let (bench, kat) = run("flood", 1);
    assert_eq!(kat["result"]["status"], "timeout");
    let (failure, _) = failure(&bench, "flood", "dec");
    assert_eq!(failure["kind"], "timeout");
    let stderr = failure["stderr"].as_str().unwrap_or_default();
    assert!(stderr.len() <= 8192, "{} bytes were kept", stderr.len());
}

#[test]
fn a_gigabyte_is_given_and_shows() {
    let bench = Bench::new(&["hungry"]);
    let (code, _, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    let record = bench.json("records/toy/hungry__clean__keygen.json");
    for trial in record["trials"].as_array().unwrap() {
        assert!(trial["peak_rss_bytes"].as_u64().unwrap() > 1 << 30);
    }
}

#[test]
fn more_memory_than_allowed_costs_the_operation() {
    let bench = Bench::new(&["hungry", "honest"]);
    let limited = bench.quick_run(&["--memory-limit", "512"]).output();
    let (code, _, stderr) = texts(&limited.unwrap());
    assert_eq!(code, 1, "{stderr}");
    let (_, message) = failure(&bench, "hungry", "keygen");
    assert_eq!(message, "toy/hungry keygen: returned -3 instead of 0");
    let honest = bench.json("kat/toy/honest__clean.json");
    assert_eq!(honest["result"]["status"], "pass");
}

#[test]
fn an_undefined_function_fails_the_build_and_a_missing_one_the_load() {
    let (bench, kat) = run("missing", 1);
    assert_eq!(kat["result"]["status"], "build-fail");
    let message = kat["result"]["message"].as_str().unwrap();
    assert!(message.contains("nobody_defines_this"), "{message}");
    let build = bench.json("build/toy/missing__clean.json");
    assert_eq!(build["status"], "failed");
    let (_, kat) = run("drop", 1);
    let message = kat["result"]["message"].as_str().unwrap();
    assert!(
        message.contains("lacks TOY_CLEAN_crypto_kem_dec"),
        "{message}"
    );
}

/// A small file system of its own, where this user may make one.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn at(folder: &Path, options: &str) -> Option<SmallDisk> {
        fs::create_dir_all(folder).unwrap();
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(folder);
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        if !mounted {
            println!("skipped: no file system can be mounted here (needs root)");
        }
        mounted.then(|| SmallDisk(folder.to_owned()))
    }

    fn remount(&self, options: &str) {
        let mut mount = Command::new("mount");
        let status = mount.args(["-o", options]).arg(&self.0).status().unwrap();
        assert!(status.success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_stops_the_run_which_goes_on_when_there_is_room() {
    let bench = Bench::new(&["honest"]);
    let Some(disk) = SmallDisk::at(&bench.runs(), "size=48k") else {
        return;
    };
    let (code, _, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 2, "{stderr}");
    assert!(
        stderr.contains("No space left on device") && stderr.contains("run --resume"),
        "{stderr}"
    );
    disk.remount("remount,size=8m");
    let mut resume = bench.program();
    resume.args(["run", "--resume"]).arg(bench.run_directory());
    let (code, _, stderr) = texts(&resume.output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(bench.json("manifest.json")["status"], "complete");
}

#[test]
fn a_read_only_run_directory_is_named_with_a_remedy() {
    let bench = Bench::new(&["honest"]);
    let Some(_disk) = SmallDisk::at(&bench.runs(), "size=1m,ro") else {
        return;
    };
    let (code, _, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 2, "{stderr}");
    assert!(
        stderr.contains("Read-only file system") && stderr.contains("--runs"),
        "{stderr}"
    );
}

/// Compiles the clock that steps, to be loaded before the C library.
fn stepping_clock() -> (TempDir, PathBuf) {
    // LD_PRELOAD is a list with spaces between: the bench's own folder has one in its name.
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("stepping_clock.so");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let mut compile = Command::new(compiler);
    compile
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library);
    let status = compile
        .arg(fixture("../stepping_clock.c"))
        .status()
        .unwrap();
    assert!(status.success());
    (folder, library)
}

#[test]
fn a_time_of_day_that_steps_changes_no_duration() {
    let bench = Bench::new(&["honest"]);
    let (_folder, clock) = stepping_clock();
    let mut run = bench.quick_run(&[]);
    run.env("LD_PRELOAD", &clock).env("STEP_REALTIME", "1");
    let (code, _, stderr) = texts(&run.output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    let record = bench.json("records/toy/honest__clean__enc.json");
    for trial in record["trials"].as_array().unwrap() {
        let seconds = trial["seconds"].as_f64().unwrap();
        assert!(seconds > 0.0 && seconds < 60.0, "{seconds}");
    }
    let mut publish = bench.program();
    publish.args(["publish", "--runs"]).arg(bench.runs());
    publish.arg("--data").arg(bench.packages().join("data"));
    let (code, _, stderr) = texts(&publish.output().unwrap());
    assert_eq!(code, 0, "{stderr}");
}

#[test]
fn a_raw_clock_that_runs_backwards_gives_no_figure() {
    let bench = Bench::new(&["honest"]);
    let (_folder, clock) = stepping_clock();
    let mut run = bench.quick_run(&[]);
    run.env("LD_PRELOAD", &clock).env("STEP_RAW", "1");
    let (code, stdout, stderr) = texts(&run.output().unwrap());
    assert_eq!(code, 1, "{stdout}{stderr}");
    let record = bench.json("records/toy/honest__clean__enc.json");
    assert_eq!(record["failure"]["kind"], "harness", "{record}");
    let message = record["failure"]["message"].as_str().unwrap();
    assert!(message.contains("the clock did not advance"), "{message}");
}
