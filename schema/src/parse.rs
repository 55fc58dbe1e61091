//! Reads the figures of report pages and of the field, with their printed precision.
//!
//! Every function takes one cell without surrounding white space and answers `None` if the cell is
//! not of its form; the caller knows file, line and section and tells what was expected.

use crate::figure::Figure;

/// Digits of a `%.3g` figure: trailing zeros are cut in print, but three digits are known.
const CUT_DIGITS: u8 = 3;

/// A plain decimal as printed (`241.9`, `1.11e+04`), times ten to the `exponent`.
/// All printed digits count as significant, leading zeros aside; a zero counts its decimals.
///
/// The value is the double nearest to the decimal, so that its shortest form is the printed one.
pub fn decimal(text: &str, exponent: i32) -> Option<Figure> {
    let (mantissa, own_exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, e)) => (mantissa, e.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    if mantissa.ends_with('.') {
        return None;
    }
    let significant = format!("{whole}{fraction}")
        .trim_start_matches('0')
        .len()
        .max(if fraction.is_empty() { 1 } else { 0 });
    let significant = if significant == 0 {
        fraction.len()
    } else {
        significant
    };
    let total = own_exponent.checked_add(exponent)?;
    let value: f64 = format!("{mantissa}e{total}").parse().ok()?;
    value
        .is_finite()
        .then(|| Figure::printed(value, u8::try_from(significant).unwrap_or(u8::MAX)))
}

/// Cycles as printed: `241.9 k`, `92.29 M`, `2.82 G`, `950`, also without the space.
pub fn cycles(text: &str) -> Option<Figure> {
    let (number, exponent) = match text.chars().last()? {
        'k' | 'K' => (&text[..text.len() - 1], 3),
        'M' => (&text[..text.len() - 1], 6),
        'G' => (&text[..text.len() - 1], 9),
        _ => (text, 0),
    };
    decimal(number.trim_end(), exponent)
}

/// A time as printed, in seconds: `89.7 µs`, `34.2 ms`, `1.05 s`, `12 ns`. Three significant digits
/// are known even where zeros were cut. Both signs for micro are read, and `us`.
pub fn seconds(text: &str) -> Option<Figure> {
    const UNITS: [(&str, i32); 6] = [
        ("ns", -9),
        ("µs", -6),
        ("\u{3bc}s", -6),
        ("us", -6),
        ("ms", -3),
        ("s", 0),
    ];
    let (number, exponent) = UNITS
        .iter()
        .find_map(|(unit, exponent)| Some((text.strip_suffix(unit)?, *exponent)))?;
    decimal(number.trim_end(), exponent).map(with_cut_digits)
}

/// Calls per second as printed: `1.11e+04`, `29.2`. Three significant digits are known.
pub fn ops_per_second(text: &str) -> Option<Figure> {
    decimal(text, 0).map(with_cut_digits)
}

/// A share as printed, as a fraction: `35%` is 0.35.
pub fn share(text: &str) -> Option<Figure> {
    decimal(text.strip_suffix('%')?.trim_end(), -2)
}

/// A share in percent without its sign (`7.8`), as a fraction.
pub fn percent(text: &str) -> Option<Figure> {
    decimal(text, -2)
}

/// Mean calls per operation as printed: `2`, `6.01`, `88.2`.
pub fn calls_per_operation(text: &str) -> Option<Figure> {
    decimal(text, 0).map(with_cut_digits)
}

/// A whole number of bytes or calls.
pub fn whole(text: &str) -> Option<u64> {
    text.bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}

/// A resident set as printed, in bytes: `1416 KiB`, `8.5 KiB`, also MiB and plain bytes (`1416 B`).
pub fn memory_bytes(text: &str) -> Option<u64> {
    const UNITS: [(&str, f64); 4] = [
        ("KiB", 1024.0),
        ("MiB", 1024.0 * 1024.0),
        ("GiB", 1024.0 * 1024.0 * 1024.0),
        ("B", 1.0),
    ];
    let (number, factor) = UNITS
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))?;
    let value = decimal(number.trim_end(), 0)?.value * factor;
    (value < 2f64.powi(53)).then_some(value.round() as u64)
}

fn with_cut_digits(figure: Figure) -> Figure {
    Figure {
        significant_digits: figure.significant_digits.map(|d| d.max(CUT_DIGITS)),
        ..figure
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_nearest_doubles() {
        assert_eq!(cycles("241.9 k"), Some(Figure::printed(241_900.0, 4)));
        assert_eq!(cycles("26.90 M"), Some(Figure::printed(26_900_000.0, 4)));
        assert_eq!(cycles("2.82 G"), Some(Figure::printed(2.82e9, 3)));
        assert_eq!(seconds("89.7 µs"), Some(Figure::printed(89.7e-6, 3)));
        assert_eq!(seconds("89.7 μs"), Some(Figure::printed(0.0000897, 3)));
        assert_eq!(seconds("91 µs"), Some(Figure::printed(0.000091, 3)));
        assert_eq!(seconds("1.05 s"), Some(Figure::printed(1.05, 3)));
        assert_eq!(
            ops_per_second("1.11e+04"),
            Some(Figure::printed(11_100.0, 3))
        );
        assert_eq!(share("7.8%"), Some(Figure::printed(0.078, 2)));
        assert_eq!(share("0.0%"), Some(Figure::printed(0.0, 1)));
        assert_eq!(memory_bytes("1416 KiB"), Some(1_449_984));
        assert_eq!(crate::format::shortest(89.7e-6), "0.0000897");
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for bad in [
            "", "-1", "1.", ".5", "1,5", "k", "1.2.3", "nan", "inf", "1e", "0x10", "1e999",
        ] {
            assert_eq!(cycles(bad), None, "{bad}");
        }
        assert_eq!(seconds("12"), None);
        assert_eq!(share("35"), None);
        assert_eq!(share("??%"), None);
        assert_eq!(whole("12.5"), None);
        assert_eq!(whole(""), None);
    }
}
