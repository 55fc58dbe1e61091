//! A library to be loaded before all others into a measuring process.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The variable that the dynamic linker reads.
const VARIABLE: &str = "LD_PRELOAD";
/// What separates paths in it: no path with one of these can be written.
const SEPARATORS: [char; 2] = [' ', ':'];

/// The library at a path that the variable can name.
pub struct Preload {
    value: OsString,
    /// Holds a copy where the library's own path cannot be named.
    _copy: Option<TempDir>,
}

impl Preload {
    /// Of the library at `path`.
    ///
    /// # Errors
    /// If it has to be copied and there is no place.
    pub fn of(path: &Path) -> io::Result<Preload> {
        let (path, copy) = if can_be_named(path) {
            (path.to_owned(), None)
        } else {
            let folder = folder_that_can_be_named()?;
            let place = folder.path().join("preload.so");
            std::fs::copy(path, &place)?;
            (place, Some(folder))
        };
        let mut value = path.into_os_string();
        // What the user loads stays, behind it.
        if let Some(others) = std::env::var_os(VARIABLE).filter(|others| !others.is_empty()) {
            value.push(":");
            value.push(others);
        }
        Ok(Preload { value, _copy: copy })
    }

    /// Name and value of the variable.
    pub fn variable(&self) -> (&'static str, &OsString) {
        (VARIABLE, &self.value)
    }
}

fn can_be_named(path: &Path) -> bool {
    path.to_str().is_some_and(|text| !text.contains(SEPARATORS))
}

fn folder_that_can_be_named() -> io::Result<TempDir> {
    let places = [
        std::env::temp_dir(),
        PathBuf::from("/tmp"),
        PathBuf::from("/var/tmp"),
    ];
    let mut last =
        io::Error::other("no folder for temporary files whose path has neither space nor colon");
    for place in places.iter().filter(|place| can_be_named(place)) {
        match tempfile::Builder::new()
            .prefix("kemscope-")
            .tempdir_in(place)
        {
            Ok(folder) => return Ok(folder),
            Err(error) => last = error,
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_a_space_is_copied_to_one_without() {
        let folder = tempfile::Builder::new().prefix("a b").tempdir().unwrap();
        let library = folder.path().join("x.so");
        std::fs::write(&library, "content").unwrap();
        let preload = Preload::of(&library).unwrap();
        let (_, value) = preload.variable();
        let first = value
            .to_str()
            .unwrap()
            .split(':')
            .next()
            .unwrap()
            .to_owned();
        assert!(!first.contains(' '), "{first}");
        assert_eq!(std::fs::read_to_string(&first).unwrap(), "content");
        drop(preload);
        assert!(!Path::new(&first).exists());
    }

    #[test]
    fn any_other_path_is_named_as_it_is() {
        let preload = Preload::of(Path::new("/cache/heap.so")).unwrap();
        let (name, value) = preload.variable();
        assert_eq!(name, "LD_PRELOAD");
        assert!(value.to_str().unwrap().starts_with("/cache/heap.so"));
    }
}
