//! Numbers with powers of lengths.

/// Integers stay integers as long as Python keeps them so: it shows in reports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    pub(super) fn to_f64(self) -> f64 {
        match self {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }

    fn combine(
        self,
        other: Self,
        exact: fn(i128, i128) -> Option<i128>,
        rounded: fn(f64, f64) -> f64,
    ) -> Self {
        let exact = match (self, other) {
            (Self::Int(left), Self::Int(right)) => exact(left, right),
            _ => None,
        };
        exact.map_or_else(|| Self::Float(rounded(self.to_f64(), other.to_f64())), Self::Int)
    }
}

/// A unit: its size in metres (or as a ratio), and whether it is a length.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Unit {
    size: Number,
    is_length: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantity {
    magnitude: Number,
    /// Units with their exponents, none of them zero.
    units: Vec<(Unit, f64)>,
}

impl Quantity {
    pub(super) fn number(magnitude: Number) -> Self {
        Self { magnitude, units: Vec::new() }
    }

    pub(super) fn length(metres: Number) -> Self {
        Self { magnitude: Number::Int(1), units: vec![(Unit { size: metres, is_length: true }, 1.0)] }
    }

    pub(super) fn ratio(size: f64) -> Self {
        Self {
            magnitude: Number::Int(1),
            units: vec![(Unit { size: Number::Float(size), is_length: false }, 1.0)],
        }
    }

    /// `None` if this is not a length.
    pub(super) fn in_metres(&self) -> Option<Number> {
        if !same_dimension(self.dimension(), 1.0) {
            return None;
        }
        Some(match self.units[..] {
            [(Unit { size, .. }, 1.0)] => {
                self.magnitude.combine(size, i128::checked_mul, |left, right| left * right)
            }
            _ => Number::Float(self.magnitude.to_f64() * self.factor()),
        })
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let magnitude =
            self.magnitude.combine(other.magnitude, i128::checked_mul, |left, right| left * right);
        self.with_units_of(other, 1.0, magnitude)
    }

    pub(super) fn over(&self, other: &Self) -> Option<Self> {
        let divisor = other.magnitude.to_f64();
        if divisor == 0.0 {
            return None;
        }
        Some(self.with_units_of(other, -1.0, Number::Float(self.magnitude.to_f64() / divisor)))
    }

    /// Only of plain numbers.
    pub(super) fn floor_over(&self, other: &Self) -> Option<Self> {
        if !self.units.is_empty() || !other.units.is_empty() || other.magnitude.to_f64() == 0.0 {
            return None;
        }
        let floored = |left: i128, right: i128| Some(left.div_euclid(right)).filter(|_| right > 0);
        Some(Self::number(
            self.magnitude.combine(other.magnitude, floored, |left, right| (left / right).floor()),
        ))
    }

    /// The other quantity is brought to this one's units first; a bare zero has any unit.
    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let is_bare_zero = |quantity: &Self| quantity.units.is_empty() && quantity.magnitude.to_f64() == 0.0;
        if is_bare_zero(self) {
            return Some(other.clone());
        }
        if is_bare_zero(other) {
            return Some(self.clone());
        }
        if !same_dimension(self.dimension(), other.dimension()) {
            return None;
        }
        let addend = if self.units == other.units {
            other.magnitude
        } else {
            Number::Float(other.magnitude.to_f64() * (other.factor() * self.reciprocal_factor()))
        };
        let magnitude = self.magnitude.combine(addend, i128::checked_add, |left, right| left + right);
        Some(Self { magnitude, units: self.units.clone() })
    }

    pub(super) fn power(&self, exponent: &Self) -> Option<Self> {
        if !exponent.units.is_empty() {
            return None;
        }
        let power = exponent.magnitude.to_f64();
        let exact = |base: i128, power: i128| base.checked_pow(u32::try_from(power).ok()?);
        let magnitude = self.magnitude.combine(exponent.magnitude, exact, f64::powf);
        let units = self.units.iter().map(|&(unit, exponent)| (unit, exponent * power));
        Some(Self { magnitude, units: units.filter(|(_, exponent)| *exponent != 0.0).collect() })
    }

    fn dimension(&self) -> f64 {
        self.units.iter().filter(|(unit, _)| unit.is_length).map(|(_, exponent)| exponent).sum()
    }

    fn factor(&self) -> f64 {
        self.units.iter().map(|(unit, exponent)| unit.size.to_f64().powf(*exponent)).product()
    }

    fn reciprocal_factor(&self) -> f64 {
        self.units.iter().map(|(unit, exponent)| unit.size.to_f64().powf(-exponent)).product()
    }

    fn with_units_of(&self, other: &Self, sign: f64, magnitude: Number) -> Self {
        let mut units = self.units.clone();
        for &(unit, exponent) in &other.units {
            match units.iter_mut().find(|(known, _)| *known == unit) {
                Some((_, known)) => *known += sign * exponent,
                None => units.push((unit, sign * exponent)),
            }
        }
        units.retain(|(_, exponent)| *exponent != 0.0);
        Self { magnitude, units }
    }
}

/// Exponents are sums of few small numbers, so anything beyond rounding is a difference.
fn same_dimension(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}
