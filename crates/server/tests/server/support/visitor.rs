//! Visitors that speak to a server as browsers do: with cookies and forms.
#![allow(dead_code, reason = "each test file uses its own part of it")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// So long a test waits for something that is sure to come.
pub const LONGEST: Duration = Duration::from_mins(1);

/// A browser without a screen: keeps cookies, and the token of the last page it saw.
#[derive(Clone)]
pub struct Visitor {
    pub address: SocketAddr,
    pub cookies: BTreeMap<String, String>,
    pub token: String,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub bytes: Vec<u8>,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

impl Visitor {
    pub fn new(address: SocketAddr) -> Self {
        Self { address, cookies: BTreeMap::new(), token: String::new() }
    }

    pub async fn sign_in(&mut self, name: &str, password: &str) {
        self.get("/sign-in").await;
        let answer = self.post("/sign-in", &[("name", name), ("password", password)]).await;
        assert_eq!(answer.status, 303, "{}", answer.body);
        self.get("/").await;
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        self.ask("GET", path, &[], "").await
    }

    /// The answer as soon as it is as wanted. What is waited for comes within moments, but for a machine that is busy.
    pub async fn get_until(&mut self, path: &str, is_wanted: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let body = self.get(path).await.body;
            if is_wanted(&body) {
                return body;
            }
            assert!(begun.elapsed() < LONGEST, "{path} stays as it is: {body}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// A page in small letters, without what was drawn by chance and may hold any two of them: the token of the last page
    /// and the name of its battle.
    pub fn told_on(&self, page: &str, battle: &str) -> String {
        let name = battle.rsplit('/').next().unwrap_or_default();
        page.replace(&self.token, "").replace(name, "").to_lowercase()
    }

    /// Sends a form with the token of the last page.
    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let token = self.token.clone();
        let mut all = vec![("token", token.as_str())];
        all.extend_from_slice(fields);
        self.post_as_given(path, &all, &[]).await
    }

    pub async fn post_as_given(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        headers: &[(&str, &str)],
    ) -> Answer {
        let body = {
            let mut body = url::form_urlencoded::Serializer::new(String::new());
            for (name, value) in fields {
                body.append_pair(name, value);
            }
            body.finish()
        };
        let mut all = vec![("Content-Type", "application/x-www-form-urlencoded")];
        all.extend_from_slice(headers);
        self.ask("POST", path, &all, &body).await
    }

    pub async fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            let _ = write!(request, "Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            let _ = write!(request, "{name}: {value}\r\n");
        }
        if !self.cookies.is_empty() {
            let pairs: Vec<String> =
                self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let _ = write!(request, "Cookie: {}\r\n", pairs.join("; "));
        }
        request.push_str("\r\n");
        request.push_str(body);
        let mut stream = TcpStream::connect(self.address).await.expect("connected");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        let read = stream.read_to_end(&mut answer);
        tokio::time::timeout(LONGEST, read).await.expect("in time").expect("read");
        let answer = parsed(&answer);
        for (_, cookie) in answer.headers.iter().filter(|(name, _)| name == "set-cookie") {
            let (pair, rest) = cookie.split_once(';').expect("attributes");
            let (name, value) = pair.split_once('=').expect("a pair");
            if rest.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        if let Some(rest) = answer.body.split("name=\"token\" value=\"").nth(1) {
            rest.split('"').next().unwrap_or_default().clone_into(&mut self.token);
        }
        answer
    }
}

fn parsed(answer: &[u8]) -> Answer {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let is_chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let raw = &answer[end + 4..];
    let bytes = if is_chunked { unchunked(raw) } else { raw.to_vec() };
    let body = String::from_utf8_lossy(&bytes).into_owned();
    Answer { status: status.expect("a status"), headers, bytes, body }
}

fn unchunked(mut raw: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = raw.windows(2).position(|window| window == b"\r\n") {
        let size = usize::from_str_radix(&String::from_utf8_lossy(&raw[..end]), 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        whole.extend_from_slice(&raw[end + 2..end + 2 + size]);
        raw = &raw[end + 2 + size + 2..];
    }
    whole
}
