//! Browsers that somebody else started: reached by a WebSocket, a debugging port or a WebDriver server.
//!
//! What is recorded is the same as in a browser of our own, because all of it comes over the protocol and through the
//! network gate. The gate proves that by itself, for every seat: the browser is sent to an address that only the gate
//! answers for, and a seat whose browser does not come that way is not handed out.

mod address;
mod ask;
mod dial;
mod reach;
mod webdriver;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_model::{Deadline, Redactor, RemoteBrowser as Note, Viewport};
use url::Url;

use self::address::Kind;
pub use self::address::{NotAnAddress, RemoteAddress};
pub use self::reach::{NotAPlace, Reach};
use self::webdriver::Lease;
pub use self::webdriver::farewell;
use crate::cdp::{CdpError, Connection};
use crate::chromium::wanted_switches;

/// Longest a remote browser may take to be there. A Grid may have to start one, or to wait until one is free.
const CONNECT_LIMIT: Duration = Duration::from_mins(1);
/// A browser that describes its machine looks at its graphics first.
const DESCRIBE_LIMIT: Duration = Duration::from_secs(5);
/// How often a silent connection is tried, and how long an answer may take: a cable that was pulled closes nothing.
const HEARTBEAT: Duration = Duration::from_secs(15);
const HEARTBEAT_LIMIT: Duration = Duration::from_secs(20);

/// Where a remote browser is, and where it finds us.
#[derive(Clone, Debug)]
pub struct Remote {
    pub address: RemoteAddress,
    pub reach: Reach,
    /// What a WebDriver server is asked for beyond a Chromium that suits us.
    pub capabilities: Arc<Value>,
}

