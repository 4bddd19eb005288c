//! Questions to debugging ports and WebDriver servers: JSON over HTTP, and the step to a WebSocket.

use std::io;
use std::net::SocketAddr;

use base64::Engine as _;
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http as ws_http;
use tokio_tungstenite::tungstenite::{self};
use umpire_model::Deadline;
use url::{Host, Url};

use super::Problem;
use super::dial::{Line, Stream, dial};
use crate::cdp::socket_config;

/// No answer of these servers is anywhere near as long.
const ANSWER: usize = 4 << 20;

/// How the server is called in a request. A debugging port answers only to addresses, and a proxy in front of one often
/// only to its name, so the address is tried where the name was refused.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CalledBy {
    Name,
    Address,
}

pub(super) async fn ask(
    method: Method,
    url: &Url,
    body: Option<&Value>,
    deadline: Deadline,
) -> Result<(StatusCode, Value), Problem> {
    let asking = async {
        let answer = ask_once(method.clone(), url, body, CalledBy::Name).await?;
        if answer.0 == StatusCode::INTERNAL_SERVER_ERROR && may_insist_on_address(url) {
            return ask_once(method, url, body, CalledBy::Address).await;
        }
        Ok(answer)
    };
    match tokio::time::timeout_at(deadline.at().into(), asking).await {
        Ok(answered) => answered,
        Err(_) => Err(Problem::Slow),
    }
}

async fn ask_once(
    method: Method,
    url: &Url,
    body: Option<&Value>,
    called_by: CalledBy,
) -> Result<(StatusCode, Value), Problem> {
    let Line { stream, peer } = dial(url).await.map_err(unreachable)?;
    let broken = |error: hyper::Error| Problem::Unreachable(error.to_string());
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    // Ends with the sender, or with the other side.
    tokio::spawn(connection);
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let mut request = Request::builder().method(method).uri(path);
    request = request
        .header(header::HOST, host_header(url, peer, called_by))
        .header(header::ACCEPT, "application/json");
    if let Some(credentials) = basic_credentials(url) {
        request = request.header(header::AUTHORIZATION, credentials);
    }
    if body.is_some() {
        request = request.header(header::CONTENT_TYPE, "application/json; charset=utf-8");
    }
    let body = body.map(Value::to_string).unwrap_or_default();
    let request =
        request.body(Full::new(Bytes::from(body))).map_err(|error| Problem::Odd(error.to_string()))?;
    let response = sender.send_request(request).await.map_err(broken)?;
    let status = response.status();
    let content = Limited::new(response.into_body(), ANSWER).collect().await;
    let content = content.map_err(|error| Problem::Unreachable(error.to_string()))?.to_bytes();
    let value = serde_json::from_slice(&content)
        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&content).chars().take(200).collect()));
    Ok((status, value))
}

pub(super) async fn open_socket(
    url: &Url,
    deadline: Deadline,
) -> Result<WebSocketStream<Box<dyn Stream>>, Problem> {
    let opening = async {
        match open_once(url, CalledBy::Name).await {
            Err(Problem::Refused(_)) if may_insist_on_address(url) => open_once(url, CalledBy::Address).await,
            other => other,
        }
    };
    match tokio::time::timeout_at(deadline.at().into(), opening).await {
        Ok(opened) => opened,
        Err(_) => Err(Problem::Slow),
    }
}

async fn open_once(url: &Url, called_by: CalledBy) -> Result<WebSocketStream<Box<dyn Stream>>, Problem> {
    let Line { stream, peer } = dial(url).await.map_err(unreachable)?;
    let mut bare = url.clone();
    let _ = bare.set_username("");
    let _ = bare.set_password(None);
    let mut request = bare
        .as_str()
        .into_client_request()
        .map_err(|_| Problem::Odd("no address for a WebSocket".to_owned()))?;
    let headers = request.headers_mut();
    if let Ok(host) = host_header(url, peer, called_by).parse() {
        headers.insert(ws_http::header::HOST, host);
    }
    if let Some(credentials) = basic_credentials(url).and_then(|text| text.parse().ok()) {
        headers.insert(ws_http::header::AUTHORIZATION, credentials);
    }
    let opened = tokio_tungstenite::client_async_with_config(request, stream, Some(socket_config())).await;
    match opened {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::Error::Http(response)) => {
            let said = response.body().as_deref().unwrap_or_default();
            let said: String = String::from_utf8_lossy(said).trim().chars().take(200).collect();
            Err(Problem::Refused(format!("{} {said}", response.status()).trim_end().to_owned()))
        }
        Err(error) => Err(Problem::Unreachable(error.to_string())),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the shape `map_err` wants")]
fn unreachable(error: io::Error) -> Problem {
    Problem::Unreachable(error.to_string())
}

fn may_insist_on_address(url: &Url) -> bool {
    matches!(url.host(), Some(Host::Domain(name)) if name != "localhost")
}

fn host_header(url: &Url, peer: SocketAddr, called_by: CalledBy) -> String {
    match (called_by, url.port()) {
        (CalledBy::Address, _) => peer.to_string(),
        (CalledBy::Name, Some(port)) => format!("{}:{port}", url.host_str().unwrap_or_default()),
        (CalledBy::Name, None) => url.host_str().unwrap_or_default().to_owned(),
    }
}

fn basic_credentials(url: &Url) -> Option<String> {
    let password = url.password().unwrap_or_default();
    if url.username().is_empty() && password.is_empty() {
        return None;
    }
    let both = format!("{}:{}", unescaped(url.username()), unescaped(password));
    Some(format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(both)))
}

/// What stands in a URL, as it was meant. Signs that mean something in a query stand for themselves here.
fn unescaped(text: &str) -> String {
    let text = text.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    url::form_urlencoded::parse(text.as_bytes()).map(|(text, _)| text.into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_sent_as_they_were_meant() {
        let sent = |url: &str| basic_credentials(&Url::parse(url).expect("a URL"));
        assert_eq!(sent("http://h/"), None);
        // `me:p+a&b=c d@` and `:key`, as `base64` writes them.
        assert_eq!(sent("http://me:p+a&b=c%20d%40@h/").as_deref(), Some("Basic bWU6cCthJmI9YyBkQA=="));
        assert_eq!(sent("http://:key@h/").as_deref(), Some("Basic OmtleQ=="));
    }
}
