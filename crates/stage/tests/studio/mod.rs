//! A browser that is recorded, and hands that use it as a person would: by trusted input.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use umpire_browser::cdp::{CdpError, Session as Protocol};
use umpire_browser::{Handler, NetworkPolicy, Visit};
use umpire_model::{Deadline, Viewport};
use umpire_stage::Session;
use umpire_stage::record::{RecordError, RecordOptions, Recorded, Recorder};
use umpire_stage::session::Step;

pub fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

pub struct Studio {
    pub visit: Arc<Visit>,
    pub tab: String,
    pub out: tempfile::TempDir,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<Recorded, RecordError>>,
}

/// Answers by host and path; the query is not looked at.
pub fn network(pages: &[(&str, &str)]) -> NetworkPolicy {
    let mut hosts: HashMap<String, HashMap<String, String>> = HashMap::new();
    for (url, html) in pages {
        let rest = url.strip_prefix("http://").expect("http");
        let (host, path) = rest.split_once('/').expect("a path");
        hosts.entry(host.to_owned()).or_default().insert(format!("/{path}"), (*html).to_owned());
    }
    let origins = hosts.into_iter().map(|(host, pages)| {
        let handler: Handler = Arc::new(move |request: http::Request<bytes::Bytes>| {
            let page = pages.get(request.uri().path()).cloned();
            let status = if page.is_some() { 200 } else { 404 };
            http::Response::builder()
                .status(status)
                .header("content-type", "text/html; charset=utf-8")
                .body(page.unwrap_or_default().into())
                .expect("a response")
        });
        (host, handler)
    });
    NetworkPolicy { origins: origins.collect(), ..NetworkPolicy::default() }
}

impl Studio {
    /// Records over the protocol, from the first of the pages on.
    pub async fn open(pages: &[(&str, &str)]) -> Self {
        Self::open_with(pages, false).await
    }

    pub async fn open_with(pages: &[(&str, &str)], extension: bool) -> Self {
        Self::open_on(pages[0].0, network(pages), extension).await
    }

    pub async fn open_on(url: &str, network: NetworkPolicy, extension: bool) -> Self {
        let out = tempfile::tempdir().expect("a folder");
        let options = RecordOptions {
            name: "test".to_owned(),
            out: out.path().to_owned(),
            url: url.to_owned(),
            chromium: None,
            viewport: Viewport { width: 1000, height: 700 },
            window: false,
            extension,
            network,
        };
        let recorder = Recorder::start(options, soon()).await.expect("a recorder");
        let visit = recorder.visit();
        let tab = visit.tabs().pop().expect("a tab");
        // The tab in front, so that the extension may take its picture.
        let front = visit.session(&tab).expect("a session");
        front.run("Page.bringToFront", json!({}), soon()).await.expect("in front");
        let (stop, stopped) = oneshot::channel();
        let until = async {
            let _ = stopped.await;
        };
        let task = tokio::spawn(recorder.run(until, |_| ()));
        let studio = Self { visit, tab, out, stop, task };
        studio.until("document.readyState == 'complete'").await;
        studio
    }

    fn session(&self) -> Protocol {
        self.visit.session(&self.tab).expect("the tab is open")
    }

    pub async fn js(&self, expression: &str) -> Value {
        evaluate(&self.session(), expression).await.expect("evaluated")
    }

    /// Waits until the page says so; a page that goes away meanwhile has not said so.
    pub async fn until(&self, condition: &str) {
        until(&self.session(), condition).await;
    }

