//! Distances: `1.4 km`, `2 km 500 m`, `5'3"`, `3 nautical miles`. A unit is needed.
//!
//! Two distances are the same if rounding to the precision written explains their difference and it is below half
//! a percent: `914 km` is `914.4 km` and `568 mi`, `1 m` is not `2 m`. Case decides between `Mm` and `mm` alone; `nm` may
//! be nanometres or nautical miles, so it is neither.

use std::fmt;

use rust_decimal::Decimal;
use serde_json::Value;

use super::folding::plain;
use super::measure;
use super::quantity::Quantity;

const SHARE: Decimal = Decimal::from_parts(5, 0, 0, false, 3);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Distance {
    metres: Quantity,
}

impl Distance {
    pub(super) fn same_as(&self, other: &Self) -> bool {
        self.metres.same_as(&other.metres, SHARE)
    }
}

pub(super) fn read(value: &Value) -> Option<Distance> {
    let text = plain(value.as_str().filter(|text| text.len() <= measure::LONGEST)?);
    let measure = measure::read(&text, metres_of_unit)?;
    // From large to small; a unit that comes twice, or out of order, is a slip or a trick.
    if !measure.parts.windows(2).all(|pair| pair[0].1 > pair[1].1) {
        return None;
    }
    let mut metres = Quantity::as_written(Decimal::ZERO);
    for (amount, unit) in &measure.parts {
        let part = amount.times(*unit)?;
        metres = Quantity { value: metres.value.checked_add(part.value)?, step: part.step };
    }
    if measure.negative {
        metres.value = -metres.value;
    }
    Some(Distance { metres })
}

/// True for the name of a unit of length.
pub(super) fn is_unit(word: &str) -> bool {
    metres_of_unit(word).is_some()
}

fn metres_of_unit(name: &str) -> Option<Decimal> {
    if name == "Mm" {
        return Some(Decimal::from(1_000_000));
    }
    Some(match name.to_lowercase().as_str() {
        "m" | "meter" | "meters" | "metre" | "metres" => Decimal::ONE,
        "km" | "kms" | "k" | "kilometer" | "kilometers" | "kilometre" | "kilometres" => Decimal::from(1000),
        "dm" | "decimeter" | "decimeters" | "decimetre" | "decimetres" => Decimal::new(1, 1),
        "cm" | "cms" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => Decimal::new(1, 2),
        "mm" | "mms" | "millimeter" | "millimeters" | "millimetre" | "millimetres" => Decimal::new(1, 3),
        "mi" | "mis" | "mile" | "miles" => Decimal::new(1_609_344, 3),
        "yd" | "yds" | "yard" | "yards" => Decimal::new(9144, 4),
        "ft" | "foot" | "feet" | "'" | "\u{2032}" => Decimal::new(3048, 4),
        "in" | "ins" | "inch" | "inches" | "\"" | "''" | "\u{2032}\u{2032}" => Decimal::new(254, 4),
        "nmi" | "nautical mile" | "nautical miles" => Decimal::from(1852),
        _ => return None,
    })
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} m", self.metres.value.normalize())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::values::same_both_ways;

    fn same(a: &str, b: &str) -> bool {
        same_both_ways(read(&json!(a)), read(&json!(b)), Distance::same_as)
    }

    #[test]
    fn distances_that_are_the_same() {
        for (a, b) in [
            ("5 km", "5000 m"),
            ("5km", "5 kms"),
            ("about 5 km", "5.0 kilometres"),
            ("2 km 500 m", "2.5 km"),
            ("2 km and 500 m", "2500 meters"),
            ("5 nautical miles", "9.26 km"),
            ("5,5 km", "5500 m"),
            ("1.234,5 km", "1,234.5 km"),
            ("5 Mm", "5000 km"),
            ("5 mm", "0.5 cm"),
            ("5 KM", "5 km"),
            ("914km", "568 mi"),
            ("914 km", "914.4 km"),
            ("1.4 km", "0.87 miles"),
            ("5 ft 3 in", "5'3\""),
            ("5′ 3″", "63 inches"),
            ("half a mile", "0.5 mi"),
            ("100 m", "328 ft"),
            ("-86 m", "−86 m"),
        ] {
            assert!(same(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn distances_that_differ() {
        for (a, b) in [
            ("1 m", "11 m"),
            ("1 m", "2 m"),
            ("653 m", "654 m"),
            ("5 km", "5.1 km"),
            ("2 km", "2.4 km"),
            ("5 Mm", "5 mm"),
            ("5 km", "5 mi"),
            ("5 mi", "5 nautical miles"),
            ("5,5 km", "55 km"),
            ("86 m", "-86 m"),
        ] {
            assert!(!same(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn texts_that_are_no_distance() {
        for text in [
            "",
            "5",
            "km",
            "5 km 5",
            "5 km 5 km",
            "500 m 2 km",
            "5 nm",
            "5-6 km",
            "over 5 km",
            "5 km!?",
            "5 * 3 km",
            "5 km / 2",
            "5 min",
            "^.*$",
        ] {
            assert_eq!(read(&json!(text)), None, "{text}");
        }
        for value in [json!(5), json!(null), json!(["5 km"]), json!({"km": 5})] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    proptest! {
        #[test]
        fn a_metre_counts(metres in 1..10_000_000_u32) {
            let text = format!("{} km {} m", metres / 1000, metres % 1000);
            let [these, one_more] = [metres, metres + 1].map(|metres| format!("{metres} m"));
            prop_assert!(same(&these, &text), "{}", text);
            prop_assert!(!same(&one_more, &text), "{}", text);
        }

        #[test]
        fn no_text_breaks_it(text in any::<String>(), near in "[0-9.,/ kmift'\"-]{0,20}") {
            for text in [text, near] {
                if let Some(distance) = read(&json!(text)) {
                    prop_assert!(distance.same_as(&distance) && !distance.to_string().is_empty());
                }
            }
        }
    }
}
