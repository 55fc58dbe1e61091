//! Run directories: what lies where, who may write, how far it is.

mod directory;
mod layout;
mod places;
mod private;

pub use directory::{Found, RunDirectory, RunError, latest_unfinished};
pub use layout::Layout;
pub use places::Places;
pub use private::Private;
