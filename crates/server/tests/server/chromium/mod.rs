//! A real browser on the server's pages, and what it says about them.
#![allow(dead_code, reason = "each test file uses its own part of it")]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use umpire_browser::cdp::{CdpError, Incoming, Session};
use umpire_browser::chromium::{Chromium, LaunchOptions};
use umpire_model::{Deadline, Viewport};

pub const VIEWPORT: Viewport = Viewport { width: 1280, height: 900 };

/// So long a page may take to become what it is to be, on a machine that does much else.
const LONGEST: Duration = Duration::from_mins(4);

fn soon() -> Deadline {
    Deadline::after(Duration::from_mins(1))
}

/// One tab.
pub struct Page {
    chromium: Chromium,
    session: Session,
    heard: Arc<Mutex<Heard>>,
}

/// What the browser reported.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// Errors and warnings in the console, violations of the policy among them.
    pub complaints: Vec<String>,
    pub requests: Vec<String>,
    loads: usize,
    /// Documents that have loaded, by what the protocol calls their loaders.
    loaders: BTreeSet<String>,
}

impl Page {
    pub async fn open() -> Self {
        let options = LaunchOptions { viewport: VIEWPORT, ..LaunchOptions::default() };
        let chromium = Chromium::launch(&options, soon()).await.expect("launched");
        let connection = chromium.connection().clone();
        let (route, events) = mpsc::unbounded_channel();
        connection.route_root(route);
        let root = connection.root();
        let created: Value =
            root.call("Target.createTarget", json!({ "url": "about:blank" }), soon()).await.expect("created");
        let params = json!({ "targetId": created["targetId"], "flatten": true });
        let attached: Value = root.call("Target.attachToTarget", params, soon()).await.expect("attached");
        let session = connection.session(attached["sessionId"].as_str().expect("a session").into());
        let heard = Arc::default();
        tokio::spawn(listen(events, Arc::clone(&heard)));
        for domain in ["Page.enable", "Runtime.enable", "Log.enable", "Network.enable"] {
            session.run(domain, json!({}), soon()).await.expect("enabled");
        }
        let events = json!({ "enabled": true });
        session.run("Page.setLifecycleEventsEnabled", events, soon()).await.expect("enabled");
        let size = json!({ "width": VIEWPORT.width, "height": VIEWPORT.height, "deviceScaleFactor": 1, "mobile": false });
        session.run("Emulation.setDeviceMetricsOverride", size, soon()).await.expect("sized");
        Self { chromium, session, heard }
    }

    pub async fn goto(&self, url: &str) {
        // Within one page nothing is loaded: it is left first.
        if url.contains('#') {
            self.navigate("about:blank").await;
        }
        self.navigate(url).await;
    }

