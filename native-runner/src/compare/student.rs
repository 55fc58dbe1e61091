//! Student's t distribution with any (also fractional) number of degrees of freedom.

/// Probability that |t| is at least as large as the given value: the two-sided p-value.
pub fn two_sided(t: f64, degrees: f64) -> f64 {
    if t.is_infinite() {
        return 0.0;
    }
    incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + t * t))
}

/// The value that |t| stays below with the given probability: half-width of an interval in standard errors.
pub fn quantile(confidence: f64, degrees: f64) -> f64 {
    let outside = 1.0 - confidence;
    let (mut low, mut high) = (0.0, 1.0);
    while two_sided(high, degrees) > outside && high < 1e12 {
        high *= 2.0;
    }
    // Bisection to the last bits: the function falls monotonically.
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if two_sided(middle, degrees) > outside {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// Regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz's method).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    // The fraction converges quickly on one side only.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(a, b, x) / a
    } else {
        1.0 - front * fraction(b, a, 1.0 - x) / b
    }
}

fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let away_from_zero = |v: f64| if v.abs() < 1e-300 { 1e-300 } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for step in 1..500 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for coefficient in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + coefficient * d);
            c = away_from_zero(1.0 + coefficient / c);
            value *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// Logarithm of the gamma function for positive arguments (Lanczos, g = 7).
fn ln_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        let pi = std::f64::consts::PI;
        return (pi / (pi * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let mut sum = 0.999_999_999_999_809_9;
    for (i, coefficient) in COEFFICIENTS.into_iter().enumerate() {
        sum += coefficient / (x + i as f64 + 1.0);
    }
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (confidence, degrees, expected) in [
            (0.95, 1.0, 12.706_204_736),
            (0.95, 4.0, 2.776_445_105),
            (0.95, 8.0, 2.306_004_135),
            (0.99, 5.0, 4.032_142_983),
            (0.95, 1000.0, 1.962_339_081),
            (0.90, 2.5, 2.558_218_614),
        ] {
            let found = quantile(confidence, degrees);
            assert!(
                (found - expected).abs() < 1e-6,
                "{confidence} {degrees}: {found}"
            );
        }
    }

    #[test]
    fn p_values_and_quantiles_are_inverse() {
        for degrees in [1.0, 3.7, 8.0, 60.0] {
            for confidence in [0.5, 0.9, 0.999] {
                let p = two_sided(quantile(confidence, degrees), degrees);
                assert!((p - (1.0 - confidence)).abs() < 1e-9);
            }
        }
        assert_eq!(two_sided(f64::INFINITY, 4.0), 0.0);
        assert_eq!(two_sided(0.0, 4.0), 1.0);
    }
}
