//! The form of the published report pages: their sections, and the rows of their tables as printed.
//!
//! `import` reads pages and holds what it read against these rows; `report` prints them.

mod rows;
mod section;

pub use rows::{Row, UNKNOWN, rows};
pub use section::Section;
