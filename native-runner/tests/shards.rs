//! A campaign in shards is the campaign.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::equal::assert_same;
use common::gate::Gate;
use common::{Bench, files_below, signal, texts, wait_until};
use nix::sys::signal::Signal;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A campaign with something of everything: a test that passes, one with other flags, a build that fails.
const KEMS: &[&str] = &["honest", "gnu", "broken", "noisy", "slow"];

/// A shard of a quick run, with a cache of its own as another node would have.
fn shard(bench: &Bench, part: &str, more: &[&str]) -> Command {
    let mut command = bench.quick_run(&["--shard", part, "--resume-or-begin"]);
    let cache = bench.file(&format!("cache {}", part.replace('/', " of ")));
    command.args(more).env("KEMSCOPE_CACHE", cache);
    command
}

fn merge(bench: &Bench, shards: &[PathBuf], more: &[&str]) -> (i32, String, String) {
    let mut command = bench.program();
    command.arg("merge").args(shards).args(more);
    command.arg("--into").arg(bench.file("merged"));
    texts(&command.output().unwrap())
}

/// Runs shards one after the other, and gives their directories in order of their numbers.
fn all_shards(bench: &Bench, of: u32, more: &[&str]) -> Vec<PathBuf> {
    for number in 1..=of {
        let output = shard(bench, &format!("{number}/{of}"), more)
            .output()
            .unwrap();
        let (code, stdout, stderr) = texts(&output);
        assert!([0, 1].contains(&code), "{stdout}{stderr}");
    }
    let of_number = |number: u32| {
        let end = format!("-{number}-of-{of}");
        let mut runs = bench.run_directories().into_iter();
        runs.find(|run| run.to_string_lossy().ends_with(&end))
            .unwrap()
    };
    (1..=of).map(of_number).collect()
}

fn manifest(run: &Path) -> Value {
    serde_json::from_slice(&fs::read(run.join("manifest.json")).unwrap()).unwrap()
}

fn change(path: &Path, change: &dyn Fn(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, serde_json::to_vec_pretty(&value).unwrap()).unwrap();
}

fn copy(from: &Path, to: &Path) {
    for path in files_below(from) {
        fs::create_dir_all(to.join(&path).parent().unwrap()).unwrap();
        fs::copy(from.join(&path), to.join(&path)).unwrap();
    }
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files_below(folder)
        .into_iter()
        .map(|path| (path.clone(), fs::read(folder.join(path)).unwrap()))
        .collect()
}

