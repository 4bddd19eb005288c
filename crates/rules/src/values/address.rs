//! Postal addresses, on one line or as an object of parts (`house_number`, `street`, `city`, `state`, `postcode`; the
//! `name` of who lives there is not part of it).
//!
//! Two addresses are the same if they have the same words in the same order, accents, case, punctuation and usual
//! abbreviations aside, those of the states of the USA included. The country may be left out for those, and the four
//! digits that narrow a ZIP code down.

use std::fmt;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::place_words;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    words: Vec<String>,
    /// The four digits after a ZIP code.
    zip_extension: Option<String>,
}

impl Address {
    pub(super) fn same_as(&self, other: &Self) -> bool {
        let zips_agree = match (&self.zip_extension, &other.zip_extension) {
            (Some(extension), Some(other)) => extension == other,
            _ => true,
        };
        self.words == other.words && zips_agree
    }
}

pub(super) fn read(value: &Value) -> Option<Address> {
    match value {
        Value::String(text) => read_line(text),
        Value::Object(parts) => read_line(&in_one_line(parts)?),
        _ => None,
    }
}

fn in_one_line(parts: &Map<String, Value>) -> Option<String> {
    const NEEDED: [&str; 5] = ["house_number", "street", "city", "state", "postcode"];
    let known = |name: &String| NEEDED.contains(&name.as_str()) || name == "name" || name == "country";
    if !parts.keys().all(known) {
        return None;
    }
    let text = |name: &str| match parts.get(name)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let mut line = NEEDED.map(text).into_iter().collect::<Option<Vec<_>>>()?;
    line.extend(text("country"));
    Some(line.join(", "))
}

fn read_line(text: &str) -> Option<Address> {
    let mut words = with_short_states(place_words::read(text)?);
    for country in [&["united", "states", "of", "america"][..], &["united", "states"], &["usa"], &["us"]] {
        if let Some(end) = words.len().checked_sub(country.len())
            && words[end..].iter().eq(country)
        {
            words.truncate(end);
        }
    }
    let zip_extension = match words.as_slice() {
        [.., zip, extension] if is_digits(zip, 5) && is_digits(extension, 4) => words.pop(),
        _ => None,
    };
    // One word is a town or a number, not where a letter could be sent.
    (words.len() > 1).then_some(Address { words, zip_extension })
}

