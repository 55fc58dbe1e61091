//! Plans, their order, precision, and hosts that are not fit.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::{Bench, texts};
use std::fs;

fn lines_with<'a>(text: &'a str, words: &[&str]) -> Vec<&'a str> {
    text.lines()
        .filter(|line| words.iter().all(|word| line.contains(word)))
        .collect()
}

#[test]
fn a_plan_is_shown_cheapest_first_and_nothing_is_recorded() {
    let bench = Bench::new(&["slow", "honest", "broken", "crash"]);
    let (code, stdout, stderr) = texts(&bench.quick_run(&["--plan"]).output().unwrap());
    assert_eq!(code, 1, "two cannot be timed: {stdout}{stderr}");
    assert!(!bench.runs().exists(), "nothing was begun");
    let rows: Vec<&str> = stdout
        .lines()
        .filter(|line| line.starts_with("toy/"))
        .collect();
    // Key generation of the slow one takes 150 ms, every other call some microseconds.
    assert_eq!(rows.len(), 6, "{stdout}");
    assert!(rows[5].starts_with("toy/slow/clean keygen"), "{stdout}");
    assert_eq!(
        lines_with(&stdout, &["not to be timed", "toy/broken"]).len(),
        1
    );
    assert_eq!(
        lines_with(&stdout, &["not to be timed", "toy/crash"]).len(),
        1
    );
    assert!(
        stdout.contains("6 operations in this order, quick plan"),
        "{stdout}"
    );

    let adaptive = ["--precision", "5%", "--max-trials", "9"];
    let mut command = bench.program();
    command
        .args(["run", "--plan", "--packages"])
        .arg(bench.packages());
    command
        .arg("--runs")
        .arg(bench.runs())
        .args(adaptive)
        .arg("honest");
    let (code, stdout, stderr) = texts(&command.output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(
        lines_with(&stdout, &["toy/honest", "5 to 9"]).len(),
        3,
        "{stdout}"
    );
}

#[test]
fn the_cheapest_operation_is_timed_first() {
    let bench = Bench::new(&["slow", "honest"]);
    let (code, stdout, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let log = fs::read_to_string(bench.run_directory().join("run.log")).unwrap();
    let timed: Vec<&str> = log.lines().filter(|line| line.contains(", n=")).collect();
    assert_eq!(timed.len(), 6, "{log}");
    assert!(timed[5].contains("slow keygen"), "{log}");
}

#[test]
fn a_precision_ends_an_operation_and_one_out_of_reach_is_told() {
    let bench = Bench::new(&["honest"]);
    let run = |precision: &str, most: &str| {
        let mut command = bench.program();
        command
            .args(["measure", "--keep-disturbed", "--packages"])
            .arg(bench.packages())
            .arg("--runs")
            .arg(bench.runs())
            .args(["--precision", precision, "--max-trials", most]);
        texts(&command.output().unwrap())
    };
    // Half of the mean is reached unless other work tears the trials apart, which is told; a millionth is not.
    let (code, stdout, stderr) = run("50%", "60");
    let told = stdout.lines().find(|line| line.contains("not reached"));
    assert_eq!(code, i32::from(told.is_some()), "{stdout}{stderr}");
    let enc_reached = told.is_none_or(|line| !line.contains("honest enc"));
    let record = bench.json("records/toy/honest__clean__enc.json");
    let trials = record["trials"].as_array().unwrap();
    let expected = if enc_reached { 5..60 } else { 60..61 };
    assert!(expected.contains(&trials.len()), "{}", trials.len());
    assert_eq!(record["plan_kind"], "adaptive");
    assert_eq!(record["plan"]["precision"], 0.5);
    assert_eq!(trials[4]["seed_number"], 4);
    assert!(stderr.contains(", adaptive"), "{stderr}");
    fs::remove_dir_all(bench.runs()).unwrap();

    let (code, stdout, stderr) = run("0.0001%", "6");
    assert_eq!(code, 1, "{stdout}{stderr}");
    let told = lines_with(
        &stdout,
        &["not reached", "honest keygen", "honest enc", "honest dec"],
    );
    assert_eq!(told.len(), 1, "{stdout}");
    let record = bench.json("records/toy/honest__clean__enc.json");
    assert_eq!(record["trials"].as_array().unwrap().len(), 6);
}

#[test]
fn trials_tell_how_they_went_and_the_run_what_measuring_costs() {
    let bench = Bench::new(&["honest"]);
    let (code, stdout, stderr) = texts(&bench.quick_run(&[]).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let record = bench.json("records/toy/honest__clean__enc.json");
    for trial in record["trials"].as_array().unwrap() {
        assert!(trial["cpu_seconds"].as_f64().unwrap() > 0.0);
        assert_eq!(trial["migrations"], 0);
        assert!(trial["warmup_minor_page_faults"].is_u64());
        let causes = trial["disturbance"].as_array();
        assert_eq!(trial["disturbed"], causes.is_some_and(|c| !c.is_empty()));
        assert_eq!(trial["disturbed_retries"], 0, "they were to be kept");
    }
    let overhead = &bench.json("manifest.json")["environment"]["overhead"];
    let empty = overhead["empty_call_seconds"].as_f64().unwrap();
    assert!(empty > 0.0 && empty < 1e-6, "{overhead}");
    assert!(overhead["clock_read_seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_host_that_is_not_fit_is_refused_where_that_was_asked() {
    let bench = Bench::new(&["honest"]);
    // The tests' own program is a debug build, which is reason enough.
    let (code, stdout, stderr) = texts(&bench.quick_run(&["--strict"]).output().unwrap());
    if !cfg!(debug_assertions) && code != 2 {
        eprintln!("skipped: this host is fit");
        return;
    }
    assert_eq!(code, 2, "{stdout}{stderr}");
    assert!(stderr.contains("not fit to measure (--strict)"), "{stderr}");
    assert!(
        stderr.contains("✗ debug-runner") && stderr.contains("→ "),
        "{stderr}"
    );
    assert!(!bench.runs().exists(), "nothing was begun");
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let bench = Bench::new(&["honest"]);
    let cases: [(&[&str], &str); 4] = [
        (&["--precision", "1%"], "cannot be used with"),
        (&["--max-trials", "7"], "cannot be used with"),
        (&["--budget", "7"], "cannot be used with"),
        (&["--resume", "--plan"], "cannot be used with"),
    ];
    for (arguments, expected) in cases {
        let (code, _, stderr) = texts(&bench.quick_run(arguments).output().unwrap());
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    }
    for (arguments, expected) in [
        (["run", "--precision", "0.5"], "for example 0.5%"),
        (["run", "--max-trials", "7"], "--precision <PERCENT>"),
        (["measure", "--budget", "7"], "--precision <PERCENT>"),
    ] {
        let (code, _, stderr) = texts(&bench.program().args(arguments).output().unwrap());
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    }
}
