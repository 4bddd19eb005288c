//! Places on Earth: latitude and longitude in degrees, as text, pair or object.
//!
//! Text may have signs or N/S/E/W, degree signs, minutes and seconds, labels, brackets and decimal commas. Latitude
//! comes first unless labels or letters say otherwise.
//!
//! Two places are the same within 0.00001 degrees (a metre, the noise between map sources). If one of them is written
//! more coarsely, rounding may explain up to half a second of arc (15 metres): less than a building.

use std::fmt;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::decimal;
use super::folding::{caseless, plain};
use super::quantity::Quantity;

const NOISE: Decimal = Decimal::from_parts(1, 0, 0, false, 5);
const MOST_ROUNDING: Decimal = Decimal::from_parts(14, 0, 0, false, 5);

/// The longest labelled form in degrees, minutes and seconds is shorter.
const LONGEST: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coordinates {
    latitude: Quantity,
    longitude: Quantity,
}

impl Coordinates {
    fn new(latitude: Quantity, mut longitude: Quantity) -> Option<Self> {
        // Some count eastwards all around.
        let around = Decimal::from(360);
        if longitude.value > Decimal::from(180) && longitude.value <= around {
            longitude.value -= around;
        }
        let within = |angle: Quantity, limit: u32| angle.value.abs() <= Decimal::from(limit);
        (within(latitude, 90) && within(longitude, 180)).then_some(Self { latitude, longitude })
    }

    pub(super) fn same_as(&self, other: &Self) -> bool {
        same_angle(self.latitude, other.latitude) && same_angle(self.longitude, other.longitude)
    }
}

fn same_angle(a: Quantity, b: Quantity) -> bool {
    let apart = (a.value - b.value).abs();
    let rounding = (a.step.max(b.step) / Decimal::TWO).min(MOST_ROUNDING);
    apart <= NOISE.max(rounding)
}

pub(super) fn read(value: &Value) -> Option<Coordinates> {
    match value {
        Value::String(text) if text.len() <= LONGEST => read_text(text),
        Value::Array(_) => read_pair(value),
        Value::Object(object) => read_object(object),
        _ => None,
    }
}

/// `[latitude, longitude]`, the one list that is a value and not alternatives.
pub(super) fn read_pair(value: &Value) -> Option<Coordinates> {
    let [latitude, longitude] = value.as_array()?.as_slice() else { return None };
    in_order(lone_angle(latitude)?, lone_angle(longitude)?)
}

fn read_object(object: &Map<String, Value>) -> Option<Coordinates> {
    if object.len() != 2 {
        return None;
    }
    let of_axis = |wanted: Axis| {
        let (_, value) =
            object.iter().find(|(name, _)| Axis::labelled(&name.to_lowercase()) == Some(wanted))?;
        lone_angle(value).filter(|angle| angle.axis.is_none_or(|axis| axis == wanted))
    };
    Coordinates::new(of_axis(Axis::Latitude)?.degrees, of_axis(Axis::Longitude)?.degrees)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Latitude,
    Longitude,
}

impl Axis {
    fn labelled(label: &str) -> Option<Self> {
        match label {
            "lat" | "latitude" => Some(Self::Latitude),
            "lon" | "lng" | "long" | "longitude" => Some(Self::Longitude),
            _ => None,
        }
    }
}

/// One number of the two, with the axis it names.
#[derive(Clone, Copy, Debug)]
struct Angle {
    degrees: Quantity,
    axis: Option<Axis>,
}

fn in_order(first: Angle, second: Angle) -> Option<Coordinates> {
    match (first.axis, second.axis) {
        (None | Some(Axis::Latitude), None | Some(Axis::Longitude)) => {
            Coordinates::new(first.degrees, second.degrees)
        }
        (None | Some(Axis::Longitude), None | Some(Axis::Latitude)) => {
            Coordinates::new(second.degrees, first.degrees)
        }
        _ => None,
    }
}

fn lone_angle(value: &Value) -> Option<Angle> {
    match value {
        Value::Number(number) => {
            Some(Angle { degrees: Quantity::as_written(decimal::of_json(number)?), axis: None })
        }
        Value::String(text) if text.len() <= LONGEST => angle(&ONE.captures(&unified(text))?, "a"),
        _ => None,
    }
}

