//! Amounts that were written with a precision: `1.4 km` is one to a tenth of a kilometre.
//!
//! Two of them are the same if rounding explains their difference: they are apart by no more than half a step of the
//! one written more coarsely. Rounding alone would make `2 km` and `2.4 km` one, so the difference must also be a small
//! share of the amount; how small, each type says.

use rust_decimal::Decimal;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quantity {
    pub(super) value: Decimal,
    /// What one unit in the last written place is worth.
    pub(super) step: Decimal,
}

impl Quantity {
    /// A bare number is as precise as its last digit.
    pub(super) fn as_written(value: Decimal) -> Self {
        Self { value, step: Decimal::new(1, value.scale()) }
    }

    pub(super) fn same_as(&self, other: &Self, share: Decimal) -> bool {
        if self.value == other.value {
            return true;
        }
        let apart = self.value.checked_sub(other.value).map(|difference| difference.abs());
        let half_step = self.step.max(other.step).checked_div(Decimal::TWO);
        let allowed = self.value.abs().max(other.value.abs()).checked_mul(share);
        match (apart, half_step, allowed) {
            (Some(apart), Some(half_step), Some(allowed)) => apart <= half_step && apart <= allowed,
            _ => false,
        }
    }

    /// `None` if the product leaves the range of decimals, as it may for hostile digits only.
    pub(super) fn times(&self, factor: Decimal) -> Option<Self> {
        Some(Self { value: self.value.checked_mul(factor)?, step: self.step.checked_mul(factor)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Quantity {
        Quantity::as_written(Decimal::from_str_exact(text).expect(text))
    }

    #[test]
    fn rounding_explains_small_differences_only() {
        let percent = Decimal::new(1, 2);
        for (a, b, same) in [
            ("1.4", "1.400", true),
            ("1.4", "1.41", true),
            ("1.4", "1.44", false),
            ("914", "914.4", true),
            ("914", "915", false),
            ("2", "2.4", false),
            ("0", "0.001", false),
            ("-5", "5", false),
            ("79228162514264337593543950335", "-79228162514264337593543950335", false),
        ] {
            assert_eq!(written(a).same_as(&written(b), percent), same, "{a} {b}");
            assert_eq!(written(b).same_as(&written(a), percent), same, "{b} {a}");
        }
    }
}
