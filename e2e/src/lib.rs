//! Driving the built dashboard in headless Chromium.
//!
//! A test opens a [`Scene`]: a server of its own, a browser of its own, and at the end the check that nothing went wrong
//! behind its back (no console error, no request to another origin).

pub mod bytes;
pub mod chromium;
pub mod driver;
pub mod export;
pub mod page;
pub mod scene;
pub mod site;
pub mod trace;

pub use page::{Page, TableRow};
pub use scene::{Scene, Stage};
pub use site::Site;
