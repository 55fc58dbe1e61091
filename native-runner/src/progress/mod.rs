//! Telling the user how far a run is and how long it will take.

mod estimate;
mod terminal;

pub use estimate::{Estimate, words};
pub use terminal::{Plain, Terminal};

use std::io::IsTerminal;

/// Where progress is shown. Amounts of work are estimated seconds.
pub trait Progress {
    /// So much work lies ahead in all.
    fn begin(&mut self, seconds: f64);
    /// The estimate of what lies ahead changed by so much.
    fn adjust(&mut self, seconds: f64);
    /// So much was done.
    fn advance(&mut self, seconds: f64);
    /// This is being done now.
    fn doing(&mut self, what: &str);
    /// This is worth a line of its own.
    fn line(&mut self, text: &str);
    /// Nothing more will come.
    fn end(&mut self);
}

/// A bar on a terminal, lines elsewhere. Both write to standard error.
pub fn for_this_terminal() -> Box<dyn Progress> {
    if std::io::stderr().is_terminal() {
        Box::new(Terminal::new())
    } else {
        Box::new(Plain::new())
    }
}
