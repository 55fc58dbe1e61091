//! What is published is recomputed from the raw files; whatever is altered is named.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, texts};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A published quick run of the named KEMs as system `local`.
struct Published {
    bench: Bench,
    data: PathBuf,
    code: i32,
    printed: String,
}

impl Published {
    fn of(kems: &[&str]) -> Published {
        let bench = Bench::new(kems);
        let run = bench.quick_run(&["--timeout", "5"]).output().unwrap();
        let (_, stdout, stderr) = texts(&run);
        let data = bench.runs().parent().unwrap().join("data");
        let mut published = Published {
            bench,
            data,
            code: 0,
            printed: format!("{stdout}{stderr}"),
        };
        (published.code, published.printed) = published.publish();
        published
    }

    fn publish(&self) -> (i32, String) {
        let mut command = self.bench.program();
        command.arg("publish").arg("--runs").arg(self.bench.runs());
        command.arg("--data").arg(&self.data);
        let (code, stdout, stderr) = texts(&command.output().unwrap());
        (code, stdout + &stderr)
    }

    fn verify(&self) -> (i32, String) {
        let mut command = self.bench.program();
        command.arg("verify").arg("--data").arg(&self.data);
        let (code, stdout, stderr) = texts(&command.output().unwrap());
        (code, stdout + &stderr)
    }

    /// A file of the published system; `raw/…` means the raw files of the one run.
    fn file(&self, relative: &str) -> PathBuf {
        let local = self.data.join("local");
        match relative.strip_prefix("raw/") {
            None => local.join(relative),
            Some(below) => {
                let mut runs = fs::read_dir(local.join("raw")).unwrap();
                runs.next().unwrap().unwrap().path().join(below)
            }
        }
    }

    /// Changes a JSON file by a function, verifies, and puts it back.
    fn verify_with(&self, relative: &str, change: impl FnOnce(&mut Value)) -> (i32, String) {
        let path = self.file(relative);
        let before = fs::read(&path).unwrap();
        let mut value: Value = serde_json::from_slice(&before).unwrap();
        change(&mut value);
        fs::write(&path, serde_json::to_vec_pretty(&value).unwrap()).unwrap();
        let answer = self.verify();
        fs::write(&path, before).unwrap();
        answer
    }
}

fn has(answer: &(i32, String), parts: &[&str]) {
    assert_eq!(answer.0, 1, "{}", answer.1);
    for part in parts {
        assert!(
            answer.1.contains(part),
            "\n{}\ndoes not say {part}",
            answer.1
        );
    }
}

#[test]
fn an_altered_trial_digest_or_mean_is_named() {
    let published = Published::of(&["honest"]);
    let (code, text) = published.verify();
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("1 instances with 3 operations computed again"),
        "{text}"
    );

    let record = "raw/records/toy/honest__clean__enc.json";
    let trial = published.verify_with(record, |v| {
        let seconds = v["trials"][2]["seconds"].as_f64().unwrap();
        v["trials"][2]["seconds"] = (seconds * 1.01).into();
    });
    has(
        &trial,
        &[
            "local/toy/honest",
            "honest__clean__enc.json",
            "operations[1].timing.mean_seconds",
        ],
    );

    let mean = published.verify_with("toy.json", |v| {
        let mean = &mut v["instances"][0]["operations"][2]["timing"]["mean_seconds"]["value"];
        *mean = (mean.as_f64().unwrap() * 0.99).into();
    });
    has(
        &mean,
        &[
            "toy.json: SHA-256 is",
            "operations[2].timing.mean_seconds.value",
            "from the raw files",
        ],
    );

    let digest = published.verify_with("toy.json", |v| {
        v["instances"][0]["evidence"][0]["sha256"] = "0".repeat(64).into();
    });
    has(&digest, &["local/toy/honest", "the record says 000000"]);

    let kat = published.verify_with("toy.json", |v| {
        v["instances"][0]["kat"]["text_sha256"] = "1".repeat(64).into();
    });
    has(&kat, &["kat.text_sha256"]);

    let summary = published.verify_with("summary.json", |v| {
        v["rows"][0]["public_key_bytes"] = 31.into();
    });
    has(
        &summary,
        &[
            "summary.json",
            "rows[0].public_key_bytes: 31 is published, 32 comes",
        ],
    );

    let log = published.file("raw/kat/toy");
    let log = fs::read_dir(&log)
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e != "json"))
        .unwrap();
    let before = fs::read(&log).unwrap();
    fs::write(&log, [&before[..], b"\n"].concat()).unwrap();
    has(&published.verify(), &["KAT log", "SHA-256 is"]);
    fs::remove_file(&log).unwrap();
    has(&published.verify(), &["cannot read"]);
    fs::write(&log, before).unwrap();
    assert_eq!(published.verify().0, 0);
}

