//! Places on axes: fractions of a length, and tick marks. Used by in-cell bars and small multiples.

use kemscope_schema::TargetGroup;

/// The least and the greatest of positive values; `None` where there are none.
pub fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values
        .filter(|v| *v > 0.0 && v.is_finite())
        .fold(None, |range, v| {
            Some(range.map_or((v, v), |(low, high): (f64, f64)| (low.min(v), high.max(v))))
        })
}

/// Where a value lies between the ends of a range, 0 to 1, on a logarithmic or linear axis. A range
/// without width puts everything in the middle.
pub fn fraction(value: f64, (low, high): (f64, f64), log: bool) -> f64 {
    let place = |v: f64| {
        if log {
            v.max(f64::MIN_POSITIVE).ln()
        } else {
            v
        }
    };
    let width = place(high) - place(low);
    if width > 0.0 {
        ((place(value) - place(low)) / width).clamp(0.0, 1.0)
    } else {
        0.5
    }
}

/// A range widened to whole powers of ten.
pub fn decades((low, high): (f64, f64)) -> (f64, f64) {
    let (from, to) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let to = if to == from { from + 1 } else { to };
    (10f64.powi(from), 10f64.powi(to))
}

/// The powers of ten within a range.
pub fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let (from, to) = (low.log10().ceil() as i32, high.log10().floor() as i32);
    (from..=to).map(|exponent| 10f64.powi(exponent)).collect()
}

/// Outline of a plot symbol around a place, in SVG path notation: ○ 128, △ 256, □ 512, ◇ other.
pub fn symbol(target: TargetGroup, x: f64, y: f64, r: f64) -> String {
    let p = |v: f64| (v * 10.0).round() / 10.0;
    match target {
        TargetGroup::Bits128 => format!(
            "M{} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z",
            p(x - r),
            p(y),
            d = 2.0 * r
        ),
        TargetGroup::Bits256 => format!("M{} {}l{r} {d}h-{d}z", p(x), p(y - r), d = 2.0 * r),
        TargetGroup::Bits512 => format!("M{} {}h{d}v{d}h-{d}z", p(x - r), p(y - r), d = 2.0 * r),
        TargetGroup::Other => format!("M{} {}l{r} {r}l-{r} {r}l-{r} -{r}z", p(x), p(y - r)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_leave_out_what_a_log_axis_cannot_show() {
        assert_eq!(
            extent([3.0, 0.0, 9.0, f64::NAN].into_iter()),
            Some((3.0, 9.0))
        );
        assert_eq!(extent([0.0].into_iter()), None);
    }

    #[test]
    fn places_on_both_axes() {
        assert_eq!(fraction(10.0, (1.0, 100.0), true), 0.5);
        assert_eq!(fraction(25.0, (0.0, 100.0), false), 0.25);
        assert_eq!(fraction(5.0, (5.0, 5.0), true), 0.5);
        assert_eq!(fraction(1e9, (1.0, 100.0), true), 1.0);
    }

    #[test]
    fn decades_and_ticks() {
        assert_eq!(decades((30.0, 2000.0)), (10.0, 10_000.0));
        assert_eq!(decades((100.0, 100.0)), (100.0, 1000.0));
        assert_eq!(ticks((10.0, 10_000.0)), [10.0, 100.0, 1000.0, 10_000.0]);
    }
}
