use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use serde::{Deserialize, Serialize};

/// An amount of US dollars in cents. Arithmetic saturates: a patched state may hold any number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cents(pub u32);

impl Cents {
    pub fn times(self, quantity: u32) -> Self {
        Self(self.0.saturating_mul(quantity))
    }

    /// This share of the amount, rounded half up to a cent.
    pub fn percent(self, percent: u32) -> Self {
        Self(((u64::from(self.0) * u64::from(percent) + 50) / 100).try_into().unwrap_or(u32::MAX))
    }

    /// What is left after taking `other` away; never below zero.
    pub fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Reads what people type into a price field: `80`, `80.5`, `$1,080.50`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches('$').replace(',', "");
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        let all_digits = |digits: &str| digits.chars().all(|c| c.is_ascii_digit());
        if whole.is_empty() || part.len() > 2 || !all_digits(whole) || !all_digits(part) {
            return None;
        }
        let part: u32 = format!("{part:0<2}").parse().ok()?;
        whole.parse::<u32>().ok()?.checked_mul(100)?.checked_add(part).map(Self)
    }
}

impl Add for Cents {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sum for Cents {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self(0), Add::add)
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = (self.0 / 100).to_string();
        f.write_str("$")?;
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        write!(f, ".{:02}", self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::Cents;

    #[test]
    fn amounts_print_as_on_a_price_tag() {
        for (cents, text) in [
            (5, "$0.05"),
            (1_999, "$19.99"),
            (99_999, "$999.99"),
            (100_000, "$1,000.00"),
            (123_456_789, "$1,234,567.89"),
        ] {
            assert_eq!(Cents(cents).to_string(), text);
            assert_eq!(Cents::parse(text), Some(Cents(cents)));
        }
    }

    #[test]
    fn odd_prices_are_refused() {
        for text in ["", ".", ".5", "1.234", "-3", "abc", "1.x", "99999999999", "１２"] {
            assert_eq!(Cents::parse(text), None, "{text:?}");
        }
        assert_eq!(Cents::parse("80.5"), Some(Cents(8_050)));
    }

    #[test]
    fn percent_rounds_half_up() {
        assert_eq!(Cents(1_005).percent(10), Cents(101));
        assert_eq!(Cents(1_004).percent(10), Cents(100));
    }
}
