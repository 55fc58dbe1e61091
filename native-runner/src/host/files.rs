//! Reading small files of `/proc` and `/sys`, below a root.

use std::path::{Path, PathBuf};

/// Root of the file system that is looked at: `/`, or a recorded tree.
#[derive(Clone, Debug)]
pub struct Root(PathBuf);

impl Root {
    /// This machine's.
    pub fn system() -> Root {
        Root("/".into())
    }

    /// A recorded tree.
    pub fn at(path: &Path) -> Root {
        Root(path.to_owned())
    }

    /// A file's text without surrounding white space and NULs; `None` where there is none.
    pub fn text(&self, path: &str) -> Option<String> {
        let bytes = std::fs::read(self.0.join(path)).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_matches(|c: char| c == '\0' || c.is_whitespace());
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// A file that holds one number.
    pub fn number<T: std::str::FromStr>(&self, path: &str) -> Option<T> {
        self.text(path)?.parse().ok()
    }

    /// Names in a folder, sorted; none where there is no such folder.
    pub fn entries(&self, path: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.0.join(path)) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Whether a path exists.
    pub fn exists(&self, path: &str) -> bool {
        self.0.join(path).exists()
    }
}

/// The CPUs of a list like `0-3,8,10-11`.
pub fn cpu_list(text: &str) -> Option<Vec<u32>> {
    let mut cpus = Vec::new();
    for part in text.trim().split(',') {
        match part.split_once('-') {
            Some((first, last)) => {
                let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
                cpus.extend(first..=last.min(first.checked_add(65_535)?));
            }
            None => cpus.push(part.parse().ok()?),
        }
    }
    Some(cpus)
}

#[cfg(test)]
mod tests {
    use super::cpu_list;

    #[test]
    fn cpu_lists() {
        assert_eq!(cpu_list("0-3,8,10-11\n").unwrap(), [0, 1, 2, 3, 8, 10, 11]);
        assert_eq!(cpu_list("0").unwrap(), [0]);
        assert_eq!(cpu_list("all"), None);
    }
}
