//! One writer at a time.

use super::{DataFolder, pending};
use anyhow::{Context, Result, bail};
use std::fs::{File, TryLockError};

/// Excludes other writers of a data folder for as long as it lives.
#[derive(Debug)]
pub struct DataLock {
    _file: File,
}

impl DataFolder {
    /// Locks the folder for reading, changing and writing back; creates it if need be. Publications that
    /// were interrupted are finished first, and said so on standard error.
    ///
    /// # Errors
    /// If another process holds the lock, or the folder cannot be created or mended.
    pub fn lock(&self) -> Result<DataLock> {
        std::fs::create_dir_all(self.root())
            .with_context(|| format!("cannot create {}", self.root().display()))?;
        let path = self.root().join(".lock");
        // Only a handle to lock: whatever the file holds is left alone.
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .with_context(|| format!("cannot open {}; is the folder writable?", path.display()))?;
        match file.try_lock() {
            Ok(()) => {
                for system in pending::mend(self)? {
                    eprintln!("note: finished an interrupted publication of system {system}");
                }
                Ok(DataLock { _file: file })
            }
            Err(TryLockError::WouldBlock) => bail!(
                "another native-runner is writing to {}; wait until it is done",
                self.root().display()
            ),
            Err(TryLockError::Error(e)) => {
                Err(e).with_context(|| format!("cannot lock {}", path.display()))
            }
        }
    }
}
