//! A Chromium with one tab and a small web server, for tests that look at pages and act on them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use umpire_browser::cdp::{Connection, Incoming, Session};
use umpire_browser::chromium::{Chromium, LaunchOptions};
use umpire_browser::{Activity, Observation, RemoteFrame, TabHandle, act, observe, settle};
use umpire_model::{Action, Deadline, Viewport};

pub const VIEWPORT: Viewport = Viewport { width: 1280, height: 800 };

pub fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

/// What the server answers on a path: after a wait, this page.
#[derive(Clone)]
pub struct Page {
    pub html: String,
    pub wait: Duration,
}

pub type Pages = HashMap<String, Page>;

pub struct Lab {
    /// Lives as long as this does.
    _chromium: Chromium,
    session: Session,
    id: String,
    frames: Arc<Mutex<Vec<(String, Session)>>>,
    activity: Arc<Activity>,
    pub uploads: tempfile::TempDir,
}

impl Lab {
    /// Serves `pages` by path, on every host, and opens the one at `/`.
    pub async fn open(pages: &[(&str, &str)]) -> Self {
        let pages = pages.iter().map(|(path, html)| {
            ((*path).to_owned(), Page { html: (*html).to_owned(), wait: Duration::ZERO })
        });
        Self::open_pages(pages.collect()).await
    }

    pub async fn page(html: &str) -> Self {
        Self::open(&[("/", html)]).await
    }

    pub async fn open_pages(pages: Pages) -> Self {
        let port = serve(pages).await;
        let proxy = Some(std::net::SocketAddr::from(([127, 0, 0, 1], port)));
        let options = LaunchOptions { viewport: VIEWPORT, proxy, ..LaunchOptions::default() };
        let chromium = Chromium::launch(&options, soon()).await.expect("launched");
        let connection = chromium.connection().clone();
        let (route, events) = mpsc::unbounded_channel();
        connection.route_root(route);
        let root = connection.root();
        let created: Value =
            root.call("Target.createTarget", json!({ "url": "about:blank" }), soon()).await.expect("created");
        let id = created["targetId"].as_str().expect("an id").to_owned();
        let params = json!({ "targetId": id, "flatten": true });
        let attached: Value = root.call("Target.attachToTarget", params, soon()).await.expect("attached");
        let session = connection.session(attached["sessionId"].as_str().expect("a session").into());
        let activity = Arc::new(Activity::default());
        let frames = Arc::default();
        let lab = Self {
            _chromium: chromium,
            session,
            id,
            frames,
            activity,
            uploads: tempfile::tempdir().expect("a folder"),
        };
        tokio::spawn(follow(events, connection, Arc::clone(&lab.frames), Arc::clone(&lab.activity)));
        watch(&lab.session);
        let size = json!({ "width": VIEWPORT.width, "height": VIEWPORT.height, "deviceScaleFactor": 1, "mobile": false });
        lab.session.run("Emulation.setDeviceMetricsOverride", size, soon()).await.expect("sized");
        lab.goto("http://shop.localhost/").await;
        lab
    }

    pub async fn goto(&self, url: &str) {
        self.activity.update(|counts| counts.loading = 1);
        self.session.run("Page.navigate", json!({ "url": url }), soon()).await.expect("navigated");
        self.settle().await;
    }

    pub fn tab(&self) -> TabHandle {
        let frames = self.frames.lock().expect("not poisoned");
        let frames = frames
            .iter()
            .map(|(frame_id, session)| RemoteFrame { frame_id: frame_id.clone(), session: session.clone() });
        TabHandle {
            id: self.id.clone(),
            session: self.session.clone(),
            frames: frames.collect(),
            activity: Arc::clone(&self.activity),
        }
    }

    pub async fn settle(&self) -> settle::Settled {
        settle::settle(&self.tab(), soon()).await
    }

    pub async fn observe(&self) -> Observation {
        observe::capture(&self.tab(), VIEWPORT, soon()).await.expect("observed")
    }

    /// Observes, performs the action written as text, and settles.
    pub async fn act(&self, action: &str) -> Result<act::Performed, act::ActError> {
        let action: Action = action.parse().expect("an action");
        let seen = self.observe().await;
        let done = act::perform(&self.tab(), &action, &seen, self.uploads.path(), soon()).await;
        self.settle().await;
        done
    }

