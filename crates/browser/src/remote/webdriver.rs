//! Browsers on loan from a WebDriver server: a session each, given back whatever happens.
//!
//! A session that nobody deletes keeps a browser, and a place in the Grid, until the Grid loses patience. So every one is
//! in a register of this process from the moment it is asked for, and [`farewell`] waits until the register is empty.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::Method;
use serde_json::{Map, Value, json};
use tokio::sync::{Notify, oneshot};
use umpire_model::Deadline;
use url::Url;

use super::address::{RemoteAddress, is_loopback};
use super::ask::ask;
use super::{Problem, Reach, Wanted, said};
use crate::chromium::remote_switches;

/// Longest a Grid may keep a request for a session waiting. Its answer is awaited even when nobody wants it any more:
/// else the session would be made, and nobody would know of it.
const SESSION_LIMIT: Duration = Duration::from_mins(6);
const DELETE_LIMIT: Duration = Duration::from_secs(10);
const DELETE_TRIES: u32 = 3;
const BETWEEN_TRIES: Duration = Duration::from_secs(1);
/// A Grid counts commands, not what goes over the WebSocket, and ends a session that gives none for five minutes.
const SIGN_OF_LIFE: Duration = Duration::from_mins(1);

/// Where the browser of a session listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Browser {
    Socket(Url),
    Port(Url),
}

/// A session and its browser.
pub(super) struct Lease {
    browser: Browser,
    open: Open,
}

/// The duty to end a session; dropping it does.
struct Open {
    number: u64,
    keeping: tokio::task::AbortHandle,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.keeping.abort();
        REGISTER.end(self.number);
    }
}

#[derive(Clone)]
struct Session {
    driver: Url,
    id: String,
}

/// Sessions that are not over, by number.
struct Register {
    next: AtomicU64,
    entries: Mutex<BTreeMap<u64, Entry>>,
    changed: Notify,
}

enum Entry {
    Asked,
    Open(Session),
    Ending,
}

static REGISTER: Register =
    Register { next: AtomicU64::new(0), entries: Mutex::new(BTreeMap::new()), changed: Notify::const_new() };

impl Register {
    fn entries(&self) -> MutexGuard<'_, BTreeMap<u64, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self) -> u64 {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.entries().insert(number, Entry::Asked);
        number
    }

    fn strike(&self, number: u64) {
        self.entries().remove(&number);
        self.changed.notify_waiters();
    }

    /// Ends a session behind the caller's back, once.
    fn end(&'static self, number: u64) {
        let session = match self.entries().get_mut(&number) {
            Some(entry @ Entry::Open(_)) => match std::mem::replace(entry, Entry::Ending) {
                Entry::Open(session) => session,
                Entry::Asked | Entry::Ending => return,
            },
            _ => return,
        };
        // Without a runtime nothing can be waited for either; the Grid's own patience ends the session then.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                delete(&session).await;
                self.strike(number);
            });
        }
    }

    async fn until(&self, is_over: impl Fn(&BTreeMap<u64, Entry>) -> bool) {
        loop {
            let changed = self.changed.notified();
            if is_over(&self.entries()) {
                return;
            }
            changed.await;
        }
    }
}

/// Ends every session of this process that is still open, and waits for those that are being asked for or ended. Returns
/// how many are left at the deadline.
pub async fn farewell(deadline: Deadline) -> usize {
    let open: Vec<u64> = REGISTER.entries().keys().copied().collect();
    for number in open {
        REGISTER.end(number);
    }
    let _ = tokio::time::timeout_at(deadline.at().into(), REGISTER.until(BTreeMap::is_empty)).await;
    REGISTER.entries().len()
}

impl Lease {
    pub async fn take(
        address: &RemoteAddress,
        reach: &Reach,
        capabilities: &Value,
        wanted: Wanted<'_>,
        deadline: Deadline,
    ) -> Result<Self, Problem> {
        let driver = address.url.clone();
        let body = json!({ "capabilities": { "alwaysMatch": asked_for(reach, capabilities, wanted) } });
        let is_here = address.is_here();
        let (taken, waiting) = oneshot::channel();
        let number = REGISTER.enter();
        // In a task of its own, so that the answer is read even if nobody waits for it any more.
        tokio::spawn(async move {
            let lease = Self::ask(driver, &body, number, is_here).await;
            // Dropped unread, a lease ends its session.
            drop(taken.send(lease));
        });
        match tokio::time::timeout_at(deadline.at().into(), waiting).await {
            Ok(Ok(lease)) => lease,
            Ok(Err(_)) | Err(_) => Err(Problem::Slow),
        }
    }

