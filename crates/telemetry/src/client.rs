//! The way to a collector. The exporters run on threads of their own, and the connection on ours.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full, Limited};
use opentelemetry_http::{HttpClient, HttpError};
use tokio::runtime::Handle;
use umpire_https::Pool;

/// A collector answers with a few bytes.
const LARGEST_ANSWER: usize = 1 << 20;

#[derive(Clone, Debug)]
pub(crate) struct Client {
    pool: Pool<Full<Bytes>>,
    runtime: Handle,
    limit: Duration,
}

impl Client {
    pub(crate) fn new(limit: Duration) -> Result<Self, String> {
        let runtime = Handle::try_current().map_err(|error| error.to_string())?;
        Ok(Self { pool: umpire_https::pool(), runtime, limit })
    }
}

#[async_trait::async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (pool, limit) = (self.pool.clone(), self.limit);
        let exchange = async move {
            let (head, body) = pool.request(request.map(Full::new)).await?.into_parts();
            let body = Limited::new(body, LARGEST_ANSWER).collect().await?.to_bytes();
            Ok::<_, HttpError>(Response::from_parts(head, body))
        };
        // The clock, too, is the runtime's: nothing of this may be made on the exporter's thread.
        self.runtime.spawn(async move { tokio::time::timeout(limit, exchange).await }).await??
    }
}
