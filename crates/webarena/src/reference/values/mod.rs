//! Typed values: one file per type, each with the same two questions: how is it read, and when are two equal.
//!
//! [`construct`] is the door. It takes a type's name and a JSON value, and gives a [`Typed`] tree leaf. Where a task
//! file offers several acceptable values as an array, the leaf holds them all; the agent's arrays are read the same
//! way, as the released evaluator does.

mod base64;
mod boolean;
mod coordinates;
mod currency;
mod date;
mod date_parser;
mod date_parts;
mod date_tokens;
mod date_words;
mod decimal;
mod distance;
mod distance_expression;
mod distance_quantity;
mod distance_units;
mod duration;
mod full_address;
mod json;
mod leaf;
mod location_name;
mod markdown;
mod month;
mod null;
mod number;
mod string;
mod string_list;
mod time_expression;
mod word_number;

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use jiff::civil::Date;
use thiserror::Error;

pub use self::base64::Base64Value;
pub use self::boolean::BooleanValue;
pub use self::coordinates::CoordinatesValue;
pub use self::currency::{CurrencyValue, DecimalSeparator, price_amount};
pub use self::date::DateValue;
pub use self::date_parser::parse_date;
pub use self::distance::DistanceValue;
pub use self::duration::DurationValue;
pub use self::full_address::FullAddress;
pub use self::json::JsonValue;
pub use self::leaf::{Leaf, OneOf, ValueType};
pub use self::location_name::{LocationName, token_sort_ratio};
pub use self::markdown::MarkdownValue;
pub use self::month::MonthValue;
pub use self::null::NullValue;
pub use self::number::NumberValue;
pub use self::string::StringValue;
pub use self::string_list::StringListValue;
pub use self::time_expression::seconds_of;
pub use self::word_number::word_number;
use super::error::EvaluatorError;
use crate::config::Strictness;
use crate::python::{Dict, Value, repr_of};

/// Replaces a site's real address by its placeholder, or the other way round.
pub type Rewrite = Arc<dyn Fn(&str, Strictness) -> Result<String, Unreadable> + Send + Sync>;

/// What reading a value may depend on besides the value.
#[derive(Clone)]
pub struct Context {
    /// Strict: a value that cannot be read is an evaluator error, as it is for expected values. Lenient: it is kept
    /// as it is and compares unequal, as for the agent's.
    pub strictness: Strictness,
    /// Parts missing from a date are taken from this day.
    pub today: Date,
    /// From real addresses to placeholders.
    pub derender: Option<Rewrite>,
    /// From placeholders to real addresses.
    pub render: Option<Rewrite>,
}

impl fmt::Debug for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Context")
            .field("strictness", &self.strictness)
            .field("today", &self.today)
            .field("derender", &self.derender.is_some())
            .field("render", &self.render.is_some())
            .finish()
    }
}

/// Why a value is not of the wanted type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unreadable(pub &'static str);

/// A normalised value.
#[derive(Debug)]
pub enum Typed {
    /// Null, or a scalar that was not or could not be typed.
    Raw(Value),
    Leaf(Box<dyn Leaf>),
    /// An array that was normalised; Python makes it a tuple.
    Tuple(Vec<Typed>),
    /// An array left as it was.
    List(Vec<Typed>),
    Object(IndexMap<String, Typed>),
}

impl Typed {
    pub const NULL: Self = Self::Raw(Value::None);

    /// A value as it is, its containers opened so that they can be compared part by part.
    pub fn raw(value: &Value) -> Self {
        match value {
            Value::List(items) => Self::List(items.iter().map(Self::raw).collect()),
            Value::Tuple(items) => Self::Tuple(items.iter().map(Self::raw).collect()),
            Value::Dict(entries) => {
                Self::Object(entries.iter().map(|(key, value)| (key.clone(), Self::raw(value))).collect())
            }
            scalar => Self::Raw(scalar.clone()),
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Self::Raw(Value::None))
    }