    /// Waits for the very document: the one before may still be loading, and is heard of in between.
    async fn navigate(&self, url: &str) {
        let params = json!({ "url": url });
        let begun: Value = self.session.call("Page.navigate", params, soon()).await.expect("navigated");
        let loader = begun["loaderId"].as_str().expect("another document");
        for _ in 0..1_200 {
            if self.heard().loaders.contains(loader) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the page did not load: {begun}");
    }

    /// Waits for one more load than there were.
    pub async fn loaded(&self, before: usize) {
        for _ in 0..1_200 {
            if self.heard().loads > before {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the page did not load");
    }

    pub fn loads(&self) -> usize {
        self.heard().loads
    }

    pub fn heard(&self) -> Heard {
        self.heard.lock().expect("not poisoned").clone()
    }

    pub async fn dark(&self, is_dark: bool) {
        let value = if is_dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.session.run("Emulation.setEmulatedMedia", features, soon()).await.expect("set");
    }

    pub async fn without_script(&self, off: bool) {
        let params = json!({ "value": off });
        self.session.run("Emulation.setScriptExecutionDisabled", params, soon()).await.expect("set");
    }

    pub async fn js(&self, expression: &str) -> Value {
        self.evaluated(expression).await.expect("evaluated")
    }

    async fn evaluated(&self, expression: &str) -> Result<Value, CdpError> {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer: Value = self.session.call("Runtime.evaluate", params, soon()).await?;
        assert!(answer.get("exceptionDetails").is_none(), "{answer}");
        Ok(answer["result"]["value"].clone())
    }

    /// Waits until an expression holds, whatever document is there by then.
    pub async fn until(&self, condition: &str) {
        let begun = Instant::now();
        // A document that is left in the middle of a question answers none.
        while !matches!(self.evaluated(&format!("Boolean({condition})")).await, Ok(Value::Bool(true))) {
            let shown = "document.body?.innerText";
            assert!(begun.elapsed() < LONGEST, "not `{condition}`: {:?}", self.evaluated(shown).await);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Presses a key: a letter, a digit, or `Tab`, `Enter`, `ArrowRight`.
    pub async fn press(&self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, None),
            "Enter" => (13, Some("\r")),
            "ArrowRight" => (39, None),
            "ArrowLeft" => (37, None),
            letter => (u32::from(letter.to_ascii_uppercase().as_bytes()[0]), Some(letter)),
        };
        let mut down = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
        if let Some(text) = text {
            down["text"] = json!(text);
        }
        self.session.run("Input.dispatchKeyEvent", down, soon()).await.expect("pressed");
        let up = json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code });
        self.session.run("Input.dispatchKeyEvent", up, soon()).await.expect("released");
    }

    /// Signs in with nothing but the keyboard.
    pub async fn sign_in(&self, origin: &str, name: &str, password: &str) {
        self.goto(&format!("{origin}/sign-in")).await;
        // The first field has the focus when the page is first painted, which may be after it is loaded.
        self.until("document.activeElement?.name === 'name'").await;
        self.type_text(name).await;
        self.press("Tab").await;
        self.type_text(password).await;
        let before = self.loads();
        self.press("Enter").await;
        self.loaded(before).await;
    }

    pub async fn type_text(&self, text: &str) {
        self.session.run("Input.insertText", json!({ "text": text }), soon()).await.expect("typed");
    }

    /// Keeps a picture for whoever wants to look, in the folder named by `UMPIRE_SCREENS`.
    pub async fn keep_picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("UMPIRE_SCREENS").map(PathBuf::from) else { return };
        let params = json!({ "format": "png", "captureBeyondViewport": false });
        let shot: Value = self.session.call("Page.captureScreenshot", params, soon()).await.expect("taken");
        let data = shot["data"].as_str().expect("data");
        let png = base64::engine::general_purpose::STANDARD.decode(data).expect("base64");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(format!("{name}.png")), png).expect("written");
    }

    pub async fn close(self) {
        self.chromium.close().await;
    }
}

async fn listen(mut events: mpsc::UnboundedReceiver<Incoming>, heard: Arc<Mutex<Heard>>) {
    while let Some(Incoming::Event(event)) = events.recv().await {
        let params: Value = event.params().expect("JSON");
        let mut heard = heard.lock().expect("not poisoned");
        match event.method.as_str() {
            "Page.loadEventFired" => heard.loads += 1,
            "Page.lifecycleEvent" if params["name"] == "load" => {
                heard.loaders.extend(params["loaderId"].as_str().map(str::to_owned));
            }
            "Network.requestWillBeSent" => {
                heard.requests.push(params["request"]["url"].as_str().unwrap_or_default().to_owned());
            }
            "Log.entryAdded" if params["entry"]["level"] != "verbose" => {
                heard.complaints.push(params["entry"].to_string());
            }
            "Runtime.exceptionThrown" => heard.complaints.push(params["exceptionDetails"].to_string()),
            "Runtime.consoleAPICalled" => heard.complaints.push(params["args"].to_string()),
            _ => {}
        }
    }
}
