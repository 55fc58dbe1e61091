//! What a publication says it changes, what it must be asked for, and that it is whole or not at all.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, texts, wait_until};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A run, and a folder to publish it into.
struct Site {
    bench: Bench,
    run: PathBuf,
    data: PathBuf,
}

impl Site {
    fn of(kems: &[&str]) -> Site {
        let bench = Bench::new(kems);
        let run = bench.quick_run(&[]).output().unwrap();
        assert_ne!(texts(&run).0, 2, "{:?}", texts(&run));
        Site {
            run: bench.run_directory(),
            data: bench.runs().parent().unwrap().join("data"),
            bench,
        }
    }

    fn call(&self, command: &str, more: &[&str]) -> (i32, String) {
        let mut program = self.bench.program();
        program
            .arg(command)
            .arg("--data")
            .arg(&self.data)
            .args(more);
        let (code, stdout, stderr) = texts(&program.output().unwrap());
        (code, stdout + &stderr)
    }

    fn publish(&self, more: &[&str]) -> (i32, String) {
        let mut all = vec![self.run.to_str().unwrap()];
        all.extend(more);
        self.call("publish", &all)
    }

    /// Changes a JSON file of the run.
    fn change(&self, relative: &str, change: impl FnOnce(&mut Value)) {
        change_json(&self.run.join(relative), change);
    }
}

fn change_json(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, value.to_string()).unwrap();
}

fn slow_down(site: &Site) {
    site.change("records/toy/honest__clean__enc.json", |record| {
        for trial in record["trials"].as_array_mut().unwrap() {
            // Numbers that were changed need not fit what the trial says of its disturbance.
            trial["cpu_seconds"] = Value::Null;
            trial["seconds"] = (trial["seconds"].as_f64().unwrap() * 2.0).into();
        }
    });
}

#[test]
fn changes_are_listed() {
    let site = Site::of(&["honest", "noisy"]);
    let (_, first) = site.publish(&[]);
    assert!(
        first.contains("new        toy/honest: KAT PASS, keygen "),
        "{first}"
    );
    let (_, same) = site.publish(&[]);
    assert!(
        same.contains("unchanged  toy/honest\nunchanged  toy/noisy\n"),
        "{same}"
    );
    slow_down(&site);
    let (_, changed) = site.publish(&[]);
    let line = changed
        .lines()
        .find(|l| l.starts_with("replaced   toy/honest"))
        .unwrap();
    assert!(line.contains("(+100.0%), dec "), "{line}");
    assert!(line.ends_with(" as before"), "{line}");
    assert!(changed.contains("unchanged  toy/noisy\n"), "{changed}");
    let (code, text) = site.call("verify", &[]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn an_emulated_run_is_published_only_by_its_systems_name() {
    let site = Site::of(&["honest"]);
    site.change("manifest.json", |manifest| {
        manifest["environment"]["emulated"] = true.into()
    });
    let (code, text) = site.publish(&[]);
    assert_eq!(code, 2);
    assert!(text.contains("--force-emulated local"), "{text}");
    let (code, text) = site.publish(&["--force-emulated", "arm_1"]);
    assert_eq!(code, 2);
    assert!(text.contains("names system arm_1"), "{text}");
    assert!(!site.data.exists());
    let (code, text) = site.publish(&["--force-emulated", "local"]);
    assert_eq!(code, 0, "{text}");
    for file in ["system.json", "toy.json"] {
        let text = fs::read_to_string(site.data.join("local").join(file)).unwrap();
        assert!(text.contains("\"emulated\": true"), "{file}");
    }
    assert_eq!(site.call("verify", &[]).0, 0);
    site.change("manifest.json", |manifest| {
        manifest["environment"]["emulated"] = false.into()
    });
    let (code, text) = site.publish(&["--force-emulated", "local"]);
    assert_eq!(code, 2);
    assert!(
        text.contains("was not made on an emulated processor"),
        "{text}"
    );
}

#[test]
fn the_hosts_name_is_published_only_when_asked_for_and_then_kept() {
    let site = Site::of(&["honest"]);
    let published = || {
        let text = fs::read(site.data.join("local/system.json")).unwrap();
        serde_json::from_slice::<Value>(&text).unwrap()["host_name"].clone()
    };
    site.publish(&[]);
    assert_eq!(published(), Value::Null);
    site.publish(&["--host-name"]);
    let own = nix::unistd::gethostname().unwrap().into_string().unwrap();
    assert_eq!(published(), Value::from(own));
    site.publish(&["--host-name=board-7"]);
    assert_eq!(published(), Value::from("board-7"));
    site.publish(&[]);
    assert_eq!(published(), Value::from("board-7"));
    assert_eq!(site.call("verify", &[]).0, 0);
}

/// Whether the data folder is one whole publication, as far as `verify` can tell.
fn whole(site: &Site) -> bool {
    let (code, text) = site.call("verify", &[]);
    assert!(
        code == 0 || text.contains("was interrupted half-way"),
        "{text}"
    );
    code == 0
}

#[test]
fn a_killed_publication_leaves_the_old_data_or_is_finished_by_the_next() {
    let site = Site::of(&["honest"]);
    site.publish(&[]);
    let pending = site.data.join(".pending-local");
    let moments: [&dyn Fn() -> bool; 4] = [
        &|| true,
        &|| pending.exists(),
        &|| pending.join("files/summary.json").exists(),
        &|| pending.join("commit.json").exists(),
    ];
    for moment in moments {
        slow_down(&site);
        let mut program = site.bench.program();
        program
            .arg("publish")
            .arg(&site.run)
            .arg("--data")
            .arg(&site.data);
        program.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = program.spawn().unwrap();
        // It may well be done before the moment is seen; then nothing was killed.
        wait_until("the moment comes or the publication ends", || {
            moment() || child.try_wait().unwrap().is_some()
        });
        let _ = child.kill();
        child.wait().unwrap();
        whole(&site);
        let (code, text) = site.publish(&[]);
        assert_eq!(code, 0, "{text}");
        assert!(whole(&site));
        assert!(!pending.exists());
    }
}

#[test]
fn a_publication_interrupted_half_way_is_named_and_mended() {
    let site = Site::of(&["honest"]);
    site.publish(&[]);
    let local = site.data.join("local");
    let old = fs::read(local.join("toy.json")).unwrap();
    slow_down(&site);
    site.publish(&[]);
    // As it is left when the program dies between two renames: the new file not yet in its place.
    let pending = site.data.join(".pending-local");
    let index: Value =
        serde_json::from_slice(&fs::read(site.data.join("index.local.json")).unwrap()).unwrap();
    fs::create_dir_all(pending.join("files")).unwrap();
    fs::rename(local.join("toy.json"), pending.join("files/toy.json")).unwrap();
    fs::write(local.join("toy.json"), old).unwrap();
    let commit =
        serde_json::json!({"files": ["toy.json"], "removed": [], "entry": index["systems"][0]});
    fs::write(pending.join("commit.json"), commit.to_string()).unwrap();
    assert!(!whole(&site));
    let (code, text) = site.call("export", &[]);
    assert_eq!(code, 2);
    assert!(text.contains("was interrupted half-way"), "{text}");
    let (code, text) = site.publish(&[]);
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("note: finished an interrupted publication of system local"),
        "{text}"
    );
    assert!(text.contains("unchanged  toy/honest"), "{text}");
    assert!(whole(&site));
}
