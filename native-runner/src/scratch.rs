//! Folders for unfinished work, cleared away even where the program was killed over it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// File within a scratch folder that its owner keeps locked; the kernel gives the lock up for the dead.
const LOCK: &str = ".lock";
/// File beside scratch folders that keeps two programs from looking and making at once.
const GUARD: &str = ".scratch.lock";

/// A folder that vanishes with the value, or is removed by the next program that makes one of its kind.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// A new folder in `parent`, its name beginning with `prefix`. Others of the prefix whose programs are gone
    /// are removed, unless the file system knows no locks.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new_in(parent: &Path, prefix: &str) -> io::Result<Scratch> {
        let guard = open(&parent.join(GUARD))?;
        if guard.lock().is_ok() {
            remove_left(parent, prefix)?;
        }
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
        let lock = open(&folder.path().join(LOCK))?;
        // Without locks nobody removes it either.
        let _ = lock.try_lock();
        Ok(Scratch {
            folder,
            _lock: lock,
        })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the finished folder its name. It stays.
    ///
    /// # Errors
    /// If there is something of that name, or it lies in another file system.
    pub fn finish(self, name: &Path) -> io::Result<()> {
        fs::rename(self.folder.path(), name)?;
        // There is nothing left to remove.
        let _: PathBuf = self.folder.keep();
        Ok(())
    }
}

fn open(path: &Path) -> io::Result<File> {
    File::options().create(true).append(true).open(path)
}

fn remove_left(parent: &Path, prefix: &str) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        let ours = entry.file_name().to_string_lossy().starts_with(prefix);
        if !ours || !entry.file_type()?.is_dir() {
            continue;
        }
        let path = entry.path();
        let alive = match File::open(path.join(LOCK)) {
            Ok(lock) => matches!(lock.try_lock(), Err(TryLockError::WouldBlock)),
            Err(_) => false,
        };
        if !alive {
            // A compiler that outlived its runner may still be writing there; then the next one removes it.
            let _ = fs::remove_dir_all(&path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dead_are_cleared_away_and_the_living_left_alone() {
        let parent = tempfile::tempdir().unwrap();
        let living = Scratch::new_in(parent.path(), "work-").unwrap();
        let dead = parent.path().join("work-dead");
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join(LOCK), b"").unwrap();
        let other = parent.path().join("other");
        fs::create_dir(&other).unwrap();
        let second = Scratch::new_in(parent.path(), "work-").unwrap();
        assert!(living.path().is_dir() && second.path().is_dir());
        assert!(!dead.exists() && other.is_dir());
        let gone = second.path().to_owned();
        drop(second);
        assert!(!gone.exists());
    }

    #[test]
    fn a_finished_folder_stays() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::new_in(parent.path(), ".work-").unwrap();
        fs::write(scratch.path().join("x"), b"x").unwrap();
        let name = parent.path().join("named");
        scratch.finish(&name).unwrap();
        assert!(name.join("x").is_file());
        let taken = Scratch::new_in(parent.path(), ".work-").unwrap();
        taken.finish(&name).unwrap_err();
        assert!(name.join("x").is_file());
    }
}
