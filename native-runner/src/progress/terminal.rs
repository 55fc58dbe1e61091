//! The two ways of showing progress.

use super::Progress;
use super::estimate::{Estimate, words};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::time::{Duration, Instant};

/// Steps of the bar.
const STEPS: u64 = 1000;

/// A bar with the time left.
pub struct Terminal {
    bar: ProgressBar,
    estimate: Estimate,
    began: Instant,
    doing: String,
}

impl Terminal {
    /// A bar that appears with the first work.
    pub fn new() -> Terminal {
        let bar = ProgressBar::new(STEPS);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}") {
            bar.set_style(style);
        }
        Terminal {
            bar,
            estimate: Estimate::default(),
            began: Instant::now(),
            doing: String::new(),
        }
    }

    fn show(&self) {
        let left = words(self.estimate.left(self.began.elapsed()));
        let position = (self.estimate.fraction() * STEPS as f64) as u64;
        self.bar.set_position(position);
        self.bar.set_message(format!("{left} left  {}", self.doing));
    }
}

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal::new()
    }
}

impl Progress for Terminal {
    fn begin(&mut self, seconds: f64) {
        self.estimate = Estimate::new(seconds);
        self.began = Instant::now();
        self.show();
    }

    fn adjust(&mut self, seconds: f64) {
        self.estimate.adjust(seconds);
        self.show();
    }

    fn advance(&mut self, seconds: f64) {
        self.estimate.advance(seconds);
        self.show();
    }

    fn doing(&mut self, what: &str) {
        what.clone_into(&mut self.doing);
        self.show();
    }

    fn line(&mut self, text: &str) {
        self.bar.println(text);
    }

    fn end(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Plain lines, for logs and pipes.
pub struct Plain {
    estimate: Estimate,
    began: Instant,
    told: Option<Instant>,
}

impl Plain {
    /// Time left is told at most so often.
    const INTERVAL: Duration = Duration::from_secs(10);

    /// Nothing shown yet.
    pub fn new() -> Plain {
        Plain {
            estimate: Estimate::default(),
            began: Instant::now(),
            told: None,
        }
    }
}

impl Default for Plain {
    fn default() -> Plain {
        Plain::new()
    }
}

impl Progress for Plain {
    fn begin(&mut self, seconds: f64) {
        self.estimate = Estimate::new(seconds);
        self.began = Instant::now();
    }

    fn adjust(&mut self, seconds: f64) {
        self.estimate.adjust(seconds);
    }

    fn advance(&mut self, seconds: f64) {
        self.estimate.advance(seconds);
        let due = self.told.unwrap_or(self.began).elapsed() >= Plain::INTERVAL;
        if due && self.estimate.fraction() < 1.0 {
            self.told = Some(Instant::now());
            let percent = (self.estimate.fraction() * 100.0).floor();
            let left = words(self.estimate.left(self.began.elapsed()));
            self.line(&format!("… {percent:.0} % done, about {left} left"));
        }
    }

    fn doing(&mut self, _what: &str) {}

    fn line(&mut self, text: &str) {
        // Nobody may be listening any more; the run goes on.
        let _ = writeln!(std::io::stderr(), "{text}");
    }

    fn end(&mut self) {}
}