fn read_text(text: &str) -> Option<Coordinates> {
    let text = unified(text);
    let mut text = text.strip_prefix("geo:").unwrap_or(&text);
    for (open, close) in [('(', ')'), ('[', ']')] {
        text = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).map_or(text, str::trim);
    }
    let found = TWO.captures(text)?;
    // `40.7128,74,0060` could be cut in two places.
    let marks = |mark: char| ["a_degrees", "b_degrees"].iter().any(|part| found[*part].contains(mark));
    if marks('.') && marks(',') {
        return None;
    }
    in_order(angle(&found, "a")?, angle(&found, "b")?)
}

/// Lower case, and one sign each for degrees, minutes and seconds.
fn unified(text: &str) -> String {
    let text = text.replace(['\u{ba}', '\u{2da}'], "°");
    caseless(&plain(&text)).replace("\u{2032}\u{2032}", "\"").replace("''", "\"").replace('\u{2032}', "'")
}

/// The angle in the groups whose names begin with `side`.
fn angle(found: &Captures<'_>, side: &str) -> Option<Angle> {
    let group = |name: &str| found.name(&format!("{side}_{name}")).map(|group| group.as_str());
    let number = |text: &str| text.replace(',', ".").parse::<Decimal>().ok().map(Quantity::as_written);
    let mut degrees = number(group("degrees")?)?;
    for (name, per_degree) in [("minutes", 60), ("seconds", 3600)] {
        let Some(part) = group(name) else { continue };
        let part = number(part)?;
        // Only the last part may have a fraction.
        if degrees.value.scale() > 0 && name == "minutes" || part.value >= Decimal::from(60) {
            return None;
        }
        let per_degree = Decimal::from(per_degree);
        degrees = Quantity { value: degrees.value + part.value / per_degree, step: part.step / per_degree };
    }
    let letter = match (group("before"), group("after")) {
        (Some(_), Some(_)) => return None,
        (before, after) => before.or(after).and_then(|word| word.chars().next()),
    };
    let sign = group("sign");
    // `-74 W` may mean either.
    if sign.is_some() && letter.is_some() {
        return None;
    }
    if sign == Some("-") || matches!(letter, Some('s' | 'w')) {
        degrees.value = -degrees.value;
    }
    let by_letter = letter.map(|letter| match letter {
        'n' | 's' => Axis::Latitude,
        _ => Axis::Longitude,
    });
    let by_label = group("label").and_then(Axis::labelled);
    match (by_letter, by_label) {
        (Some(letter), Some(label)) if letter != label => None,
        (letter, label) => Some(Angle { degrees, axis: letter.or(label) }),
    }
}

static ONE: LazyLock<Regex> = LazyLock::new(|| form(&angle_form("a")));
static TWO: LazyLock<Regex> =
    LazyLock::new(|| form(&format!("{}(?: ?[,;/] ?| ){}", angle_form("a"), angle_form("b"))));

fn angle_form(side: &str) -> String {
    let letter = "n|s|e|w|north|south|east|west";
    format!(
        r#"(?:(?P<{side}_label>latitude|lat|longitude|long|lon|lng)\.? ?[:=]? ?)?(?:(?P<{side}_before>{letter}) ?)?(?P<{side}_sign>[+-])?(?P<{side}_degrees>\d{{1,3}}(?:[.,]\d{{1,15}})?)(?: ?(?:°|deg|degrees))?(?: ?(?P<{side}_minutes>\d{{1,2}}(?:\.\d{{1,12}})?) ?')?(?: ?(?P<{side}_seconds>\d{{1,2}}(?:\.\d{{1,12}})?) ?")?(?: ?(?P<{side}_after>{letter}))?"#
    )
}

