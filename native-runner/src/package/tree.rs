//! The files of a package, as they can be named: relative to its folder, and nothing outside it.

use super::PackageError;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// More files than any package has: a folder that holds more is none.
const MOST_ENTRIES: usize = 100_000;
/// Deeper than any package's folders.
const DEEPEST: usize = 40;

/// The folder of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    path: PathBuf,
    /// Where it really lies, links followed.
    real: PathBuf,
}

/// Why a path of a package cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathProblem {
    /// It is absolute.
    #[error("`{0}` is an absolute path: name files relative to the package's folder")]
    Absolute(String),
    /// It leads out of the package with `..`.
    #[error(
        "`{0}` leads out of the package: only files of the package itself are used; put kem.toml into a folder \
         that holds them all"
    )]
    Leaves(String),
    /// A link leads out of the package.
    #[error(
        "`{name}` leads out of the package, to {target}: only files of the package itself are used; replace the \
         link by what it leads to, or put kem.toml into a folder that holds them all"
    )]
    Link {
        /// The path.
        name: String,
        /// Where it leads.
        target: String,
    },
    /// There is nothing, or it cannot be reached.
    #[error("`{name}`: {cause}")]
    Missing {
        /// The path.
        name: String,
        /// Why.
        cause: String,
    },
}

impl Root {
    /// Of a folder.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn of(folder: &Path) -> Result<Root, PackageError> {
        let read = |cause| PackageError::read(folder, cause);
        Ok(Root {
            path: std::path::absolute(folder).map_err(read)?,
            real: fs::canonicalize(folder).map_err(read)?,
        })
    }

    /// Its absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The absolute path of what a relative one names, `.` and `..` gone. It exists and lies, links
    /// followed, in the package.
    pub fn find(&self, name: &str) -> Result<PathBuf, PathProblem> {
        let relative = inside(name)?;
        let path = self.path.join(relative);
        self.check(&path, name)?;
        Ok(path)
    }

    /// Whether what an absolute path names lies in the package, links followed. `name` is what it is
    /// called in errors.
    pub fn check(&self, path: &Path, name: &str) -> Result<PathBuf, PathProblem> {
        let real = fs::canonicalize(path).map_err(|cause| PathProblem::Missing {
            name: name.to_owned(),
            cause: cause.to_string(),
        })?;
        if real.starts_with(&self.real) {
            return Ok(real);
        }
        Err(PathProblem::Link {
            name: name.to_owned(),
            target: real.display().to_string(),
        })
    }

    /// A file of the package as it is named: relative to its folder, with `/`.
    pub fn name_of(&self, path: &Path) -> String {
        let relative = path.strip_prefix(&self.path).unwrap_or(path);
        relative.to_string_lossy().into_owned()
    }
}

/// A relative path without `.` and `..`, if it stays inside.
fn inside(name: &str) -> Result<PathBuf, PathProblem> {
    let mut tidied = PathBuf::new();
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => tidied.push(part),
            Component::CurDir => {}
            Component::ParentDir if tidied.pop() => {}
            Component::ParentDir => return Err(PathProblem::Leaves(name.to_owned())),
            Component::RootDir | Component::Prefix(_) => {
                return Err(PathProblem::Absolute(name.to_owned()));
            }
        }
    }
    Ok(tidied)
}

/// One file of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFile {
    /// Its name: relative to the package, with `/`.
    pub name: String,
    /// Its absolute path, below the package's folder.
    pub path: PathBuf,
    /// Where it really lies, links followed: equal for one file under two names.
    pub real: PathBuf,
}

impl TreeFile {
    /// The name of its folder relative to the package; empty for the package's own folder.
    pub fn folder(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Its own name, without folders.
    pub fn base(&self) -> &str {
        self.name
            .rsplit_once('/')
            .map_or(self.name.as_str(), |(_, base)| base)
    }

    /// What stands behind the last full stop of its name; empty if there is none.
    pub fn extension(&self) -> &str {
        self.base()
            .rsplit_once('.')
            .map_or("", |(_, extension)| extension)
    }
}

/// Something in a package that is passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its name, as far as it can be told.
    pub name: String,
    /// Why.
    pub why: String,
}

/// All files of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The files in order of their names.
    pub files: Vec<TreeFile>,
    /// What is passed over, in order of the names.
    pub refused: Vec<Refused>,
}

impl Tree {
    /// Walks through a package. Links are followed as long as they stay in it and do not lead in a circle;
    /// hidden files and folders are no part of it.
    ///
    /// # Errors
    /// If a folder cannot be read, or there is no end.
    pub fn walk(root: &Root) -> Result<Tree, PackageError> {
        let mut walk = Walk {
            root,
            tree: Tree::default(),
            entries: 0,
        };
        let mut above = vec![root.real.clone()];
        walk.folder(&root.path, "", &mut above)?;
        let mut tree = walk.tree;
        tree.files.sort_by(|a, b| a.name.cmp(&b.name));
        tree.refused.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(tree)
    }

    /// The file of a name.
    pub fn get(&self, name: &str) -> Option<&TreeFile> {
        let found = self
            .files
            .binary_search_by(|file| file.name.as_str().cmp(name));
        self.files.get(found.ok()?)
    }
}

struct Walk<'a> {
    root: &'a Root,
    tree: Tree,
    entries: usize,
}

