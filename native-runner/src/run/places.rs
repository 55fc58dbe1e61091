//! Folders of this machine, kept out of the records of a run.
//!
//! Records are published, and where somebody keeps packages or what the home folder is called is nobody's
//! business. So each record is written with a word in braces for each folder (`{run}/build/…`,
//! `{packages}/kem.c`, `{home}/.cargo`) and read with the folders put back: the program works with
//! paths, the disk has words, and digests are those of what is on the disk.

use crate::cache;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is exchanged for what.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Spellings of folders with their words, longest first.
    spellings: Vec<(String, String)>,
    /// The folder behind each word.
    folders: BTreeMap<String, String>,
}

impl Places {
    /// The folders that every run may meet: the run directory, the program, the cache, cargo's and the
    /// user's home, the folder for temporary files, and the one that the program was started in.
    pub fn of_this_process(run: &Path) -> Places {
        let variable = |name: &str| {
            let value = std::env::var_os(name).filter(|value| !value.is_empty());
            value.map(PathBuf::from)
        };
        let home = variable("HOME");
        let cargo = variable("CARGO_HOME").or_else(|| Some(home.clone()?.join(".cargo")));
        let mut places = Places::default();
        let known = [
            ("run", Some(run.to_owned())),
            ("runs", run.parent().map(Path::to_owned)),
            ("program", std::env::current_exe().ok()),
            ("cache", cache::folder().ok()),
            ("cargo", cargo),
            ("home", home),
            ("tmp", Some(std::env::temp_dir())),
            ("here", std::env::current_dir().ok()),
        ];
        for (word, folder) in known {
            if let Some(folder) = folder {
                places.add(word, &folder);
            }
        }
        places
    }

    /// Takes a folder in. The first folder of a path and the first path of a word count.
    pub fn add(&mut self, word: &str, folder: &Path) {
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        // The root folder is no secret, and a slash says nothing.
        if absolute.parent().is_none() {
            return;
        }
        let plain = absolute.to_string_lossy().trim_end_matches('/').to_owned();
        self.folders
            .entry(word.to_owned())
            .or_insert_with(|| plain.clone());
        let mut spellings = vec![plain];
        // Compilers like to say where a link leads.
        spellings
            .extend(std::fs::canonicalize(&absolute).map(|p| p.to_string_lossy().into_owned()));
        for spelling in spellings {
            // In JSON, and in JSON within JSON: a request stands in the command line of a trial.
            let escaped = escape(&spelling);
            for form in [escape(&escaped), escaped, spelling] {
                if !self.spellings.iter().any(|(known, _)| *known == form) {
                    self.spellings.push((form, format!("{{{word}}}")));
                }
            }
        }
        self.spellings
            .sort_by_key(|(spelling, _)| std::cmp::Reverse(spelling.len()));
    }

    /// A text, plain or JSON, with words for folders.
    pub fn hide(&self, text: &str) -> String {
        let mut hidden = text.to_owned();
        for (spelling, word) in &self.spellings {
            if hidden.contains(spelling.as_str()) {
                hidden = replace_paths(&hidden, spelling, word);
            }
        }
        hidden
    }

    /// A JSON text with folders for words.
    pub fn reveal_json(&self, text: &str) -> String {
        let mut revealed = text.to_owned();
        for (word, folder) in &self.folders {
            revealed = revealed.replace(&format!("{{{word}}}"), &escape(folder));
        }
        revealed
    }

    /// The first folder of this machine that a text names, if it names one; the folder that the program
    /// was started in is none, as its name may be any.
    pub fn named_in(&self, text: &str) -> Option<&str> {
        let private = |word: &str| ["{home}", "{tmp}", "{cache}", "{cargo}"].contains(&word);
        let found = self
            .spellings
            .iter()
            .find(|(spelling, word)| private(word) && replace_paths(text, spelling, word) != text);
        found.map(|(spelling, _)| spelling.as_str())
    }
}

/// A text as it stands between the quotation marks of a JSON string.
fn escape(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted
        .trim_start_matches('"')
        .strip_suffix('"')
        .unwrap_or(&quoted)
        .to_owned()
}

/// Replaces a path wherever it begins; `/tmp` does not begin in the middle of `/var/tmp`.
fn replace_paths(text: &str, path: &str, word: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(path) {
        let (before, found) = rest.split_at(at);
        replaced.push_str(before);
        let begins = begins_after(&replaced);
        replaced.push_str(if begins { word } else { path });
        rest = found.get(path.len()..).unwrap_or_default();
    }
    replaced.push_str(rest);
    replaced
}

/// Whether a path can begin behind this text: not within a word, unless that is a flag (`-I`) or an
/// escaped character (`\n`).
fn begins_after(text: &str) -> bool {
    let mut backwards = text.chars().rev();
    let joined = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    match (backwards.next(), backwards.next()) {
        (Some(last), Some('-' | '\\')) if last.is_alphabetic() => true,
        (Some(last), _) => !joined(last),
        (None, _) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places() -> Places {
        let mut places = Places::default();
        places.add("run", Path::new("/home/eva/runs/local-1"));
        places.add("packages", Path::new("/srv/kém \"new\"/p"));
        places.add("home", Path::new("/home/eva"));
        places.add("tmp", Path::new("/tmp"));
        places
    }

    #[test]
    fn the_longest_folder_wins_and_words_within_paths_are_left_alone() {
        let hide = |text: &str| places().hide(text);
        assert_eq!(
            hide("gcc -I/home/eva/x -o /home/eva/runs/local-1/build/a.so"),
            "gcc -I{home}/x -o {run}/build/a.so"
        );
        assert_eq!(hide("/var/tmp/a /tmp/b\n/tmp"), "/var/tmp/a {tmp}/b\n{tmp}");
        assert_eq!(hide("-L/tmp x\\n/tmp/y"), "-L{tmp} x\\n{tmp}/y");
        assert_eq!(
            hide("/srv/kém \"new\"/p/kem.c:1: error"),
            "{packages}/kem.c:1: error"
        );
    }

    #[test]
    fn folders_are_found_in_json_within_json() {
        let request = serde_json::json!({"library": "/srv/kém \"new\"/p/a.so"}).to_string();
        let record = serde_json::json!({"command": ["/tmp/x", request]}).to_string();
        let hidden = places().hide(&record);
        assert!(
            !hidden.contains("/srv") && !hidden.contains("/tmp"),
            "{hidden}"
        );
        assert!(hidden.contains("{packages}/a.so"), "{hidden}");
    }

    #[test]
    fn a_folder_that_was_left_is_named() {
        assert_eq!(places().named_in("in /home/eva/x"), Some("/home/eva"));
        assert_eq!(places().named_in("in /var/tmp/x of {home}"), None);
    }

    proptest! {
        #[test]
        fn what_was_hidden_comes_back(parts in proptest::collection::vec("(/home/eva|/tmp|/srv/kém \"new\"/p|x|/|-I|\"){0,5}", 0..4)) {
            let json = serde_json::to_string(&parts).unwrap();
            let back = places().reveal_json(&places().hide(&json));
            prop_assert_eq!(serde_json::from_str::<Vec<String>>(&back).unwrap(), parts);
        }
    }
}
