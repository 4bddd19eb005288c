//! A running `umpire steps`, or another command that serves an address, and requests to it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::umpire;

/// One request to a port of this machine: status and JSON of the answer.
pub fn send(port: u16, method: &str, path: &str, headers: &str, body: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("connected");
    stream.set_read_timeout(Some(Duration::from_mins(1))).expect("a limit");
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
    .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let body = answer.split_once("\r\n\r\n").expect("a body").1;
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}

pub struct Serving {
    process: Child,
    /// What it said of itself in its first line.
    pub about: Value,
    port: u16,
    path: String,
}

impl Serving {
    pub fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut process = umpire(folder)
            .arg("--json")
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("umpire starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("stdout")).read_line(&mut line).expect("a line");
        let about: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no address: {line}"));
        let url = about["url"]
            .as_str()
            .expect("an address")
            .strip_prefix("http://127.0.0.1:")
            .expect("of this machine");
        let (port, path) = url.split_once('/').expect("a path");
        Self { port: port.parse().expect("a port"), path: format!("/{path}"), about, process }
    }

    /// Status and JSON of the answer.
    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, Value) {
        send(self.port, method, path, headers, body)
    }

    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.ask("POST", &format!("{}{path}", self.path), "", &body.to_string())
    }

    pub fn get(&self, path: &str) -> (u16, Value) {
        self.ask("GET", &format!("{}{path}", self.path), "", "")
    }

    /// The path all requests begin with; its last part is the token.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// As a crash or the kernel would end it.
    pub fn kill(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.end();
    }
}
