//! The way to a remote browser: TCP, with TLS where its address wants it.

use std::io;
use std::net::SocketAddr;

use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use url::Url;

pub(super) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// An open way, and where it leads.
pub(super) struct Line {
    pub stream: Box<dyn Stream>,
    pub peer: SocketAddr,
}

pub(super) async fn dial(url: &Url) -> io::Result<Line> {
    let host = url.host_str().unwrap_or_default();
    // An IPv6 address stands in brackets in a URL only.
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let port = url.port_or_known_default().unwrap_or(80);
    let stream = TcpStream::connect((host, port)).await?;
    stream.set_nodelay(true)?;
    let peer = stream.peer_addr()?;
    let stream: Box<dyn Stream> = match url.scheme() {
        "https" | "wss" => Box::new(encrypted(host, stream).await?),
        _ => Box::new(stream),
    };
    Ok(Line { stream, peer })
}

async fn encrypted(host: &str, stream: TcpStream) -> io::Result<impl Stream + use<>> {
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    TlsConnector::from(umpire_https::tls()).connect(name, stream).await
}
