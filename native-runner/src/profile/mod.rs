//! Profiles: how often operations call the symmetric primitives, and what part of them that is.
//!
//! [`primitives`] says which functions are meant; [`graph`] and [`sight`] tell from compiled objects which calls
//! wrappers can see; [`share`] makes shares and mean calls of what was counted.

pub mod graph;
pub mod primitives;
pub mod share;
pub mod sight;
