//! Which bodies are kept, and how.

use base64::Engine as _;
use serde::Deserialize;
use umpire_model::{Body, Evidence, Media};

use super::flights::Arrived;

/// Larger bodies are not kept.
const KEPT: u64 = 1 << 20;
/// Text up to this size stands in the journal itself.
const INLINE: usize = 2 << 10;

/// The answer to `Network.getResponseBody` and, with its own name for it, `Network.getRequestPostData`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Content {
    #[serde(alias = "postData")]
    pub body: String,
    #[serde(default)]
    pub base64_encoded: bool,
}

/// Whether a response's body is to be fetched; an error says why a body that exists is not kept.
pub(super) fn is_wanted(arrived: &Arrived<'_>) -> Result<bool, String> {
    let bodiless = matches!(arrived.response.status, 100..=199 | 204 | 205 | 304) || arrived.method == "HEAD";
    match arrived.resource {
        _ if bodiless => Ok(false),
        "Preflight" | "Ping" | "WebSocket" | "CSPViolationReport" => Ok(false),
        "Image" | "Media" | "Font" => Err(format!("{} is not kept", arrived.resource.to_lowercase())),
        _ if arrived.decoded_bytes > KEPT => Err(format!("{} bytes are too many", arrived.decoded_bytes)),
        _ => Ok(true),
    }
}

pub(super) fn keep_content(content: &Content, mime: &str, evidence: &dyn Evidence) -> Body {
    if !content.base64_encoded {
        return keep(content.body.as_bytes(), mime, evidence);
    }
    match base64::engine::general_purpose::STANDARD.decode(&content.body) {
        Ok(bytes) => keep(&bytes, mime, evidence),
        Err(error) => Body::Omitted(format!("unreadable: {error}")),
    }
}

pub(super) fn keep(bytes: &[u8], mime: &str, evidence: &dyn Evidence) -> Body {
    if bytes.len() as u64 > KEPT {
        return Body::Omitted(format!("{} bytes are too many", bytes.len()));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if text.len() <= INLINE => Body::Text(text.to_owned()),
        Ok(text) => {
            let media = if mime.contains("json") { Media::Json } else { Media::Text };
            Body::Blob(evidence.blob(text.as_bytes(), media))
        }
        Err(_) => Body::Blob(evidence.blob(bytes, Media::Bytes)),
    }
}

#[cfg(test)]
mod tests {
    use umpire_model::{BlobRef, Digest, EventBody, ExchangeResponse};

    use super::*;

    struct Blobs;
    impl Evidence for Blobs {
        fn event(&self, _: EventBody) -> u64 {
            0
        }
        fn blob(&self, content: &[u8], media: Media) -> BlobRef {
            BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 }
        }
    }

    #[test]
    fn short_text_stays_in_the_journal_and_long_or_binary_content_goes_to_a_blob() {
        assert_eq!(keep(b"a=1", "text/plain", &Blobs), Body::Text("a=1".to_owned()));
        let long = vec![b'x'; INLINE + 1];
        for (bytes, mime, media) in [
            (&long, "text/html", Media::Text),
            (&long, "application/json", Media::Json),
            (&vec![0xff, 0xfe], "application/zip", Media::Bytes),
        ] {
            let Body::Blob(blob) = keep(bytes, mime, &Blobs) else { panic!("{mime} is no blob") };
            assert_eq!((blob.media, blob.bytes), (media, bytes.len() as u64));
        }
        assert!(matches!(keep(&vec![0; KEPT as usize + 1], "text/html", &Blobs), Body::Omitted(_)));
    }

    #[test]
    fn pictures_and_large_bodies_are_left_out_with_a_reason() {
        let response = |status| ExchangeResponse {
            status,
            status_text: String::new(),
            http_version: "HTTP/1.1".to_owned(),
            headers: Vec::new(),
            mime: String::new(),
            encoded_bytes: 0,
            from_cache: false,
            remote: None,
            body: None,
        };
        for (resource, method, status, bytes, expected) in [
            ("Document", "GET", 200, 10, Some(true)),
            ("XHR", "POST", 500, 10, Some(true)),
            ("Fetch", "GET", 204, 0, Some(false)),
            ("Fetch", "HEAD", 200, 0, Some(false)),
            ("Ping", "POST", 200, 0, Some(false)),
            ("Image", "GET", 200, 10, None),
            ("Fetch", "GET", 200, KEPT + 1, None),
        ] {
            let response = response(status);
            let arrived = Arrived { resource, method, response: &response, decoded_bytes: bytes };
            assert_eq!(is_wanted(&arrived).ok(), expected, "{resource} {method} {status} {bytes}");
        }
    }
}
