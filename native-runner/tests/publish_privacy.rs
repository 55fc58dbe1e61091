//! What is published says nothing of the folders, the host and the user that measured.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, texts};
use std::fs;
use std::path::{Path, PathBuf};

/// All files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn published_files_name_no_folder_host_or_user() {
    // A build error, a crash and printed lines bring paths and foreign text into the records.
    let bench = Bench::new(&["honest", "broken", "crash", "noisy"]);
    let run = bench
        .quick_run(&[])
        .env("USER", "some-user")
        .output()
        .unwrap();
    let data = bench.runs().parent().unwrap().join("data");
    let mut publish = bench.program();
    publish.arg("publish").arg("--runs").arg(bench.runs());
    let published = texts(&publish.arg("--data").arg(&data).output().unwrap());
    assert_eq!(published.0, 1, "{published:?} {:?}", texts(&run));
    let folder = bench.runs().parent().unwrap().to_owned();
    let host = nix::unistd::gethostname().unwrap();
    let mut secrets = vec![
        folder.to_str().unwrap().to_owned(),
        std::env::temp_dir().to_str().unwrap().to_owned(),
        env!("CARGO_BIN_EXE_native-runner").to_owned(),
        "some-user".to_owned(),
        host.to_str().unwrap().to_owned(),
    ];
    secrets.extend(std::env::var("HOME").ok().filter(|home| home.len() > 1));
    let mut found = Vec::new();
    files(&data, &mut found);
    assert!(found.iter().any(|path| path.ends_with("broken__clean.log")));
    assert!(found.len() > 20, "{found:?}");
    let mut checked = 0;
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        for secret in &secrets {
            assert!(
                !text.contains(secret.as_str()),
                "{} names {secret}",
                path.display()
            );
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        if name == "honest__clean__enc.json" && text.contains("\"trials\"") {
            checked += 1;
            assert!(text.contains("{run}/build/toy/honest__clean.so"), "{text}");
        }
        if name == "broken__clean.log" {
            checked += 1;
            assert!(text.contains("crypto_kem/broken/clean/kem.c:9"), "{text}");
        }
    }
    assert_eq!(checked, 2);
    let mut verify = bench.program();
    let (code, stdout, stderr) = texts(
        &verify
            .arg("verify")
            .arg("--data")
            .arg(&data)
            .output()
            .unwrap(),
    );
    assert_eq!(code, 0, "{stdout}{stderr}");
}

#[test]
fn a_run_that_names_its_folders_is_not_published() {
    let bench = Bench::new(&["honest"]);
    let run = bench.quick_run(&[]).output().unwrap();
    let directory = bench.run_directory();
    let record = directory.join("records/toy/honest__clean__enc.json");
    let text = fs::read_to_string(&record).unwrap_or_else(|_| panic!("{:?}", texts(&run)));
    let told = text.replace("{run}", directory.to_str().unwrap());
    assert_ne!(told, text);
    fs::write(&record, told).unwrap();
    let data = bench.runs().join("data");
    let mut publish = bench.program();
    let (code, _, stderr) = texts(
        &publish
            .arg("publish")
            .arg(&directory)
            .arg("--data")
            .arg(&data)
            .output()
            .unwrap(),
    );
    assert_eq!(code, 2);
    assert!(
        stderr.contains("honest__clean__enc.json names") && stderr.contains("not for publishing"),
        "{stderr}"
    );
    assert!(!data.exists());
}
