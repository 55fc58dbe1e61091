//! Axes: where values lie, and where the ticks are.

/// A logarithmic axis.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Log {
    /// An axis from `from` to `to` (pixels) that holds all values with some room; `None` without positive
    /// values.
    pub fn around(values: &[f64], from: f64, to: f64) -> Option<Log> {
        let positive = || values.iter().copied().filter(|v| v.is_finite() && *v > 0.0);
        let low = positive().fold(f64::INFINITY, f64::min);
        let high = positive().fold(0.0, f64::max);
        if high <= 0.0 {
            return None;
        }
        // A twelfth of the span on each side, and half a decade at least in all.
        let (low, high) = (low.log10(), high.log10());
        let room = ((high - low) / 12.0)
            .max((0.5 - (high - low)) / 2.0)
            .max(0.08);
        Some(Log {
            low: low - room,
            high: high + room,
            from,
            to,
        })
    }

    /// Where a positive value lies.
    pub fn at(&self, value: f64) -> f64 {
        let part = (value.log10() - self.low) / (self.high - self.low);
        self.from + part * (self.to - self.from)
    }

    /// Values with a line and a label: powers of ten, with 2 and 5 between them where there are few.
    pub fn ticks(&self) -> Vec<f64> {
        let decades = self.high - self.low;
        let steps: &[f64] = if decades > 4.0 {
            &[1.0]
        } else if decades > 2.2 {
            &[1.0, 3.0]
        } else {
            &[1.0, 2.0, 5.0]
        };
        let mut ticks = Vec::new();
        for exponent in self.low.floor() as i32..=self.high.ceil() as i32 {
            for step in steps {
                let value = step * 10f64.powi(exponent);
                if (self.low..=self.high).contains(&value.log10()) {
                    ticks.push(value);
                }
            }
        }
        ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_within_and_ticks_are_round() {
        let axis = Log::around(&[800.0, 40_000.0], 0.0, 100.0).unwrap();
        assert!(axis.at(800.0) > 0.0 && axis.at(40_000.0) < 100.0);
        assert_eq!(
            axis.ticks(),
            [1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0, 50_000.0]
        );
        let one = Log::around(&[1000.0], 0.0, 100.0).unwrap();
        assert!((one.at(1000.0) - 50.0).abs() < 1e-9);
        assert!(!one.ticks().is_empty());
        assert!(Log::around(&[0.0], 0.0, 1.0).is_none());
        let wide = Log::around(&[1.0, 1e6], 0.0, 1.0).unwrap();
        assert_eq!(wide.ticks().len(), 7);
    }
}
