//! Recording by the extension, in real Chromium: the same steps as over the protocol, through whatever happens to it.

use std::time::Duration;

use serde_json::{Value, json};
use umpire_stage::record::from_export;
use umpire_stage::session::Step;

use crate::studio::{Studio, briefs, stop_worker};

const PAGE: &str = r#"<!doctype html><title>Tour</title><h1>Settings</h1>
<style>label { display: block; margin: 6px }</style>
<label><input type=checkbox id=ads> Personal ads</label>
<label>Display name <input id=who value=Ann></label>
<label>Password <input type=password id=pw></label>
<label>Language <select id=lang><option>English<option>German</select></label>
<x-closed></x-closed>
<iframe id=frame src="http://b.localhost/frame" width=300 height=60></iframe>
<button id=pop onclick="window.open('/popup')">Pop</button>
<a id=next href="/second?id_token=eyJhbGciOi.x">Next</a>
<script>
window.root = document.querySelector("x-closed").attachShadow({ mode: "closed" });
root.innerHTML = "<button>Deep down</button>";
window.addEventListener("pointerdown", (event) => event.stopImmediatePropagation(), true);
</script>"#;

const PAGES: [(&str, &str); 4] = [
    ("http://a.localhost/", PAGE),
    ("http://a.localhost/second", "<h1>Second</h1><button onclick=\"this.textContent = 'Done'\">Do</button>"),
    ("http://a.localhost/popup", "<h1>Popup</h1>"),
    ("http://b.localhost/frame", "<button>In the frame</button>"),
];

/// One of each kind, waiting for each to be on the disk.
async fn tour(studio: &Studio) {
    studio.click("#ads").await;
    until_steps(studio, 1).await;
    studio.click("#who").await;
    studio.press("End", 35, 0).await;
    studio.write("abel").await;
    studio.click("#pw").await;
    studio.write("canary-5512").await;
    studio.js("document.querySelector('#lang').focus()").await;
    studio.write("G").await;
    until_steps(studio, 4).await;
    studio.click_element("window.root.querySelector('button')").await;
    until_steps(studio, 5).await;
    let (x, y) = studio.middle("document.querySelector('#frame')").await;
    studio.click_at((x - 100.0, y - 8.0)).await;
    until_steps(studio, 6).await;
    studio.click("#pop").await;
    studio.steps(8).await;
    studio.run("Page.bringToFront", json!({})).await;
    studio.click("#next").await;
    studio.until("location.pathname == '/second' && document.readyState == 'complete'").await;
    studio.click("button").await;
    until_steps(studio, 10).await;
    studio.steps(10).await;
}

async fn until_steps(studio: &Studio, count: usize) {
    studio
        .steps_until(|steps| {
            let is_settled = |step: &Step| step.before.is_none() || step.after.is_some();
            steps.len() >= count && steps.iter().all(is_settled)
        })
        .await;
}

/// A step without what differs from one recording to the next.
fn timeless(step: &Step) -> Value {
    let mut value = serde_json::to_value(step).expect("JSON");
    let fields = value.as_object_mut().expect("an object");
    fields.remove("at_ms");
    fields.remove("screenshot");
    value
}

#[tokio::test(flavor = "multi_thread")]
async fn the_extension_records_what_the_protocol_records() {
    let mut sessions = Vec::new();
    for extension in [false, true] {
        let studio = Studio::open_with(&PAGES, extension).await;
        tour(&studio).await;
        let (recorded, out) = studio.finish().await;
        let written = std::fs::read_to_string(out.path().join("test.session.json")).expect("a file");
        assert!(!written.contains("canary") && !written.contains("eyJ"), "a secret was written");
        sessions.push(recorded.session);
    }
    let [over_protocol, by_extension] = sessions.as_slice() else { panic!("two sessions") };
    assert_eq!(
        briefs(&by_extension.steps),
        [
            "click [checkbox Personal ads]",
            r#"type {"text":"Annabel"} [textbox Display name]"#,
            r#"type {"secret":"accounts/a/password"} [textbox Password]"#,
            r#"select ["German"] [combobox Language]"#,
            "click [button Deep down]",
            "click [button In the frame]",
            "click [button Pop]",
            "tab-opened http://a.localhost/popup 1",
            "click [link Next]",
            "click [button Do]",
        ]
    );
    let timeless = |steps: &[Step]| steps.iter().map(timeless).collect::<Vec<_>>();
    assert_eq!(timeless(&by_extension.steps), timeless(&over_protocol.steps));
    assert_eq!(by_extension.viewport, over_protocol.viewport);
    assert_eq!(by_extension.start_url, over_protocol.start_url);
    assert!(by_extension.recorder.starts_with("umpire-extension "));
    assert!(over_protocol.recorder.starts_with("umpire-cdp "));
    for step in over_protocol.steps.iter().chain(&by_extension.steps) {
        assert!(step.screenshot.is_some(), "no picture of {step:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_worker_loses_nothing_and_the_popup_is_obeyed() {
    let studio = Studio::open_with(&PAGES, true).await;
    studio.click("#ads").await;
    until_steps(&studio, 1).await;
    stop_worker(&studio.visit).await;
    studio.click_element("window.root.querySelector('button')").await;
    until_steps(&studio, 2).await;
    stop_worker(&studio.visit).await;
    studio.click("#pw").await;
    studio.write("canary-1").await;
    studio.click("#who").await;
    studio.press("End", 35, 0).await;
    studio.write(" canary-1").await;
    studio.click("#ads").await;
    until_steps(&studio, 5).await;
    studio.command("pause", json!(true)).await;
    studio.click("#ads").await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    studio.command("pause", json!(false)).await;
    studio.click_element("window.root.querySelector('button')").await;
    let steps = studio.steps_until(|steps| steps.len() == 6).await;
    assert_eq!(
        briefs(&steps),
        [
            "click [checkbox Personal ads]",
            "click [button Deep down]",
            r#"type {"secret":"accounts/a/password"} [textbox Password]"#,
            r#"type {"text":"Ann «redacted»"} [textbox Display name]"#,
            "click [checkbox Personal ads]",
            "click [button Deep down]",
        ]
    );
    let export = studio.command("export", Value::Null).await;
    let told = export.as_str().expect("a text");
    let around = told
        .find("canary")
        .map(|at| &told[told.floor_char_boundary(at.saturating_sub(300))..told.ceil_char_boundary(at + 100)]);
    assert_eq!(around, None, "a secret was stored");
    let folder = tempfile::tempdir().expect("a folder");
    let exported =
        from_export(export.as_str().expect("a text"), Some("exported"), folder.path()).expect("a session");
    let timeless = |steps: &[Step]| steps.iter().map(timeless).collect::<Vec<_>>();
    assert_eq!(timeless(&exported.session.steps), timeless(&studio.on_disk().steps));
    assert_eq!(exported.session.start_url, "http://a.localhost/");
    let pictures = exported.session.steps.iter().filter(|step| step.screenshot.is_some()).count();
    assert!(pictures >= 1, "the extension takes pictures by itself, two a second at most");
    studio.command("stop", Value::Null).await;
    let recorded = studio.ended().await;
    assert_eq!(recorded.session.steps.len(), 6, "the popup's stop ended the recording");
}