    async fn ask(driver: Url, body: &Value, number: u64, is_here: bool) -> Result<Self, Problem> {
        let asked = new_session(&driver, body).await;
        let (session, capabilities) = asked.inspect_err(|_| REGISTER.strike(number))?;
        let keeping = tokio::spawn(keep(session.clone())).abort_handle();
        let id = session.id.clone();
        REGISTER.entries().insert(number, Entry::Open(session));
        let open = Open { number, keeping };
        Ok(Self { browser: browser_of(&driver, &id, &capabilities, is_here)?, open })
    }

    pub fn browser(&self) -> &Browser {
        &self.browser
    }

    /// Ends the session and waits until that is done.
    pub async fn end(self) {
        let number = self.open.number;
        drop(self);
        REGISTER.until(|entries| !entries.contains_key(&number)).await;
    }
}

/// The session's own address, with `tail` after it.
fn session_url(session: &Session, tail: &str) -> Url {
    let mut url = session.driver.clone();
    url.set_path(&format!("{}/session/{}{tail}", url.path().trim_end_matches('/'), session.id));
    url
}

async fn new_session(driver: &Url, body: &Value) -> Result<(Session, Value), Problem> {
    let mut url = driver.clone();
    url.set_path(&format!("{}/session", driver.path().trim_end_matches('/')));
    let (status, mut answer) = ask(Method::POST, &url, Some(body), Deadline::after(SESSION_LIMIT)).await?;
    if !status.is_success() {
        return Err(Problem::Refused(format!("{status} {}", said(&answer)).trim_end().to_owned()));
    }
    let value = answer["value"].take();
    let id = value["sessionId"].as_str().filter(|id| is_plain(id));
    let id = id.ok_or_else(|| Problem::Odd("it made no session".to_owned()))?.to_owned();
    Ok((Session { driver: driver.clone(), id }, value["capabilities"].clone()))
}

/// An id becomes part of an address.
fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

async fn delete(session: &Session) {
    let url = session_url(session, "");
    for _ in 0..DELETE_TRIES {
        // An answer is an answer: a session that is not known any more is over too.
        if ask(Method::DELETE, &url, None, Deadline::after(DELETE_LIMIT)).await.is_ok() {
            return;
        }
        tokio::time::sleep(BETWEEN_TRIES).await;
    }
    tracing::warn!("a session of a WebDriver server could not be ended; its own time limit will");
}

/// Gives harmless commands for as long as the session lasts.
async fn keep(session: Session) {
    let url = session_url(&session, "/timeouts");
    loop {
        tokio::time::sleep(SIGN_OF_LIFE).await;
        let _ = ask(Method::GET, &url, None, Deadline::after(DELETE_LIMIT)).await;
    }
}

/// A Chromium with our switches; what the user asks for goes before.
fn asked_for(reach: &Reach, capabilities: &Value, wanted: Wanted<'_>) -> Value {
    let switches = remote_switches(wanted.viewport, wanted.proxy, &reach.host());
    let ours = json!({ "browserName": "chrome", "goog:chromeOptions": { "args": switches } });
    merged(ours, capabilities)
}

/// Objects are put together name by name and lists one after the other; of anything else, the second counts.
fn merged(ours: Value, theirs: &Value) -> Value {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let mut all: Map<String, Value> = ours;
            for (name, value) in theirs {
                let own = all.remove(name).unwrap_or_default();
                all.insert(name.clone(), merged(own, value));
            }
            Value::Object(all)
        }
        (Value::Array(mut ours), Value::Array(theirs)) => {
            ours.extend(theirs.iter().cloned());
            Value::Array(ours)
        }
        (ours, Value::Null) => ours,
        (_, theirs) => theirs.clone(),
    }
}

