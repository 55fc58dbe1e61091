//! What a reader sees while a command works: numbered steps with their time.

use anyhow::{Context, Result};
use std::time::{Duration, Instant};

/// Numbered steps of a command.
#[derive(Debug)]
pub struct Steps {
    total: usize,
    at: usize,
    started: Instant,
}

impl Steps {
    /// Steps of a command that has `total` of them.
    pub fn new(total: usize) -> Steps {
        Steps {
            total,
            at: 0,
            started: Instant::now(),
        }
    }

    /// Does the next step. Its title is printed before, what `work` says and the time it took after.
    ///
    /// # Errors
    /// The error of `work`, with the step's title.
    pub fn step<T>(
        &mut self,
        title: &str,
        work: impl FnOnce() -> Result<(T, String)>,
    ) -> Result<T> {
        self.at += 1;
        println!("[{}/{}] {title} …", self.at, self.total);
        let start = Instant::now();
        let (value, outcome) = work().with_context(|| title.to_owned())?;
        println!("      {outcome} ({})", seconds(start.elapsed()));
        Ok(value)
    }

    /// Time since the first step.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// A duration for people: `0.4 s`, `2 min 05 s`.
pub fn seconds(duration: Duration) -> String {
    let tenths = duration.as_millis().div_ceil(100);
    if tenths < 600 {
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else {
        let whole = duration.as_secs();
        format!("{} min {:02} s", whole / 60, whole % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(seconds(Duration::from_millis(0)), "0.0 s");
        assert_eq!(seconds(Duration::from_millis(1234)), "1.3 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
    }

    #[test]
    fn a_failed_step_names_itself() {
        let error = Steps::new(1)
            .step::<()>("Making tea", || anyhow::bail!("no water"))
            .unwrap_err();
        assert_eq!(format!("{error:#}"), "Making tea: no water");
    }
}
