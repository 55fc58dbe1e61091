//! Run directories: what lies where, who may write, how far it is.

mod directory;
mod find;
mod layout;
mod places;
mod private;

pub use directory::{Found, RunDirectory, RunError};
pub use find::{begin_alone, latest_unfinished, runs_below};
pub use layout::{LOCK, LOG, Layout, MANIFEST};
pub use places::Places;
pub use private::Private;