/// Where the browser of a session listens, by what the server says of it.
fn browser_of(driver: &Url, id: &str, capabilities: &Value, is_here: bool) -> Result<Browser, Problem> {
    if let Some(named) = capabilities["se:cdp"].as_str() {
        let bad = || Problem::Odd("its `se:cdp` is no URL".to_owned());
        // A Grid serves this path itself, and often knows itself by a name that only it can use.
        if named.ends_with(&format!("/session/{id}/se/cdp")) {
            return super::socket_beside(driver, named).map(Browser::Socket).ok_or_else(bad);
        }
        return Url::parse(named).map(Browser::Socket).map_err(|_| bad());
    }
    let options = ["goog:chromeOptions", "ms:edgeOptions"];
    let Some(address) = options.iter().find_map(|name| capabilities[name]["debuggerAddress"].as_str()) else {
        let problem = "it gave a browser without `se:cdp` or `debuggerAddress`, which cannot be recorded";
        return Err(Problem::Odd(problem.to_owned()));
    };
    let bad = || Problem::Odd("its `debuggerAddress` is no address".to_owned());
    let mut url = Url::parse(&format!("http://{address}")).map_err(|_| bad())?;
    if is_loopback(&url.host().ok_or_else(bad)?) && !is_here {
        // The driver's own loopback, not ours.
        url.set_host(driver.host_str()).map_err(|_| bad())?;
    }
    Ok(Browser::Port(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(driver: &str, capabilities: &Value) -> Result<Browser, String> {
        let address: RemoteAddress = format!("grid+{driver}").parse().expect("an address");
        browser_of(&address.url, "abc", capabilities, address.is_here())
            .map_err(|problem| problem.to_string())
    }

    #[test]
    fn the_browser_is_where_the_server_says_as_seen_from_here() {
        let socket = |url: &str| Ok(Browser::Socket(Url::parse(url).expect("a URL")));
        let port = |url: &str| Ok(Browser::Port(Url::parse(url).expect("a URL")));
        let cdp = |url: &str| json!({ "se:cdp": url });
        let debugger = |address: &str| json!({ "goog:chromeOptions": { "debuggerAddress": address } });
        for (driver, capabilities, expected) in [
            // A Grid that knows itself by the address of its container.
            (
                "http://grid:4444/",
                cdp("ws://172.17.0.2:4444/session/abc/se/cdp"),
                socket("ws://grid:4444/session/abc/se/cdp"),
            ),
            (
                "https://g.example/sub",
                cdp("ws://x/sub/session/abc/se/cdp"),
                socket("wss://g.example/sub/session/abc/se/cdp"),
            ),
            // Somebody's own service, elsewhere.
            ("https://hub.example/", cdp("wss://cdp.example/abc"), socket("wss://cdp.example/abc")),
            ("http://127.0.0.1:9515/", debugger("localhost:40001"), port("http://localhost:40001/")),
            ("http://driver:9515/", debugger("localhost:40001"), port("http://driver:40001/")),
            ("http://driver:9515/", debugger("10.0.0.3:40001"), port("http://10.0.0.3:40001/")),
        ] {
            assert_eq!(found(driver, &capabilities), expected, "{driver} {capabilities}");
        }
        for capabilities in [json!({}), cdp("nowhere"), debugger("::"), json!({ "browserName": "firefox" })] {
            assert!(found("http://grid:4444/", &capabilities).is_err(), "{capabilities}");
        }
    }

    #[test]
    fn what_the_user_asks_for_goes_before() {
        let ours = json!({ "browserName": "chrome", "goog:chromeOptions": { "args": ["--a"] } });
        let theirs =
            json!({ "browserVersion": "156", "goog:chromeOptions": { "args": ["--b"], "binary": "/x" } });
        assert_eq!(
            merged(ours.clone(), &theirs),
            json!({ "browserName": "chrome", "browserVersion": "156",
                "goog:chromeOptions": { "args": ["--a", "--b"], "binary": "/x" } })
        );
        assert_eq!(merged(ours.clone(), &Value::Null), ours);
    }
}
