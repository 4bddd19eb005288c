//! The fields of a request body: a form, a multipart form or a JSON object.

use std::borrow::Cow;

use rust_decimal::Decimal;
use serde_json::Value;
use umpire_model::{BlobSource, Body, ExchangeRequest};
use url::form_urlencoded;

use super::multipart;
use crate::json_equality;
use crate::ruling::Undecided;
use crate::text_rule::TextRule;
use crate::words;

pub(super) enum Fields {
    /// Names with values, in the order sent; names may repeat.
    Form(Vec<(String, String)>),
    Json(Value),
    /// No body, or one of another kind.
    None,
}

impl Fields {
    /// Fails with the reason if there was a body but it is not in the evidence.
    pub(super) fn of(request: &ExchangeRequest, blobs: &dyn BlobSource) -> Result<Self, String> {
        let bytes: Cow<'_, [u8]> = match &request.body {
            None => return Ok(Self::None),
            Some(Body::Text(text)) => Cow::Borrowed(text.as_bytes()),
            Some(Body::Blob(blob)) => Cow::Owned(
                blobs.read(blob).map_err(|error| format!("the body of a request cannot be read: {error}"))?,
            ),
            Some(Body::Omitted(why)) => {
                return Err(format!("the body of a request was not kept: {}", words::shorten(why)));
            }
        };
        let content_type = request
            .headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("content-type"))
            .map_or("", |(_, value)| value.as_str());
        let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        Ok(match essence.as_str() {
            "application/x-www-form-urlencoded" => {
                Self::Form(form_urlencoded::parse(&bytes).into_owned().collect())
            }
            "multipart/form-data" => Self::Form(multipart::fields(&bytes, content_type)),
            json if json == "application/json" || json.ends_with("+json") => {
                serde_json::from_slice(&bytes).map_or(Self::None, Self::Json)
            }
            // `sendBeacon` and simple cross-origin requests carry JSON without saying so.
            "" | "text/plain" => serde_json::from_slice(&bytes).map_or(Self::None, Self::Json),
            _ => Self::None,
        })
    }

    pub(super) fn describe(&self, name: &str) -> String {
        let found = match self {
            Self::Form(pairs) => values_of(pairs, name).map(|value| Value::from(value).to_string()).collect(),
            Self::Json(json) => json.get(name).map(Value::to_string).into_iter().collect(),
            Self::None => Vec::new(),
        };
        if found.is_empty() { "missing".to_owned() } else { words::joined(found, ", ") }
    }
}

fn values_of<'a>(pairs: &'a [(String, String)], name: &str) -> impl Iterator<Item = &'a str> {
    pairs.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// What a check expects of one field. A list means a JSON list, or all values of a repeated form field, in order; null
