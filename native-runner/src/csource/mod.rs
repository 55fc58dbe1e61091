//! Reading C sources as text: enough of the language to tell what a file includes, defines and needs, and what
//! its macros come to. Nothing here compiles or runs anything, and whatever a file holds, the answer is only a
//! good guess that people can correct.

pub mod expression;
pub mod includes;
pub mod preprocess;
pub mod strip;
pub mod symbols;
mod tokens;

pub use includes::{Include, includes};
pub use preprocess::Macros;
pub use strip::without_comments;
pub use symbols::Symbols;
