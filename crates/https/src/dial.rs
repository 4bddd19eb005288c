//! Connections, through the proxy that the environment names (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, but for
//! `NO_PROXY`). A server on this machine is always reached directly.

use std::error::Error;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Uri;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tower_service::Service;

const CONNECT_LIMIT: Duration = Duration::from_secs(20);

#[derive(Clone, Debug)]
pub struct Dialer {
    direct: HttpConnector,
    proxies: Arc<Matcher>,
}

impl Dialer {
    pub(crate) fn new(proxies: Matcher) -> Self {
        let mut direct = HttpConnector::new();
        direct.set_connect_timeout(Some(CONNECT_LIMIT));
        direct.set_nodelay(true);
        direct.enforce_http(false);
        Self { direct, proxies: Arc::new(proxies) }
    }

    fn proxy(&self, to: &Uri) -> Option<Intercept> {
        let host = to.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        let is_here = host == "localhost"
            || host.ends_with(".localhost")
            || host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
        if is_here { None } else { self.proxies.intercept(to) }
    }
}

impl Service<Uri> for Dialer {
    type Response = TokioIo<TcpStream>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.direct.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        let mut direct = self.direct.clone();
        let Some(proxy) = self.proxy(&to) else {
            return Box::pin(async move { direct.call(to).await.map_err(Into::into) });
        };
        let mut tunnel = Tunnel::new(proxy.uri().clone(), direct);
        if let Some(credentials) = proxy.basic_auth() {
            tunnel = tunnel.with_auth(credentials.clone());
        }
        Box::pin(async move { tunnel.call(with_port(to)?).await.map_err(Into::into) })
    }
}

/// A tunnel takes an address without a port for one of TLS.
fn with_port(to: Uri) -> Result<Uri, hyper::http::Error> {
    if to.port().is_some() || to.scheme_str() != Some("http") {
        return Ok(to);
    }
    let authority = format!("{}:80", to.host().unwrap_or_default());
    Uri::builder().scheme("http").authority(authority).path_and_query("/").build()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http_body_util::{BodyExt as _, Full};
    use hyper::Request;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;
    use crate::pool_through;

    async fn head(stream: &mut TcpStream) -> String {
        let mut read = Vec::new();
        while !read.ends_with(b"\r\n\r\n") {
            read.push(stream.read_u8().await.expect("a head"));
        }
        String::from_utf8_lossy(&read).into_owned()
    }

    #[tokio::test]
    async fn a_server_is_reached_through_the_proxy() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bound");
        let address = listener.local_addr().expect("address");
        let proxy = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a client");
            let asked = head(&mut stream).await;
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.expect("tunnelled");
            // From here on the client speaks to whom it asked for; that is us, too.
            let request = head(&mut stream).await;
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await.expect("answered");
            (asked, request)
        });
        let pool = pool_through(Matcher::builder().all(format!("http://me:pw@{address}")).build());
        let request = Request::post("http://model.example/v1/chat").body(Full::<Bytes>::default());
        let answer = pool.request(request.expect("a request")).await.expect("an answer");
        assert_eq!(answer.into_body().collect().await.expect("a body").to_bytes(), "{}");
        let (asked, request) = proxy.await.expect("the proxy");
        assert!(asked.starts_with("CONNECT model.example:80 "), "{asked}");
        // `me:pw` in base64.
        assert!(asked.to_ascii_lowercase().contains("proxy-authorization: basic bwu6chc="), "{asked}");
        assert!(request.starts_with("POST /v1/chat "), "{request}");
        assert!(
            !request.to_ascii_lowercase().contains("proxy-authorization"),
            "not for the server: {request}"
        );
    }

    #[test]
    fn this_machine_needs_no_proxy() {
        let dialer =
            Dialer::new(Matcher::builder().all("http://proxy.example:3128").no("inside.example").build());
        for (to, is_proxied) in [
            ("https://api.openai.com/v1", true),
            ("http://10.0.0.7:8080/", true),
            ("http://127.0.0.1:8080/", false),
            ("http://[::1]:8080/", false),
            ("http://localhost:8080/", false),
            ("https://model.inside.example/", false),
        ] {
            assert_eq!(dialer.proxy(&to.parse().expect("a URI")).is_some(), is_proxied, "{to}");
        }
    }
}