impl Walk<'_> {
    /// `above` are the folders that lead here, as they really lie: one that is met again would lead in a circle.
    fn folder(
        &mut self,
        folder: &Path,
        prefix: &str,
        above: &mut Vec<PathBuf>,
    ) -> Result<(), PackageError> {
        let read = |cause| PackageError::read(folder, cause);
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder).map_err(read)? {
            entries.push(entry.map_err(read)?);
        }
        self.entries += entries.len();
        if self.entries > MOST_ENTRIES {
            let message = format!(
                "holds more than {MOST_ENTRIES} files: is this the folder of one unpacked package?"
            );
            return Err(PackageError::malformed(self.root.path(), message));
        }
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let own = entry.file_name();
            let Some(own) = own.to_str() else {
                let name = format!("{prefix}{}", own.to_string_lossy());
                self.refuse(name, "its name is no UTF-8: rename it");
                continue;
            };
            if own.starts_with('.') || own == "__MACOSX" {
                continue;
            }
            self.entry(&entry.path(), format!("{prefix}{own}"), above)?;
        }
        Ok(())
    }

    fn entry(
        &mut self,
        path: &Path,
        name: String,
        above: &mut Vec<PathBuf>,
    ) -> Result<(), PackageError> {
        let real = match self.root.check(path, &name) {
            Ok(real) => real,
            Err(problem) => {
                let why = match problem {
                    PathProblem::Link { target, .. } => {
                        format!("a link that leads out of the package, to {target}")
                    }
                    PathProblem::Missing { cause, .. } => {
                        format!("a link that leads nowhere: {cause}")
                    }
                    other => other.to_string(),
                };
                self.refuse(name, &why);
                return Ok(());
            }
        };
        let meta = fs::metadata(path).map_err(|cause| PackageError::read(path, cause))?;
        if meta.is_file() {
            self.tree.files.push(TreeFile {
                name,
                path: path.to_owned(),
                real,
            });
        } else if !meta.is_dir() {
            self.refuse(name, "neither a file nor a folder");
        } else if above.contains(&real) {
            self.refuse(name, "a link to a folder that it lies in");
        } else if above.len() > DEEPEST {
            self.refuse(name, "too many folders in one another");
        } else {
            above.push(real);
            let walked = self.folder(path, &format!("{name}/"), above);
            above.pop();
            match walked {
                Err(PackageError::Read {
                    path: unread,
                    cause,
                }) if unread == path => {
                    self.refuse(name, &format!("cannot be read: {cause}"));
                }
                other => return other,
            }
        }
        Ok(())
    }

    fn refuse(&mut self, name: String, why: &str) {
        self.tree.refused.push(Refused {
            name,
            why: why.to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    fn names(tree: &Tree) -> Vec<&str> {
        tree.files.iter().map(|f| f.name.as_str()).collect()
    }

    #[test]
    fn links_are_followed_inside_and_refused_outside() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("päck age");
        fs::create_dir_all(package.join("a/b")).unwrap();
        fs::write(folder.path().join("secret.c"), "").unwrap();
        fs::write(package.join("a/x.c"), "").unwrap();
        fs::write(package.join(".hidden.c"), "").unwrap();
        symlink("../x.c", package.join("a/b/link.c")).unwrap();
        symlink("..", package.join("a/b/up")).unwrap();
        symlink("a/b", package.join("c")).unwrap();
        symlink("../secret.c", package.join("out.c")).unwrap();
        symlink("nowhere", package.join("dangling.c")).unwrap();
        fs::write(
            package.join(std::ffi::OsStr::from_bytes(b"latin\xe9.c")),
            "",
        )
        .unwrap();
        let root = Root::of(&package).unwrap();
        let tree = Tree::walk(&root).unwrap();
        // `c/up` is `a`, which is not above it there: it is walked once, and its own way back is refused.
        assert_eq!(
            names(&tree),
            ["a/b/link.c", "a/x.c", "c/link.c", "c/up/x.c"]
        );
        assert_eq!(tree.files[0].real, tree.files[1].real);
        assert_eq!(tree.get("a/x.c").unwrap().folder(), "a");
        assert!(tree.get("a/y.c").is_none());
        let why = |name: &str| {
            let found = tree.refused.iter().find(|r| r.name == name);
            found.map(|r| r.why.clone()).unwrap_or_default()
        };
        assert!(why("a/b/up").contains("lies in"));
        assert!(why("out.c").contains("leads out of the package"));
        assert!(why("dangling.c").contains("nowhere"));
        assert!(why("latin\u{fffd}.c").contains("UTF-8"));
    }

    #[test]
    fn paths_stay_in_the_package() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("p");
        fs::create_dir_all(package.join("a")).unwrap();
        fs::write(package.join("x.c"), "").unwrap();
        fs::write(folder.path().join("y.c"), "").unwrap();
        symlink("../../y.c", package.join("a/y.c")).unwrap();
        let root = Root::of(&package).unwrap();
        assert_eq!(root.find("a/../x.c").unwrap(), root.path().join("x.c"));
        assert_eq!(root.find(".").unwrap(), root.path());
        let error = |name: &str| root.find(name).unwrap_err();
        assert!(matches!(error("../y.c"), PathProblem::Leaves(_)));
        assert!(matches!(error("a/../../p/x.c"), PathProblem::Leaves(_)));
        assert!(matches!(error("/etc/passwd"), PathProblem::Absolute(_)));
        assert!(matches!(error("a/y.c"), PathProblem::Link { .. }));
        assert!(matches!(error("z.c"), PathProblem::Missing { .. }));
    }
}
