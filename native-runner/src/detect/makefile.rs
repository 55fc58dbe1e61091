//! What Makefiles and CMakeLists.txt hint at. They are read as text and never executed.

use super::survey::{Survey, base_of, folder_of, lies_in};
use std::collections::BTreeSet;

/// Longer files are none that somebody wrote.
const LONGEST_BYTES: u64 = 1 << 20;

/// What one Makefile says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Makefile {
    /// Its name.
    pub name: String,
    /// Names of sources, without folders, in it.
    pub sources: BTreeSet<String>,
    /// Macros that it defines, in order, each value once.
    pub defines: Vec<(String, Option<String>)>,
    /// Flags that choose instructions (`-mavx2`), in order.
    pub machine: Vec<String>,
    /// Libraries that it links.
    pub libraries: Vec<String>,
}

impl Makefile {
    /// Reads a text.
    fn parse(name: &str, text: &str) -> Makefile {
        let mut makefile = Makefile {
            name: name.to_owned(),
            ..Makefile::default()
        };
        let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
        let mut arguments = false;
        for line in joined.lines() {
            let line = line.split('#').next().unwrap_or_default();
            for word in line.split(|c: char| c.is_whitespace() || "();,'\"".contains(c)) {
                let lower = word.to_ascii_lowercase();
                if lower.ends_with("definitions") {
                    arguments = true;
                } else if arguments && !word.is_empty() && !word.starts_with('-') {
                    makefile.define(word);
                } else {
                    makefile.word(word);
                }
            }
            arguments &= !line.contains(')');
        }
        makefile
    }

    fn word(&mut self, word: &str) {
        // `CFLAGS=-mavx2` without a space.
        let word = match word.split_once('=') {
            Some((name, value)) if !name.starts_with('-') => value,
            _ => word,
        };
        if let Some(define) = word.strip_prefix("-D") {
            self.define(define);
        } else if let Some(library) = word.strip_prefix("-l") {
            push(&mut self.libraries, library);
        } else if word.starts_with("-m") && !word.contains('$') {
            push(&mut self.machine, word);
        } else if [".c", ".cc", ".cpp", ".cxx", ".S", ".s"]
            .iter()
            .any(|end| word.ends_with(end))
        {
            self.sources.insert(base_of(word).to_owned());
        }
    }

    fn define(&mut self, text: &str) {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        let plain = |text: &str| !text.contains(['$', '%', '@', '<', '*']);
        let is_name = !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        // CMake's own words between the definitions.
        let is_scope = ["PRIVATE", "PUBLIC", "INTERFACE"].contains(&name);
        if is_name && !is_scope && value.as_deref().is_none_or(plain) {
            let define = (name.to_owned(), value);
            if !self.defines.contains(&define) {
                self.defines.push(define);
            }
        }
    }
}

fn push(list: &mut Vec<String>, word: &str) {
    if !word.is_empty() && !list.iter().any(|known| known == word) {
        list.push(word.to_owned());
    }
}

/// The Makefiles that speak of a folder: its own and those of the folders above, nearest first.
pub fn of_folder(survey: &Survey, folder: &str) -> Vec<Makefile> {
    let mut found: Vec<Makefile> = Vec::new();
    for file in &survey.tree.files {
        let name = file.base().to_ascii_lowercase();
        let is = ["makefile", "gnumakefile", "cmakelists.txt"].contains(&name.as_str())
            || file.extension() == "mk";
        let small = std::fs::metadata(&file.path).is_ok_and(|meta| meta.len() < LONGEST_BYTES);
        if is
            && small
            && lies_in(folder, folder_of(&file.name))
            && let Ok(bytes) = std::fs::read(&file.path)
        {
            found.push(Makefile::parse(
                &file.name,
                &String::from_utf8_lossy(&bytes),
            ));
        }
    }
    found.sort_by_key(|makefile| std::cmp::Reverse(folder_of(&makefile.name).len()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_sources_and_machine_flags() {
        let text = "CC = gcc # -DNOT\nCFLAGS=-mavx2 -DTOY_K=2 -DFAST\r\nSOURCES = kem.c ../common/ntt.c \\\n  asm.S\n\
                    all: kat128 kat256\nkat256:\n\t$(CC) $(CFLAGS) -DTOY_K=3 -DX=$(X) $(SOURCES) -o $@ -lcrypto -lm\n";
        let makefile = Makefile::parse("Makefile", text);
        let sources: Vec<&str> = makefile.sources.iter().map(String::as_str).collect();
        assert_eq!(sources, ["asm.S", "kem.c", "ntt.c"]);
        let two = Some("2".to_owned());
        let three = Some("3".to_owned());
        let named = |name: &str, value| (name.to_owned(), value);
        assert_eq!(
            makefile.defines,
            [
                named("TOY_K", two),
                named("FAST", None),
                named("TOY_K", three)
            ]
        );
        assert_eq!(makefile.machine, ["-mavx2"]);
        assert_eq!(makefile.libraries, ["crypto", "m"]);
    }

    #[test]
    fn definitions_of_cmake() {
        let text = "add_library(x kem.c)\ntarget_compile_definitions(x PRIVATE\n  TOY_K=3 FAST)\nadd_definitions(-DY)\n";
        let makefile = Makefile::parse("CMakeLists.txt", text);
        let names: Vec<&str> = makefile.defines.iter().map(|(n, _)| n.as_str()).collect();
        // The target's name is taken for a macro; nobody asks for it.
        assert_eq!(names, ["x", "TOY_K", "FAST", "Y"]);
        assert!(makefile.sources.contains("kem.c"));
    }
}
