//! The types that a single value can have, and the one place that knows them all by name.

use std::fmt;

use rust_decimal::Decimal;
use serde_json::Value;

use super::address::{self, Address};
use super::coordinates::{self, Coordinates};
use super::currency::{self, Money};
use super::date::{self, PartialDate};
use super::distance::{self, Distance};
use super::duration::{self, Duration};
use super::month::{self, Month};
use super::web_address::{self, WebAddress};
use super::{
    base64_text, boolean, decimal, email, folding, json, location_name, markdown, nothing, number, string,
    string_list,
};
use crate::json_equality;
use crate::pattern::Case;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeafType {
    Address,
    Base64,
    Boolean,
    Coordinates,
    Currency,
    Date,
    Distance,
    Duration,
    Email,
    Json,
    LocationName,
    Markdown,
    Month,
    Null,
    Number,
    String,
    StringList,
    Url,
}

/// The names a schema may use as `type` or `format`, each with a value of the type.
pub(super) const NAMES: &[(&str, &str)] = &[
    ("address", "5000 Forbes Ave, Pittsburgh, PA 15213"),
    ("base64", "aGVsbG8="),
    ("boolean", "true"),
    ("coordinates", "40.7128 N, 74.0060 W"),
    ("currency", "$1,299.00"),
    ("date", "March 5, 2026"),
    ("distance", "1.4 km"),
    ("duration", "1 hr 35 min"),
    ("email", "ann@shop.example"),
    ("full_address", "5000 Forbes Ave, Pittsburgh, PA 15213"),
    ("integer", "42"),
    ("json", "{\"a\": [1, 2]}"),
    ("location-name", "Carnegie Mellon University"),
    ("markdown", "# Title"),
    ("month", "March"),
    ("null", "n/a"),
    ("number", "1,234.5"),
    ("string", "Desk lamp"),
    ("string_list", "red, green, blue"),
    ("url", "http://shop.example/lamp?page=2"),
];

impl LeafType {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "address" | "full_address" => Self::Address,
            "base64" => Self::Base64,
            "boolean" => Self::Boolean,
            "coordinates" => Self::Coordinates,
            "currency" => Self::Currency,
            "date" => Self::Date,
            "distance" => Self::Distance,
            "duration" => Self::Duration,
            "email" | "e-mail" => Self::Email,
            "json" => Self::Json,
            "location-name" => Self::LocationName,
            "markdown" => Self::Markdown,
            "month" => Self::Month,
            "null" => Self::Null,
            "number" | "integer" => Self::Number,
            "string" => Self::String,
            "string_list" => Self::StringList,
            "url" | "uri" => Self::Url,
            _ => return None,
        })
    }

    /// With its article, for a sentence that says what a text is not.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Address => "a postal address",
            Self::Base64 => "base64",
            Self::Boolean => "a boolean",
            Self::Coordinates => "a pair of coordinates",
            Self::Currency => "an amount of money",
            Self::Date => "a date",
            Self::Distance => "a distance with its unit",
            Self::Duration => "a duration with its unit",
            Self::Email => "an e-mail address",
            Self::Json => "JSON",
            Self::LocationName => "the name of a place",
            Self::Markdown => "Markdown",
            Self::Month => "a month",
            Self::Null => "nothing",
            Self::Number => "a number",
            Self::String => "a string",
            Self::StringList => "a list of strings",
            Self::Url => "a URL",
        }
    }

    pub(super) fn read(self, value: &Value) -> Option<Leaf> {
        match self {
            Self::Address => address::read(value).map(Leaf::Address),
            Self::Base64 => base64_text::read(value).map(Leaf::Bytes),
            Self::Boolean => boolean::read(value).map(Leaf::Boolean),
            Self::Coordinates => coordinates::read(value).map(Leaf::Coordinates),
            Self::Currency => currency::read(value).map(Leaf::Currency),
            Self::Date => date::read(value).map(Leaf::Date),
            Self::Distance => distance::read(value).map(Leaf::Distance),
            Self::Duration => duration::read(value).map(Leaf::Duration),
            Self::Email => email::read(value).map(Leaf::Text),
            Self::Json => json::read(value).map(Leaf::Json),
            Self::LocationName => location_name::read(value).map(Leaf::Text),
            Self::Markdown => markdown::read(value).map(Leaf::Text),
            Self::Month => month::read(value).map(Leaf::Month),
            Self::Null => nothing::is_nothing(value).then_some(Leaf::Nothing),
            Self::Number => number::read(value).map(Leaf::Number),
            Self::String => string::read(value).map(Leaf::Text),
            Self::StringList => string_list::read(value).map(Leaf::Texts),
            Self::Url => web_address::read(value).map(Leaf::Url),
        }
    }

    /// How an expected pattern of this type treats case; `None` if the type has no patterns.
    pub(super) fn pattern_case(self) -> Option<Case> {
        match self {
            Self::String | Self::Email | Self::LocationName | Self::Address => Some(Case::Ignored),
            Self::Url | Self::Base64 => Some(Case::Exact),
            _ => None,
        }
    }

    /// The texts a pattern may match: the value as written, and as a reader sees it.
    pub(super) fn pattern_texts(self, value: &Value) -> Vec<String> {
        let written = match value {
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            _ => return Vec::new(),
        };
        match self {
            Self::Base64 => base64_text::text(value).into_iter().collect(),
            Self::Url => {
                let normal = web_address::read(value).map(|address| address.to_string());
                std::iter::once(written).chain(normal).collect()
            }
            _ => {
                let plain = folding::plain(&written);
                let bare = string::bare(&plain).to_owned();
                vec![written, plain, bare]
            }
        }
    }
}

