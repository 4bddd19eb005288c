//! Values as Python holds them after reading JSON.

use std::fmt;

use indexmap::IndexMap;

/// A `dict` with text keys, in insertion order.
pub type Dict = IndexMap<String, Value>;

/// One Python value. Equality is Python's: `1 == 1.0 == True`, and NaN equals nothing.
#[derive(Debug, Clone)]
pub enum Value {
    None,
    Bool(bool),
    Int(Int),
    Float(f64),
    Str(String),
    List(Vec<Value>),
    /// Never read from JSON; the evaluator builds tuples itself, and they differ from lists.
    Tuple(Vec<Value>),
    Dict(Dict),
}

impl Value {
    pub fn truthy(&self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(truth) => *truth,
            Self::Int(int) => *int != Int::from(0),
            Self::Float(float) => *float != 0.0,
            Self::Str(text) => !text.is_empty(),
            Self::List(items) | Self::Tuple(items) => !items.is_empty(),
            Self::Dict(entries) => !entries.is_empty(),
        }
    }

    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// `isinstance(value, (int, float))`, which holds for booleans too.
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Bool(_) | Self::Int(_) | Self::Float(_))
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    pub fn as_dict(&self) -> Option<&Dict> {
        match self {
            Self::Dict(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value as a number of either kind; booleans count as 0 and 1.
    fn as_number(&self) -> Option<Number<'_>> {
        match self {
            Self::Bool(truth) => Some(Number::Small(i64::from(*truth))),
            Self::Int(Int(Digits::Small(small))) => Some(Number::Small(*small)),
            Self::Int(Int(Digits::Large(digits))) => Some(Number::Large(digits)),
            Self::Float(float) => Some(Number::Float(*float)),
            _ => None,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Str(left), Self::Str(right)) => left == right,
            (Self::List(left), Self::List(right)) | (Self::Tuple(left), Self::Tuple(right)) => left == right,
            (Self::Dict(left), Self::Dict(right)) => left == right,
            _ => match (self.as_number(), other.as_number()) {
                (Some(left), Some(right)) => left == right,
                _ => false,
            },
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Str(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Str(text)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<i64> for Value {
    fn from(int: i64) -> Self {
        Self::Int(Int::from(int))
    }
}

impl From<f64> for Value {
    fn from(float: f64) -> Self {
        Self::Float(float)
    }
}

/// An integer of any size, exact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Int(Digits);

/// `Large` holds the canonical decimal text of what does not fit `Small`, so equality is equality of fields.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Digits {
    Small(i64),
    Large(Box<str>),
}

impl Int {
    /// Reads `-?[0-9]+`; anything else is `None`.
    pub fn from_decimal(text: &str) -> Option<Self> {
        if let Ok(small) = text.parse() {
            return Some(Self(Digits::Small(small)));
        }
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", text),
        };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let significant = digits.trim_start_matches('0');
        let canonical = format!("{sign}{significant}");
        Some(match canonical.parse() {
            Ok(small) => Self(Digits::Small(small)),
            Err(_) if significant.is_empty() => Self(Digits::Small(0)),
            Err(_) => Self(Digits::Large(canonical.into_boxed_str())),
        })
    }

    /// `None` where Python's `float()` overflows.
    pub fn to_f64(&self) -> Option<f64> {
        match &self.0 {
            Digits::Small(small) => Some(*small as f64),
            Digits::Large(digits) => digits.parse().ok().filter(|float: &f64| float.is_finite()),
        }
    }

    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Digits::Small(small) => Some(small),
            Digits::Large(_) => None,
        }
    }
}

impl From<i64> for Int {
    fn from(small: i64) -> Self {
        Self(Digits::Small(small))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Digits::Small(small) => write!(formatter, "{small}"),
            Digits::Large(digits) => formatter.write_str(digits),
        }
    }
}

#[derive(Clone, Copy)]
enum Number<'a> {
    Small(i64),
    Large(&'a str),
    Float(f64),
}

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Self::Small(left), Self::Small(right)) => left == right,
            (Self::Large(left), Self::Large(right)) => left == right,
            (Self::Float(left), Self::Float(right)) => left == right,
            (Self::Small(int), Self::Float(float)) | (Self::Float(float), Self::Small(int)) => {
                // The cast may round, so the float is also brought back; saturation cannot collide below 2^63.
                int as f64 == float && (float as i128) == i128::from(int)
            }
            (Self::Large(digits), Self::Float(float)) | (Self::Float(float), Self::Large(digits)) => {
                float.is_finite() && float.fract() == 0.0 && format!("{float:.0}") == digits
            }
            (Self::Small(_), Self::Large(_)) | (Self::Large(_), Self::Small(_)) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Value {
        Value::Int(Int::from_decimal(text).expect("an integer"))
    }

    #[test]
    fn numbers_are_equal_across_types() {
        assert_eq!(Value::from(1), Value::from(1.0));
        assert_eq!(Value::from(true), Value::from(1.0));
        assert_eq!(Value::from(false), int("-0"));
        assert_eq!(int("100000000000000000000"), Value::from(1e20));
        assert_ne!(int("9007199254740993"), Value::from(9_007_199_254_740_992.0));
        assert_ne!(Value::from(f64::NAN), Value::from(f64::NAN));
        assert_ne!(Value::from(1), Value::from("1"));
        assert_ne!(Value::List(vec![]), Value::Tuple(vec![]));
    }

    #[test]
    fn integers_keep_every_digit() {
        let huge = "123456789012345678901234567890";
        assert_eq!(Int::from_decimal(huge).expect("an integer").to_string(), huge);
        assert_eq!(Int::from_decimal("-00042").expect("an integer").to_string(), "-42");
        assert_eq!(Int::from_decimal("00000000000000000000000000").and_then(|zero| zero.to_i64()), Some(0));
        assert_eq!(Int::from_decimal("1x"), None);
        assert_eq!(Int::from_decimal("-"), None);
        assert_eq!(Int::from_decimal(&"9".repeat(400)).and_then(|googol| googol.to_f64()), None);
    }

    #[test]
    fn empty_and_zero_are_false() {
        for falsy in [
            Value::None,
            false.into(),
            0.into(),
            0.0.into(),
            "".into(),
            Value::List(vec![]),
            Value::Dict(Dict::new()),
        ] {
            assert!(!falsy.truthy(), "{falsy:?}");
        }
        for truthy in
            [Value::from(f64::NAN), "0".into(), Value::List(vec![Value::None]), int("100000000000000000000")]
        {
            assert!(truthy.truthy(), "{truthy:?}");
        }
    }
}
