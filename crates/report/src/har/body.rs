use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use umpire_model::{BlobSource, Body};

/// Bytes of a body; unknown for one that was not kept.
pub(super) fn size_of(body: &Body) -> Option<u64> {
    match body {
        Body::Text(text) => Some(text.len() as u64),
        Body::Blob(blob) => Some(blob.bytes),
        Body::Omitted(_) => None,
    }
}

/// The bytes of a body, or why there are none.
fn bytes_of(body: &Body, blobs: &dyn BlobSource) -> Result<Vec<u8>, String> {
    match body {
        Body::Text(text) => Ok(text.clone().into_bytes()),
        Body::Blob(blob) => blobs.read(blob).map_err(|error| error.to_string()),
        Body::Omitted(reason) => Err(format!("not kept: {reason}")),
    }
}

/// A response's `content`.
pub(super) fn content(body: Option<&Body>, mime: &str, blobs: &dyn BlobSource) -> Value {
    let size = body.and_then(size_of).unwrap_or(0);
    let mime = if mime.is_empty() { "x-unknown" } else { mime };
    let mut content = json!({"size": size, "mimeType": mime});
    match body.map(|body| bytes_of(body, blobs)) {
        None => {}
        Some(Err(reason)) => content["comment"] = reason.into(),
        Some(Ok(bytes)) => match String::from_utf8(bytes) {
            Ok(text) => content["text"] = text.into(),
            Err(binary) => {
                content["text"] = BASE64.encode(binary.as_bytes()).into();
                content["encoding"] = "base64".into();
            }
        },
    }
    content
}

/// A request's `postData`. HAR 1.2 has no encoding for it, so bytes that are no text are marked in our own field.
pub(super) fn post_data(body: &Body, mime: &str, blobs: &dyn BlobSource) -> Value {
    let mut data = json!({"mimeType": mime, "params": [], "text": ""});
    match bytes_of(body, blobs) {
        Err(reason) => data["comment"] = reason.into(),
        Ok(bytes) => {
            data["params"] = params(&bytes, mime).into();
            match String::from_utf8(bytes) {
                Ok(text) => data["text"] = text.into(),
                Err(binary) => {
                    data["text"] = BASE64.encode(binary.as_bytes()).into();
                    data["_encoding"] = "base64".into();
                }
            }
        }
    }
    data
}

fn params(bytes: &[u8], mime: &str) -> Vec<Value> {
    let (essence, rest) = mime.split_once(';').unwrap_or((mime, ""));
    match essence.trim().to_ascii_lowercase().as_str() {
        "application/x-www-form-urlencoded" => url::form_urlencoded::parse(bytes)
            .map(|(name, value)| json!({"name": name, "value": value}))
            .collect(),
        "multipart/form-data" => parameter(rest, "boundary").map_or_else(Vec::new, |boundary| {
            String::from_utf8_lossy(bytes)
                .split(&format!("--{boundary}"))
                .filter_map(|part| part.strip_prefix("\r\n").and_then(form_part))
                .collect()
        }),
        _ => Vec::new(),
    }
}

/// One part of a multipart form: its headers, an empty line, its value. A file shows its name, not its content.
fn form_part(part: &str) -> Option<Value> {
    let (headers, value) = part.split_once("\r\n\r\n")?;
    let header = |wanted: &str| {
        headers.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case(wanted).then_some(value.trim())
        })
    };
    let disposition = header("content-disposition")?;
    let mut param = json!({"name": parameter(disposition, "name")?});
    match parameter(disposition, "filename") {
        Some(file) => param["fileName"] = file.into(),
        None => param["value"] = value.strip_suffix("\r\n").unwrap_or(value).into(),
    }
    if let Some(mime) = header("content-type") {
        param["contentType"] = mime.into();
    }
    Some(param)
}

/// A parameter of a header value, such as `boundary` of `form-data; boundary="x"`.
fn parameter<'a>(text: &'a str, wanted: &str) -> Option<&'a str> {
    text.split(';').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case(wanted).then(|| value.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn forms_are_taken_apart() {
        assert_eq!(
            params(b"q=red+lamp&q=%C3%A4&empty=", "application/x-www-form-urlencoded; charset=UTF-8"),
            [
                json!({"name": "q", "value": "red lamp"}),
                json!({"name": "q", "value": "ä"}),
                json!({"name": "empty", "value": ""}),
            ]
        );
        let body = "--XX\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nHello\r\nthere\r\n--XX\r\n\
                    Content-Disposition: form-data; name=\"cv\"; filename=\"cv.pdf\"\r\n\
                    Content-Type: application/pdf\r\n\r\n%PDF\r\n--XX--\r\n";
        assert_eq!(
            params(body.as_bytes(), "multipart/form-data; boundary=XX"),
            [
                json!({"name": "title", "value": "Hello\r\nthere"}),
                json!({"name": "cv", "fileName": "cv.pdf", "contentType": "application/pdf"}),
            ]
        );
        assert!(params(b"{}", "application/json").is_empty());
        assert!(params(b"--", "multipart/form-data").is_empty());
    }

    proptest! {
        #[test]
        fn any_body_is_taken_apart_or_left_whole(bytes in prop::collection::vec(any::<u8>(), 0..200), mime in ".*") {
            for mime in [mime.as_str(), "multipart/form-data; boundary=-", "application/x-www-form-urlencoded"] {
                for param in params(&bytes, mime) {
                    prop_assert!(param["name"].is_string());
                }
            }
        }

        #[test]
        fn fields_of_a_form_come_back(fields in prop::collection::vec((any::<String>(), any::<String>()), 0..8)) {
            let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&fields).finish();
            let found: Vec<(String, String)> = params(body.as_bytes(), "application/x-www-form-urlencoded")
                .iter()
                .map(|p| (p["name"].as_str().unwrap_or_default().into(), p["value"].as_str().unwrap_or_default().into()))
                .collect();
            prop_assert_eq!(found, fields);
        }
    }
}
