//! The fields of a body: a form, a multipart form or a JSON object.

use std::borrow::Cow;

use serde_json::Value;
use umpire_model::{BlobSource, Body, ExchangeRequest, ExchangeResponse};
use url::form_urlencoded;

use super::multipart;
use crate::words;

pub(crate) enum Fields {
    /// Names with values, in the order sent; names may repeat.
    Form(Vec<(String, String)>),
    Json(Value),
    /// No body, or one of another kind.
    None,
}

impl Fields {
    /// Fails with the reason if there was a body but it is not in the evidence.
    pub(crate) fn sent(request: &ExchangeRequest, blobs: &dyn BlobSource) -> Result<Self, String> {
        let content_type = header(&request.headers, "content-type").unwrap_or_default();
        let bytes = bytes(request.body.as_ref(), "request", blobs)?;
        Ok(bytes.map_or(Self::None, |bytes| Self::read(&bytes, content_type)))
    }

    /// Fields of the answer; fails like [`Fields::sent`].
    pub(super) fn received(response: &ExchangeResponse, blobs: &dyn BlobSource) -> Result<Self, String> {
        let content_type = header(&response.headers, "content-type").unwrap_or(&response.mime);
        let bytes = bytes(response.body.as_ref(), "response", blobs)?;
        Ok(bytes.map_or(Self::None, |bytes| Self::read(&bytes, content_type)))
    }

    fn read(bytes: &[u8], content_type: &str) -> Self {
        let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match essence.as_str() {
            "application/x-www-form-urlencoded" => {
                Self::Form(form_urlencoded::parse(bytes).into_owned().collect())
            }
            "multipart/form-data" => Self::Form(multipart::fields(bytes, content_type)),
            json if json == "application/json" || json.ends_with("+json") => {
                serde_json::from_slice(bytes).map_or(Self::None, Self::Json)
            }
            // `sendBeacon` and simple cross-origin requests carry JSON without saying so.
            "" | "text/plain" => serde_json::from_slice(bytes).map_or(Self::None, Self::Json),
            _ => Self::None,
        }
    }

    /// As one JSON value. Of a repeated form field the last value counts, as it does for the servers that read it.
    pub(super) fn as_json(&self) -> Cow<'_, Value> {
        match self {
            Self::Json(json) => Cow::Borrowed(json),
            Self::None => Cow::Owned(Value::Null),
            Self::Form(pairs) => Cow::Owned(Value::Object(
                pairs.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect(),
            )),
        }
    }
}

pub(super) fn header<'a>(headers: &'a [(String, String)], wanted: &str) -> Option<&'a str> {
    headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.as_str())
}

/// Values of a form field, in the order sent.
pub(super) fn values_of<'a>(pairs: &'a [(String, String)], name: &str) -> impl Iterator<Item = &'a str> {
    pairs.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// The answer's body as text, if it is in the evidence.
pub(crate) fn text(response: &ExchangeResponse, blobs: &dyn BlobSource) -> Option<String> {
    let bytes = bytes(response.body.as_ref(), "response", blobs).ok()??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn bytes<'a>(
    body: Option<&'a Body>,
    of: &str,
    blobs: &dyn BlobSource,
) -> Result<Option<Cow<'a, [u8]>>, String> {
    match body {
        None => Ok(None),
        Some(Body::Text(text)) => Ok(Some(Cow::Borrowed(text.as_bytes()))),
        Some(Body::Blob(blob)) => match blobs.read(blob) {
            Ok(bytes) => Ok(Some(Cow::Owned(bytes))),
            Err(error) => Err(format!("the body of a {of} cannot be read: {error}")),
        },
        Some(Body::Omitted(why)) => Err(format!("the body of a {of} was not kept: {}", words::shorten(why))),
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

    fn json_of(content_type: &str, body: &str) -> Value {
        let request = request(content_type, Some(Body::Text(body.to_owned())));
        Fields::sent(&request, &OneBlob(None)).expect("the body is there").as_json().into_owned()
    }

    #[test]
    fn the_kinds_of_bodies() {
        for (content_type, body, fields) in [
            (
                "application/x-www-form-urlencoded; charset=UTF-8",
                "a=1&b=x+y&a=2",
                json!({"a": "2", "b": "x y"}),
            ),
            ("application/json", r#"{"a": 1}"#, json!({"a": 1})),
            ("Application/vnd.API+json; charset=utf-8", r#"{"a": 1}"#, json!({"a": 1})),
            ("text/plain;charset=UTF-8", r#"{"a": 1}"#, json!({"a": 1})),
            ("", r#"{"a": 1}"#, json!({"a": 1})),
            ("application/json", r#"{"a": "#, json!(null)),
            ("image/png", r#"{"a": 1}"#, json!(null)),
            (
                "multipart/form-data; boundary=\"x y\"",
                "--x y\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x y--\r\n",
                json!({"a": "1"}),
            ),
        ] {
            assert_eq!(json_of(content_type, body), fields, "{content_type}");
        }
    }

    #[test]
    fn bodies_from_blobs_and_bodies_that_are_gone() {
        let blob = || Body::Blob(BlobRef { digest: Digest::of(b""), media: Media::Text, bytes: 3 });
        let form = "application/x-www-form-urlencoded";
        let read = Fields::sent(&request(form, Some(blob())), &OneBlob(Some(b"a=1"))).expect("readable");
        assert_eq!(*read.as_json(), json!({"a": "1"}));
        assert!(Fields::sent(&request(form, Some(blob())), &OneBlob(None)).is_err());
        let omitted = request(form, Some(Body::Omitted("too large".to_owned())));
        assert!(Fields::sent(&omitted, &OneBlob(None)).is_err());
        let none = Fields::sent(&request(form, None), &OneBlob(None)).expect("there was none");
        assert!(none.as_json().is_null());
    }

    proptest! {
        #[test]
        fn no_body_breaks_it(
            content_type in prop::sample::select(vec![
                "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "",
            ]),
            body in any::<String>(),
        ) {
            let _ = json_of(content_type, &body);
        }
    }
}
