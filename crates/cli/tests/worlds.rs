//! `umpire worlds serve`: the sites for people, the door for harnesses.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{folder, run, umpire};

struct Serving {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Serving {
    fn start(sites: &str) -> Self {
        let folder = folder();
        let mut process = umpire(folder.path())
            .args(["--json", "worlds", "serve", "--seed", "7", "--port", "0", "--sites", sites])
            .stdout(Stdio::piped())
            .spawn()
            .expect("umpire starts");
        let mut line = String::new();
        let stdout = process.stdout.take().expect("stdout");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let status: Value = serde_json::from_str(&line).expect("the status");
        let first = status["sites"]["hub"][0].as_str().expect("an address");
        let port = first.rsplit(':').next().and_then(|end| end.trim_end_matches('/').parse().ok());
        Self { process, port: port.expect("a port"), _folder: folder }
    }

    /// Status and body of the answer to a request.
    fn ask(&self, head: &str, host: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("connected");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit");
        write!(
            stream,
            "{head} HTTP/1.1\r\nhost: {host}:{}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
            self.port,
            body.len()
        )
        .expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, answer.split_once("\r\n\r\n").expect("a body").1.to_owned())
    }

    fn door(&self, head: &str, body: &str) -> (u16, Value) {
        let (status, body) = self.ask(head, "localhost", "", body);
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_world_is_served_changed_and_reset() {
    let serving = Serving::start("hub,shop");
    let (status, page) = serving.ask("GET /", "hub.localhost", "", "");
    assert!(status == 200 && page.contains("Overview"), "{page}");
    let (_, before) = serving.door("GET /state", "");
    let patch = json!({"state": {"hub": {"privacy": {"read_receipts": before["hub"]["privacy"]["read_receipts"] != true}}}});
    assert_eq!(serving.door("POST /reset", &patch.to_string()).0, 200);
    let (_, changed) = serving.door("GET /state", "");
    assert_ne!(changed, before);
    let (_, status) = serving.door("POST /reset", "");
    assert_eq!((&status["resets"], &status["seed"]), (&json!(2), &json!(7)));
    assert_eq!(serving.door("GET /state", "").1, before);
    let (_, status) = serving.door("POST /reset", r#"{"seed": 8}"#);
    assert_eq!(status["seed"], 8);
}

#[test]
fn sites_name_each_other_with_the_port() {
    let serving = Serving::start("hub");
    let unanswered = json!({"state": {"hub": {"consent": {"answered": false}}}});
    let reset = serving.door("POST /reset", &unanswered.to_string());
    assert_eq!(reset.0, 200, "{}", reset.1);
    let (_, page) = serving.ask("GET /", "hub.localhost", "", "");
    assert!(page.contains(&format!("http://consent.localhost:{}/frame", serving.port)), "{page}");
}

#[test]
fn browsers_and_nonsense_get_a_clear_no() {
    let serving = Serving::start("hub");
    for (head, host, headers, body, status) in [
        ("GET /state", "localhost", "sec-fetch-site: none\r\nsec-fetch-dest: document\r\n", "", 403),
        ("GET /state", "localhost", "upgrade-insecure-requests: 1\r\n", "", 403),
        ("GET /state", "localhost", "sec-fetch-mode: cors\r\n", "", 200),
        ("POST /reset", "localhost", "origin: http://hub.localhost\r\n", "", 403),
        ("GET /reset", "localhost", "", "", 405),
        ("POST /reset", "localhost", "", "{\"sead\": 1}", 400),
        ("POST /reset", "localhost", "", "{\"state\": {\"bank\": {}}}", 400),
        ("GET /else", "127.0.0.1", "", "", 404),
        ("GET /", "shop.localhost", "", "", 502),
    ] {
        let answer = serving.ask(head, host, headers, body);
        assert_eq!(answer.0, status, "{head} at {host}: {}", answer.1);
    }
    let folder = folder();
    let port = serving.port.to_string();
    let ran = run(folder.path(), &["worlds", "serve", "--port", &port]);
    assert!(ran.code == Some(1) && ran.stderr.contains("--port"), "{}", ran.stderr);
    let ran = run(folder.path(), &["worlds", "serve", "--port", "0", "--sites", "bank"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("no built-in site `bank`"), "{}", ran.stderr);
}
