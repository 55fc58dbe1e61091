//! A campaign on a cluster: the job script of docs/campaign.md on Debian's Slurm.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::equal::assert_same;
use common::gate::Gate;
use common::slurm::Cluster;
use common::{Bench, texts, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::path::{Path, PathBuf};

/// The job script as the documentation gives it.
fn script() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/campaign.md");
    let text = fs::read_to_string(path).unwrap();
    let begin = text.find("#!/bin/bash").expect("there is a job script");
    let length = text[begin..].find("```").expect("it ends");
    text[begin..begin + length].to_owned()
}

/// The runner of a job: the parent of the measuring process at the gate.
fn runner(gate: &Gate) -> Pid {
    let child = gate.measuring().unwrap();
    let status = fs::read_to_string(format!("/proc/{child}/status")).unwrap();
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
    Pid::from_raw(parent.unwrap().trim().parse().unwrap())
}

#[test]
fn an_array_job_that_is_killed_and_requeued_makes_the_unsharded_run() {
    let bench = Bench::new(&["gate", "honest", "gnu", "broken"]);
    let gate = Gate::new();
    let cluster = match Cluster::start() {
        Ok(cluster) => cluster,
        Err(why) => {
            println!("skipped: {why}");
            return;
        }
    };
    let path = bench.file("campaign.sbatch");
    fs::write(&path, script()).unwrap();
    let mut sbatch = cluster.command("sbatch");
    gate.before(&mut sbatch)
        .args(["--parsable", "--array=1-2"])
        .arg(&path)
        .current_dir(bench.file("."))
        .env("SHARDS", "2")
        .env("RUNNER", env!("CARGO_BIN_EXE_native-runner"))
        .env("PACKAGES", bench.packages())
        .env("RUNS", bench.runs())
        .env("SYSTEM", "local")
        .env("MORE", "--quick --keep-disturbed")
        .env("KEMSCOPE_CACHE", bench.file("cache of the node"));
    gate.close(2, r#""kind":"trial","operation":"enc""#);
    let job = cluster.submit(&mut sbatch);
    let (first, second) = (format!("{job}_1"), format!("{job}_2"));
    let log = || fs::read_to_string(bench.file("campaign-1.log")).unwrap_or_default();
    let reached = |what: &str| {
        wait_until(what, || {
            cluster.hurry(&first);
            let state = cluster.state(&first);
            assert!(
                !["FAILED", "COMPLETED"].contains(&&*state),
                "{state}: {}",
                log()
            );
            gate.is_reached()
        });
    };

    // The runner of the first task is killed without warning, and Slurm told to start it again.
    reached("the first task measures");
    kill(runner(&gate), Signal::SIGKILL).unwrap();
    wait_until("the first task has failed", || {
        cluster.state(&first) == "FAILED"
    });
    let of_first = |run: &PathBuf| run.to_string_lossy().ends_with("-1-of-2");
    let run = bench.run_directories().into_iter().find(of_first).unwrap();
    let status = || {
        let text = fs::read_to_string(run.join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        manifest["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(status(), "running");
    gate.close(2, r#""kind":"trial","operation":"enc""#);
    cluster.say("scontrol", &["requeue", &first]);

    // Now Slurm tells all processes of its step that time is nearly up: the runner stops in order, and the script
    // has itself started once more.
    reached("the first task measures again");
    cluster.say("scancel", &["--signal=TERM", &first]);
    wait_until("the first task has stopped", || status() == "interrupted");
    gate.open();
    wait_until("both tasks are done", || {
        cluster.hurry(&first);
        let states = [cluster.state(&first), cluster.state(&second)];
        states
            .iter()
            .all(|state| ["COMPLETED", "FAILED"].contains(&&**state))
    });
    // One of the second task's instances does not build, which is a result.
    let shards = bench.run_directories();
    assert_eq!(shards.len(), 2, "{}", log());
    assert_eq!(cluster.state(&first), "COMPLETED", "{}", log());
    assert_eq!(cluster.state(&second), "FAILED");
    // Nothing that was finished was done again; two trials of enc were cut off.
    let counts = gate.counts();
    for (task, number) in [
        ("kat", 1),
        ("trial keygen", 5),
        ("trial enc", 7),
        ("trial dec", 5),
    ] {
        assert_eq!(counts.get(task), Some(&number), "{task}: {counts:?}");
    }

    let merged = bench.file("merged");
    let mut merge = bench.program();
    merge.arg("merge").args(&shards).arg("--into").arg(&merged);
    let (code, stdout, stderr) = texts(&merge.output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let whole = bench.file("whole");
    // Slurm's choice of a core is not this program's own.
    let text = fs::read_to_string(merged.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let cpu = manifest["cpu"].as_u64().unwrap().to_string();
    let mut command = bench.quick_run_below(&whole, &["--cpu", &cpu]);
    let (code, stdout, stderr) = texts(&gate.before(&mut command).output().unwrap());
    assert_eq!(code, 1, "{stdout}{stderr}");
    let entries = fs::read_dir(&whole).unwrap().flatten();
    let whole = entries
        .map(|e| e.path())
        .find(|path| path.is_dir())
        .unwrap();
    assert_same(&merged, &whole);
}
