//! Number formats of the field and of the report pages, in one place for runner and dashboard.
//!
//! [`crate::parse`] reads back what this module writes, within the printed precision.

/// Cycles as the pages print them: `241.9 k` (one decimal), `92.29 M` and `2.82 G` (two), whole
/// numbers below one thousand.
pub fn cycles(value: f64) -> String {
    // The limits are where rounding would show 1000.0 of the smaller unit.
    if value < 999.5 {
        format!("{value:.0}")
    } else if value < 999_950.0 {
        format!("{:.1} k", value / 1e3)
    } else if value < 999_995_000.0 {
        format!("{:.2} M", value / 1e6)
    } else {
        format!("{:.2} G", value / 1e9)
    }
}

/// A time in seconds as the pages print it: three significant digits, trailing zeros cut, with the
/// unit that puts one to three digits before the point: `89.7 µs`, `34.2 ms`, `1.05 s`, `91 µs`.
pub fn seconds(value: f64) -> String {
    let (scaled, unit) = if value >= 0.9995 {
        (value, "s")
    } else if value >= 0.9995e-3 {
        (value * 1e3, "ms")
    } else if value >= 0.9995e-6 {
        (value * 1e6, "µs")
    } else {
        (value * 1e9, "ns")
    };
    format!("{} {unit}", three_digits(scaled))
}

/// Calls per second as the pages print them: three significant digits, zeros cut, with an exponent
/// from one thousand on: `29.2`, `0.954`, `100`, `1.11e+04`.
pub fn ops_per_second(value: f64) -> String {
    three_digits(value)
}

/// A share (a fraction) in percent as the pages print it: one decimal below ten percent (`7.8%`,
/// `0.0%`), none above (`35%`).
pub fn share(fraction: f64) -> String {
    let percent = fraction * 100.0;
    // 9.95 and more would be printed as 10.0.
    if percent < 9.95 {
        format!("{percent:.1}%")
    } else {
        format!("{percent:.0}%")
    }
}

/// Bytes as KiB as the pages print resident sets: `1416 KiB`. Whole KiB without, others with one decimal.
pub fn kib(bytes: u64) -> String {
    if bytes.is_multiple_of(1024) {
        format!("{} KiB", bytes / 1024)
    } else {
        format!("{:.1} KiB", bytes as f64 / 1024.0)
    }
}

/// A number of calls per operation as the pages print it: three significant digits, zeros cut.
pub fn calls_per_operation(value: f64) -> String {
    three_digits(value)
}

/// The shortest decimal that reads back as the same number; the form of numbers in CSV.
pub fn shortest(value: f64) -> String {
    format!("{value}")
}

/// An integer with thin spaces between groups of three digits, for reading: `1 234 567`.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() * 2);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// Three significant digits with trailing zeros cut; an exponent of at least two digits where the
/// number is 1000 or more or below 0.0001 (the form that C calls `%.3g`).
pub fn three_digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    // Rust's own scientific form rounds correctly; it gives mantissa and exponent.
    let scientific = format!("{value:.2e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..3).contains(&exponent) {
        let decimals = (2 - exponent).max(0) as usize;
        cut_zeros(&format!("{value:.decimals$}")).to_owned()
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", cut_zeros(mantissa), exponent.abs())
    }
}

/// Cuts trailing zeros of the decimals, and the point if none are left.
fn cut_zeros(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_as_on_the_pages() {
        assert_eq!(cycles(241_900.0), "241.9 k");
        assert_eq!(cycles(339_000.0), "339.0 k");
        assert_eq!(cycles(92_290_000.0), "92.29 M");
        assert_eq!(cycles(26_900_000.0), "26.90 M");
        assert_eq!(cycles(108_650_000.0), "108.65 M");
        assert_eq!(cycles(2.82e9), "2.82 G");
        assert_eq!(cycles(950.2), "950");
        assert_eq!(cycles(999.7), "1.0 k");
        assert_eq!(cycles(999_960.0), "1.00 M");
    }

    #[test]
    fn times_as_on_the_pages() {
        assert_eq!(seconds(89.7e-6), "89.7 µs");
        assert_eq!(seconds(91e-6), "91 µs");
        assert_eq!(seconds(932e-6), "932 µs");
        assert_eq!(seconds(1.7e-3), "1.7 ms");
        assert_eq!(seconds(34.2e-3), "34.2 ms");
        assert_eq!(seconds(1.05), "1.05 s");
        assert_eq!(seconds(0.99999), "1 s");
        assert_eq!(seconds(12e-9), "12 ns");
    }

    #[test]
    fn rates_as_on_the_pages() {
        assert_eq!(ops_per_second(11_100.0), "1.11e+04");
        assert_eq!(ops_per_second(10_000.0), "1e+04");
        assert_eq!(ops_per_second(7_200.0), "7.2e+03");
        assert_eq!(ops_per_second(0.954), "0.954");
        assert_eq!(ops_per_second(100.0), "100");
        assert_eq!(ops_per_second(29.2), "29.2");
        assert_eq!(ops_per_second(999.6), "1e+03");
    }

    #[test]
    fn shares_as_on_the_pages() {
        assert_eq!(share(0.35), "35%");
        assert_eq!(share(0.078), "7.8%");
        assert_eq!(share(0.0), "0.0%");
        assert_eq!(share(0.1), "10%");
        assert_eq!(share(0.07), "7.0%");
    }

    #[test]
    fn groups_of_three() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1234), "1\u{202f}234");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
    }
}
