//! The parts that pages are made of.

pub mod chart;
pub mod filters;
pub mod frame;
pub mod legend;
pub mod links;
pub mod menu;
pub mod multiples;
pub mod node;
pub mod plot;
pub mod scatter;
pub mod states;
pub mod table;
pub mod theme;
pub mod tip;
