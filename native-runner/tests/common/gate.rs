//! A place where a run can be held: the KEM `gate` waits in the process that a test names.

use super::{Bench, signal, wait_until};
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A compiler that waits at the gate while there is a file `compile`.
const COMPILER: &str = r#"#!/bin/sh
case "$*" in *gate*kem.c*)
    while [ -e "$KEMSCOPE_TEST_GATE/compile" ]; do
        : > "$KEMSCOPE_TEST_GATE/reached"
        sleep 0.01
    done
esac
exec cc "$@"
"#;

/// The folder that the KEM looks into.
pub struct Gate {
    folder: TempDir,
}

impl Gate {
    /// An open gate.
    pub fn new() -> Gate {
        let folder = tempfile::tempdir().unwrap();
        let compiler = folder.path().join("cc");
        fs::write(&compiler, COMPILER).unwrap();
        fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
        Gate { folder }
    }

    /// A file of the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Has a command's KEMs look here.
    pub fn before<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("KEMSCOPE_TEST_GATE", self.path())
            .env("CC", self.file("cc"))
    }

    /// Closes it for the `number`-th process from now whose task contains `word`.
    pub fn close(&self, number: usize, word: &str) {
        let seen = self.tasks().iter().filter(|t| t.contains(word)).count();
        let _ = fs::remove_file(self.file("reached"));
        fs::write(self.file("gate"), format!("{} {word}\n", seen + number)).unwrap();
    }

    /// Closes it for the compiler.
    pub fn close_for_compiler(&self) {
        fs::write(self.file("compile"), "").unwrap();
    }

    /// Lets all through.
    pub fn open(&self) {
        for name in ["gate", "compile", "reached"] {
            let _ = fs::remove_file(self.file(name));
        }
    }

    /// Whether somebody waits.
    pub fn is_reached(&self) -> bool {
        self.file("reached").exists()
    }

    /// Starts a command, and kills it without warning when it has come to the gate and `there` holds.
    pub fn kill_at(&self, command: &mut Command, there: &dyn Fn() -> bool) {
        let mut process = self.hold(command);
        wait_until("the run is where it is to be killed", || {
            assert!(process.try_wait().unwrap().is_none(), "the run ended early");
            there()
        });
        signal(&process, Signal::SIGKILL);
        process.wait().unwrap();
        wait_until("the measuring process is gone", || {
            self.measuring().is_none()
        });
        self.open();
    }

    /// Starts a command; answers when it has come to the gate.
    pub fn hold(&self, command: &mut Command) -> Child {
        let mut process = self
            .before(command)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until("the gate is reached", || {
            if process.try_wait().unwrap().is_some() {
                let output = super::said(&mut process);
                panic!("the run ended early: {output}");
            }
            self.is_reached()
        });
        process
    }

    /// The measuring process whose KEM looks here, if there is one.
    pub fn measuring(&self) -> Option<Pid> {
        let own = format!("KEMSCOPE_TEST_GATE={}", self.path().display());
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let found = processes.into_iter().find(|process| {
            let read = |name: &str| {
                let bytes = fs::read(process.path().join(name)).unwrap_or_default();
                String::from_utf8_lossy(&bytes).into_owned()
            };
            read("cmdline").contains("\0child\0") && read("environ").contains(&own)
        })?;
        let number = found.file_name().to_string_lossy().parse().unwrap();
        Some(Pid::from_raw(number))
    }

    /// The tasks of all processes so far.
    pub fn tasks(&self) -> Vec<String> {
        let text = fs::read_to_string(self.file("tasks")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// How many processes had which kind of task and operation.
    pub fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for task in self.tasks() {
            let json = task.trim_start_matches("\"task\":").trim();
            let task = serde_json::Deserializer::from_str(json).into_iter::<serde_json::Value>();
            let task = task.flatten().next().unwrap_or_default();
            let word = |key: &str| task[key].as_str().unwrap_or_default().to_owned();
            let name = format!("{} {}", word("kind"), word("operation"));
            *counts.entry(name.trim_end().to_owned()).or_default() += 1;
        }
        counts
    }
}

/// Every finished file of a run directory with its content: what no resumed run may touch.
pub fn finished(bench: &Bench) -> BTreeMap<PathBuf, Vec<u8>> {
    let root = bench.run_directory();
    super::files_below(&root)
        .into_iter()
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            !(name.starts_with('.')
                || name.ends_with(".partial.json")
                || ["manifest.json", "run.log"].contains(&&*name))
        })
        .map(|path| (path.clone(), fs::read(root.join(&path)).unwrap()))
        .filter(|(path, bytes)| !is_test_without_rejection(path, bytes))
        .collect()
}

/// The record of a known-answer test gets its last field when flipped ciphertexts were tried.
fn is_test_without_rejection(path: &Path, bytes: &[u8]) -> bool {
    path.starts_with("kat")
        && path
            .extension()
            .is_some_and(|extension| extension == "json")
        && !String::from_utf8_lossy(bytes).contains("\"rejection\"")
}