#[test]
fn an_altered_environment_or_index_is_named() {
    let published = Published::of(&["honest"]);
    let system = published.verify_with("system.json", |v| {
        v["environment"]["processor"] = "Faster CPU".into();
        v["environment"]["findings"] = Value::Array(Vec::new());
    });
    has(
        &system,
        &[
            "system.json: SHA-256 is",
            "environment.processor: \"Faster CPU\" is published",
        ],
    );
    let family = published.verify_with("toy.json", |v| {
        v["environment"]["virtualised"] = false.into();
        v["instances"][0]["implementation"]["source"] = "elsewhere".into();
    });
    has(
        &family,
        &["implementation.source: \"elsewhere\" is published"],
    );
    let change = |change: &dyn Fn(&mut Value)| {
        published.verify_with("../index.local.json", |v| change(&mut v["systems"][0]))
    };
    has(
        &change(&|v| v["label"] = "Another".into()),
        &["label of local is “Another”"],
    );
    has(
        &change(&|v| v["files"] = Value::Array(Vec::new())),
        &["local/toy.json is not listed with its SHA-256"],
    );
    has(&change(&|v| v["files"][0]["bytes"] = 7.into()), &["of 7"]);
    assert_eq!(published.verify().0, 0);
}

#[test]
fn an_altered_record_is_not_exported_and_not_taken_over() {
    let published = Published::of(&["honest"]);
    let path = published.file("toy.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replace("\"public_key_bytes\": 32", "\"public_key_bytes\": 33"),
    )
    .unwrap();
    let mut export = published.bench.program();
    export.arg("export").arg("--data").arg(&published.data);
    let (code, stdout, stderr) = texts(&export.output().unwrap());
    assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
    assert!(
        stderr.contains("toy.json: was changed after it was published"),
        "{stderr}"
    );
    let (code, text) = published.publish();
    assert_eq!(code, 2, "{text}");
}

#[test]
fn raw_files_of_another_instance_or_run_are_refused() {
    let bench = Bench::new(&["honest", "noisy"]);
    let run = bench.quick_run(&[]).output().unwrap();
    let directory = bench.run_directory();
    let data = bench.runs().join("data");
    let publish = || {
        let mut command = bench.program();
        command
            .arg("publish")
            .arg(&directory)
            .arg("--data")
            .arg(&data);
        texts(&command.output().unwrap())
    };
    let target = directory.join("records/toy/noisy__clean__enc.json");
    let before = fs::read(&target).unwrap_or_else(|_| panic!("{}", texts(&run).1));
    let refused = |part: &str| {
        let (code, stdout, stderr) = publish();
        assert_eq!(code, 2, "{stdout}");
        assert!(stderr.contains(part), "{stderr}");
        assert!(!data.exists(), "nothing is written");
    };
    fs::copy(
        directory.join("records/toy/honest__clean__enc.json"),
        &target,
    )
    .unwrap();
    refused("toy/noisy: record of enc: instance is “honest” where “noisy” was expected");
    fs::remove_file(&target).unwrap();
    refused("the record of enc is missing");
    let mut value: Value = serde_json::from_slice(&before).unwrap();
    value["trials"].as_array_mut().unwrap().pop();
    fs::write(&target, value.to_string()).unwrap();
    refused("4 trials where 5 were planned");
    fs::write(&target, &before).unwrap();
    let manifest = directory.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let mut emulated: Value = serde_json::from_str(&text).unwrap();
    emulated["environment"]["emulated"] = true.into();
    fs::write(&manifest, emulated.to_string()).unwrap();
    refused("emulated processor");
    fs::write(&manifest, text).unwrap();
    assert_ne!(publish().0, 2);
}

