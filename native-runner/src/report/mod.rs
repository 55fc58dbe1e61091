//! Reports from the published JSON alone: the page of a family in the sections of the published report pages,
//! and the table of many instances.
//!
//! A report is put together once as a [`document::Document`] and then written in a format.

pub mod document;
mod extras;
pub mod family;
pub mod figures;
pub mod html;
pub mod latex;
pub mod markdown;
pub mod overview;
mod remarks;
mod tables;

#[cfg(test)]
mod tests;
