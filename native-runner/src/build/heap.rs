//! The library that counts what a call takes from the heap.

use super::Builder;
use super::command::run;
use super::toolchain::Language;
use crate::files;
use crate::scratch::Scratch;
use std::path::PathBuf;

const SOURCE: &str = include_str!("../../csrc/heap.c");
const LIBRARY: &str = "heap.so";
const FLAGS: [&str; 4] = ["-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden"];

impl Builder {
    /// The library to be loaded before the C library into a process whose heap is to be counted: an earlier one
    /// of the same source and compiler, or a new one.
    ///
    /// # Errors
    /// If it does not build, in a sentence.
    pub fn heap_counter(&self) -> Result<PathBuf, String> {
        let recipe = [self.compiler(), self.target(), &FLAGS.join(" "), SOURCE].join("\0");
        let digest = files::sha256_hex(recipe.as_bytes());
        let place = self.cache.with_file_name("heap-counter");
        let folder = place.join(&digest[..16]);
        let library = folder.join(LIBRARY);
        if library.is_file() {
            return Ok(library);
        }
        let io = |cause: std::io::Error| format!("{}: {cause}", place.display());
        files::create_folder(&place).map_err(|e| e.to_string())?;
        let scratch = Scratch::new_in(&place, "compile-").map_err(io)?;
        let source = scratch.path().join("heap.c");
        let (object, unfinished) = (scratch.path().join("heap.o"), scratch.path().join(LIBRARY));
        std::fs::write(&source, SOURCE).map_err(io)?;
        let flags = FLAGS.map(str::to_owned);
        let libraries = ["dl".to_owned()];
        let compile = self
            .toolchain
            .compile(Language::C, &flags, &[], &source, &object)?;
        let link = self.toolchain.link(
            Language::C,
            &flags,
            &libraries,
            &[],
            std::slice::from_ref(&object),
            &unfinished,
        )?;
        for command in [compile, link] {
            let step = run(command).map_err(io)?;
            if !step.ok {
                let said = step.output();
                let first = said.lines().find(|line| line.contains("error"));
                return Err(format!(
                    "the heap counter does not build: {}",
                    first.unwrap_or("the compiler failed")
                ));
            }
        }
        let bytes = files::read(&unfinished).map_err(|e| e.to_string())?;
        files::write_atomic(&library, &bytes).map_err(|e| e.to_string())?;
        Ok(library)
    }
}
