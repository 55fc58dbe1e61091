//! What the integration tests share: packages made of the misbehaving KEMs, and the program.

// Every test program uses its own part of it.
#![allow(dead_code)]
// Tests stop at the first surprise.
#![allow(clippy::unwrap_used, clippy::expect_used)]

pub mod beside;
pub mod equal;
pub mod gate;
pub mod slurm;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// SHA-256 of the known-answer text of the KEM that behaves.
pub const HONEST_DIGEST: &str = "631149db4429b92de467e15f54c7d8113cf474b47ad7317150b53e8dfa4e3e9f";

/// A folder with packages, a cache and runs; its path has a space and letters beyond ASCII.
pub struct Bench {
    folder: TempDir,
}

impl Bench {
    /// Packages of the named KEMs of `tests/fixtures/kems`, as family `toy`.
    pub fn new(kems: &[&str]) -> Bench {
        let folder = tempfile::Builder::new()
            .prefix("kém scope ")
            .tempdir()
            .unwrap();
        let bench = Bench { folder };
        let mut catalogue =
            String::from("[[family]]\nid = \"toy\"\nname = \"Toy\"\ninstances = [\n");
        for kem in kems {
            catalogue.push_str(&format!(
                "{{ name = \"{kem}\", directory = \"{kem}\", implementation = \"clean\" }},\n"
            ));
            bench.add(kem);
        }
        catalogue.push_str("]\n");
        fs::write(bench.packages().join("catalogue.toml"), catalogue).unwrap();
        bench
    }

    /// Copies of packages of `tests/fixtures/packages`, as they are submitted: nothing describes them.
    pub fn of_packages(names: &[&str]) -> Bench {
        let folder = tempfile::Builder::new()
            .prefix("kém scope ")
            .tempdir()
            .unwrap();
        let bench = Bench { folder };
        for name in names {
            let fixture = fixture("../packages").join(name);
            copy_tree(&fixture, &bench.packages().join(name));
        }
        bench
    }

    fn add(&self, kem: &str) {
        let set = self.packages().join("crypto_kem").join(kem);
        let (clean, common) = (set.join("clean"), self.packages().join("common"));
        fs::create_dir_all(&clean).unwrap();
        fs::create_dir_all(&common).unwrap();
        fs::copy(fixture("api.h"), clean.join("api.h")).unwrap();
        fs::copy(fixture(&format!("{kem}.c")), clean.join("kem.c")).unwrap();
        for header in ["toy.h", "randombytes.h"] {
            fs::copy(fixture(header), common.join(header)).unwrap();
        }
        let meta = format!(
            "name: {kem}\ntype: kem\nclaimed-nist-level: 1\nlength-public-key: 32\n\
             length-secret-key: 64\nlength-ciphertext: 40\nlength-shared-secret: 32\n\
             nistkat-sha256: {HONEST_DIGEST}\nimplementations:\n  - name: clean\n"
        );
        fs::write(set.join("META.yml"), meta).unwrap();
    }

    /// Folder of the packages.
    pub fn packages(&self) -> PathBuf {
        self.folder.path().join("packages")
    }

    /// Folder of the runs.
    pub fn runs(&self) -> PathBuf {
        self.folder.path().join("runs")
    }

    /// The run directories, in order.
    pub fn run_directories(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.runs()).into_iter().flatten();
        let mut runs: Vec<PathBuf> = entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_dir())
            .collect();
        runs.sort();
        runs
    }

    /// The one run directory there is.
    pub fn run_directory(&self) -> PathBuf {
        let mut runs = self.run_directories();
        let run = runs.pop().expect("there is a run");
        assert!(runs.is_empty(), "there is one run");
        run
    }

    /// A JSON file of the run directory.
    pub fn json(&self, relative: &str) -> serde_json::Value {
        let path = self.run_directory().join(relative);
        let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        serde_json::from_slice(&bytes).unwrap()
    }

    /// The program, with this bench's cache.
    pub fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_native-runner"));
        command
            .env("KEMSCOPE_CACHE", self.folder.path().join("cache"))
            .stdin(Stdio::null());
        command
    }

    /// A file or folder of the bench.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A quick run of all packages, or the named ones. Tests run beside each other on one CPU: what that does to
    /// the trials is marked in the records, but no fault of the run.
    pub fn quick_run(&self, more: &[&str]) -> Command {
        self.quick_run_below(&self.runs(), more)
    }

    /// The same with its run directory in another folder.
    pub fn quick_run_below(&self, runs: &Path, more: &[&str]) -> Command {
        let mut command = self.program();
        command
            .args(["run", "--quick", "--keep-disturbed", "--packages"])
            .arg(self.packages());
        command.arg("--runs").arg(runs).args(more);
        command
    }
}

/// A file of `tests/fixtures/kems`.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/kems")
        .join(name)
}

/// Copies a folder with all that it holds.
pub fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Exit code, standard output and standard error of a finished program.
pub fn texts(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().expect("ended by itself"),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// What a program has said that ended.
pub fn said(process: &mut Child) -> String {
    let mut text = String::new();
    if let Some(mut stdout) = process.stdout.take() {
        stdout.read_to_string(&mut text).unwrap();
    }
    if let Some(mut stderr) = process.stderr.take() {
        stderr.read_to_string(&mut text).unwrap();
    }
    text
}

/// All files in a folder and below, relative to it, in order.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Waits for a condition; `what` names it should it never hold.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a signal to a running program.
pub fn signal(process: &Child, signal: Signal) {
    kill(Pid::from_raw(process.id() as i32), signal).unwrap();
}
