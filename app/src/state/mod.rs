//! Signals: where the reader is, what has been loaded, what follows from both.

pub mod dashboard;
pub mod nav;
pub mod reactive;
pub mod store;
