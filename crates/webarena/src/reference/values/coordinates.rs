//! Latitude and longitude.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::number::as_float;
use super::{Context, Unreadable, ValueType};
use crate::python::{Dict, Value, parse_float};
use crate::reference::text::fold;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoordinatesValue {
    latitude: f64,
    longitude: f64,
}

/// In degrees; about a metre.
const TOLERANCE: f64 = 1e-5;

impl ValueType for CoordinatesValue {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        let read = match value {
            Value::Str(text) => from_text(&fold(text, Some(context))),
            Value::Dict(entries) => from_object(entries),
            Value::List(items) | Value::Tuple(items) => Self::read_array(items),
            _ => None,
        };
        read.ok_or(Unreadable("no coordinates"))
    }

    fn same(&self, other: &Self) -> bool {
        (self.latitude - other.latitude).abs() <= TOLERANCE
            && (self.longitude - other.longitude).abs() <= TOLERANCE
    }

    /// Further alternatives are read but not looked at.
    fn any_same(expected: &[Self], actual: &[Self]) -> bool {
        matches!((expected, actual), ([expected, ..], [actual, ..]) if expected.same(actual))
    }

    /// Two scalars are one place, not two alternatives.
    fn read_array(items: &[Value]) -> Option<Self> {
        match items {
            [Value::None, _] | [_, Value::None] => None,
            [latitude, longitude] => Self::new(degrees_or_zero(latitude)?, degrees_or_zero(longitude)?),
            _ => None,
        }
    }

    fn report(&self) -> Value {
        let fields = [("latitude", self.latitude), ("longitude", self.longitude)];
        Value::Dict(
            fields
                .into_iter()
                .map(|(key, degrees)| (key.to_owned(), Value::Float(degrees)))
                .collect::<Dict>(),
        )
    }
}

impl CoordinatesValue {
    fn new(latitude: f64, longitude: f64) -> Option<Self> {
        if !latitude.is_finite() || !longitude.is_finite() || latitude.abs() > 90.0 {
            return None;
        }
        Some(Self { latitude, longitude: if longitude.abs() > 180.0 { wrap(longitude) } else { longitude } })
    }
}

/// The same meridian between -180 and 180 degrees.
fn wrap(longitude: f64) -> f64 {
    match longitude % 360.0 {
        west if west < -180.0 => west + 360.0,
        east if east >= 180.0 => east - 360.0,
        within => within,
    }
}

/// A number, or a text that is one; anything empty is zero.
fn degrees_or_zero(value: &Value) -> Option<f64> {
    match value {
        Value::Str(text) if !text.is_empty() => parse_float(text),
        number @ (Value::Bool(_) | Value::Int(_) | Value::Float(_)) => as_float(number),
        falsy => (!falsy.truthy() && !matches!(falsy, Value::List(_) | Value::Tuple(_) | Value::Dict(_)))
            .then_some(0.0),
    }
}

fn from_object(entries: &Dict) -> Option<CoordinatesValue> {
    let find = |name: &str, other: &str| {
        entries.iter().find_map(|(key, value)| {
            let key = key.to_lowercase();
            ((key.len() >= 2 && name.starts_with(&key)) || key == other).then_some(value)
        })
    };
    match (find("latitude", "latitude")?, find("longitude", "lng")?) {
        // Without a longitude the latitude is taken for the whole place.
        (Value::Str(place), Value::None) => from_text(place),
        (latitude, Value::None) if !latitude.is_none() => None,
        (latitude, longitude) => {
            CoordinatesValue::new(degrees_or_zero(latitude)?, degrees_or_zero(longitude)?)
        }
    }
}

/// A place in a text that ends with it. The original parser wants the four directions in upper case, and folded text
/// has none, so they are never read.
fn from_text(text: &str) -> Option<CoordinatesValue> {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| {
        let number = r"\d+(?:\.\d+)?";
        let angle = |name: &str| {
            format!(
                r#"[ ]*(?P<{name}>[+-]?{number})(?:[*\s][ ]*(?:(?P<{name}_minutes>{number})['m][ ]*)?(?:(?P<{name}_seconds>{number})["s][ ]*)?)?"#
            )
        };
        let separator = r"\s*[,;/\s]\s*";
        let altitude = format!("(?:{separator}[+-]?{number}[ ]*(?:km|m|mi|ft|nm|nmi))?");
        let pattern = format!(r"^.*?{}{separator}{}{altitude}\s*$", angle("latitude"), angle("longitude"));
        Regex::new(&pattern).expect("a constant pattern")
    });
    let text = text.replace("''", "\"");
    let found = PLACE.captures(&text)?;
    CoordinatesValue::new(degrees(&found, "latitude")?, degrees(&found, "longitude")?)
}

fn degrees(found: &Captures<'_>, name: &str) -> Option<f64> {
    let part = |suffix: &str| found.name(&format!("{name}{suffix}")).map(|part| part.as_str());
    let whole = part("")?;
    let fraction = |suffix: &str| part(suffix).map_or(Some(0.0), parse_float);
    let degrees = parse_float(whole)?;
    let more = fraction("_minutes")? / 60.0 + fraction("_seconds")? / 3600.0;
    Some(if degrees < 0.0 { degrees - more } else { degrees + more })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for (text, place) in [
            ("40.7128, -74.0060", Some((40.7128, -74.006))),
            ("at 40.5;-74", Some((40.5, -74.0))),
            ("-40 30m, 74 0m 36s", Some((-40.5, 74.01))),
            ("1, 190", Some((1.0, -170.0))),
            ("1, 2, 3 km", Some((1.0, 2.0))),
            ("40.7128 n, 74.0060 w", None),
            ("(40.7, -74.0)", None),
            ("91, 0", None),
            ("4e1, -7.4e1", None),
        ] {
            let read = from_text(text).map(|place| (place.latitude, place.longitude));
            assert_eq!(read, place, "{text}");
        }
    }
}