#[test]
fn two_shards_by_gnu_parallel_are_the_unsharded_run() {
    if Command::new("parallel").arg("--version").output().is_err() {
        println!("skipped: there is no GNU parallel");
        return;
    }
    let bench = Bench::new(KEMS);
    // The program's own words, with {} for the number of the shard.
    let one = shard(&bench, "{}/2", &[]);
    let mut command = Command::new("parallel");
    command.args(["--quote", "--jobs", "2", "--will-cite"]);
    command.arg(one.get_program()).args(one.get_args());
    command
        .args([":::", "1", "2"])
        .env("KEMSCOPE_CACHE", bench.file("shared cache"));
    let (code, stdout, stderr) = texts(&command.output().unwrap());
    // The exit code is the number of jobs that did not end well: that with the broken one.
    assert_eq!(code, 1, "{stdout}{stderr}");
    let shards = bench.run_directories();
    assert_eq!(shards.len(), 2, "{stderr}");

    let before: Vec<_> = shards.iter().map(|shard| contents(shard)).collect();
    let (code, stdout, stderr) = merge(&bench, &shards, &[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(
        stdout.contains("merged 5 instances of 2 shards"),
        "{stdout}"
    );
    let after: Vec<_> = shards.iter().map(|shard| contents(shard)).collect();
    assert!(before == after, "shards stay as they are");

    // The same without shards.
    let folder = bench.file("whole");
    let output = bench.quick_run_below(&folder, &[]).output().unwrap();
    let (code, stdout, stderr) = texts(&output);
    assert_eq!(code, 1, "{stdout}{stderr}");
    let entries = fs::read_dir(&folder).unwrap().flatten();
    let whole = entries
        .map(|e| e.path())
        .find(|path| path.is_dir())
        .unwrap();
    assert_same(&bench.file("merged"), &whole);

    // It is published and verified like any other.
    publishes(&bench, &bench.file("merged"));
}

/// Publishes a run into a folder of its own and verifies both.
fn publishes(bench: &Bench, run: &Path) {
    let data = bench.file("data");
    let say = |words: &[&str], paths: &[&Path]| {
        let mut command = bench.program();
        command.args(words).args(paths).arg("--data").arg(&data);
        texts(&command.output().unwrap())
    };
    let (code, stdout, stderr) = say(&["verify"], &[run]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let (code, stdout, stderr) = say(&["publish"], &[run]);
    assert_eq!(code, 1, "one did not build: {stdout}{stderr}");
    let (code, stdout, stderr) = say(&["verify"], &[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("12 operations"), "{stdout}");
}

#[test]
fn a_shard_that_is_started_again_just_goes_on() {
    let (bench, gate) = (Bench::new(&["gate", "honest"]), Gate::new());
    // The gate's is the first of two equal ones: shard 1.
    gate.close(2, r#""kind":"trial","operation":"enc""#);
    let again = || shard(&bench, "1/2", &[]);
    gate.kill_at(&mut again(), &|| true);
    let partial = bench.json("records/toy/gate__clean__enc.partial.json");
    assert_eq!(partial["trials"].as_array().unwrap().len(), 1);

    // The batch system starts the same command again, and once more although all is done.
    for said in ["run directory", "nothing to resume"] {
        let (code, stdout, stderr) = texts(&gate.before(&mut again()).output().unwrap());
        assert_eq!(code, 0, "{stdout}{stderr}");
        assert!((stdout + &stderr).contains(said), "{said}");
        assert_eq!(bench.json("manifest.json")["status"], "complete");
    }
    assert_eq!(gate.counts()["trial keygen"], 5);
    assert_eq!(gate.counts()["trial enc"], 6);
    let kept = bench.json("records/toy/gate__clean__enc.json");
    assert_eq!(kept["trials"][0], partial["trials"][0]);
}

#[test]
fn two_of_the_same_shard_do_not_run_at_once() {
    let (bench, gate) = (Bench::new(&["gate"]), Gate::new());
    gate.close(1, r#""kind":"kat""#);
    let mut first = gate.hold(&mut shard(&bench, "1/1", &[]));
    let output = gate
        .before(&mut shard(&bench, "1/1", &[]))
        .output()
        .unwrap();
    let (code, _, stderr) = texts(&output);
    assert_eq!(code, 2, "{stderr}");
    assert!(
        stderr.contains("another native-runner is at work"),
        "{stderr}"
    );
    assert_eq!(bench.run_directories().len(), 1);
    signal(&first, Signal::SIGTERM);
    gate.open();
    assert_eq!(first.wait().unwrap().code(), Some(143));
}

#[test]
fn a_merge_that_is_killed_can_be_repeated() {
    let bench = Bench::new(&["honest", "noisy"]);
    let shards = all_shards(&bench, 2, &[]);
    let before: Vec<_> = shards.iter().map(|shard| contents(shard)).collect();
    // Reading the second log goes on until somebody writes to it.
    let log = shards[1].join("run.log");
    let kept = fs::read(&log).unwrap();
    fs::remove_file(&log).unwrap();
    nix::unistd::mkfifo(&log, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let mut command = bench.program();
    command.arg("merge").args(&shards);
    let mut process = command.arg("--runs").arg(bench.runs()).spawn().unwrap();
    let unfinished = || {
        let entries = fs::read_dir(bench.runs()).unwrap().flatten();
        entries
            .map(|entry| entry.path())
            .filter(|path| !shards.contains(path))
            .find(|path| path.join("records/toy/noisy__clean__dec.json").exists())
    };
    wait_until("the records are copied", || unfinished().is_some());
    let left = unfinished().unwrap();
    signal(&process, Signal::SIGKILL);
    process.wait().unwrap();
    fs::remove_file(&log).unwrap();
    fs::write(&log, kept).unwrap();
    // What is left is taken neither for a run to publish nor for one to resume.
    let mut publish = bench.program();
    publish
        .args(["publish", "--runs"])
        .arg(bench.runs())
        .arg("--data")
        .arg(bench.file("data"));
    let (code, _, stderr) = texts(&publish.output().unwrap());
    assert_eq!(code, 2);
    assert!(stderr.contains("no complete run"), "{stderr}");

    let mut command = bench.program();
    command
        .arg("merge")
        .args(&shards)
        .arg("--runs")
        .arg(bench.runs());
    let (code, stdout, stderr) = texts(&command.output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(!left.exists(), "what the killed one left is gone");
    let after: Vec<_> = shards.iter().map(|shard| contents(shard)).collect();
    assert!(before == after, "shards stay as they are");
    let (code, stdout, stderr) = texts(&publish.output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("-merged as system local"), "{stdout}");
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let bench = Bench::new(&["honest", "noisy"]);
    let shards = all_shards(&bench, 2, &[]);
    let (first, second) = (shards[0].clone(), shards[1].clone());
    let refused = |shards: &[PathBuf], expected: &str| {
        let (code, stdout, stderr) = merge(&bench, shards, &[]);
        assert_eq!(code, 2, "{expected}: {stdout}");
        assert!(stderr.contains(expected), "{expected}: {stderr}");
        assert!(!bench.file("merged").exists());
    };
    // A copy of the second shard with something changed.
    let altered = |relative: &str, field: &str, value: Value| {
        let copied = bench.file("other");
        let _ = fs::remove_dir_all(&copied);
        copy(&second, &copied);
        change(&copied.join(relative), &|v| {
            *v.pointer_mut(field).unwrap() = value.clone()
        });
        [first.clone(), copied]
    };

    refused(
        std::slice::from_ref(&first),
        "shard 2/2 is missing (toy/noisy/clean)",
    );
    refused(
        &[first.clone(), first.clone()],
        "are both shard 1/2: name one of them",
    );
    refused(&[bench.packages()], "is not a run directory");
    let states = [
        ("/environment/kernel", "5.0", "the kernel is \"5.0\""),
        ("/environment/compiler", "cc 1", "the compiler is \"cc 1\""),
        ("/environment/clock", "fixed at 1 GHz", "the clock is"),
        (
            "/environment/cycle_source",
            "estimated",
            "the cycle source is \"estimated\"",
        ),
        (
            "/environment/processor",
            "Z80 (CPU 1, one core)",
            "the processor is \"Z80\"",
        ),
        ("/system", "other", "the system is \"other\""),
        ("/plan", "published", "the plan is \"published\""),
    ];
    for (field, value, expected) in states {
        refused(&altered("manifest.json", field, value.into()), expected);
    }
    let digest = Value::from("0".repeat(64));
    let cases = [
        ("/campaign_sha256", digest.clone(), "other options"),
        ("/status", "interrupted".into(), "is not complete"),
        ("/shard/split/0/shard", 2.into(), "it was split otherwise"),
        (
            "/shard/split/0/input_sha256/0",
            digest.clone(),
            "other sources, flags or compiler for toy/honest/clean, so another library",
        ),
        ("/shard/of", 3.into(), "the number of shards is 3, there 2"),
    ];
    for (field, value, expected) in cases {
        refused(&altered("manifest.json", field, value), expected);
    }
    let enc = "records/toy/noisy__clean__enc.json";
    refused(
        &altered(enc, "/trials/2/seconds", 0.into()),
        "not a positive duration",
    );
    refused(
        &altered(enc, "/library_sha256", digest.clone()),
        "library_sha256",
    );
    refused(
        &altered(
            enc,
            "/failure",
            serde_json::json!({"kind": "harness", "message": "no memory"}),
        ),
        "the measuring process itself failed",
    );
    let build = "build/toy/noisy__clean.json";
    let changed = altered(build, "/input_sha256", digest);
    refused(
        &changed,
        "was built from other sources, flags or compiler than the campaign began with",
    );
    let other = altered(build, "/library_sha256", Value::from("1".repeat(64)));
    refused(
        &[first.clone(), second.clone(), other[1].clone()],
        "with different libraries of toy/noisy",
    );
    let library = "build/toy/noisy__clean.so";
    let damaged = altered("manifest.json", "/run", "x".into());
    change(&damaged[1].join("manifest.json"), &|v| {
        v["run"] = manifest(&second)["run"].clone()
    });
    fs::write(damaged[1].join(library), b"x").unwrap();
    refused(&damaged, "build/toy/noisy__clean.so: SHA-256 is");
    // Without --shard it is no shard; where something is, nothing is written over.
    let output = bench
        .quick_run_below(&bench.file("whole"), &["honest"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let whole = fs::read_dir(bench.file("whole")).unwrap().flatten();
    let whole = whole.map(|e| e.path()).find(|path| path.is_dir()).unwrap();
    refused(&[first.clone(), whole], "is no shard");
    fs::create_dir(bench.file("merged")).unwrap();
    let (code, _, stderr) = merge(&bench, &shards, &[]);
    assert_eq!(code, 2);
    assert!(stderr.contains("is there already"), "{stderr}");
    fs::remove_dir(bench.file("merged")).unwrap();

    // What is left of it may be joined when that is said, and a shard may come from an equal machine.
    change(&second.join("private.json"), &|v| {
        v["host_name"] = "node-2".into()
    });
    let (code, stdout, stderr) = merge(&bench, &shards[1..], &["--partial"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stdout.contains("missing: toy/honest/clean (shard 1)"),
        "{stdout}"
    );
    fs::remove_dir_all(bench.file("merged")).unwrap();
    let (code, _, stderr) = merge(&bench, &[second, first], &[]);
    assert_eq!(code, 0, "{stderr}");
    let hosts = &manifest(&bench.file("merged"))["merged_from"]["shards"];
    assert_eq!(
        (&hosts[0]["host"], &hosts[1]["host"]),
        (&1.into(), &2.into())
    );
    let text = fs::read_to_string(bench.file("merged/manifest.json")).unwrap();
    assert!(!text.contains("node-2"), "host names are private");
}

#[test]
fn an_altered_merged_run_is_found_out() {
    let bench = Bench::new(&["honest", "noisy"]);
    let shards = all_shards(&bench, 2, &[]);
    assert_eq!(merge(&bench, &shards, &[]).0, 0);
    let merged = bench.file("merged");
    let verify = || {
        let mut command = bench.program();
        let (code, stdout, _) = texts(&command.arg("verify").arg(&merged).output().unwrap());
        (code, stdout)
    };
    assert_eq!(verify().0, 0);
    let path = merged.join("manifest.json");
    let sound = fs::read(&path).unwrap();
    let first_run = manifest(&merged)["merged_from"]["shards"][0]["run"].clone();
    let cases = [
        (
            "/environment/memory_mib",
            Value::from(1),
            "environment is not that of its shards",
        ),
        ("/cpu", Value::from(999), "cpu is not that of its shards"),
        (
            "/merged_from/shards/1/run",
            first_run,
            "record of enc: run is",
        ),
        ("/merged_from/split/0/shard", Value::from(2), "run is"),
    ];
    for (field, value, expected) in cases {
        change(&path, &|v| *v.pointer_mut(field).unwrap() = value.clone());
        let (code, stdout) = verify();
        assert_eq!(code, 1, "{field}: {stdout}");
        assert!(stdout.contains(expected), "{field}: {stdout}");
        fs::write(&path, &sound).unwrap();
    }
    // It is not gone on with: its records are the shards'.
    change(&path, &|v| v["status"] = "interrupted".into());
    let mut resume = bench.program();
    let (code, _, stderr) = texts(
        &resume
            .args(["run", "--resume"])
            .arg(&merged)
            .output()
            .unwrap(),
    );
    assert_eq!(code, 2);
    assert!(stderr.contains("was joined from shards"), "{stderr}");
}

#[test]
fn instances_are_split_by_what_they_cost() {
    let bench = Bench::new(&["honest", "slow", "noisy", "gnu"]);
    let shards_of = |run: &Path| -> Vec<(String, i64)> {
        let split = manifest(run)["shard"]["split"].as_array().unwrap().clone();
        let entry = |e: &Value| {
            (
                e["instance"].as_str().unwrap().to_owned(),
                e["shard"].as_i64().unwrap(),
            )
        };
        split.iter().map(entry).collect()
    };
    let costs = bench.file("costs.csv");
    let text = "instance,seconds\ntoy/honest/clean,1\ntoy/slow/clean,9\ntoy/noisy/clean,2\ntoy/gnu/clean,3\n";
    fs::write(&costs, text).unwrap();
    let by =
        |path: &Path| -> Vec<String> { ["--costs".to_owned(), path.display().to_string()].into() };
    let words = by(&costs);
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    let shards = all_shards(&bench, 2, &words);
    let own = |entries: &[(&str, i64)]| -> Vec<(String, i64)> {
        entries
            .iter()
            .map(|(name, shard)| ((*name).to_owned(), *shard))
            .collect()
    };
    let expected = own(&[("honest", 2), ("slow", 1), ("noisy", 2), ("gnu", 2)]);
    for shard in &shards {
        assert_eq!(shards_of(shard), expected);
    }
    assert_eq!(
        manifest(&shards[0])["instances"].as_array().unwrap().len(),
        1
    );

    // Whoever splits otherwise learns it before anything is measured.
    fs::write(&costs, text.replace(",9", ",1")).unwrap();
    let (code, _, stderr) = texts(&shard(&bench, "1/2", &words).output().unwrap());
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("was split otherwise"), "{stderr}");

    // An earlier run knows better than a guess, a plan as well.
    let run = bench.file("run");
    assert_eq!(merge(&bench, &shards, &[]).0, 0);
    fs::rename(bench.file("merged"), &run).unwrap();
    let mut plan = bench.quick_run(&["--plan", "--costs-to"]);
    let (code, _, stderr) = texts(&plan.arg(bench.file("plan.csv")).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    for (number, known) in [run, bench.file("plan.csv")].iter().enumerate() {
        let folder = bench.file(&format!("by {number}"));
        let mut command = bench.quick_run_below(&folder, &["--shard", "1/2", "--costs"]);
        let (code, _, stderr) = texts(&command.arg(known).output().unwrap());
        assert_eq!(code, 0, "{stderr}");
        let run = fs::read_dir(&folder).unwrap().flatten();
        let run = run.map(|e| e.path()).find(|path| path.is_dir()).unwrap();
        let split = manifest(&run)["shard"]["split"].as_array().unwrap().clone();
        let seconds = |e: &Value| e["expected_seconds"].as_f64().unwrap();
        let longest = split
            .iter()
            .max_by(|a, b| seconds(a).total_cmp(&seconds(b)));
        assert_eq!(longest.unwrap()["instance"], "slow", "{split:?}");
        assert_eq!(longest.unwrap()["shard"], 1);
    }
}

#[test]
fn more_shards_than_instances_are_no_mistake() {
    let bench = Bench::new(&["honest"]);
    let shards = all_shards(&bench, 3, &[]);
    let (code, stdout, stderr) = merge(&bench, &shards, &[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(
        stdout.contains("merged 1 instances of 3 shards"),
        "{stdout}"
    );
}

#[test]
fn a_job_that_gets_another_core_goes_on_there() {
    let pinned = |cpu: &str| {
        let mut command = Command::new("taskset");
        command.args(["--cpu-list", cpu, env!("CARGO_BIN_EXE_native-runner")]);
        command
    };
    let can = |cpu: &str| {
        pinned(cpu)
            .arg("--version")
            .output()
            .is_ok_and(|o| o.status.success())
    };
    if !(can("0") && can("1")) {
        println!("skipped: there are no two CPUs to choose from, or no taskset");
        return;
    }
    // A batch system allows it one core only; a person names another one.
    let allowed = |bench: &Bench, cpu: &str| {
        let mut command = pinned(cpu);
        let words = bench.quick_run(&["--resume-or-begin"]);
        command
            .args(words.get_args())
            .env("KEMSCOPE_CACHE", bench.file("cache"));
        command
    };
    let named = |bench: &Bench, cpu: &str| bench.quick_run(&["--resume-or-begin", "--cpu", cpu]);
    moves(&allowed);
    moves(&named);
}

/// A run that is killed on CPU 0 and goes on on CPU 1.
fn moves(on: &dyn Fn(&Bench, &str) -> Command) {
    let (bench, gate) = (Bench::new(&["gate"]), Gate::new());
    gate.close(3, r#""kind":"trial","operation":"enc""#);
    gate.kill_at(&mut on(&bench, "0"), &|| true);
    let (code, stdout, stderr) = texts(&gate.before(&mut on(&bench, "1")).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let manifest = bench.json("manifest.json");
    assert_eq!(manifest["cpus"], serde_json::json!([0, 1]));
    let processor = |value: &Value| {
        value["environment"]["processor"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(processor(&manifest).contains("(CPUs 0, 1"), "{manifest}");
    let cpus = |operation: &str| -> Vec<i64> {
        let record = bench.json(&format!("records/toy/gate__clean__{operation}.json"));
        let trials = record["trials"].as_array().unwrap().clone();
        let cpus: Vec<i64> = trials
            .iter()
            .map(|trial| trial["cpu"].as_i64().unwrap())
            .collect();
        let named = format!("(CPU {},", cpus[0]);
        assert!(processor(&record).contains(&named), "{record}");
        cpus
    };
    // An operation's trials are of one core: those begun on the other one were made again.
    assert_eq!(cpus("enc"), [1; 5]);
    assert!(
        [cpus("keygen"), cpus("dec")]
            .iter()
            .all(|cpus| cpus.iter().all(|c| *c == cpus[0]))
    );
}