/// A value, read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Leaf {
    Address(Address),
    Boolean(bool),
    Bytes(Vec<u8>),
    Coordinates(Coordinates),
    Currency(Money),
    Date(PartialDate),
    Distance(Distance),
    Duration(Duration),
    Json(Value),
    Month(Month),
    Nothing,
    Number(Decimal),
    Text(String),
    Texts(Vec<String>),
    Url(WebAddress),
}

impl Leaf {
    /// Both were read as the same type; `self` is the expected one.
    pub(super) fn same_as(&self, actual: &Self) -> bool {
        match (self, actual) {
            (Self::Address(expected), Self::Address(actual)) => expected.same_as(actual),
            (Self::Coordinates(expected), Self::Coordinates(actual)) => expected.same_as(actual),
            (Self::Currency(expected), Self::Currency(actual)) => expected.same_as(actual),
            (Self::Distance(expected), Self::Distance(actual)) => expected.same_as(actual),
            (Self::Duration(expected), Self::Duration(actual)) => expected.same_as(actual),
            (Self::Json(expected), Self::Json(actual)) => json_equality::equal(expected, actual),
            (Self::Month(expected), Self::Month(actual)) => expected.same_as(*actual),
            (Self::Number(expected), Self::Number(actual)) => decimal::same(*expected, *actual),
            (Self::Url(expected), Self::Url(actual)) => expected.same_as(actual),
            (expected, actual) => expected == actual,
        }
    }
}

/// The normal form, for people.
impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Boolean(value) => value.fmt(f),
            Self::Bytes(bytes) => f.write_str(&String::from_utf8_lossy(bytes)),
            Self::Coordinates(coordinates) => coordinates.fmt(f),
            Self::Currency(money) => money.fmt(f),
            Self::Date(date) => date.fmt(f),
            Self::Distance(distance) => distance.fmt(f),
            Self::Duration(duration) => duration.fmt(f),
            Self::Json(value) => value.fmt(f),
            Self::Month(month) => month.fmt(f),
            Self::Nothing => f.write_str("nothing"),
            Self::Number(number) => number.normalize().fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::Texts(texts) => f.write_str(&texts.join(", ")),
            Self::Url(address) => address.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_name_is_known_and_its_example_is_a_value_of_it() {
        for (name, example) in NAMES {
            let leaf_type = LeafType::named(name).expect(name);
            let example = leaf_type.read(&json!(example)).expect(name);
            assert!(example.same_as(&example), "{name}");
            assert!(!example.to_string().is_empty(), "{name}");
        }
        let mut names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        names.dedup();
        assert!(names.is_sorted() && names.len() == NAMES.len(), "sorted, and none twice");
    }
}
