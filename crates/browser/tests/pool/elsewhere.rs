//! Browsers and servers that are not Umpire's own: a Chromium with a debugging port, a relay that can be cut, ChromeDriver,
//! and a Grid that does as it is told.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use umpire_browser::{Reach, Remote};

pub fn remote(address: &str) -> Remote {
    Remote {
        address: address.parse().expect("an address"),
        reach: Reach::default(),
        capabilities: Arc::new(Value::Null),
    }
}

/// A process that ends with the test, and all it started: a distribution's Chromium is a script around the browser.
pub struct Ending(pub Child);

impl Ending {
    pub fn start(command: &mut Command) -> std::io::Result<Self> {
        command.process_group(0).spawn().map(Self)
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        let _ = nix::sys::signal::killpg(
            nix::unistd::Pid::from_raw(self.0.id().cast_signed()),
            nix::sys::signal::Signal::SIGKILL,
        );
        let _ = self.0.wait();
    }
}

/// A Chromium that somebody else started, with none of Umpire's switches.
pub struct Elsewhere {
    _process: Ending,
    _profile: tempfile::TempDir,
    pub socket: String,
}

impl Elsewhere {
    pub fn start() -> Self {
        let chromium = umpire_browser::chromium::find(None).expect("a Chromium");
        Self::with(Command::new(chromium), &[])
    }

    /// `command` is Chromium, or something that starts it.
    pub fn with(mut command: Command, switches: &[&str]) -> Self {
        let profile = tempfile::tempdir().expect("a folder");
        command
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(switches)
            .stderr(Stdio::piped());
        let mut process = Ending::start(&mut command).expect("it starts");
        let said = BufReader::new(process.0.stderr.take().expect("piped"));
        let mut lines = said.lines().map_while(Result::ok);
        let socket = lines.find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned));
        // What is not read any more must not block it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { _process: process, _profile: profile, socket: socket.expect("it says where it listens") }
    }

    pub fn authority(&self) -> &str {
        self.socket.trim_start_matches("ws://").split('/').next().expect("a host")
    }

    pub fn port_url(&self) -> String {
        format!("http://{}", self.authority())
    }

    /// What is open in it.
    pub async fn pages(&self) -> usize {
        let (_, list) = http("GET", self.authority(), "/json/list").await;
        list.as_array().expect("a list").iter().filter(|target| target["type"] == "page").count()
    }

    pub async fn until_pages(&self, wanted: usize) {
        for _ in 0..500 {
            if self.pages().await == wanted {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("{} pages are open, not {wanted}", self.pages().await);
    }
}

/// One request on one connection.
pub async fn http(method: &str, authority: &str, path: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(authority).await.expect("connected");
    let request = format!("{method} {path} HTTP/1.1\r\nhost: {authority}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    // Chromium keeps the connection, whatever it is asked for.
    loop {
        let text = String::from_utf8_lossy(&answer);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.to_ascii_lowercase();
            let length = length
                .split("content-length:")
                .nth(1)
                .and_then(|rest| rest.split_whitespace().next()?.parse().ok());
            if length.is_none_or(|length: usize| body.len() >= length) {
                let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
                return (status, serde_json::from_str(body).unwrap_or_default());
            }
        }
        if stream.read_buf(&mut answer).await.expect("read") == 0 {
            let text = String::from_utf8_lossy(&answer);
            let status = text.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_default();
            return (status, Value::Null);
        }
    }
}

/// Passes connections on until it is cut.
pub struct Relay {
    pub authority: String,
    cut: watch::Sender<u32>,
}

impl Relay {
    pub async fn to(authority: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let own = listener.local_addr().expect("an address").to_string();
        let (cut, told) = watch::channel(0);
        let there = authority.to_owned();
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let (there, mut told) = (there.clone(), told.clone());
                told.mark_unchanged();
                tokio::spawn(async move {
                    let Ok(mut far) = TcpStream::connect(there).await else { return };
                    tokio::select! {
                        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
                        _ = told.changed() => {}
                    }
                });
            }
        });
        Self { authority: own, cut }
    }

    /// Breaks what is connected; new connections are passed on again.
    pub fn cut(&self) {
        self.cut.send_modify(|times| *times += 1);
    }
}

/// A WebDriver server that answers as the test wants.
pub struct Grid {
    pub authority: String,
    deleted: Arc<AtomicUsize>,
}

impl Grid {
    /// A new session is answered with `status` and `answer`, after `wait`.
    pub async fn answering(status: u16, answer: Value, wait: std::time::Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let authority = listener.local_addr().expect("an address").to_string();
        let deleted = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&deleted);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (answer, deleted) = (answer.clone(), Arc::clone(&count));
                tokio::spawn(async move {
                    let mut asked = Vec::new();
                    while !asked.windows(4).any(|end| end == b"\r\n\r\n") {
                        if stream.read_buf(&mut asked).await.unwrap_or(0) == 0 {
                            return;
                        }
                    }
                    let (status, answer) = if asked.starts_with(b"DELETE /session/abc ") {
                        deleted.fetch_add(1, Ordering::SeqCst);
                        (200, json!({ "value": null }))
                    } else {
                        tokio::time::sleep(wait).await;
                        (status, answer)
                    };
                    let body = answer.to_string();
                    let head = format!(
                        "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                        body.len()
                    );
                    let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        Self { authority, deleted }
    }

    pub fn deleted(&self) -> usize {
        self.deleted.load(Ordering::SeqCst)
    }
}

/// ChromeDriver on a free port, and what it has to be asked for on this machine.
pub struct Driver {
    _process: Ending,
    pub authority: String,
    pub capabilities: Value,
}

impl Driver {
    /// `None`, with a notice, where it is not installed.
    pub fn start() -> Option<Self> {
        let started = Ending::start(Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()));
        let Ok(mut process) = started else {
            crate::support::skipped("chromedriver is not installed");
            return None;
        };
        let mut lines = BufReader::new(process.0.stdout.take().expect("piped")).lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let rest = line.split("on port ").nth(1)?;
            rest.trim_end_matches('.').parse::<u16>().ok().filter(|port| *port != 0)
        });
        std::thread::spawn(move || lines.for_each(drop));
        let binary = umpire_browser::chromium::find(None).expect("a Chromium");
        let options = json!({ "binary": binary, "args": ["--no-sandbox"] });
        Some(Self {
            _process: process,
            authority: format!("127.0.0.1:{}", port.expect("it says where it listens")),
            capabilities: json!({ "goog:chromeOptions": options }),
        })
    }

    pub fn remote(&self) -> Remote {
        Remote {
            capabilities: Arc::new(self.capabilities.clone()),
            ..remote(&format!("grid+http://{}", self.authority))
        }
    }

    pub async fn sessions(&self) -> usize {
        let (_, list) = http("GET", &self.authority, "/sessions").await;
        list["value"].as_array().expect("a list").len()
    }
}
