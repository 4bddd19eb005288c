//! A server that answers as it is told to, well or badly.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

pub struct RestServer {
    pub origin: String,
    pub requests: Arc<AtomicUsize>,
    pub sent: Arc<AtomicU64>,
}

struct Request {
    head: String,
    path: String,
    body: String,
}

impl RestServer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let (requests, sent) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)));
        let server = Self { origin, requests: Arc::clone(&requests), sent: Arc::clone(&sent) };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                requests.fetch_add(1, Ordering::SeqCst);
                let sent = Arc::clone(&sent);
                // A client that hangs up makes writing fail, which is all there is to it.
                tokio::spawn(async move {
                    let _ = serve(stream, &sent).await;
                });
            }
        });
        server
    }
}

async fn serve(mut stream: TcpStream, sent: &AtomicU64) -> std::io::Result<()> {
    let Request { head, path, body } = read_request(&mut stream).await?;
    match path.as_str() {
        "/shop/orders" => json_answer(&mut stream, 200, r#"{"items": [{"id": 7, "total": "19.90"}]}"#).await,
        "/shop/headers" => json_answer(&mut stream, 200, &json!(head).to_string()).await,
        "/shop/graphql" => json_answer(&mut stream, 200, &json!({"got": body}).to_string()).await,
        "/shop/empty" => stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await,
        "/shop/html" => json_answer(&mut stream, 200, "<html>please log in</html>").await,
        "/shop/deep" => json_answer(&mut stream, 200, &"[".repeat(1 << 20)).await,
        "/shop/here" => redirect(&mut stream, "302 Found", "/shop/orders").await,
        "/shop/round" => redirect(&mut stream, "302 Found", "/shop/round").await,
        "/shop/zipped" => {
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}")
                .await
        }
        "/shop/cut" => stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"items\"").await,
        "/shop/noise" => stream.write_all(b"220 mail.example ESMTP\r\n").await,
        "/shop/silence" => std::future::pending().await,
        "/shop/trickle" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n").await?;
            loop {
                stream.write_all(b" ").await?;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        "/shop/gigabyte" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n").await?;
            let chunk = vec![b' '; 1 << 16];
            for _ in 0..(1 << 14) {
                stream.write_all(&chunk).await?;
                sent.fetch_add(chunk.len() as u64, Ordering::SeqCst);
            }
            Ok(())
        }
        other => match (other.strip_prefix("/shop/to/"), other.strip_prefix("/shop/status/")) {
            (Some(place), _) => {
                redirect(&mut stream, "307 Temporary Redirect", &format!("http://{place}/")).await
            }
            (_, Some(status)) => json_answer(&mut stream, status.parse().unwrap_or(500), "{}").await,
            _ => json_answer(&mut stream, 404, "{}").await,
        },
    }
}

async fn read_request(stream: &mut TcpStream) -> std::io::Result<Request> {
    let mut read = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&read);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| {
                    line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok()
                })
                .unwrap_or(0);
            if body.len() >= length {
                let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                return Ok(Request { head: head.to_owned(), path, body: body.to_owned() });
            }
        }
        if stream.read_buf(&mut read).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}

async fn json_answer(stream: &mut TcpStream, status: u16, body: &str) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status} Status\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await
}

async fn redirect(stream: &mut TcpStream, status: &str, location: &str) -> std::io::Result<()> {
    let answer = format!("HTTP/1.1 {status}\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
    stream.write_all(answer.as_bytes()).await
}
