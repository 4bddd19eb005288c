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
    let (status, body) = fetch(port, method, path, headers, body);
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

fn fetch(port: u16, method: &str, path: &str, headers: &str, body: &str) -> (u16, Vec<u8>) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("connected");
    stream.set_read_timeout(Some(Duration::from_mins(1))).expect("a limit");
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
    .expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a body");
    let head = String::from_utf8_lossy(&answer[..end]);
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, answer[end + 4..].to_vec())
}

pub const OPERATORS_PASSWORD: &str = "correct horse battery";

/// The pages, and the address they are at.
pub fn serve(place: &Path, config: &str, more: &[&str]) -> (Serving, String) {
    std::fs::write(place.join("umpire.toml"), config).expect("written");
    let arguments = [&["serve", "--listen", "127.0.0.1:0", "--operator", "op"], more].concat();
    let secrets = [("UMPIRE_SERVER_SECRET", "s"), ("UMPIRE_OPERATOR_PASSWORD", OPERATORS_PASSWORD)];
    let serving = Serving::start_with(place, &arguments, &secrets);
    let origin = serving.about["url"].as_str().expect("an address").trim_end_matches('/').to_owned();
    (serving, origin)
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
        Self::start_with(folder, arguments, &[])
    }

    /// The same with some of the command's variables set.
    pub fn start_with(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut process = umpire(folder)
            .envs(variables.iter().copied())
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

    /// Status and content of what is at a path.
    pub fn get(&self, path: &str) -> (u16, Vec<u8>) {
        fetch(self.port, "GET", path, "", "")
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
