//! Printed figures as siunitx takes them.

use super::escape::escape;

/// A figure with its unit, as the pages print it, as `\qty`, `\num` and the like; `None` for words.
pub fn quantity(text: &str) -> Option<String> {
    if let Some((low, high)) = text.split_once(" … ") {
        return Some(format!(
            "{} \\ldots{{}} {}",
            quantity(low)?,
            quantity(high)?
        ));
    }
    if let Some((figure, mark)) = text.split_once(" (") {
        return parenthesised(figure, mark.strip_suffix(')')?);
    }
    if let Some(bound) = text.strip_prefix("≥ ") {
        return Some(format!("\\ensuremath{{\\geq}}{}", quantity(bound)?));
    }
    if let Some(approximate) = text.strip_prefix("± ").or_else(|| text.strip_prefix('±')) {
        return Some(format!("\\ensuremath{{\\pm}}{}", quantity(approximate)?));
    }
    if let Some(derived) = text.strip_suffix(" †") {
        return Some(format!("{}\\,\\textdagger{{}}", quantity(derived)?));
    }
    if let Some(percent) = text.strip_suffix('%') {
        return is_number(percent.trim())
            .then(|| format!("\\qty{{{}}}{{\\percent}}", percent.trim()));
    }
    match text.split_once(' ') {
        None => is_number(text).then(|| format!("\\num{{{text}}}")),
        Some((number, unit)) if is_number(number) => {
            Some(format!("\\qty{{{number}}}{{{}}}", unit_of(unit)?))
        }
        Some(_) => None,
    }
}

/// What stands behind a figure: trials × iterations, or what counted the cycles.
fn parenthesised(figure: &str, inner: &str) -> Option<String> {
    let figure = quantity(figure)?;
    match inner.split_once(" × ") {
        Some((trials, iterations)) if is_number(trials) && is_number(iterations) => Some(format!(
            "{figure} (\\num{{{trials}}}\\,\\ensuremath{{\\times}}\\,\\num{{{iterations}}})"
        )),
        _ => Some(format!("{figure} ({})", escape(inner))),
    }
}

fn unit_of(word: &str) -> Option<&'static str> {
    Some(match word {
        "k" => "\\kcycle",
        "M" => "\\Mcycle",
        "G" => "\\Gcycle",
        "s" => "\\second",
        "ms" => "\\milli\\second",
        "µs" => "\\micro\\second",
        "ns" => "\\nano\\second",
        "B" => "\\byte",
        "KiB" => "\\kibi\\byte",
        "MiB" => "\\mebi\\byte",
        _ => return None,
    })
}

fn is_number(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_digit() || ".e+-".contains(c);
    text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+')
        && text.chars().all(plain)
        && text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_figures_become_quantities() {
        for (text, expected) in [
            ("109.4 k", "\\qty{109.4}{\\kcycle}"),
            ("40.6 µs", "\\qty{40.6}{\\micro\\second}"),
            ("2.46e+04", "\\num{2.46e+04}"),
            ("7.8%", "\\qty{7.8}{\\percent}"),
            ("1416 KiB", "\\qty{1416}{\\kibi\\byte}"),
            ("950", "\\num{950}"),
            ("≥ 100", "\\ensuremath{\\geq}\\num{100}"),
            (
                "100 (5 × 20)",
                "\\num{100} (\\num{5}\\,\\ensuremath{\\times}\\,\\num{20})",
            ),
            ("122 µs †", "\\qty{122}{\\micro\\second}\\,\\textdagger{}"),
            ("129.6 k (tsc)", "\\qty{129.6}{\\kcycle} (tsc)"),
            (
                "1 µs … 2 ms",
                "\\qty{1}{\\micro\\second} \\ldots{} \\qty{2}{\\milli\\second}",
            ),
        ] {
            assert_eq!(quantity(text).as_deref(), Some(expected), "{text}");
        }
        for words in ["–", "??%", "", "n=5", "3 apples", "inf", "nan s"] {
            assert_eq!(quantity(words), None, "{words}");
        }
    }
}
