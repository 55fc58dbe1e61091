//! Profiles: how often operations call the symmetric primitives, and what part of them that is.
//!
//! [`primitives`] says which functions are meant; [`graph`] and [`sight`] tell from compiled objects which calls
//! wrappers can see; [`library`] links the wrappers in; [`share`] makes shares and mean calls of what was counted.

pub mod graph;
pub mod library;
pub mod plan;
pub mod primitives;
pub mod record;
pub mod share;
pub mod sight;
