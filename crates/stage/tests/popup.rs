//! The extension by itself, as in anybody's Chrome: its popup, opened from the toolbar, is all there is to steer it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use umpire_browser::cdp::Session as Protocol;
use umpire_browser::{Onlooker, Visit, VisitEvent, VisitOptions};
use umpire_model::Viewport;
use umpire_stage::record::from_export;
use umpire_stage::session::Step;

use crate::studio::{briefs, evaluate, mouse, network, soon, stop_worker, until};

const PAGES: [(&str, &str); 1] = [(
    "http://a.localhost/",
    "<!doctype html><title>Settings</title><h1>Settings</h1>
     <label><input type=checkbox id=ads> Personal ads</label>
     <label>Password <input type=password id=pw></label>
     <button id=save>Save</button>",
)];

const NAMED: &str = "ads off";

struct Desk {
    visit: Visit,
    extension: String,
    page: Protocol,
    downloads: tempfile::TempDir,
}

impl Desk {
    async fn open() -> Self {
        let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../extension/dist");
        let options = VisitOptions {
            chromium: None,
            viewport: Viewport { width: 1000, height: 700 },
            window: false,
            network: network(&PAGES),
            onlooker: Onlooker::Extension(dist.canonicalize().expect("the extension")),
        };
        let (visit, mut events) = Visit::open(options, soon()).await.expect("a browser");
        let tab = loop {
            let event = tokio::time::timeout(Duration::from_secs(20), events.recv()).await.expect("in time");
            if let VisitEvent::TabOpened { tab, .. } = event.expect("an event") {
                break tab;
            }
        };
        visit.goto(&tab, PAGES[0].0, soon()).await.expect("the page");
        let page = visit.session(&tab).expect("a session");
        until(&page, "document.readyState == 'complete'").await;
        let downloads = tempfile::tempdir().expect("a folder");
        let to = json!({ "behavior": "allow", "downloadPath": downloads.path() });
        page.connection().root().run("Browser.setDownloadBehavior", to, soon()).await.expect("allowed");
        let worker = running_worker(&visit).await;
        let id = evaluate(&worker, "chrome.runtime.id").await.expect("evaluated");
        let extension = id.as_str().expect("an id").to_owned();
        Self { visit, extension, page, downloads }
    }