/// means that the field is not sent.
pub(super) enum FieldRule<'a> {
    Missing,
    One(ValueRule<'a>),
    Many(Vec<ValueRule<'a>>),
}

impl<'a> FieldRule<'a> {
    pub(super) fn new(expected: &'a Value) -> Result<Self, Undecided> {
        Ok(match expected {
            Value::Null => Self::Missing,
            Value::Array(list) => Self::Many(list.iter().map(ValueRule::new).collect::<Result<_, _>>()?),
            one => Self::One(ValueRule::new(one)?),
        })
    }

    pub(super) fn accepts(&self, fields: &Fields, name: &str) -> bool {
        match fields {
            Fields::None => matches!(self, Self::Missing),
            Fields::Json(json) => match (self, json.get(name)) {
                (Self::Missing, found) => found.is_none_or(Value::is_null),
                (Self::One(rule), Some(found)) => rule.accepts_json(found),
                (Self::Many(rules), Some(Value::Array(found))) => {
                    rules.len() == found.len()
                        && rules.iter().zip(found).all(|(rule, found)| rule.accepts_json(found))
                }
                _ => false,
            },
            Fields::Form(pairs) => {
                let found: Vec<&str> = values_of(pairs, name).collect();
                match self {
                    Self::Missing => found.is_empty(),
                    Self::One(rule) => found.len() == 1 && rule.accepts_text(found[0]),
                    Self::Many(rules) => {
                        rules.len() == found.len()
                            && rules.iter().zip(found).all(|(rule, found)| rule.accepts_text(found))
                    }
                }
            }
        }
    }
}

/// One expected value; a string may be a pattern.
pub(super) enum ValueRule<'a> {
    Text(TextRule),
    Value(&'a Value),
}

impl<'a> ValueRule<'a> {
    fn new(expected: &'a Value) -> Result<Self, Undecided> {
        Ok(match expected {
            Value::String(text) => Self::Text(TextRule::new(text)?),
            other => Self::Value(other),
        })
    }

    fn accepts_json(&self, found: &Value) -> bool {
        match self {
            Self::Text(rule) => found.as_str().is_some_and(|found| rule.accepts(found)),
            Self::Value(expected) => json_equality::equal(expected, found),
        }
    }

    /// Form fields are text: a number is compared by value, anything else with the JSON in the text.
    fn accepts_text(&self, found: &str) -> bool {
        match self {
            Self::Text(rule) => rule.accepts(found),
            Self::Value(Value::Number(number)) => {
                let (expected, found) =
                    (Decimal::from_str_exact(&number.to_string()), Decimal::from_str_exact(found));
                expected.is_ok() && expected == found
            }
            Self::Value(expected) => {
                serde_json::from_str::<Value>(found).is_ok_and(|found| json_equality::equal(expected, &found))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use proptest::prelude::*;
    use serde_json::json;
    use umpire_model::{BlobRef, Digest, Media};

    use super::*;

    struct OneBlob(Option<&'static [u8]>);

    impl BlobSource for OneBlob {
        fn read(&self, _: &BlobRef) -> Result<Vec<u8>, io::Error> {
            self.0.map(<[u8]>::to_vec).ok_or_else(|| io::Error::other("gone"))
        }
    }

    fn request(content_type: &str, body: Option<Body>) -> ExchangeRequest {
        ExchangeRequest {
            method: "POST".to_owned(),
            url: "http://shop.localhost/".to_owned(),
            http_version: "HTTP/1.1".to_owned(),
            headers: vec![("Content-Type".to_owned(), content_type.to_owned())],
            body,
        }
    }

    fn fields(content_type: &str, body: &str) -> Fields {
        let request = request(content_type, Some(Body::Text(body.to_owned())));
        Fields::of(&request, &OneBlob(None)).expect("the body is there")
    }

    fn accepts(expected: &Value, fields: &Fields, name: &str) -> bool {
        FieldRule::new(expected).expect("a good rule").accepts(fields, name)
    }

    #[test]
    fn form_fields() {
        let form = fields(
            "application/x-www-form-urlencoded; charset=UTF-8",
            "q=c%2B%2B+lamp&n=2&tag=a&tag=b&on=true&x={%22a%22:1}&e=",
        );
        for (name, expected, accepted) in [
            ("q", json!("c++ lamp"), true),
            ("q", json!("c lamp"), false),
            ("q", json!("^c.*$"), true),
            ("n", json!(2), true),
            ("n", json!(2.0), true),
            ("n", json!("2"), true),
            ("n", json!(3), false),
            ("tag", json!(["a", "b"]), true),
            ("tag", json!(["b", "a"]), false),
            ("tag", json!("a"), false),
            ("on", json!(true), true),
            ("on", json!(false), false),
            ("x", json!({"a": 1.0}), true),
            ("e", json!(""), true),
            ("e", json!(null), false),
            ("missing", json!(null), true),
            ("missing", json!(""), false),
        ] {
            assert_eq!(accepts(&expected, &form, name), accepted, "{name} {expected}");
        }
    }

    #[test]
    fn json_fields() {
        for content_type in
            ["application/json", "application/vnd.api+json; charset=utf-8", "text/plain;charset=UTF-8"]
        {
            let json = fields(
                content_type,
                r#"{"n": 2.0, "q": "lamp", "tags": ["a", "b"], "gone": null, "o": {"k": [1]}}"#,
            );
            for (name, expected, accepted) in [
                ("n", json!(2), true),
                ("n", json!("2"), false),
                ("q", json!("^l.*$"), true),
                ("tags", json!(["a", "^b$"]), true),
                ("tags", json!(["b", "a"]), false),
                ("tags", json!("a"), false),
                ("gone", json!(null), true),
                ("absent", json!(null), true),
                ("absent", json!(1), false),
                ("o", json!({"k": [1.0]}), true),
                ("q", json!(["lamp"]), false),
            ] {
                assert_eq!(accepts(&expected, &json, name), accepted, "{content_type} {name} {expected}");
            }
        }
    }

    #[test]
    fn bodies_from_blobs_and_bodies_that_are_gone() {
        let blob = || Body::Blob(BlobRef { digest: Digest::of(b""), media: Media::Text, bytes: 3 });
        let form = "application/x-www-form-urlencoded";
        let read = Fields::of(&request(form, Some(blob())), &OneBlob(Some(b"a=1"))).expect("readable");
        assert!(accepts(&json!(1), &read, "a"));
        assert!(Fields::of(&request(form, Some(blob())), &OneBlob(None)).is_err());
        assert!(
            Fields::of(&request(form, Some(Body::Omitted("too large".to_owned()))), &OneBlob(None)).is_err()
        );
        let none = Fields::of(&request(form, None), &OneBlob(None)).expect("there was none");
        assert!(accepts(&json!(null), &none, "a") && !accepts(&json!(""), &none, "a"));
    }

    proptest! {
        #[test]
        fn no_body_breaks_it(
            content_type in prop::sample::select(vec![
                "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "",
            ]),
            body in any::<String>(),
        ) {
            let fields = fields(content_type, &body);
            accepts(&json!("x"), &fields, "a");
            fields.describe("a");
        }
    }
}