#[test]
fn a_run_of_one_step_replaces_nothing() {
    let published = Published::of(&["honest"]);
    let record = fs::read(published.file("toy.json")).unwrap();
    let mut kat = published.bench.program();
    kat.arg("kat")
        .arg("--packages")
        .arg(published.bench.packages());
    kat.arg("--runs").arg(published.bench.runs());
    let (_, stdout, stderr) = texts(&kat.output().unwrap());
    // Without a name the newest whole run is published, which is the first one.
    let (code, text) = published.publish();
    assert_ne!(code, 2, "{stdout}{stderr}{text}");
    assert_eq!(fs::read(published.file("toy.json")).unwrap(), record);
    assert_eq!(published.verify().0, 0);
}

#[test]
fn publishing_again_replaces_the_instance_and_drops_the_old_raw_files() {
    let published = Published::of(&["honest"]);
    let first = published.file("raw/manifest.json");
    let again = published.bench.quick_run(&[]).output().unwrap();
    let (code, text) = published.publish();
    assert_ne!(code, 2, "{}{text}", texts(&again).2);
    let runs = fs::read_dir(published.data.join("local/raw"))
        .unwrap()
        .count();
    assert_eq!(runs, 1);
    assert!(!first.exists());
    assert_eq!(published.verify().0, 0, "{}", published.verify().1);
}

#[test]
fn a_damaged_record_costs_that_file_alone() {
    let published = Published::of(&["honest"]);
    fs::write(published.file("toy.json"), "{").unwrap();
    has(&published.verify(), &["toy.json: EOF while parsing"]);
    fs::write(published.file("toy.json"), r#"{"schema_version": 9}"#).unwrap();
    has(
        &published.verify(),
        &["schema_version is 9, this program reads version 1"],
    );
}

#[test]
fn failures_are_published_as_failures() {
    let published = Published::of(&["honest", "crash", "broken"]);
    assert_eq!(published.code, 1, "{}", published.printed);
    assert!(
        published.printed.contains("toy/broken: KAT BUILDFAIL"),
        "{}",
        published.printed
    );
    assert_eq!(published.verify().0, 0, "{}", published.verify().1);
    let mut export = published.bench.program();
    export.arg("export").arg("--data").arg(&published.data);
    let (code, stdout, stderr) = texts(&export.output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    let rows = kemscope_schema::csv::read(&stdout).unwrap();
    assert_eq!(rows.len(), 9);
    let of = |name: &'static str| rows.iter().filter(move |r| r.instance == name);
    assert!(of("honest").all(|r| r.mean_seconds.is_some()));
    assert!(of("broken").all(|r| r.mean_seconds.is_none() && r.kat.label() == "BUILDFAIL"));
    assert_eq!(of("crash").count(), 3);
}

#[test]
fn what_is_no_complete_run_is_not_published() {
    let bench = Bench::new(&["honest"]);
    let data = bench.runs().join("data");
    let publish = |run: &Path| {
        let mut command = bench.program();
        command.arg("publish").arg(run).arg("--data").arg(&data);
        texts(&command.output().unwrap())
    };
    let (code, _, stderr) = publish(bench.packages().as_path());
    assert_eq!(code, 2);
    assert!(stderr.contains("is not a run directory"), "{stderr}");

    let run = bench.quick_run(&[]).output().unwrap();
    let directory = bench.run_directory();
    let manifest = directory.join("manifest.json");
    let before = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, before.replace("\"complete\"", "\"interrupted\"")).unwrap();
    let (code, _, stderr) = publish(&directory);
    assert_eq!(code, 2, "{}", texts(&run).1);
    assert!(
        stderr.contains("is not complete; go on with it by"),
        "{stderr}"
    );

    fs::write(&manifest, before).unwrap();
    let record = directory.join("records/toy/honest__clean__dec.json");
    fs::write(&record, "{\"cut\":").unwrap();
    let (code, _, stderr) = publish(&directory);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("honest__clean__dec.json: EOF while parsing"),
        "{stderr}"
    );
    assert!(!data.exists(), "nothing is written");
}