    /// Presses the toolbar's button.
    async fn popup(&self) -> Popup {
        let root = self.page.connection().root();
        // A tab is a target of its own, around the page in it.
        let tabs = json!({ "filter": [{ "type": "tab" }] });
        let tabs: Value = root.call("Target.getTargets", tabs, soon()).await.expect("tabs");
        let tabs = tabs["targetInfos"].as_array().cloned().expect("a list");
        let tab = tabs.iter().find(|tab| tab["url"] == PAGES[0].0).expect("the page's tab");
        let action = json!({ "id": self.extension, "targetId": tab["targetId"] });
        root.run("Extensions.triggerAction", action, soon()).await.expect("pressed");
        let give_up = soon();
        while !give_up.passed() {
            let targets: Value = root.call("Target.getTargets", json!({}), soon()).await.expect("targets");
            let targets = targets["targetInfos"].as_array().cloned().expect("a list");
            let is_popup = |target: &&Value| {
                target["url"].as_str().is_some_and(|url| url.ends_with("/popup/popup.html"))
            };
            if let Some(target) = targets.iter().find(is_popup) {
                let hold = json!({ "targetId": target["targetId"], "flatten": true });
                let session: Value =
                    root.call("Target.attachToTarget", hold, soon()).await.expect("attached");
                let id = session["sessionId"].as_str().expect("a session").to_owned();
                let popup = Popup(self.page.connection().session(id.into()));
                popup
                    .until(
                        "document.readyState == 'complete' && !!document.querySelector('#note')?.textContent",
                    )
                    .await;
                return popup;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("no popup came");
    }

    /// Clicks in the page, which shuts the popup as it does for a person.
    async fn click(&self, selector: &str) {
        click(&self.page, selector).await;
    }

    /// What would be exported now, once it has so many steps that have all come to rest.
    async fn steps(&self, count: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        let give_up = soon();
        while !give_up.passed() {
            let export = evaluate(&running_worker(&self.visit).await, "umpireCommand('export')").await;
            let export = export.expect("evaluated");
            steps = session_of(export.as_str().expect("a text"));
            let is_settled = |step: &Step| step.before.is_none() || step.after.is_some();
            if steps.len() >= count && steps.iter().all(is_settled) {
                return steps;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{count} steps never came: {:#?}", briefs(&steps));
    }

    async fn downloaded(&self) -> (PathBuf, String) {
        let give_up = soon();
        while !give_up.passed() {
            let files = std::fs::read_dir(self.downloads.path()).expect("a folder").flatten();
            for path in files.map(|file| file.path()).filter(|path| path.extension() == Some("json".as_ref()))
            {
                let text = std::fs::read_to_string(&path).expect("a text");
                if text.ends_with('}') {
                    return (path, text);
                }
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("nothing was downloaded");
    }
}

async fn running_worker(visit: &Visit) -> Protocol {
    let give_up = soon();
    while !give_up.passed() {
        // One that has only just been started knows nothing of its extension yet.
        let ready = "typeof chrome == 'object' && typeof umpireCommand == 'function'";
        if let Some(worker) = visit.worker()
            && evaluate(&worker, ready).await.is_ok_and(|ready| ready == true)
        {
            return worker;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the worker never ran");
}

struct Popup(Protocol);

impl Popup {
    async fn until(&self, condition: &str) {
        until(&self.0, condition).await;
    }

    /// Waits until the popup says so, and offers these buttons and no others.
    async fn says(&self, status: &str, buttons: &[&str]) {
        let shown =
            "[...document.querySelectorAll('button')].filter(b => b.offsetWidth > 0).map(b => b.textContent)";
        let wanted = json!(buttons);
        self.until(&format!(
            "document.querySelector('#status').textContent == {status:?} && JSON.stringify({shown}) == {:?}",
            wanted.to_string()
        ))
        .await;
    }

    async fn press(&self, button: &str) {
        click(&self.0, &format!("#{button}")).await;
    }
}

async fn click(session: &Protocol, selector: &str) {
    let middle = format!(
        "(() => {{ const b = document.querySelector({selector:?}).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
    );
    let at = evaluate(session, &middle).await.expect("evaluated");
    let at = (at[0].as_f64().expect("x"), at[1].as_f64().expect("y"));
    mouse(session, "mousePressed", at, 1).await;
    mouse(session, "mouseReleased", at, 1).await;
}

fn session_of(export: &str) -> Vec<Step> {
    let folder = tempfile::tempdir().expect("a folder");
    from_export(export, Some("exported"), folder.path()).expect("a session").session.steps
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_named_started_paused_stopped_and_exported_in_the_popup() {
    let desk = Desk::open().await;
    desk.click("#save").await;
    let popup = desk.popup().await;
    popup.says("Nothing is recorded", &["Start"]).await;
    popup.0.run("Input.insertText", json!({ "text": NAMED }), soon()).await.expect("typed");
    popup.press("start").await;
    popup.says("Recording “ads off”", &["Pause", "Stop"]).await;

    desk.click("#ads").await;
    desk.steps(1).await;
    stop_worker(&desk.visit).await;
    desk.click("#pw").await;
    let canary = json!({ "text": "canary-7781" });
    desk.page.run("Input.insertText", canary, soon()).await.expect("typed");
    desk.click("#save").await;
    desk.steps(3).await;

    let popup = desk.popup().await;
    popup.says("Recording “ads off”", &["Pause", "Stop"]).await;
    popup.press("pause").await;
    popup.says("“ads off” is paused", &["Go on", "Stop"]).await;
    desk.click("#ads").await;
    desk.click("#save").await;
    stop_worker(&desk.visit).await;
    let popup = desk.popup().await;
    popup.says("“ads off” is paused", &["Go on", "Stop"]).await;
    popup.press("pause").await;
    popup.says("Recording “ads off”", &["Pause", "Stop"]).await;
    desk.click("#ads").await;
    desk.steps(4).await;

    let popup = desk.popup().await;
    popup.press("stop").await;
    popup.says("“ads off” is ready to export", &["Start anew", "Export"]).await;
    stop_worker(&desk.visit).await;
    popup.press("export").await;
    let (path, text) = desk.downloaded().await;
    assert_eq!(path.file_name().and_then(|name| name.to_str()), Some("ads-off.recording.json"));
    assert!(!text.contains("canary"), "a secret was written");
    let steps = session_of(&text);
    assert_eq!(
        briefs(&steps),
        [
            "click [checkbox Personal ads]",
            r#"type {"secret":"accounts/a/password"} [textbox Password]"#,
            "click [button Save]",
            "click [checkbox Personal ads]",
        ]
    );
    assert!(text.contains(&format!("\"name\":\"{NAMED}\"")), "the session has the name it was given");

    popup.press("start").await;
    popup.says("Recording “ads off”", &["Pause", "Stop"]).await;
    assert_eq!(desk.steps(0).await.len(), 0, "started anew, it holds nothing of the old one");
    desk.visit.close().await;
}
