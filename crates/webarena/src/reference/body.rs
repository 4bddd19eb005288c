//! The fields of a recorded request or response body.

use crate::python::{Dict, JsonError, Value, parse_json, strip, urllib};
use crate::trace::{Body, BodyMember};

/// Where the reference raises an exception instead of answering.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    #[error("the media type of a body is no text")]
    MediaType,
    #[error("a body is no text")]
    Text,
    #[error("a body is longer than this evaluation keeps")]
    TooLong,
    #[error("a body cannot be read: {0}")]
    Json(JsonError),
}

/// The fields of a form, multipart or JSON object body; `None` for every other body.
///
/// Bodies the recorder listed field by field or encoded in base64 are not seen, which is how the reference decides.
pub fn fields(body: &Body) -> Result<Option<Dict>, BodyError> {
    let text = match &body.text {
        BodyMember::Absent | BodyMember::Other { truthy: false, .. } => return Ok(None),
        BodyMember::Text(text) if text.is_empty() => return Ok(None),
        BodyMember::Text(text) => Some(text.as_str()),
        BodyMember::Other { truthy: true, .. } => None,
        BodyMember::TooLong => return Err(BodyError::TooLong),
    };
    let media_type = match &body.mime_type {
        BodyMember::Absent | BodyMember::Other { container: true, .. } => "",
        BodyMember::Text(media_type) => media_type,
        BodyMember::TooLong | BodyMember::Other { .. } => return Err(BodyError::MediaType),
    };
    if media_type.contains("application/x-www-form-urlencoded") {
        return Ok(Some(form_fields(text.ok_or(BodyError::Text)?)));
    }
    if media_type.contains("application/json") {
        match parse_json(text.ok_or(BodyError::Text)?) {
            Ok(Value::Dict(fields)) => return Ok(Some(fields)),
            Ok(_) | Err(JsonError::Syntax { .. }) => {}
            Err(too_deep @ JsonError::TooDeep) => return Err(BodyError::Json(too_deep)),
        }
    }
    if media_type.contains("multipart/form-data")
        && let Some(boundary) = boundary(media_type)
    {
        return Ok(Some(multipart_fields(text.ok_or(BodyError::Text)?, boundary)));
    }
    Ok(None)
}

/// Of several fields with one name, the first.
fn form_fields(text: &str) -> Dict {
    let mut fields = Dict::new();
    for (name, value) in urllib::form_fields(text) {
        fields.entry(name).or_insert(Value::Str(value));
    }
    fields
}

/// What follows `boundary=`, quotes included, up to a semicolon or white space.
fn boundary(media_type: &str) -> Option<&str> {
    media_type.match_indices("boundary=").find_map(|(at, name)| {
        let after = &media_type[at + name.len()..];
        let end = after.find(|c: char| c == ';' || crate::python::is_space(c)).unwrap_or(after.len());
        (end > 0).then(|| &after[..end])
    })
}

/// Of several parts with one name, the last.
fn multipart_fields(text: &str, boundary: &str) -> Dict {
    let mut fields = Dict::new();
    for part in text.split(&format!("--{boundary}")) {
        let part = strip(part);
        if part.is_empty() || part == "--" {
            continue;
        }
        let Some((headers, body)) = part.split_once("\r\n\r\n").or_else(|| part.split_once("\n\n")) else {
            continue;
        };
        let disposition =
            headers.split("\r\n").find(|line| line.to_lowercase().starts_with("content-disposition:"));
        if let Some(name) = disposition.and_then(quoted_name) {
            fields.insert(name.to_owned(), Value::from(body.trim_end_matches(['\r', '\n'])));
        }
    }
    fields
}

/// The first `name="…"` of a line, even one inside `filename="…"`.
fn quoted_name(line: &str) -> Option<&str> {
    const NAME: &str = "name=\"";
    line.match_indices(NAME).find_map(|(at, _)| {
        let (name, _) = line[at + NAME.len()..].split_once('"')?;
        (!name.is_empty()).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(media_type: &str, text: &str) -> Option<String> {
        let body = Body {
            mime_type: BodyMember::Text(media_type.to_owned()),
            text: BodyMember::Text(text.to_owned()),
            ..Body::default()
        };
        fields(&body).expect("readable").map(|fields| crate::python::str_of(&Value::Dict(fields)))
    }

    #[test]
    fn the_media_type_decides_how_a_body_is_read() {
        for (media_type, text, expected) in [
            ("application/x-www-form-urlencoded; charset=x", "a=1&a=2&b", Some("{'a': '1', 'b': ''}")),
            ("application/json", r#"{"a": [1]}"#, Some("{'a': [1]}")),
            ("application/json", "[1]", None),
            ("application/json", "{bad", None),
            ("application/vnd.api+json", r#"{"a": 1}"#, None),
            ("text/plain", "a=1", None),
            ("application/json", "", None),
        ] {
            assert_eq!(parsed(media_type, text).as_deref(), expected, "{media_type} {text}");
        }
    }

    #[test]
    fn multipart_parts_are_found_by_their_boundary() {
        let part = |disposition: &str, body: &str| {
            format!("--XX\r\nContent-Disposition: {disposition}\r\n\r\n{body}\r\n")
        };
        for (media_type, text, expected) in [
            (
                "multipart/form-data; boundary=XX",
                part("form-data; name=\"a\"", " 1 ") + "--XX--\r\n",
                Some("{'a': ' 1'}"),
            ),
            (
                "multipart/form-data; boundary=XX; x",
                part("form-data; filename=\"f\"; name=\"a\"", "1") + &part("form-data; NAME=\"b\"", "2"),
                Some("{'f': '1'}"),
            ),
            ("multipart/form-data", part("form-data; name=\"a\"", "1"), None),
            ("multipart/form-data; boundary=YY", part("x; name=\"a\"", "1"), Some("{'a': '1'}")),
        ] {
            assert_eq!(parsed(media_type, &text).as_deref(), expected, "{media_type} {text}");
        }
    }

    #[test]
    fn members_that_are_no_text_raise_only_when_they_are_read() {
        let odd = BodyMember::Other { truthy: true, container: false };
        let array = BodyMember::Other { truthy: true, container: true };
        let form = BodyMember::Text("application/x-www-form-urlencoded".to_owned());
        let some = BodyMember::Text("a=1".to_owned());
        for (mime_type, text, expected) in [
            (odd.clone(), some.clone(), Err(BodyError::MediaType)),
            (array, some, Ok(None)),
            (form.clone(), odd.clone(), Err(BodyError::Text)),
            (BodyMember::Absent, odd.clone(), Ok(None)),
            (odd.clone(), BodyMember::Absent, Ok(None)),
            (form, BodyMember::TooLong, Err(BodyError::TooLong)),
        ] {
            let body = Body { mime_type, text, ..Body::default() };
            assert_eq!(fields(&body), expected, "{body:?}");
        }
    }

    proptest! {
        #[test]
        fn no_body_panics(text in any::<String>(), boundary in r#"[X;" \-]{0,4}"#) {
            for media_type in ["application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary="] {
                let _ = parsed(&format!("{media_type}{boundary}"), &text);
            }
        }
    }
}