impl Remote {
    /// Ports that a program on this machine has no business with: the browser's, by which it could be driven past the
    /// gate, and those of the network gates.
    pub fn ports_to_close(&self) -> Vec<u16> {
        self.address.port_to_close().into_iter().chain(self.reach.ports()).collect()
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the remote browser at {at} {problem}")]
pub struct RemoteError {
    at: String,
    problem: String,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    #[error("cannot be reached: {0}")]
    Unreachable(String),
    #[error("refused: {0}")]
    Refused(String),
    #[error("did not answer in time")]
    Slow,
    #[error("answered something else than a browser would: {0}")]
    Odd(String),
    #[error("could not be prepared: {0}")]
    Cdp(#[from] CdpError),
    #[error("has no folder here: {0}")]
    Folder(std::io::Error),
}

/// What a browser is wanted for, where it is started for us.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    pub viewport: Viewport,
    /// The network gate of the one seat that will use it; shared ones get a context with a gate each.
    pub proxy: Option<&'a str>,
}

/// A remote browser under our hands. Dropping it hangs up, which ends what was opened in it, and gives it back.
pub(crate) struct RemoteBrowser {
    connection: Connection,
    version: String,
    note: Note,
    /// Where downloads go if the browser is on this machine after all.
    folder: TempDir,
    lease: Option<Lease>,
}

#[derive(Deserialize)]
struct Version {
    product: String,
}

impl RemoteBrowser {
    pub async fn connect(
        remote: &Remote,
        wanted: Wanted<'_>,
        deadline: Deadline,
    ) -> Result<Self, RemoteError> {
        let connecting = connect(remote, wanted, deadline.within(CONNECT_LIMIT));
        connecting.await.map_err(|problem| {
            // A server may repeat what it was told.
            let secrets = Redactor::new(remote.address.secret_values());
            let problem = secrets.text(&problem.to_string()).into_owned();
            RemoteError { at: remote.address.to_string(), problem }
        })
    }

    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    pub fn version(&self) -> &str {
        &self.version
    }

    pub fn note(&self) -> &Note {
        &self.note
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Started for this connection alone.
    pub fn is_own(&self) -> bool {
        self.lease.is_some()
    }

    /// Why the connection is gone.
    pub fn last_words(&self) -> String {
        let reason = self.connection.lost().unwrap_or("the connection broke");
        format!("the connection to the remote browser at {} was lost: {reason}", self.note.at)
    }

    pub async fn close(mut self) {
        self.connection.hang_up("it is not needed any more");
        if let Some(lease) = self.lease.take() {
            lease.end().await;
        }
    }
}

impl Drop for RemoteBrowser {
    fn drop(&mut self) {
        self.connection.hang_up("it is not needed any more");
    }
}

async fn connect(remote: &Remote, wanted: Wanted<'_>, deadline: Deadline) -> Result<RemoteBrowser, Problem> {
    let Remote { address, reach, capabilities } = remote;
    let (socket, lease) = match address.kind {
        Kind::Socket => (address.url.clone(), None),
        Kind::DevTools => (socket_of_port(&address.url, deadline).await?, None),
        Kind::WebDriver => {
            let lease = Lease::take(address, reach, capabilities, wanted, deadline).await?;
            let socket = match lease.browser() {
                webdriver::Browser::Socket(url) => url.clone(),
                webdriver::Browser::Port(url) => socket_of_port(url, deadline).await?,
            };
            (socket, Some(lease))
        }
    };
    let connection = Connection::over_socket(ask::open_socket(&socket, deadline).await?);
    // From here on, whatever goes wrong hangs up.
    let mut browser = RemoteBrowser {
        connection,
        version: String::new(),
        note: Note { at: address.to_string(), without: None },
        folder: tempfile::Builder::new().prefix("umpire-remote-").tempdir().map_err(Problem::Folder)?,
        lease,
    };
    let Version { product } =
        browser.connection.root().call("Browser.getVersion", json!({}), deadline).await?;
    browser.version = product;
    browser.note.without = switches_missing(&browser.connection, deadline.within(DESCRIBE_LIMIT)).await;
    tokio::spawn(listen_for_life(browser.connection.clone()));
    Ok(browser)
}

/// Hangs up on a browser that does not answer any more. Any question would do; this one every browser knows.
async fn listen_for_life(connection: Connection) {
    while !connection.is_closed() {
        tokio::time::sleep(HEARTBEAT).await;
        let asked =
            connection.root().run("Browser.getVersion", json!({}), Deadline::after(HEARTBEAT_LIMIT)).await;
        if matches!(asked, Err(CdpError::Deadline { .. })) {
            connection.hang_up(&format!("no sign of life for {} s", HEARTBEAT_LIMIT.as_secs()));
        }
    }
}

/// The WebSocket of a debugging port. The port names itself as it sees itself, which is wrong behind a port mapping or
/// a proxy: what was asked is what answers.
async fn socket_of_port(port: &Url, deadline: Deadline) -> Result<Url, Problem> {
    let mut question = port.clone();
    question.set_path(&format!("{}/json/version", port.path().trim_end_matches('/')));
    let (status, about) = ask::ask(Method::GET, &question, None, deadline).await?;
    if status != StatusCode::OK {
        return Err(Problem::Refused(format!("{status} {}", said(&about)).trim_end().to_owned()));
    }
    let named = about["webSocketDebuggerUrl"].as_str();
    let named = named.ok_or_else(|| Problem::Odd("it names no webSocketDebuggerUrl".to_owned()))?;
    socket_beside(port, named).ok_or_else(|| Problem::Odd("its webSocketDebuggerUrl is no URL".to_owned()))
}

/// The WebSocket `named`, at the place of `asked`.
fn socket_beside(asked: &Url, named: &str) -> Option<Url> {
    let named = Url::parse(named).ok()?;
    let mut socket = asked.clone();
    // Only between schemes of the same kind can a URL be changed.
    socket.set_scheme(if asked.scheme() == "https" { "wss" } else { "ws" }).ok()?;
    let prefix = asked.path().trim_end_matches('/');
    match named.path() {
        path if path.starts_with(prefix) => socket.set_path(path),
        path => socket.set_path(&format!("{prefix}{path}")),
    }
    if named.query().is_some() {
        socket.set_query(named.query());
    }
    Some(socket)
}

/// What a server said, in few words.
fn said(answer: &Value) -> String {
    let text = answer.as_str().or(answer["value"]["message"].as_str()).unwrap_or_default();
    text.lines().next().unwrap_or_default().chars().take(300).collect()
}

/// Which of the switches that make pages behave the same everywhere the browser was started without; `None` if it does
/// not say.
async fn switches_missing(connection: &Connection, deadline: Deadline) -> Option<Vec<String>> {
    #[derive(Deserialize)]
    struct CommandLine {
        arguments: Vec<String>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Machine {
        command_line: String,
    }
    let root = connection.root();
    // The first is answered to some clients only, the second by most browsers.
    let listed: Result<CommandLine, _> =
        root.call("Browser.getBrowserCommandLine", json!({}), deadline).await;
    let started_with: Vec<String> = if let Ok(CommandLine { arguments }) = listed {
        arguments
    } else {
        let machine: Result<Machine, _> = root.call("SystemInfo.getInfo", json!({}), deadline).await;
        machine.ok()?.command_line.split(" --").map(|switch| format!("--{}", switch.trim())).collect()
    };
    let name = |switch: &str| switch.split('=').next().unwrap_or_default().to_owned();
    let missing =
        wanted_switches().filter(|wanted| !started_with.iter().any(|switch| name(switch) == name(wanted)));
    Some(missing.map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_socket_is_where_the_port_was_asked() {
        for (asked, named, expected) in [
            (
                "http://chrome:19222",
                "ws://127.0.0.1:9222/devtools/browser/a",
                "ws://chrome:19222/devtools/browser/a",
            ),
            ("https://h/", "ws://0.0.0.0:3000/", "wss://h/"),
            (
                "https://h/chrome/?token=t",
                "ws://x/devtools/browser/a",
                "wss://h/chrome/devtools/browser/a?token=t",
            ),
            ("https://h/chrome", "ws://x/chrome/devtools/a?k=v", "wss://h/chrome/devtools/a?k=v"),
        ] {
            let socket = socket_beside(&Url::parse(asked).expect("a URL"), named).expect("a socket");
            assert_eq!(socket.as_str(), expected, "{asked} {named}");
        }
    }
}
