//! How a figure stands in a table column that has one unit for all its cells.
//!
//! The contract's formats pick the unit that suits each figure; in a column, one unit and aligned
//! decimal points let the eye compare lengths. Precision is the same as on the report pages.

use super::column::{Column, Units};
use kemscope_schema::format;

/// Digits and point as wide spaces: they stand where a shorter number has no decimals.
const FIGURE_SPACE: char = '\u{2007}';
const POINT_SPACE: char = '\u{2008}';

/// `value` with `decimals`, thousands grouped, filled up to `slot` decimals so that points align.
fn aligned(value: f64, decimals: usize, slot: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (whole, rest) = match text.find('.') {
        Some(point) => text.split_at(point),
        None => (text.as_str(), ""),
    };
    // Figures beyond 2^64 have no groups; none is near that.
    let mut out = whole
        .parse()
        .map_or_else(|_| whole.to_owned(), format::grouped);
    out.push_str(rest);
    if slot > decimals {
        if decimals == 0 {
            out.push(POINT_SPACE);
        }
        out.extend(std::iter::repeat_n(FIGURE_SPACE, slot - decimals));
    }
    out
}

/// The multiple of `step` next to a value: no digits are shown that the pages would not print.
fn round_to(value: f64, step: f64) -> f64 {
    if step >= 1.0 {
        (value / step).round() * step
    } else {
        value
    }
}

/// The text of a cell. `value` is the exact figure (bits, bytes, cycles, seconds, fraction); the cell
/// shows it in the unit of the column's head.
pub fn cell(column: Column, units: Units, value: f64) -> String {
    match (column, units) {
        // One decimal of a kilocycle below a million, as printed; whole kilocycles above.
        (Column::Speed(_), Units::Cycles) => {
            let (decimals, step) = match value {
                v if v < 999.95 => (3, 1e-3),
                v if v < 999_950.0 => (1, 0.1),
                v if v < 999_995_000.0 => (0, 1e1),
                _ => (0, 1e4),
            };
            aligned(round_to(value / 1e3, step), decimals, 1)
        }
        // Three significant digits.
        (Column::Speed(_), Units::Time) => {
            let micros = value * 1e6;
            let decimals = if micros < 9.995 {
                2
            } else {
                usize::from(micros < 99.95)
            };
            let step = 10f64.powi(micros.max(f64::MIN_POSITIVE).log10().floor() as i32 - 2);
            // Figures below 10 µs are few; they keep their third digit and stand out of line by it.
            aligned(round_to(micros, step), decimals, 1)
        }
        (Column::Share, _) => {
            let percent = format::share(value);
            let digits = percent.trim_end_matches('%');
            let mut out = digits.to_owned();
            if !digits.contains('.') {
                out.extend([POINT_SPACE, FIGURE_SPACE]);
            }
            out
        }
        _ => aligned(value, 0, 0),
    }
}

/// Cycles with their unit: `950 cycles`, `241.9 kcycles`.
pub fn cycles(value: f64) -> String {
    let text = format::cycles(value);
    // "241.9 k" takes the unit at once, "950" after a space.
    let space = if text.contains(' ') { "" } else { " " };
    format!("{text}{space}cycles")
}

/// A speed with its unit.
pub fn speed(value: f64, units: Units) -> String {
    match units {
        Units::Cycles => cycles(value),
        Units::Time => format::seconds(value),
    }
}

/// From the smallest to the greatest of some whole numbers; one number where they are the same.
pub fn range((low, high): (f64, f64)) -> String {
    let (low, high) = (format::grouped(low as u64), format::grouped(high as u64));
    if low == high {
        low
    } else {
        format!("{low} – {high}")
    }
}

/// Cycles or bytes on an axis: as few digits as the tick needs (`10 k`, `2.5 M`).
pub fn count_tick(value: f64) -> String {
    let (scaled, prefix) = if value >= 1e9 {
        (value / 1e9, " G")
    } else if value >= 1e6 {
        (value / 1e6, " M")
    } else if value >= 1e3 {
        (value / 1e3, " k")
    } else {
        (value, "")
    };
    format!(
        "{}{prefix}",
        format::shortest((scaled * 100.0).round() / 100.0)
    )
}

/// Seconds on an axis.
pub fn seconds_tick(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else {
        format::seconds(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kemscope_schema::Operation;

    fn bare(column: Column, units: Units, value: f64) -> String {
        cell(column, units, value)
            .replace([FIGURE_SPACE, POINT_SPACE], "")
            .replace('\u{202f}', " ")
    }

    #[test]
    fn one_unit_per_column() {
        let dec = Column::Speed(Operation::Dec);
        assert_eq!(bare(dec, Units::Cycles, 241_900.0), "241.9");
        assert_eq!(bare(dec, Units::Cycles, 92_290_000.0), "92 290");
        assert_eq!(bare(dec, Units::Cycles, 2.82e9), "2 820 000");
        assert_eq!(bare(dec, Units::Cycles, 950.0), "0.950");
        assert_eq!(bare(dec, Units::Time, 91e-6), "91.0");
        assert_eq!(bare(dec, Units::Time, 1.05), "1 050 000");
        assert_eq!(bare(dec, Units::Time, 8.97e-6), "8.97");
        assert_eq!(bare(dec, Units::Time, 0.377_990_476), "378 000");
        assert_eq!(bare(dec, Units::Cycles, 92_294_321.0), "92 290");
        assert_eq!(bare(dec, Units::Cycles, 2_824_567_890.0), "2 820 000");
        assert_eq!(bare(Column::PublicKey, Units::Time, 1047.0), "1 047");
        assert_eq!(bare(Column::Share, Units::Time, 0.35), "35");
        assert_eq!(bare(Column::Share, Units::Time, 0.078), "7.8");
    }

    #[test]
    fn words_take_their_unit() {
        let plain = |text: String| text.replace('\u{202f}', " ");
        assert_eq!(plain(cycles(950.0)), "950 cycles");
        assert_eq!(plain(speed(241_900.0, Units::Cycles)), "241.9 kcycles");
        assert_eq!(range((800.0, 800.0)), "800");
        assert_eq!(plain(range((800.0, 1701.0))), "800 – 1 701");
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!(count_tick(10_000.0), "10 k");
        assert_eq!(count_tick(2_500_000.0), "2.5 M");
        assert_eq!(count_tick(0.0), "0");
        assert_eq!(seconds_tick(1e-5), "10 µs");
    }

    #[test]
    fn points_align() {
        let dec = Column::Speed(Operation::Dec);
        let width = |value| {
            cell(dec, Units::Cycles, value)
                .chars()
                .rev()
                .position(|c| c == '.' || c == POINT_SPACE)
        };
        assert_eq!(width(241_900.0), width(92_290_000.0));
    }
}
