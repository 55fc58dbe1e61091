//! The dashboard's pure logic: what is shown, in which order, and how a view is written into a URL.
//!
//! Nothing here knows of the browser or of the framework; everything is tested natively. Figures
//! are only selected, compared and placed; every derived figure comes from the contract crate.

pub mod axes;
pub mod column;
pub mod explain;
pub mod filter;
pub mod geometry;
pub mod lines;
pub mod mark;
pub mod number;
pub mod palette;
pub mod place;
pub mod points;
pub mod query;
pub mod row;
pub mod sort;
pub mod view;