    /// The middle of an element that an expression gives, in the frames down to it.
    pub async fn middle(&self, element: &str) -> (f64, f64) {
        let point = format!(
            "(() => {{ let e = {element}; let b = e.getBoundingClientRect(); let x = b.x + b.width / 2, y = b.y + b.height / 2;
              for (let w = e.ownerDocument.defaultView; w !== top; w = w.parent) {{
                let f = w.frameElement.getBoundingClientRect(); x += f.x; y += f.y;
              }} return [x, y]; }})()"
        );
        let at = self.js(&point).await;
        (at[0].as_f64().expect("x"), at[1].as_f64().expect("y"))
    }

    async fn mouse(&self, kind: &str, at: (f64, f64), count: u32) {
        mouse(&self.session(), kind, at, count).await;
    }

    pub async fn click(&self, selector: &str) {
        self.click_element(&format!("document.querySelector({selector:?})")).await;
    }

    pub async fn click_element(&self, element: &str) {
        let at = self.middle(element).await;
        self.click_at(at).await;
    }

    pub async fn click_at(&self, at: (f64, f64)) {
        self.mouse("mousePressed", at, 1).await;
        self.mouse("mouseReleased", at, 1).await;
    }

    /// Clicks what opens a dialog or shuts the tab, so that the click itself may never be answered.
    pub async fn click_away(&self, selector: &str) {
        let at = self.middle(&format!("document.querySelector({selector:?})")).await;
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({ "type": kind, "x": at.0, "y": at.1, "button": "left", "clickCount": 1 });
            self.session().post("Input.dispatchMouseEvent", params);
        }
    }

    pub async fn double_click(&self, selector: &str) {
        let at = self.middle(&format!("document.querySelector({selector:?})")).await;
        for count in [1, 2] {
            self.mouse("mousePressed", at, count).await;
            self.mouse("mouseReleased", at, count).await;
        }
    }

    pub async fn drag(&self, from: &str, to: &str) {
        let from = self.middle(&format!("document.querySelector({from:?})")).await;
        let to = self.middle(&format!("document.querySelector({to:?})")).await;
        self.mouse("mousePressed", from, 1).await;
        for part in 1..=5 {
            let share = f64::from(part) / 5.0;
            let at = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            let params =
                json!({ "type": "mouseMoved", "x": at.0, "y": at.1, "button": "left", "buttons": 1 });
            self.session().run("Input.dispatchMouseEvent", params, soon()).await.expect("sent");
        }
        self.mouse("mouseReleased", to, 1).await;
    }

    pub async fn write(&self, text: &str) {
        for character in text.chars() {
            let character = character.to_string();
            let down = json!({ "type": "keyDown", "key": character, "text": character });
            self.session().run("Input.dispatchKeyEvent", down, soon()).await.expect("sent");
            let up = json!({ "type": "keyUp", "key": character });
            self.session().run("Input.dispatchKeyEvent", up, soon()).await.expect("sent");
        }
    }

    pub async fn press(&self, key: &str, code: u32, modifiers: u32) {
        let text = match key {
            "Enter" => "\r",
            " " => " ",
            _ => "",
        };
        let mut down =
            json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers });
        if !text.is_empty() {
            down["text"] = json!(text);
        }
        self.session().run("Input.dispatchKeyEvent", down, soon()).await.expect("sent");
        let up = json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code });
        self.session().run("Input.dispatchKeyEvent", up, soon()).await.expect("sent");
    }

    /// What the extension's worker answers to a command of its popup.
    pub async fn command(&self, command: &str, argument: Value) -> Value {
        let worker = self.visit.worker().expect("the worker runs");
        evaluate(&worker, &format!("umpireCommand({command:?}, {argument})")).await.expect("evaluated")
    }

    pub async fn run(&self, method: &str, params: Value) {
        self.session().run(method, params, soon()).await.expect(method);
    }

    pub fn path(&self) -> PathBuf {
        self.out.path().join("test.session.json")
    }

    /// The session as it is on the disk.
    pub fn on_disk(&self) -> Session {
        let text = std::fs::read_to_string(self.path()).expect("a file");
        Session::read(&text).expect("a session")
    }

    /// Waits until so many steps are on the disk, all settled and pictured, and gives them.
    pub async fn steps(&self, count: usize) -> Vec<Step> {
        self.steps_until(|steps| steps.len() >= count && steps.iter().all(|step| step.screenshot.is_some()))
            .await
    }

    pub async fn steps_until(&self, is_it: impl Fn(&[Step]) -> bool) -> Vec<Step> {
        let mut steps = Vec::new();
        let give_up = soon();
        while !give_up.passed() {
            steps = self.on_disk().steps;
            if is_it(&steps) {
                return steps;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        let pictures: Vec<_> = steps.iter().map(|step| &step.screenshot).collect();
        panic!("what is waited for never came: {:#?}, {pictures:?}", briefs(&steps));
    }

    /// Waits for a recording that ends by itself.
    pub async fn ended(self) -> Recorded {
        drop(self.visit);
        let ended = tokio::time::timeout(Duration::from_secs(20), self.task).await.expect("in time");
        ended.expect("no panic").expect("recorded")
    }

    /// Ends the recording as Ctrl-C does.
    pub async fn finish(self) -> (Recorded, tempfile::TempDir) {
        drop(self.visit);
        let _ = self.stop.send(());
        let recorded = self.task.await.expect("no panic").expect("recorded");
        (recorded, self.out)
    }
}

/// Fails where the page went away while it was asked.
pub async fn evaluate(session: &Protocol, expression: &str) -> Result<Value, CdpError> {
    let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
    let answer: Value = session.call("Runtime.evaluate", params, soon()).await?;
    assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
    Ok(answer["result"]["value"].clone())
}

pub async fn until(session: &Protocol, condition: &str) {
    let give_up = soon();
    while !give_up.passed() {
        match evaluate(session, condition).await {
            Ok(answer) if answer == true => return,
            Ok(_) | Err(CdpError::Refused { .. }) => {}
            Err(error) => panic!("{condition}: {error}"),
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("never came: {condition}");
}

pub async fn mouse(session: &Protocol, kind: &str, (x, y): (f64, f64), count: u32) {
    let buttons = u32::from(kind != "mouseReleased");
    let params =
        json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": count });
    match session.run("Input.dispatchMouseEvent", params, soon()).await {
        // The page that the click leads away from may not answer any more.
        Err(CdpError::Refused { .. }) if kind == "mouseReleased" => {}
        answer => answer.expect("sent"),
    }
}

/// As the browser does with a worker that has been idle for half a minute.
pub async fn stop_worker(visit: &Visit) {
    let worker = visit.worker().expect("the worker runs");
    let root = worker.connection().root();
    let targets: Value = root.call("Target.getTargets", json!({}), soon()).await.expect("targets");
    let is_worker = |target: &&Value| target["type"] == "service_worker";
    let target =
        targets["targetInfos"].as_array().expect("a list").iter().find(is_worker).expect("the worker");
    root.run("Target.closeTarget", json!({ "targetId": target["targetId"] }), soon()).await.expect("closed");
    // A worker is not stopped while anybody holds on to it.
    let session = worker.id().expect("a session").to_string();
    root.run("Target.detachFromTarget", json!({ "sessionId": session }), soon()).await.expect("let go");
    let gone = async {
        while visit.worker().is_some_and(|other| other.id() == worker.id()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone).await.expect("the worker went away");
}

/// What a step did, in short: deed, role and name of its element.
pub fn brief(step: &Step) -> String {
    let deed = serde_json::to_value(&step.deed).expect("JSON");
    let mut parts = vec![step.deed.name().to_owned()];
    for key in ["text", "options", "key", "files", "url", "message", "accepted", "double", "by"] {
        if let Some(value) = deed.get(key) {
            parts.push(value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
    }
    if let Some(element) = &step.element {
        parts.push(format!(
            "[{} {}]",
            if element.role.is_empty() { &element.tag } else { &element.role },
            element.name
        ));
    }
    parts.join(" ")
}

pub fn briefs(steps: &[Step]) -> Vec<String> {
    steps.iter().map(brief).collect()
}