fn is_digits(word: &str, count: usize) -> bool {
    word.len() == count && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// A state's name becomes its letters where one stands: before the ZIP code or at the end. Elsewhere it is a street or a
/// town (`Pennsylvania Ave`, `New York, NY`).
fn with_short_states(mut words: Vec<String>) -> Vec<String> {
    static NAMES: LazyLock<Vec<(&str, Vec<String>)>> = LazyLock::new(|| {
        STATES.iter().map(|(letters, name)| (*letters, place_words::read(name).unwrap_or_default())).collect()
    });
    for (letters, name) in NAMES.iter() {
        let ends_here = |end: usize| {
            words[end..].iter().all(|word| {
                word.bytes().all(|byte| byte.is_ascii_digit()) || COUNTRY_WORDS.contains(&word.as_str())
            })
        };
        let found = (1..words.len())
            .rev()
            .find(|start| words[*start..].starts_with(name) && ends_here(start + name.len()));
        if let Some(start) = found {
            words.splice(start..start + name.len(), [(*letters).to_owned()]);
            break;
        }
    }
    words
}

const COUNTRY_WORDS: &[&str] = &["united", "states", "of", "america", "usa", "us"];

/// The names that end with another state's name come first: West Virginia is no Virginia.
const STATES: &[(&str, &str)] = &[
    ("wv", "West Virginia"),
    ("al", "Alabama"),
    ("ak", "Alaska"),
    ("az", "Arizona"),
    ("ar", "Arkansas"),
    ("ca", "California"),
    ("co", "Colorado"),
    ("ct", "Connecticut"),
    ("de", "Delaware"),
    ("dc", "District of Columbia"),
    ("fl", "Florida"),
    ("ga", "Georgia"),
    ("hi", "Hawaii"),
    ("id", "Idaho"),
    ("il", "Illinois"),
    ("in", "Indiana"),
    ("ia", "Iowa"),
    ("ks", "Kansas"),
    ("ky", "Kentucky"),
    ("la", "Louisiana"),
    ("me", "Maine"),
    ("md", "Maryland"),
    ("ma", "Massachusetts"),
    ("mi", "Michigan"),
    ("mn", "Minnesota"),
    ("ms", "Mississippi"),
    ("mo", "Missouri"),
    ("mt", "Montana"),
    ("ne", "Nebraska"),
    ("nv", "Nevada"),
    ("nh", "New Hampshire"),
    ("nj", "New Jersey"),
    ("nm", "New Mexico"),
    ("ny", "New York"),
    ("nc", "North Carolina"),
    ("nd", "North Dakota"),
    ("oh", "Ohio"),
    ("ok", "Oklahoma"),
    ("or", "Oregon"),
    ("pa", "Pennsylvania"),
    ("ri", "Rhode Island"),
    ("sc", "South Carolina"),
    ("sd", "South Dakota"),
    ("tn", "Tennessee"),
    ("tx", "Texas"),
    ("ut", "Utah"),
    ("vt", "Vermont"),
    ("va", "Virginia"),
    ("wa", "Washington"),
    ("wi", "Wisconsin"),
    ("wy", "Wyoming"),
];

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words.join(" "))?;
        self.zip_extension.as_ref().map_or(Ok(()), |extension| write!(f, "-{extension}"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::values::same_both_ways;

    fn same(a: &Value, b: &Value) -> bool {
        same_both_ways(read(a), read(b), Address::same_as)
    }

    #[test]
    fn addresses_that_are_the_same() {
        let parts = json!({"house_number": "5000", "street": "Forbes Avenue", "city": "Pittsburgh",
            "state": "Pennsylvania", "postcode": 15213, "name": "CMU"});
        for (a, b) in [
            (json!("5000 Forbes Ave, Pittsburgh, PA 15213"), json!("5000 forbes avenue pittsburgh pa 15213")),
            (
                json!("5000 Forbes Ave, Pittsburgh, PA 15213"),
                json!("5000 Forbes Ave, Pittsburgh, Pennsylvania 15213, USA"),
            ),
            (json!("5000 Forbes Ave, Pittsburgh, PA 15213"), parts.clone()),
            (parts, json!("5000 Forbes Ave., Pittsburgh, PA 15213-3890, United States")),
            (
                json!("1 W. Main St #2, New York, NY 10001"),
                json!("1 West Main Street 2, New York, New York 10001"),
            ),
            (json!("10 Elm Rd, Charleston, West Virginia 25301"), json!("10 Elm Road, Charleston WV 25301")),
            (json!("Bahnhofstraße 5, 8001 Zürich"), json!("Bahnhofstrasse 5, 8001 Zurich")),
        ] {
            assert!(same(&a, &b), "{a} and {b}");
        }
    }

    #[test]
    fn addresses_that_differ() {
        let one = json!("5000 Forbes Ave, Pittsburgh, PA 15213-3890");
        for other in [
            json!("5001 Forbes Ave, Pittsburgh, PA 15213"),
            json!("5000 Forbes St, Pittsburgh, PA 15213"),
            json!("5000 Forbes Ave, Pittsburgh, PA 15214"),
            json!("5000 Forbes Ave, Pittsburgh, PA 15213-3891"),
            json!("5000 Forbes Ave, Pittsburgh, OH 15213"),
            json!("5000 Forbes Ave, Pittsburgh"),
            json!("5000 E Forbes Ave, Pittsburgh, PA 15213"),
            json!("^.*$"),
        ] {
            assert!(!same(&one, &other), "{other}");
        }
        assert!(!same(&json!("5 East St, Salem, OR 97301"), &json!("5 West St, Salem, OR 97301")));
    }

    #[test]
    fn what_is_no_address() {
        for value in [
            json!(""),
            json!("Pittsburgh"),
            json!(15213),
            json!(null),
            json!({"street": "Forbes Ave", "city": "Pittsburgh", "state": "PA", "postcode": "15213"}),
            json!({"house_number": 1, "street": "A", "city": "B", "state": "C", "postcode": 1, "planet": "Mars"}),
        ] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    #[test]
    fn every_state_is_read_by_name_and_letters() {
        for (letters, name) in STATES {
            let [short, long] = [*letters, *name].map(|state| json!(format!("1 A St, Town, {state} 12345")));
            assert!(same(&short, &long), "{name}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(text in any::<String>(), near in "(new|york|west|virginia|usa|12345|1234| ){0,10}") {
            for text in [text, near] {
                if let Some(address) = read(&json!(text)) {
                    prop_assert!(address.same_as(&address));
                }
            }
        }
    }
}
