//! One figure: a value and how exactly it is known.

use serde::{Deserialize, Serialize};

/// A numeric figure in the unit of the field that holds it.
///
/// A measured figure keeps all digits of its mean and has no `significant_digits`. A figure taken
/// from a published page is known only to the digits that the page prints; `significant_digits`
/// says how many those are (at least one), so that it can be printed again as it stood.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Figure {
    /// The value, in the unit that the field's name carries. Finite and not negative.
    pub value: f64,
    /// Digits that the source prints, for printed figures only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub significant_digits: Option<u8>,
}

impl Figure {
    /// A figure of which all digits are known.
    pub fn exact(value: f64) -> Figure {
        Figure {
            value,
            significant_digits: None,
        }
    }

    /// A figure printed with so many significant digits.
    pub fn printed(value: f64, significant_digits: u8) -> Figure {
        Figure {
            value,
            significant_digits: Some(significant_digits),
        }
    }

    /// Half a unit of the last printed digit: the true value lies within this distance of `value`.
    /// Zero for an exact figure.
    pub fn half_unit(&self) -> f64 {
        match self.significant_digits {
            None => 0.0,
            Some(digits) if self.value == 0.0 => 0.5 * 10f64.powi(-i32::from(digits)),
            Some(digits) => {
                let exponent = self.value.abs().log10().floor() as i32;
                0.5 * 10f64.powi(exponent - i32::from(digits) + 1)
            }
        }
    }

    /// Whether two figures can be the same quantity, each within its printed precision.
    pub fn agrees_with(&self, other: &Figure) -> bool {
        let tolerance = self.half_unit() + other.half_unit();
        let distance = (self.value - other.value).abs();
        // Decimal halves have no exact binary form. Two printed figures whose ranges only touch
        // would have been printed alike, so they disagree.
        let hair = if self.half_unit() > 0.0 && other.half_unit() > 0.0 {
            -1e-9
        } else {
            1e-9
        };
        distance == 0.0 || distance <= tolerance * (1.0 + hair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_unit_is_half_of_the_last_digit() {
        assert_eq!(Figure::printed(241_900.0, 4).half_unit(), 50.0);
        assert_eq!(Figure::printed(2.82e9, 3).half_unit(), 5.0e6);
        assert_eq!(Figure::exact(129_617.09).half_unit(), 0.0);
    }

    #[test]
    fn agreement_is_within_printed_precision() {
        let page = Figure::printed(241_900.0, 4);
        assert!(page.agrees_with(&Figure::exact(241_949.9)));
        assert!(!page.agrees_with(&Figure::exact(242_000.1)));
        assert!(!page.agrees_with(&Figure::printed(242_000.0, 4)));
        assert!(page.agrees_with(&Figure::printed(240_000.0, 2)));
    }
}
