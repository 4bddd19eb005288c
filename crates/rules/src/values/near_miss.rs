//! Values that are almost right: off by one unit, cent or day, a word too many, a field too few. Whatever accepts one of
//! them accepts wrong answers.

use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use super::leaf::{Leaf, LeafType};
use super::{Order, ValueType, base64_text, decimal};

/// A wrong value with what is wrong about it, in a few words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NearMiss {
    pub(crate) what: &'static str,
    pub(crate) value: Value,
}

fn miss(what: &'static str, value: impl Into<Value>) -> NearMiss {
    NearMiss { what, value: value.into() }
}

/// Wrong values near `right`. `accepted` are other ways to be right, which no near miss may hit.
pub(crate) fn near_misses(
    value_type: &ValueType,
    right: &Value,
    accepted: &[Value],
    order: Order,
) -> Vec<NearMiss> {
    let inferred;
    let value_type = match value_type {
        ValueType::Inferred => {
            inferred = ValueType::inferred_from(right);
            &inferred
        }
        given => given,
    };
    let mut misses = match value_type {
        ValueType::Leaf(leaf_type) => of_leaf(*leaf_type, right),
        ValueType::Object(properties) => of_object(right, |name, value| {
            near_misses(properties.get(name).unwrap_or(&ValueType::Inferred), value, &[], order)
        }),
        ValueType::List(item) => of_list(right, order, |value| near_misses(item, value, &[], order)),
        ValueType::Inferred => Vec::new(),
    };
    // What an agent may try that does not know the answer.
    misses.extend([
        miss("nothing", Value::Null),
        miss("a pattern for everything", "^.*$"),
        miss("two answers for one", json!([right, "x"])),
    ]);
    misses.retain(|miss| {
        !accepted.iter().chain([right]).any(|right| mean_the_same(value_type, right, &miss.value))
    });
    misses
}

/// The same value, not only an accepted one: tolerances and patterns do not excuse a near miss.
pub(crate) fn mean_the_same(value_type: &ValueType, right: &Value, other: &Value) -> bool {
    match value_type {
        ValueType::Leaf(leaf_type) => {
            right == other || leaf_type.read(right).is_some_and(|read| leaf_type.read(other) == Some(read))
        }
        _ => right == other,
    }
}

