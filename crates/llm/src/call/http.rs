//! Requests to providers and what comes back, up to a size.

use std::error::Error as _;

use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderMap};
use hyper::{Method, Request, StatusCode};
use umpire_https::Pool;
use url::Url;

use super::fault::Fault;

/// No reply of a model is longer; a server that goes on is not one.
const LARGEST_ANSWER: usize = 32 << 20;
/// Of an error only so much is read.
const LARGEST_ERROR: usize = 64 << 10;

#[derive(Clone, Debug)]
pub(crate) struct HttpClient(Pool<Full<Bytes>>);

/// An answer that has begun well and is still coming.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) headers: HeaderMap,
    body: Incoming,
    read: usize,
}

impl HttpClient {
    pub(crate) fn new() -> Self {
        Self(umpire_https::pool())
    }

    /// Sends and waits for the status; anything but success is a fault.
    pub(crate) async fn post(&self, url: &Url, headers: HeaderMap, body: Bytes) -> Result<Live, Fault> {
        let mut request = Request::builder().method(Method::POST).uri(url.as_str());
        if let Some(map) = request.headers_mut() {
            *map = headers;
        }
        let request = request
            .body(Full::new(body))
            .map_err(|error| Fault::passing(format!("the request cannot be made: {error}")))?;
        let place = || url.host_str().unwrap_or_default();
        let response = self.0.request(request).await.map_err(|error| {
            // The outer error only says that it was one.
            let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            Fault::passing(format!("no answer from {}: {cause}", place()))
        })?;
        let (parts, body) = response.into_parts();
        if parts.status.is_success() {
            return Ok(Live { headers: parts.headers, body, read: 0 });
        }
        Err(fault_of(parts.status, &parts.headers, body).await)
    }
}

async fn fault_of(status: StatusCode, headers: &HeaderMap, body: Incoming) -> Fault {
    let mut live = Live { headers: HeaderMap::new(), body, read: LARGEST_ANSWER - LARGEST_ERROR };
    let mut said = BytesMut::new();
    // A body that breaks off or goes on for ever still has a beginning.
    while let Ok(Some(chunk)) = live.chunk().await {
        said.extend_from_slice(&chunk);
    }
    Fault::of_status(status, headers, &said.freeze())
}

impl Live {
    /// The next bytes; none at the end.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, Fault> {
        while let Some(frame) = self.body.frame().await {
            let frame = frame.map_err(|error| Fault::passing(format!("the answer broke off: {error}")))?;
            if let Ok(data) = frame.into_data() {
                self.read += data.len();
                if self.read > LARGEST_ANSWER {
                    return Err(Fault::passing(format!(
                        "the answer is longer than {} MiB",
                        LARGEST_ANSWER >> 20
                    )));
                }
                return Ok(Some(data));
            }
        }
        Ok(None)
    }

    pub(crate) async fn whole(mut self) -> Result<Bytes, Fault> {
        let mut collected = BytesMut::new();
        while let Some(chunk) = self.chunk().await? {
            collected.extend_from_slice(&chunk);
        }
        Ok(collected.freeze())
    }
}

pub(crate) fn content_type(headers: &HeaderMap) -> &str {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("application/json")
}
