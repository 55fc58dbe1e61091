//! Runs are interrupted, killed, resumed and kept apart.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::{Bench, texts};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A run of an honest KEM and one that hangs; answers once the honest one is done.
fn hanging_run(bench: &Bench) -> Child {
    let mut process = bench
        .quick_run(&["--timeout", "600"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("the first instance is done", || {
        assert!(process.try_wait().unwrap().is_none(), "the run ended early");
        fs::read_dir(bench.runs())
            .ok()
            .and_then(|mut runs| Some(runs.next()?.ok()?.path()))
            .is_some_and(|run| run.join("build/toy/hang.json").is_file())
    });
    process
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a process works on a library of this bench.
fn is_measuring(bench: &Bench) -> bool {
    let library = bench.runs().display().to_string();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.into_iter().any(|process| {
        let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).replace('\0', " ");
        words.contains(" child ") && words.contains(&library)
    })
}

fn signal(process: &Child, signal: Signal) {
    kill(Pid::from_raw(process.id() as i32), signal).unwrap();
}

/// Resumes with a short timeout and checks that what was done stayed as it was.
fn resume(bench: &Bench, run: Option<&Path>) {
    let record = bench.run_directory().join("records/toy/honest__dec.json");
    let before = fs::read(&record).unwrap();
    let mut command = bench.program();
    command.arg("run").arg("--resume");
    if let Some(run) = run {
        command.arg(run);
    }
    command
        .arg("--runs")
        .arg(bench.runs())
        .args(["--timeout", "1"]);
    let (code, stdout, stderr) = texts(&command.output().unwrap());
    assert_eq!(code, 1, "{stdout}{stderr}");
    assert!(stdout.contains("TIMEOUT"), "{stdout}");
    assert_eq!(bench.json("manifest.json")["status"], "complete");
    assert_eq!(fs::read(&record).unwrap(), before);
}

#[test]
fn an_interrupted_run_says_how_to_go_on_and_resumes() {
    let bench = Bench::new(&["honest", "hang"]);
    let process = hanging_run(&bench);
    signal(&process, Signal::SIGINT);
    let (code, stdout, stderr) = texts(&process.wait_with_output().unwrap());
    assert_eq!(code, 1, "{stdout}{stderr}");
    assert!(
        stdout.contains("go on with `native-runner run --resume"),
        "{stdout}"
    );
    assert_eq!(bench.json("manifest.json")["status"], "interrupted");
    resume(&bench, Some(&bench.run_directory()));
    // A complete run is left alone.
    let mut again = bench.program();
    again.arg("run").arg("--resume").arg(bench.run_directory());
    let (_, stdout, stderr) = texts(&again.output().unwrap());
    assert!(stdout.contains("nothing to resume"), "{stdout}{stderr}");
}

#[test]
fn a_killed_run_takes_its_child_with_it_and_resumes() {
    let bench = Bench::new(&["honest", "hang"]);
    let mut process = hanging_run(&bench);
    wait_until("a measuring process is there", || is_measuring(&bench));
    signal(&process, Signal::SIGKILL);
    process.wait().unwrap();
    wait_until("the measuring process is gone", || !is_measuring(&bench));
    assert_eq!(bench.json("manifest.json")["status"], "running");
    // The latest unfinished run is found without being named.
    resume(&bench, None);
}

#[test]
fn a_second_runner_is_kept_out() {
    let bench = Bench::new(&["honest", "hang"]);
    let mut process = hanging_run(&bench);
    let mut second = bench.program();
    second.arg("run").arg("--resume").arg(bench.run_directory());
    let (code, _, stderr) = texts(&second.output().unwrap());
    assert_eq!(code, 2, "{stderr}");
    assert!(
        stderr.contains("another native-runner is at work"),
        "{stderr}"
    );
    signal(&process, Signal::SIGTERM);
    process.wait().unwrap();
}

#[test]
fn only_what_changed_is_built_again() {
    let bench = Bench::new(&["honest", "noisy"]);
    let build = || -> Vec<String> {
        let mut command = bench.program();
        command.args(["build", "--packages"]).arg(bench.packages());
        let (code, stdout, stderr) = texts(&command.output().unwrap());
        assert_eq!(code, 0, "{stderr}");
        let states = stdout
            .lines()
            .filter_map(|l| l.split("  ").last().map(str::trim));
        states.skip(2).map(str::to_owned).collect()
    };
    assert_eq!(build(), ["built", "built"]);
    assert_eq!(build(), ["up to date", "up to date"]);
    let source = bench.packages().join("crypto_kem/noisy/clean/kem.c");
    let text = fs::read_to_string(&source).unwrap();
    fs::write(&source, text + "\n/* changed */\n").unwrap();
    assert_eq!(build(), ["up to date", "built"]);
    // A header of the shared folder, then one that only one instance has in a folder of its own.
    append(&bench.packages().join("common/toy.h"));
    assert_eq!(build(), ["built", "built"]);
    let own = bench.packages().join("crypto_kem/honest/clean/tables");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("zetas.inc"), "\n").unwrap();
    assert_eq!(build(), ["built", "up to date"]);
    append(&own.join("zetas.inc"));
    assert_eq!(build(), ["built", "up to date"]);
}

fn append(path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    fs::write(path, text + "\n/* changed */\n").unwrap();
}

#[test]
fn an_interruption_during_trials_costs_one_at_most() {
    let bench = Bench::new(&["slow"]);
    let mut process = bench
        .quick_run(&[])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let partial = "records/toy/slow__keygen.partial.json";
    let trials_at = |run: &Path| -> Option<Vec<Value>> {
        let bytes = fs::read(run.join(partial)).ok()?;
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        value["trials"].as_array().cloned()
    };
    wait_until("two trials are done", || {
        assert!(process.try_wait().unwrap().is_none(), "the run ended early");
        let run = fs::read_dir(bench.runs()).ok().and_then(|mut r| r.next());
        let run = run.and_then(Result::ok).map(|run| run.path());
        run.and_then(|run| trials_at(&run))
            .is_some_and(|trials| trials.len() >= 2)
    });
    signal(&process, Signal::SIGINT);
    let (code, stdout, stderr) = texts(&process.wait_with_output().unwrap());
    assert_eq!(code, 1, "{stdout}{stderr}");
    let calibration = bench.json("calibration/toy/slow__keygen.json");
    let kept = trials_at(&bench.run_directory()).expect("the trials are kept");
    assert!(kept.len() < 5, "it was interrupted during its trials");

    let mut command = bench.program();
    command
        .args(["run", "--resume", "--runs"])
        .arg(bench.runs());
    let (code, stdout, stderr) = texts(&command.output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let record = bench.json("records/toy/slow__keygen.json");
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
    let (kat, enc) = ("kat/toy/honest.json", "records/toy/honest__enc.json");
    let dec = bench.json("records/toy/honest__dec.json");

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
    assert_eq!(bench.json("records/toy/honest__dec.json"), dec);

    // A test and a calibration of another library say nothing; a damaged record is told.
    let other = "0".repeat(64);
    change("manifest.json", &|v| v["status"] = "interrupted".into());
    change(kat, &|v| {
        v["library_sha256"] = other.clone().into();
        v["result"]["status"] = "mismatch".into();
    });
    let calibration = "calibration/toy/honest__enc.json";
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
fn a_damaged_library_is_built_again_on_resume() {
    let bench = Bench::new(&["honest", "hang"]);
    let process = hanging_run(&bench);
    signal(&process, Signal::SIGINT);
    process.wait_with_output().unwrap();
    let library = bench.run_directory().join("build/toy/honest.so");
    fs::write(&library, b"not a library").unwrap();
    resume(&bench, None);
    assert!(fs::read(&library).unwrap().starts_with(b"\x7fELF"));
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
    let record = "records/toy/honest__enc.json";
    let mut disturbed = bench.json(record);
    disturbed["trials"][3]["disturbed"] = true.into();
    write(record, &disturbed);
    let (code, stdout, stderr) = resume();
    assert_eq!(code, 1, "{stdout}{stderr}");
    assert!(stdout.contains("honest enc (1)"), "{stdout}");

    let manifest = bench.json("manifest.json");
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

#[test]
fn two_implementations_of_an_instance_are_chosen_by_name() {
    let bench = Bench::new(&["honest"]);
    let set = bench.packages().join("crypto_kem/honest");
    fs::create_dir(set.join("fast")).unwrap();
    for file in ["api.h", "kem.c"] {
        fs::copy(set.join("clean").join(file), set.join("fast").join(file)).unwrap();
    }
    let catalogue = bench.packages().join("catalogue.toml");
    let text = fs::read_to_string(&catalogue).unwrap();
    let other = "{ name = \"honest\", directory = \"honest\", implementation = \"fast\" },\n";
    fs::write(
        &catalogue,
        text.trim_end().trim_end_matches(']').to_owned() + other + "]\n",
    )
    .unwrap();
    let (code, _, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 2, "{stderr}");
    assert!(
        stderr.contains("name toy/honest/clean or toy/honest/fast"),
        "{stderr}"
    );
    assert!(!bench.runs().exists(), "nothing was begun");
    let one = bench.quick_run(&["toy/honest/fast"]).output().unwrap();
    assert_eq!(one.status.code(), Some(0), "{:?}", texts(&one));
    assert_eq!(bench.json("kat/toy/honest.json")["implementation"], "fast");
}

#[test]
fn bad_names_and_options_are_refused_before_anything_is_done() {
    let bench = Bench::new(&["honest"]);
    let cases: [(&[&str], &str); 5] = [
        (&["nothing"], "no instance `nothing`; there are honest"),
        (&["--family", "x"], "no family `x`; there are toy"),
        (&["--cpu", "9999"], "may not run on CPU 9999"),
        (&["--system", "My Board"], "--system My Board"),
        (&["--timeout", "0"], "--timeout"),
    ];
    for (arguments, expected) in cases {
        let (code, _, stderr) = texts(&bench.quick_run(arguments).output().unwrap());
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
        assert!(!bench.runs().exists(), "nothing was begun");
    }
}

#[test]
fn a_broken_catalogue_names_file_and_place() {
    let bench = Bench::new(&["honest"]);
    fs::write(bench.packages().join("catalogue.toml"), "[[family]\n").unwrap();
    let (code, _, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 2);
    assert!(
        stderr.contains("catalogue.toml") && stderr.contains("line 1"),
        "{stderr}"
    );
}