    pub fn as_array(&self) -> Option<&[Typed]> {
        match self {
            Self::Tuple(items) | Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// The value as result files show it: the first alternative only.
    pub fn report(&self) -> Value {
        match self {
            Self::Raw(value) => value.clone(),
            Self::Leaf(leaf) => leaf.report(),
            Self::Tuple(items) | Self::List(items) => Value::List(items.iter().map(Self::report).collect()),
            Self::Object(entries) => Value::Dict(
                entries.iter().map(|(key, value)| (key.clone(), value.report())).collect::<Dict>(),
            ),
        }
    }
}

/// Makes a leaf of one type out of a value.
pub type Constructor = fn(&Value, &Context) -> Result<Typed, Unreadable>;

/// The type of everything no schema speaks of.
pub(crate) const STRING: Constructor = leaf::read::<StringValue>;

/// `None` if there is no type of this name.
pub fn constructor(type_name: &str) -> Option<Constructor> {
    Some(match type_name {
        "string" => STRING,
        "url" => super::url::read,
        "number" | "integer" => leaf::read::<NumberValue>,
        "boolean" => leaf::read::<BooleanValue>,
        "currency" => leaf::read::<CurrencyValue>,
        "date" => leaf::read::<DateValue>,
        "month" => leaf::read::<MonthValue>,
        "duration" => leaf::read::<DurationValue>,
        "distance" => leaf::read::<DistanceValue>,
        "coordinates" => leaf::read::<CoordinatesValue>,
        "location-name" => leaf::read::<LocationName>,
        "string_list" => leaf::read::<StringListValue>,
        "full_address" => leaf::read::<FullAddress>,
        "null" => leaf::read::<NullValue>,
        "json" => leaf::read::<JsonValue>,
        "markdown" => leaf::read::<MarkdownValue>,
        "base64" => leaf::read::<Base64Value>,
        _ => return None,
    })
}

/// Reads `value` as a leaf of the named type, which has to exist.
pub fn construct(type_name: &str, value: &Value, context: &Context) -> Result<Typed, Unreadable> {
    match constructor(type_name) {
        Some(construct) => construct(value, context),
        None => Err(Unreadable("there is no such type")),
    }
}

/// Reads a value; what cannot be read is an error or stays raw, as the context says.
pub(crate) fn read_or_keep(
    type_name: &str,
    construct: Constructor,
    value: &Value,
    context: &Context,
) -> Result<Typed, EvaluatorError> {
    match construct(value, context) {
        Ok(typed) => Ok(typed),
        Err(_) if context.strictness == Strictness::Lenient => Ok(Typed::raw(value)),
        Err(reason) => {
            Err(EvaluatorError::Unreadable { value: repr_of(value), type_name: type_name.to_owned(), reason })
        }
    }
}

/// What the table tests of the single types are written with.
#[cfg(test)]
mod cases {
    use jiff::civil::date;

    use super::{Context, Strictness, Typed, construct};
    use crate::python::{Value, parse_json};

    fn typed(type_name: &str, json: &str) -> Option<Typed> {
        let context = Context {
            strictness: Strictness::Strict,
            today: date(2026, 11, 15),
            derender: None,
            render: None,
        };
        construct(type_name, &parse_json(json).expect("JSON"), &context).ok()
    }

    /// Each JSON value, and what it is reported as; `None` if it is not of the type.
    pub(super) fn assert_reads(type_name: &str, cases: &[(&str, Option<&str>)]) {
        for (json, report) in cases {
            let expected = report.map(|report| parse_json(report).expect("JSON"));
            let read: Option<Value> = typed(type_name, json).map(|typed| typed.report());
            assert_eq!(read, expected, "{type_name} {json}");
        }
    }

    /// Pairs of JSON values, and whether the first accepts the second.
    pub(super) fn assert_accepts(type_name: &str, cases: &[(&str, &str, bool)]) {
        for (expected, actual, accepted) in cases {
            let Some(Typed::Leaf(leaf)) = typed(type_name, expected) else {
                panic!("{type_name} {expected}")
            };
            let actual_typed = typed(type_name, actual).expect("a value of the type");
            assert_eq!(leaf.accepts(&actual_typed), Ok(*accepted), "{type_name} {expected} / {actual}");
        }
    }
}
