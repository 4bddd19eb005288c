//! The way to a cloud's store: the same as to everybody else. `object_store` would
//! bring a second HTTP client and a second implementation of cryptography for the same.

use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt as _;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
    HttpResponseBody, HttpService,
};
use umpire_https::Pool;

/// For one request with its body; the largest of them is a screenshot.
const REQUEST_LIMIT: Duration = Duration::from_mins(1);

#[derive(Clone, Debug)]
pub(super) struct OwnClient(Pool<HttpRequestBody>);

impl OwnClient {
    pub(super) fn new() -> Self {
        Self(umpire_https::pool())
    }
}

impl HttpConnector for OwnClient {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait]
impl HttpService for OwnClient {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let answer = tokio::time::timeout(REQUEST_LIMIT, self.0.request(request)).await;
        let answer =
            answer.map_err(|late| HttpError::new(HttpErrorKind::Timeout, late))?.map_err(|error| {
                let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Request };
                HttpError::new(kind, error)
            })?;
        let (parts, body) = answer.into_parts();
        let body = body.map_err(|error| HttpError::new(HttpErrorKind::Interrupted, error));
        Ok(HttpResponse::from_parts(parts, HttpResponseBody::new(body)))
    }
}