    /// Runs a script in the page itself, to check what an action did to it.
    pub async fn js(&self, expression: &str) -> Value {
        evaluate(&self.session, expression).await
    }

    /// The same in the first out-of-process frame.
    pub async fn js_in_frame(&self, expression: &str) -> Value {
        let session = self.frames.lock().expect("not poisoned").first().expect("a frame").1.clone();
        evaluate(&session, expression).await
    }

    pub fn session(&self) -> &Session {
        &self.session
    }
}

async fn evaluate(session: &Session, expression: &str) -> Value {
    let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
    let answer: Value = session.call("Runtime.evaluate", params, soon()).await.expect("evaluated");
    assert!(answer.get("exceptionDetails").is_none(), "{answer}");
    answer["result"]["value"].clone()
}

fn watch(session: &Session) {
    session.post("Network.enable", json!({}));
    session.post("Page.enable", json!({}));
    session.post(
        "Target.setAutoAttach",
        json!({ "autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true }),
    );
}

/// Keeps the frames and the activity of the tab up to date.
async fn follow(
    mut events: mpsc::UnboundedReceiver<Incoming>,
    connection: Connection,
    frames: Arc<Mutex<Vec<(String, Session)>>>,
    activity: Arc<Activity>,
) {
    while let Some(Incoming::Event(event)) = events.recv().await {
        let params: Value = event.params().expect("JSON");
        match event.method.as_str() {
            "Target.attachedToTarget" if params["targetInfo"]["type"] == "iframe" => {
                let session = connection.session(params["sessionId"].as_str().expect("an id").into());
                watch(&session);
                let frame = params["targetInfo"]["targetId"].as_str().expect("an id").to_owned();
                frames.lock().expect("not poisoned").push((frame, session));
            }
            "Target.detachedFromTarget" => {
                let gone = params["sessionId"].as_str().expect("an id");
                frames
                    .lock()
                    .expect("not poisoned")
                    .retain(|(_, session)| session.id().is_none_or(|id| &**id != gone));
            }
            "Network.requestWillBeSent" if params.get("redirectResponse").is_none() => {
                activity.update(|counts| counts.in_flight += 1);
            }
            "Network.loadingFinished" | "Network.loadingFailed" => {
                activity.update(|counts| counts.in_flight = counts.in_flight.saturating_sub(1));
            }
            "Page.frameStartedLoading" => activity.update(|counts| counts.loading = 1),
            "Page.frameStoppedLoading" => activity.update(|counts| counts.loading = 0),
            _ => {}
        }
    }
}

async fn serve(pages: Pages) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let pages = Arc::new(pages);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let pages = Arc::clone(&pages);
            tokio::spawn(async move {
                let mut request = Vec::new();
                while !request.windows(4).any(|end| end == b"\r\n\r\n") {
                    if stream.read_buf(&mut request).await.unwrap_or(0) == 0 {
                        return;
                    }
                }
                let request = String::from_utf8_lossy(&request);
                let path = request.split_whitespace().nth(1).unwrap_or("/");
                // As a proxy it is asked with the whole URL.
                let path = path
                    .strip_prefix("http://")
                    .and_then(|url| url.split_once('/'))
                    .map_or(path, |(_, path)| path);
                let path = format!("/{}", path.split('?').next().unwrap_or_default().trim_start_matches('/'));
                let (status, body) = match pages.get(&path) {
                    Some(page) => {
                        tokio::time::sleep(page.wait).await;
                        ("200 OK", page.html.clone())
                    }
                    None => ("404 Not Found", String::new()),
                };
                let head = format!(
                    "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(head.as_bytes()).await;
                let _ = stream.write_all(body.as_bytes()).await;
            });
        }
    });
    port
}

/// Says that what a test needs is not here. Where all was fetched for the tests, that is a failure.
pub fn skipped(why: &str) {
    assert!(std::env::var_os("UMPIRE_TEST_NO_SKIP").is_none(), "all should be here, but {why}");
    println!("skipped: {why}");
}
