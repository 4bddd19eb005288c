//! One request on a connection of its own, and its answer up to the size that can be judged.

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::rt::{Read, Write};
use hyper::{HeaderMap, Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use url::Url;

use super::tls;
use crate::ask::too_long;
use crate::connections::LARGEST_ANSWER;
use crate::problem::Problem;

pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

pub(super) async fn send(url: &Url, request: Request<String>) -> Result<Answer, Problem> {
    let host = url.host_str().ok_or_else(|| Problem::refused("the URL has no host"))?;
    let port = url.port_or_known_default().ok_or_else(|| Problem::refused("the URL has no port"))?;
    let address = (host.trim_start_matches('[').trim_end_matches(']'), port);
    let stream = TcpStream::connect(address)
        .await
        .map_err(|error| Problem::unreachable(format!("no connection to {host}:{port}: {error}")))?;
    if url.scheme() == "https" {
        exchange(TokioIo::new(tls::wrap(host, stream).await?), request).await
    } else {
        exchange(TokioIo::new(stream), request).await
    }
}

async fn exchange<T>(io: T, request: Request<String>) -> Result<Answer, Problem>
where
    T: Read + Write + Send + Unpin + 'static,
{
    let broken = |error: hyper::Error| Problem::unreachable(format!("the connection broke: {error}"));
    let (mut sender, connection) = hyper::client::conn::http1::handshake(io).await.map_err(broken)?;
    let asked = async {
        let response = sender.send_request(request).await.map_err(broken)?;
        let (parts, body) = response.into_parts();
        Ok(Answer { status: parts.status, headers: parts.headers, body: collect(body).await? })
    };
    // The connection is driven beside the question and dropped with it: what is not read is never fetched.
    tokio::pin!(connection);
    tokio::pin!(asked);
    let mut is_open = true;
    loop {
        tokio::select! {
            answer = &mut asked => return answer,
            _ = &mut connection, if is_open => is_open = false,
        }
    }
}

async fn collect(mut body: Incoming) -> Result<Bytes, Problem> {
    let mut collected = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| Problem::unreachable(format!("the answer broke off: {error}")))?;
        if let Some(data) = frame.data_ref() {
            if collected.len() + data.len() > LARGEST_ANSWER {
                return Err(too_long());
            }
            collected.extend_from_slice(data);
        }
    }
    Ok(collected.freeze())
}
