//! What a run knows of its machine and keeps to itself.

use super::layout::PRIVATE;
use crate::files::{self, FileError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// File `private.json`: what a run needs to know of its machine, or may be asked for, but does not tell.
/// It is never published.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Private {
    /// Folders with the words that stand for them in the records.
    pub folders: BTreeMap<String, String>,
    /// Name of the host.
    pub host_name: Option<String>,
}

impl Private {
    /// Of the machine that this is.
    pub fn of_this_machine() -> Private {
        let name = nix::unistd::gethostname().ok();
        Private {
            folders: BTreeMap::new(),
            host_name: name.map(|name| name.to_string_lossy().into_owned()),
        }
    }

    /// Of a run directory; nothing where the run was made before runs kept it.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn read(run: &Path) -> Result<Private, FileError> {
        match files::read_json(&run.join(PRIVATE)) {
            Err(error) if error.is_not_found() => Ok(Private::default()),
            read => read,
        }
    }

    /// Into a run directory.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, run: &Path) -> Result<(), FileError> {
        files::write_json(&run.join(PRIVATE), self)
    }
}
