//! The pages.

pub mod families;
pub mod family;
pub mod overview;
pub mod systems;
