//! All that is read of a package: its files and, of those with code, what they include, define and need.

use crate::csource::{self, Include, Symbols};
use crate::package::PackageError;
use crate::package::tree::{Root, Tree, TreeFile};
use std::collections::BTreeMap;

/// Larger files are tables that nobody wrote; they are compiled, but not looked into.
const LARGEST_BYTES: u64 = 16 << 20;

/// Extensions of files with code that others include.
const HEADERS: [&str; 8] = ["h", "hh", "hpp", "hxx", "inc", "inl", "def", "macros"];

/// What a file with code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// C or C++, compiled by itself.
    Code,
    /// Assembler, compiled by itself.
    Assembler,
    /// Included by others.
    Header,
}

/// A file with code.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file.
    pub file: TreeFile,
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// What it includes.
    pub includes: Vec<Include>,
    /// What it defines and needs.
    pub symbols: Symbols,
}

impl Source {
    /// Whether it is compiled by itself.
    pub fn is_compiled(&self) -> bool {
        self.kind != Kind::Header
    }
}

/// A package as it was read.
#[derive(Debug)]
pub struct Survey {
    /// Its folder.
    pub root: Root,
    /// All its files.
    pub tree: Tree,
    /// The files with code, in order of their names.
    pub sources: Vec<Source>,
    numbers: BTreeMap<String, usize>,
    definers: BTreeMap<String, Vec<usize>>,
}

impl Survey {
    /// Reads a package.
    ///
    /// # Errors
    /// If its folder or one of its sources cannot be read.
    pub fn of(root: Root) -> Result<Survey, PackageError> {
        let tree = Tree::walk(&root)?;
        let mut sources = Vec::new();
        for file in &tree.files {
            if let Some(kind) = kind(file) {
                sources.push(read(file, kind)?);
            }
        }
        let number = |(number, source): (usize, &Source)| (source.file.name.clone(), number);
        let mut definers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, source) in sources.iter().enumerate().filter(|(_, s)| s.is_compiled()) {
            for name in &source.symbols.defined {
                definers.entry(name.clone()).or_default().push(number);
            }
        }
        Ok(Survey {
            definers,
            numbers: sources.iter().enumerate().map(number).collect(),
            root,
            tree,
            sources,
        })
    }

    /// The number of the source of a name.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// The numbers of the compiled sources that define a name.
    pub fn definers(&self, name: &str) -> &[usize] {
        self.definers.get(name).map_or(&[], Vec::as_slice)
    }

    /// The name of the file that an include names, in the compiler's order; `None` for what the system brings or
    /// nobody does.
    pub fn resolve(&self, include: &Include, from: &str, folders: &[String]) -> Option<String> {
        let name = include.name.as_deref()?;
        let beside = folder_of(from);
        let beside = include.quoted.then_some(beside);
        let folders = folders.iter().map(String::as_str);
        beside
            .into_iter()
            .chain(folders)
            .filter_map(|folder| join(folder, name))
            .find(|path| self.tree.get(path).is_some())
    }

    /// The files that an include may mean which none of the known folders has.
    pub fn elsewhere(&self, name: &str) -> Vec<&TreeFile> {
        let tail = format!("/{name}");
        let named = |file: &&TreeFile| file.name == name || file.name.ends_with(&tail);
        match name.contains("..") {
            true => Vec::new(),
            false => self.tree.files.iter().filter(named).collect(),
        }
    }
}

fn kind(file: &TreeFile) -> Option<Kind> {
    match file.extension() {
        "c" | "cc" | "cpp" | "cxx" | "C" => Some(Kind::Code),
        "S" | "s" => Some(Kind::Assembler),
        extension if HEADERS.contains(&extension) => Some(Kind::Header),
        _ => None,
    }
}

fn read(file: &TreeFile, kind: Kind) -> Result<Source, PackageError> {
    let fail = |cause| PackageError::read(&file.path, cause);
    let meta = std::fs::metadata(&file.path).map_err(fail)?;
    let bytes = match meta.len() > LARGEST_BYTES {
        true => Vec::new(),
        false => std::fs::read(&file.path).map_err(fail)?,
    };
    // Comments are in whatever encoding their authors used; names and directives are ASCII.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Source {
        file: file.clone(),
        kind,
        includes: csource::includes(&text),
        symbols: match kind {
            Kind::Code | Kind::Header => Symbols::of(&text),
            Kind::Assembler => Symbols::of_assembler(&text),
        },
        text,
    })
}

/// The folder of a name; empty for the package's own.
pub fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a name.
pub fn base_of(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, base)| base)
}

/// Whether a file or folder lies in a folder, at whatever depth.
pub fn lies_in(name: &str, folder: &str) -> bool {
    folder.is_empty()
        || name == folder
        || name
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// How many of their first folders two names have in common.
pub fn nearness(one: &str, other: &str) -> usize {
    let parts = one.split('/').zip(other.split('/'));
    parts.take_while(|(a, b)| a == b).count()
}

/// The name of what a relative path leads to from a folder; `None` if it leads out of the package.
pub fn join(folder: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined_inside_the_package() {
        assert_eq!(join("a/b", "../c/./x.h").as_deref(), Some("a/c/x.h"));
        assert_eq!(join("", "x.h").as_deref(), Some("x.h"));
        assert_eq!(join("a", "../../x.h"), None);
        assert_eq!(join("a", "/x.h"), None);
    }

    #[test]
    fn folders_hold_names() {
        assert!(lies_in("a/b/c.h", "a/b") && lies_in("a/b", "a/b") && lies_in("x", ""));
        assert!(!lies_in("a/bc", "a/b"));
        assert_eq!(nearness("a/b/c", "a/b/d"), 2);
        assert_eq!(nearness("a", "b"), 0);
    }
}
