//! How much time is left, from estimates and how they held so far.

use std::time::Duration;

/// Estimated work and how much of it is done, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    total: f64,
    done: f64,
}

impl Estimate {
    /// So much work, nothing done.
    pub fn new(total_seconds: f64) -> Estimate {
        Estimate {
            total: total_seconds.max(0.0),
            done: 0.0,
        }
    }

    /// Work was added (or, negative, turned out not to be needed).
    pub fn adjust(&mut self, seconds: f64) {
        self.total = (self.total + seconds).max(self.done);
    }

    /// Work was done.
    pub fn advance(&mut self, seconds: f64) {
        self.done += seconds.max(0.0);
        self.total = self.total.max(self.done);
    }

    /// Part that is done, 0 to 1.
    pub fn fraction(&self) -> f64 {
        if self.total > 0.0 {
            self.done / self.total
        } else {
            0.0
        }
    }

    /// Time left, if what is left goes as what was done: after `elapsed`, or by the estimate alone as
    /// long as too little is done to judge.
    pub fn left(&self, elapsed: Duration) -> Duration {
        let remaining = (self.total - self.done).max(0.0);
        let pace = if self.fraction() > 0.02 {
            elapsed.as_secs_f64() / self.done
        } else {
            1.0
        };
        Duration::try_from_secs_f64(remaining * pace).unwrap_or(Duration::MAX)
    }
}

/// A duration as people say it: `8 s`, `3 min 20 s`, `2 h 05 min`.
pub fn words(duration: Duration) -> String {
    let seconds = duration.as_secs_f64().ceil() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_so_far_is_projected() {
        let mut estimate = Estimate::new(100.0);
        assert_eq!(estimate.left(Duration::ZERO), Duration::from_secs(100));
        estimate.advance(50.0);
        assert_eq!(
            estimate.left(Duration::from_secs(25)),
            Duration::from_secs(25)
        );
        estimate.adjust(-50.0);
        assert_eq!(estimate.left(Duration::from_secs(25)), Duration::ZERO);
        assert_eq!(estimate.fraction(), 1.0);
    }

    #[test]
    fn durations_in_words() {
        let text = |seconds| words(Duration::from_secs(seconds));
        assert_eq!(
            [text(8), text(200), text(7500)],
            ["8 s", "3 min 20 s", "2 h 05 min"]
        );
    }
}