fn of_leaf(leaf_type: LeafType, right: &Value) -> Vec<NearMiss> {
    match (leaf_type, leaf_type.read(right)) {
        (LeafType::Number, Some(Leaf::Number(number))) => of_number(number),
        (LeafType::Currency, _) => match right {
            Value::Number(number) => decimal::of_json(number).map_or_else(Vec::new, of_number),
            other => of_text(&text_of(other), Parts::Digits),
        },
        (LeafType::Boolean, Some(Leaf::Boolean(value))) => vec![miss("the opposite", !value)],
        (LeafType::Date, Some(leaf)) => of_date(&leaf.to_string()),
        (LeafType::Month, Some(Leaf::Month(month))) => {
            vec![miss("the next month", month.next().to_string())]
        }
        (LeafType::Coordinates, Some(leaf)) => of_coordinates(&leaf.to_string()),
        (LeafType::Duration | LeafType::Distance, _) => of_text(&text_of(right), Parts::Digits),
        (LeafType::Url, _) => of_url(&text_of(right)),
        (LeafType::Email, _) => vec![miss("another mailbox", format!("x{}", text_of(right)))],
        (LeafType::Json, Some(Leaf::Json(value))) => of_json(&value),
        (LeafType::Markdown, _) => vec![miss("a line more", format!("{}\n\nx", text_of(right)))],
        (LeafType::Base64, _) => base64_text::text(right)
            .map(|text| miss("other text", base64_text::encode(&format!("{text}x"))))
            .into_iter()
            .collect(),
        (LeafType::StringList, Some(Leaf::Texts(items))) => {
            let mut misses = vec![miss("an item more", format!("{}, x", items.join(", ")))];
            if items.len() > 1 {
                misses.push(miss("an item less", items[1..].join(", ")));
            }
            misses
        }
        (LeafType::Null, _) => vec![miss("something", 0)],
        _ => of_text(&text_of(right), Parts::Words),
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn of_number(number: Decimal) -> Vec<NearMiss> {
    let as_json = |number: Decimal| serde_json::from_str::<Value>(&number.to_string()).ok();
    let one_more = number.checked_add(Decimal::new(1, number.scale()));
    [
        one_more.and_then(as_json).map(|value| miss("one unit too much", value)),
        as_json(-number).map(|value| miss("the wrong sign", value)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// `iso` may have `?` for parts that are not known; only what is known can be wrong.
fn of_date(iso: &str) -> Vec<NearMiss> {
    if let Ok(date) = iso.parse::<Date>() {
        return [("one day late", 1.day()), ("one month late", 1.month()), ("one year late", 1.year())]
            .into_iter()
            .filter_map(|(what, span)| Some(miss(what, date.checked_add(span).ok()?.to_string())))
            .collect();
    }
    vec![miss("another date", "1066-10-14")]
}

fn of_coordinates(normal: &str) -> Vec<NearMiss> {
    let Some((latitude, longitude)) = normal.split_once(", ") else { return Vec::new() };
    let (Ok(latitude), Ok(longitude)) = (latitude.parse::<Decimal>(), longitude.parse::<Decimal>()) else {
        return Vec::new();
    };
    // A hundred metres, towards the equator so that the poles are no problem.
    let away = Decimal::new(if latitude.is_sign_negative() { 1 } else { -1 }, 3);
    vec![
        miss("a hundred metres off", format!("{}, {longitude}", latitude + away)),
        miss("latitude and longitude swapped", format!("{longitude}, {latitude}")),
        miss("the other hemisphere", format!("{latitude}, {}", -longitude)),
    ]
}

fn of_url(text: &str) -> Vec<NearMiss> {
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let (path, rest) = text.split_at(end);
    let path = path.trim_end_matches('/');
    let mut misses = vec![miss("another page", format!("{path}/other{rest}"))];
    if !text.contains('#') {
        let joint = if rest.is_empty() { '?' } else { '&' };
        misses.push(miss("a parameter more", format!("{text}{joint}other=1")));
    }
    misses
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Parts {
    Digits,
    Words,
}

fn of_text(text: &str, parts: Parts) -> Vec<NearMiss> {
    let mut misses = Vec::new();
    misses.extend(digits_changed(text).map(|text| miss("a digit off by one", text)));
    if parts == Parts::Digits {
        misses.push(miss("the wrong sign", format!("-{text}")));
        return misses;
    }
    misses.extend(text.trim_end().rsplit_once(' ').map(|(rest, _)| miss("a word less", rest)));
    misses.push(miss("a word more", format!("{text} other")));
    misses.extend(letter_changed(text).map(|text| miss("a letter changed", text)));
    misses.push(miss("no text", ""));
    misses
}

/// The text with its last digit one up, or down from nine.
fn digits_changed(text: &str) -> Option<String> {
    let at = text.rfind(|c: char| c.is_ascii_digit())?;
    let digit = if &text[at..=at] == "9" {
        "8".to_owned()
    } else {
        (text[at..=at].parse::<u8>().ok()? + 1).to_string()
    };
    Some(format!("{}{digit}{}", &text[..at], &text[at + 1..]))
}

/// The text with its first letter another one.
fn letter_changed(text: &str) -> Option<String> {
    let at = text.find(char::is_alphabetic)?;
    let letter = text[at..].chars().next()?;
    let other = if letter.eq_ignore_ascii_case(&'x') { 'y' } else { 'x' };
    Some(format!("{}{other}{}", &text[..at], &text[at + letter.len_utf8()..]))
}

/// Wrong JSON near `right`, compared as JSON.
pub(crate) fn of_json(right: &Value) -> Vec<NearMiss> {
    match right {
        Value::Null => vec![miss("something", true)],
        Value::Bool(value) => vec![miss("the opposite", !value)],
        Value::Number(number) => decimal::of_json(number).map_or_else(Vec::new, of_number),
        Value::String(text) => of_text(text, Parts::Words),
        Value::Array(_) => of_list(right, Order::Given, of_json),
        Value::Object(_) => of_object(right, |_, value| of_json(value)),
    }
    .into_iter()
    .filter(|miss| !crate::json_equality::equal(&miss.value, right))
    .collect()
}

fn of_list(right: &Value, order: Order, of_item: impl Fn(&Value) -> Vec<NearMiss>) -> Vec<NearMiss> {
    let Some(items) = right.as_array() else { return Vec::new() };
    let Some((first, rest)) = items.split_first() else { return vec![miss("an item more", json!(["x"]))] };
    let with_first = |value: Value| Value::from([&[value], rest].concat());
    let mut misses = vec![
        miss("an item less", rest.to_vec()),
        miss("an item twice", [items.as_slice(), std::slice::from_ref(first)].concat()),
    ];
    misses.extend(of_item(first).into_iter().map(|inner| miss(inner.what, with_first(inner.value))));
    if let Some(second) = rest.first().filter(|second| *second != first) {
        if order == Order::Given {
            let mut swapped = items.clone();
            swapped.swap(0, 1);
            misses.push(miss("two items swapped", swapped));
        }
        misses.push(miss("an item in place of another", with_first(second.clone())));
    }
    misses
}

/// How many fields of an object are changed, one at a time.
const MOST_FIELDS: usize = 6;

fn of_object(right: &Value, of_field: impl Fn(&str, &Value) -> Vec<NearMiss>) -> Vec<NearMiss> {
    let Some(fields) = right.as_object() else { return Vec::new() };
    let with = |name: &str, value: Value| {
        let mut changed: Map<String, Value> = fields.clone();
        changed.insert(name.to_owned(), value);
        Value::Object(changed)
    };
    let mut misses = vec![miss("a field more", with("other field", json!("x")))];
    for (name, value) in fields.iter().take(MOST_FIELDS) {
        misses
            .extend(of_field(name, value).into_iter().map(|inner| miss(inner.what, with(name, inner.value))));
        let mut without = fields.clone();
        without.shift_remove(name);
        misses.push(miss("a field less", without));
    }
    let mut pairs = fields.iter().zip(fields.iter().skip(1));
    if let Some(((one, its), (other, value))) = pairs.find(|((_, its), (_, value))| its != value) {
        let mut swapped = fields.clone();
        swapped.insert(one.clone(), value.clone());
        swapped.insert(other.clone(), its.clone());
        misses.push(miss("two fields swapped", swapped));
    }
    misses
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::values::leaf::NAMES;

    #[test]
    fn every_type_rejects_what_almost_is_its_example() {
        for (name, example) in NAMES {
            let value_type = ValueType::of_schema(&json!({"type": name})).expect(name);
            let expected = value_type.expect(&json!(example), Order::Any).expect(name);
            let misses = near_misses(&value_type, &json!(example), &[], Order::Any);
            assert!(misses.len() > 2, "{name}: {misses:?}");
            for miss in misses {
                assert!(!expected.accepts(&miss.value), "{name}: {miss:?}");
            }
        }
    }

    #[test]
    fn other_right_values_are_not_missed_by_nearness() {
        let number = ValueType::of_schema(&json!({"type": "number"})).expect("known");
        let values = |accepted: &[Value]| -> Vec<Value> {
            near_misses(&number, &json!(5), accepted, Order::Any).into_iter().map(|miss| miss.value).collect()
        };
        assert!(values(&[]).contains(&json!(6)));
        assert!(!values(&[json!("6")]).contains(&json!(6)));
    }

    #[test]
    fn containers() {
        let values = |misses: Vec<NearMiss>| misses.into_iter().map(|miss| miss.value).collect::<Vec<_>>();
        let list = values(of_json(&json!([1, 2])));
        for wrong in [json!([2]), json!([1, 2, 1]), json!([2, 2]), json!([2, 1])] {
            assert!(list.contains(&wrong), "{wrong}");
        }
        let object = values(of_json(&json!({"a": 1, "b": true})));
        for wrong in [
            json!({"a": 2, "b": true}),
            json!({"b": true}),
            json!({"a": true, "b": 1}),
            json!({"a": 1, "b": true, "other field": "x"}),
        ] {
            assert!(object.contains(&wrong), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn a_near_miss_in_json_is_never_the_value_itself(value in crate::values::tests::any_json()) {
            for miss in of_json(&value) {
                prop_assert!(!crate::json_equality::equal(&miss.value, &value), "{:?}", miss);
            }
        }

        #[test]
        fn no_value_breaks_it((name, _) in prop::sample::select(NAMES), value in crate::values::tests::any_json()) {
            let value_type = ValueType::of_schema(&json!({"type": name})).expect("known");
            near_misses(&value_type, &value, &[], Order::Given);
        }
    }
}
