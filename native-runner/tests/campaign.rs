//! Runs are interrupted, killed, resumed and kept apart.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::{Bench, signal, texts, wait_until};
use nix::sys::signal::Signal;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

/// A run of an honest KEM and one that hangs in its test; answers once the honest one is tested.
fn hanging_run(bench: &Bench) -> Child {
    let mut process = bench
        .quick_run(&["--timeout", "600"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("the first instance is tested", || {
        assert!(process.try_wait().unwrap().is_none(), "the run ended early");
        let run = bench.run_directories().pop();
        run.is_some_and(|run| {
            // The last field of the test's record: then it is done with this one.
            let kat = fs::read_to_string(run.join("kat/toy/honest__clean.json"));
            kat.is_ok_and(|kat| kat.contains("\"rejection\""))
        })
    });
    process
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

/// Resumes with a short timeout and checks that what was done stayed as it was.
fn resume(bench: &Bench, run: Option<&Path>) {
    let record = bench.run_directory().join("kat/toy/honest__clean.json");
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
fn a_damaged_library_is_built_again_on_resume() {
    let bench = Bench::new(&["honest", "hang"]);
    let process = hanging_run(&bench);
    signal(&process, Signal::SIGINT);
    process.wait_with_output().unwrap();
    let library = bench.run_directory().join("build/toy/honest__clean.so");
    fs::write(&library, b"not a library").unwrap();
    resume(&bench, None);
    assert!(fs::read(&library).unwrap().starts_with(b"\x7fELF"));
}

#[test]
fn two_implementations_of_an_instance_stand_beside_each_other() {
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
    let one = bench.quick_run(&["toy/honest/fast"]).output().unwrap();
    assert_eq!(one.status.code(), Some(0), "{:?}", texts(&one));
    let kat = bench.json("kat/toy/honest__fast.json");
    assert_eq!(kat["implementation"], "fast");
    fs::remove_dir_all(bench.runs()).unwrap();
    let (code, stdout, stderr) = texts(&bench.quick_run(&["HONEST"]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    for implementation in ["clean", "fast"] {
        let record = format!("records/toy/honest__{implementation}__enc.json");
        assert_eq!(bench.json(&record)["implementation"], implementation);
        assert!(
            stdout.contains(&format!("toy/honest/{implementation}")),
            "{stdout}"
        );
    }
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
