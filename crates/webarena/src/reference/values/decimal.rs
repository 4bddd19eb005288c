//! Decimal numbers as Python's `Decimal` holds and writes them.

use rust_decimal::Decimal;

use crate::python::{Value, str_of};

/// The value and its text; both are needed, since a decimal keeps the digits it was written with.
#[derive(Debug, Clone, PartialEq)]
pub struct DecimalNumber {
    float: f64,
    text: String,
}

impl DecimalNumber {
    /// `Decimal(str(float))`.
    pub fn from_float(float: f64) -> Self {
        Self { float, text: decimal_text(&str_of(&Value::Float(float))) }
    }

    pub fn from_int(int: i128) -> Self {
        Self { float: int as f64, text: int.to_string() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether two numbers differ by no more than `absolute`, or by no more than the share `relative` of the larger.
    pub fn is_near(&self, other: &Self, absolute: Decimal, relative: Decimal) -> bool {
        let exact = |number: &Self| number.text.parse::<Decimal>().ok();
        let near_exactly = exact(self).zip(exact(other)).and_then(|(left, right)| {
            let distance = left.checked_sub(right)?.abs();
            Some(distance <= absolute.max(relative.checked_mul(left.max(right))?))
        });
        // What does not fit 28 digits is so large or so small that floats tell the same story.
        near_exactly.unwrap_or_else(|| {
            let float = |decimal: Decimal| decimal.to_string().parse().unwrap_or(0.0);
            let bound = f64::max(float(absolute), float(relative) * self.float.max(other.float));
            (self.float - other.float).abs() <= bound
        })
    }
}

/// A float's text as `Decimal` would write it: all its digits if the point falls among or shortly before them, else an
/// exponent with a capital E.
fn decimal_text(float_text: &str) -> String {
    match float_text {
        "inf" => return "Infinity".to_owned(),
        "-inf" => return "-Infinity".to_owned(),
        "nan" => return "NaN".to_owned(),
        _ => {}
    }
    let Some((mantissa, exponent)) = float_text.split_once('e') else { return float_text.to_owned() };
    let Ok(exponent) = exponent.parse::<i32>() else { return float_text.to_owned() };
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let digits = mantissa.replace('.', "");
    let decimals = i32::try_from(digits.len()).unwrap_or(i32::MAX) - 1;
    match exponent {
        exponent if exponent == decimals => format!("{sign}{digits}"),
        exponent @ -6..0 => {
            let zeros = "0".repeat(usize::try_from(-exponent - 1).unwrap_or_default());
            format!("{sign}0.{zeros}{digits}")
        }
        exponent => format!("{sign}{mantissa}E{exponent:+}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_pythons() {
        for (float, text) in [
            (5.0, "5.0"),
            (1e21, "1E+21"),
            (0.000_01, "0.00001"),
            (-1.5e-6, "-0.0000015"),
            (1.5e-7, "1.5E-7"),
            (3.085_677_581_467_191_6e16, "30856775814671916"),
        ] {
            assert_eq!(DecimalNumber::from_float(float).text(), text);
        }
        assert_eq!(DecimalNumber::from_int(914_000).text(), "914000");
    }

    #[test]
    fn nearness_is_exact_at_the_border() {
        let tenth = Decimal::new(1, 1);
        let near = |left, right| {
            DecimalNumber::from_float(left).is_near(&DecimalNumber::from_float(right), tenth, Decimal::ZERO)
        };
        assert!(near(10.0, 10.1));
        assert!(near(0.3, 0.2));
        assert!(!near(10.0, 10.100_000_1));
        assert!(near(1e30, 1e30));
        assert!(!near(1e30, 2e30));
    }
}
