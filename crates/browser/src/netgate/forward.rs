//! The proxy's back: allowed foreign hosts, by plain HTTP or through a tunnel.

use std::io;

use http::{Request, Response, Uri, header};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::serve::Body;
use super::{FOREIGN_LIMIT, STREAM_LIMIT};
use crate::hosts::{HostPattern, Place};

#[derive(Debug, thiserror::Error)]
pub(super) enum ForwardError {
    #[error("{0} did not answer in time")]
    Time(Place),
    #[error("{place} cannot be reached: {source}")]
    Connect { place: Place, source: io::Error },
    #[error("{place} leads to this machine or its private network")]
    Private { place: Place },
    #[error("{place}: {source}")]
    Http { place: Place, source: hyper::Error },
}

/// Headers that speak of one connection and must not travel further.
const HOP_BY_HOP: [&str; 8] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "transfer-encoding",
    "upgrade",
];

pub(super) async fn connect(place: &Place, pattern: &HostPattern) -> Result<TcpStream, ForwardError> {
    let unreachable = |source| ForwardError::Connect { place: place.clone(), source };
    let attempt = async {
        let host = place.host.trim_start_matches('[').trim_end_matches(']');
        // Browsers take these for loopback themselves; many a system's resolver does not know them.
        let host = if host == "localhost" || host.ends_with(".localhost") { "127.0.0.1" } else { host };
        let addresses: Vec<_> =
            tokio::net::lookup_host((host, place.port)).await.map_err(unreachable)?.collect();
        let admitted: Vec<_> =
            addresses.iter().copied().filter(|address| pattern.admits(address.ip())).collect();
        if admitted.is_empty() && !addresses.is_empty() {
            return Err(ForwardError::Private { place: place.clone() });
        }
        TcpStream::connect(admitted.as_slice()).await.map_err(unreachable)
    };
    timeout(FOREIGN_LIMIT, attempt).await.unwrap_or_else(|_| Err(ForwardError::Time(place.clone())))
}

pub(super) async fn request(
    request: Request<Incoming>,
    place: &Place,
    pattern: &HostPattern,
) -> Result<Response<Body>, ForwardError> {
    let broken = |source| ForwardError::Http { place: place.clone(), source };
    let stream = connect(place, pattern).await?;
    let (mut sender, connection) = hyper::client::conn::http1::Builder::new()
        .preserve_header_case(true)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(broken)?;
    tokio::spawn(timeout(STREAM_LIMIT, connection));
    let response = timeout(FOREIGN_LIMIT, sender.send_request(to_origin(request, place)))
        .await
        .map_err(|_| ForwardError::Time(place.clone()))?
        .map_err(broken)?;
    let (mut parts, body) = response.into_parts();
    for name in HOP_BY_HOP {
        parts.headers.remove(name);
    }
    Ok(Response::from_parts(parts, body.map_err(Into::into).boxed()))
}

/// A proxy is asked with the whole URL; the host itself wants only the path.
fn to_origin(request: Request<Incoming>, place: &Place) -> Request<Incoming> {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().cloned();
    parts.uri = path.map_or_else(|| Uri::from_static("/"), Uri::from);
    for name in HOP_BY_HOP {
        parts.headers.remove(name);
    }
    if !parts.headers.contains_key(header::HOST)
        && let Ok(host) = place.to_string().parse()
    {
        parts.headers.insert(header::HOST, host);
    }
    Request::from_parts(parts, body)
}

pub(super) async fn tunnel(upgrade: OnUpgrade, mut stream: TcpStream) {
    if let Ok(upgraded) = upgrade.await {
        let mut client = TokioIo::new(upgraded);
        let _ = timeout(STREAM_LIMIT, tokio::io::copy_bidirectional(&mut client, &mut stream)).await;
    }
}