fn form(pattern: &str) -> Regex {
    Regex::new(&format!(r"\A{pattern}\z")).expect("the forms are constants, and tests use them")
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [latitude, longitude] =
            [self.latitude, self.longitude].map(|angle| angle.value.round_dp(7).normalize());
        write!(f, "{latitude}, {longitude}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::values::same_both_ways;

    fn same(a: &Value, b: &Value) -> bool {
        same_both_ways(read(a), read(b), Coordinates::same_as)
    }

    #[test]
    fn ways_to_write_new_york() {
        let new_york = json!("40.7128, -74.0060");
        for value in [
            json!("40.7128 N, 74.0060 W"),
            json!("40.7128° N, 74.0060° W"),
            json!("40.7128°N 74.0060°W"),
            json!("N 40.7128, W 74.0060"),
            json!("40.7128 north, 74.0060 west"),
            json!("(40.7128, -74.0060)"),
            json!("[40.7128; -74.006]"),
            json!("lat: 40.7128, lon: -74.0060"),
            json!("Latitude 40.7128 Longitude -74.0060"),
            json!("lat=40.7128/lng=-74.0060"),
            json!("lon: -74.0060, lat: 40.7128"),
            json!("74.0060 W, 40.7128 N"),
            json!("40,7128, -74,0060"),
            json!("40.7128 -74.006"),
            json!("40.7128,−74.0060"),
            json!("geo:40.7128,-74.0060"),
            json!("40°42'46.08\"N 74°0'21.6\"W"),
            json!("40° 42′ 46″ N, 74° 0′ 22″ W"),
            json!("40º42'46\"N, 74º00'22\"W"),
            json!("40 42.768' N, 74 0.36' W"),
            json!([40.7128, -74.006]),
            json!(["40.7128", "-74.006"]),
            json!({"latitude": 40.7128, "longitude": "-74.0060"}),
            json!({"lng": -74.006, "lat": "40.7128 N"}),
            json!("40.712805, -74.005995"),
            json!("40.7128, 285.994"),
        ] {
            assert!(same(&new_york, &value), "{value}");
        }
    }

    #[test]
    fn elsewhere() {
        let new_york = json!("40.7128, -74.0060");
        for value in [
            json!("40.7128, 74.0060"),
            json!("-74.0060, 40.7128"),
            json!("40.7128 S, 74.0060 W"),
            json!("40.7129, -74.0060"),
            json!("40.7, -74.0"),
            json!("41, -74"),
            json!({"lat": -74.006, "lon": 40.7128}),
        ] {
            assert!(!same(&new_york, &value), "{value}");
        }
    }

    #[test]
    fn what_is_no_place() {
        for value in [
            json!(""),
            json!("40.7128"),
            json!("40.7128 N"),
            json!("91, 0"),
            json!("0, 361"),
            json!("0, -181"),
            json!("40.7 N, 74.0 N"),
            json!("40.7, -74 W"),
            json!("lat: 40.7 W, lon: 74"),
            json!("40.7128,74,0060"),
            json!("1, 2, 3"),
            json!("40°61'N 74°0'W"),
            json!("40.5°30'N 74°0'W"),
            json!("near 40.7, -74.0"),
            json!("^.*$"),
            json!([40.7]),
            json!([[40.7, -74.0], [1, 2]]),
            json!({"lat": 40.7}),
            json!({"lat": 40.7, "lon": -74, "name": "New York"}),
            json!(40.7),
            json!(null),
        ] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    proptest! {
        #[test]
        fn letters_and_signs_agree(lat in -90_000_000..=90_000_000_i64, lon in -180_000_000..=180_000_000_i64) {
            let (lat, lon) = (Decimal::new(lat, 6), Decimal::new(lon, 6));
            let letters = format!(
                "{}° {}, {}° {}",
                lat.abs(), if lat.is_sign_negative() { "S" } else { "N" },
                lon.abs(), if lon.is_sign_negative() { "W" } else { "E" },
            );
            let signs = json!(format!("{lat}, {lon}"));
            prop_assert!(same(&signs, &json!(letters)), "{}", letters);
            let moved = lat + Decimal::new(if lat.is_sign_negative() { 2 } else { -2 }, 4);
            let moved = json!(format!("{moved}, {lon}"));
            prop_assert!(!same(&signs, &moved), "{}", moved);
        }

        #[test]
        fn no_text_breaks_it(text in any::<String>(), near in "[0-9.,;°'\"nsew /:()-]{0,30}") {
            read(&json!(text));
            read(&json!(near));
        }
    }
}
