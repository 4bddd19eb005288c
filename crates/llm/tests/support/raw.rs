//! HTTP by hand, for requests that no client would make.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

pub struct RawAnswer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl RawAnswer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Sends one request to `http://host:port…` and reads the answer to its end.
pub async fn send(method: &str, url: &str, headers: &[(&str, &str)], body: &str) -> RawAnswer {
    let rest = url.strip_prefix("http://").expect("an http URL");
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut request = format!(
        "{method} /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {}\r\n",
        body.len()
    );
    request.extend(headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")));
    request.push_str("\r\n");
    request.push_str(body);
    let host = host.to_owned();
    tokio::task::spawn_blocking(move || exchange(&host, &request)).await.expect("exchanged")
}

fn exchange(host: &str, request: &str) -> RawAnswer {
    let mut stream = TcpStream::connect(host).expect("connected");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("set");
    // A server that has heard enough may close before it has heard all.
    let _ = stream.write_all(request.as_bytes());
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let body = if is_chunked { unchunked(body) } else { body.to_owned() };
    RawAnswer { status, head: head.to_ascii_lowercase(), body }
}

fn unchunked(mut rest: &str) -> String {
    let mut body = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || after.len() < size {
            break;
        }
        body.push_str(&after[..size]);
        rest = after[size..].trim_start_matches("\r\n");
    }
    body
}
