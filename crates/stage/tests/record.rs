//! Recording over the protocol, in real Chromium, by trusted input.

use serde_json::json;
use umpire_stage::session::{ControlKind, ControlState, Deed, Entry, Frame, Purpose};

use crate::studio::{Studio, briefs, soon};

const FORM: &str = r#"<!doctype html><title>Form</title><h1>Settings</h1>
<style>label { display: block; margin: 6px }</style>
<label><input type=checkbox id=ads> Personal ads</label>
<label>Display name <input id=who name=who value=Ann></label>
<label>Language <select id=lang><option>English<option>German</select></label>
<label><input type=radio name=see id=all checked> Everybody</label>
<label><input type=radio name=see id=me> Only me</label>
<div role=switch aria-checked=false tabindex=0 id=sw onclick="setTimeout(() => this.setAttribute('aria-checked', 'true'), 50)">History</div>
<div id=follow style="cursor: pointer" class=pill onclick="this.classList.add('on')">Follow</div>
<p id=plain>Nothing here</p>
<button id=save data-testid=save-it onclick="document.title = 'Saved'">Save changes</button>"#;

fn text(text: &str) -> ControlState {
    ControlState::Text(text.to_owned())
}

fn chosen(label: &str) -> ControlState {
    ControlState::Chosen(vec![label.to_owned()])
}

#[tokio::test(flavor = "multi_thread")]
async fn controls_are_recorded_once_each_with_their_states_before_and_after() {
    let studio = Studio::open(&[("http://a.localhost/", FORM)]).await;
    studio.click("label:has(#ads)").await;
    studio.steps(1).await;
    studio.click("#who").await;
    studio.press("End", 35, 0).await;
    studio.write("abel").await;
    studio.click("#me").await;
    studio.steps(3).await;
    studio.click("#sw").await;
    studio.steps(4).await;
    studio.click("#plain").await;
    studio.js("document.querySelector('#lang').focus()").await;
    studio.write("G").await;
    studio.steps(5).await;
    studio.click("#follow").await;
    studio.steps(6).await;
    studio.click("#save").await;
    let steps = studio.steps(7).await;
    assert_eq!(
        briefs(&steps),
        [
            "click [checkbox Personal ads]",
            r#"type {"text":"Annabel"} [textbox Display name]"#,
            "click [radio Only me]",
            "click [switch History]",
            r#"select ["German"] [combobox Language]"#,
            "click [div ]",
            "click [button Save changes]",
        ]
    );
    let states: Vec<_> = steps[..5].iter().map(|step| (step.before.clone(), step.after.clone())).collect();
    let expected = [
        (ControlState::Off, ControlState::On),
        (text("Ann"), text("Annabel")),
        (chosen("Everybody"), chosen("Only me")),
        (ControlState::Off, ControlState::On),
        (chosen("English"), chosen("German")),
    ];
    assert_eq!(states, expected.map(|(before, after)| (Some(before), Some(after))));
    let purposes: Vec<Purpose> = steps.iter().map(|step| step.purpose).collect();
    let mut expected = [Purpose::State; 7];
    expected[6] = Purpose::Way;
    assert_eq!(purposes, expected);
    let follow = steps[5].element.as_ref().expect("an element");
    assert_eq!(follow.control, Some(ControlKind::Inferred));
    assert_eq!(follow.words.text.as_deref(), Some("Follow"));
    let save = steps[6].element.as_ref().expect("an element");
    assert_eq!(save.locators.test_ids, [("data-testid".to_owned(), "save-it".to_owned())]);
    assert_eq!(save.words.heading.as_deref(), Some("Settings"));
    // Two inputs, a select, two radios and a switch come before it.
    assert_eq!(save.position.index, Some(7));
    let (recorded, out) = studio.finish().await;
    assert_eq!(recorded.session.steps, steps);
    for step in &steps {
        let picture = out.path().join(step.screenshot.as_ref().expect("a picture"));
        assert!(std::fs::read(picture).expect("a file").starts_with(&[0xff, 0xd8]), "a JPEG");
    }
    let pictures = std::fs::read_dir(out.path().join("test")).expect("a folder").count();
    assert_eq!(pictures, steps.len(), "nothing else is left in the folder");
}

/// The page stops every event at once, replaces what scripts listen with, and hides its button.
const HOSTILE: &str = r#"<!doctype html><body><script>
for (const type of ["pointerdown", "mousedown", "mouseup", "pointerup", "click", "keydown", "input", "beforeinput", "focusout"])
  window.addEventListener(type, (event) => event.stopImmediatePropagation(), true);
EventTarget.prototype.addEventListener = () => {};
EventTarget.prototype.dispatchEvent = function () { window.leaked = this; return true; };
Element.prototype.getAttribute = () => "forged";
Element.prototype.querySelectorAll = () => [];
JSON.stringify = () => '{"kind":"forged"}';
String.prototype.slice = () => "forged";
</script>
<x-open></x-open><x-closed></x-closed><label>Words <input id=words></label>
<script>
const root = document.querySelector("x-closed").attachShadow({ mode: "closed" });
root.innerHTML = "<p><button class=deep>Deep down</button></p>";
window.root = root;
document.querySelector("x-open").attachShadow({ mode: "open" }).innerHTML = "<label><input type=checkbox>Open box</label>";
</script>"#;

#[tokio::test(flavor = "multi_thread")]
async fn pages_cannot_hide_what_is_done_to_them() {
    let studio = Studio::open(&[("http://a.localhost/", HOSTILE)]).await;
    studio.click_element("window.root.querySelector('button')").await;
    studio.steps(1).await;
    studio.click_element("document.querySelector('x-open').shadowRoot.querySelector('input')").await;
    studio.steps(2).await;
    studio.click("#words").await;
    studio.write("abc").await;
    let steps = studio.steps_until(|steps| briefs(steps).iter().any(|step| step.contains("abc"))).await;
    assert_eq!(
        briefs(&steps),
        ["click [button Deep down]", "click [checkbox Open box]", r#"type {"text":"abc"} [textbox Words]"#]
    );
    let deep = steps[0].element.as_ref().expect("an element");
    assert_eq!(deep.position.shadow_hosts, ["x-closed"]);
    assert_eq!(
        deep.locators.css.as_deref(),
        Some("html > body > x-closed:nth-of-type(1) > ::shadow > p:nth-of-type(1) > button:nth-of-type(1)")
    );
    assert_eq!(
        studio.js("typeof window.leaked").await,
        "undefined",
        "the page got hold of the recorder's channel"
    );
    assert_eq!(studio.js("typeof window.umpireReport").await, "undefined");
    assert_eq!(studio.js("Element.prototype.attachShadow.toString().includes('[native code]')").await, true);
}

const FORGING: &str = r#"<!doctype html><button id=b onclick="window.clicked = (window.clicked || 0) + 1">Press</button>
<label id=l><input type=checkbox id=c>Box</label><input id=t>
<script>
window.flood = () => {
  for (let i = 0; i < 2000; i += 1) {
    b.click(); l.click(); c.click();
    b.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, isPrimary: true }));
    b.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
    window.dispatchEvent(new MouseEvent("umpire-recorder-meets", { relatedTarget: b }));
    window.dispatchEvent(new MouseEvent("umpire-onlooker", { relatedTarget: b }));
    t.value = "forged " + i; t.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    t.focus(); document.execCommand("insertText", false, "x"); t.blur();
    scrollBy(0, 10);
  }
  return window.clicked;
};
</script><div style="height: 5000px">"#;

#[tokio::test(flavor = "multi_thread")]
async fn scripts_cannot_forge_or_flood() {
    let studio = Studio::open(&[("http://a.localhost/", FORGING)]).await;
    assert_eq!(studio.js("flood()").await, 4000, "the page's own clicks came through");
    studio.js("scrollTo(0, 0)").await;
    studio.click("#b").await;
    let steps = studio.steps(1).await;
    assert_eq!(briefs(&steps), ["click [button Press]"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_are_named_from_the_page_down() {
    let inner = "<button>In the frame</button>";
    let middle = r#"<p>Middle</p><iframe name=inmost src="http://c.localhost/inner?x=1" width=300 height=100></iframe>"#;
    let page = r#"<h1>Frames</h1><iframe id=same title="Same site" src="/same" width=300 height=100></iframe>
        <iframe id=other src="http://b.localhost/middle" width=400 height=200></iframe>
        <iframe id=blank width=200 height=80></iframe>
        <script>const d = document.querySelector("iframe:not([src])").contentDocument; d.body.innerHTML = "<button>In the blank</button>"</script>"#;
    let studio = Studio::open(&[
        ("http://a.localhost/", page),
        ("http://a.localhost/same", inner),
        ("http://b.localhost/middle", middle),
        ("http://c.localhost/inner", inner),
    ])
    .await;
    studio.click_element("document.querySelector('#same').contentDocument.querySelector('button')").await;
    studio.steps(1).await;
    // Another origin's button cannot be asked where it is: the frame's corner, its paragraph, its margin.
    let (x, y) = studio.middle("document.querySelector('#other')").await;
    studio.click_at((x - 130.0, y - 30.0)).await;
    studio.steps(2).await;
    studio.click_element("document.querySelector('#blank').contentDocument.querySelector('button')").await;
    let steps = studio.steps(3).await;
    let frame = |url: &str, id: &str, index| Frame {
        url: url.to_owned(),
        id: Some(id.to_owned()),
        index: Some(index),
        ..Frame::default()
    };
    let same = Frame { title: Some("Same site".to_owned()), ..frame("http://a.localhost/same", "same", 1) };
    assert_eq!(steps[0].frames, [same]);
    let inmost = Frame {
        url: "http://c.localhost/inner".to_owned(),
        name: Some("inmost".to_owned()),
        index: Some(1),
        ..Frame::default()
    };
    assert_eq!(steps[1].frames, [frame("http://b.localhost/middle", "other", 2), inmost]);
    assert_eq!(steps[2].frames, [frame("about:blank", "blank", 3)]);
    for step in &steps {
        assert_eq!(step.url, "http://a.localhost/");
    }
    assert_eq!(
        briefs(&steps),
        ["click [button In the frame]", "click [button In the frame]", "click [button In the blank]"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_page_brings_about_is_no_step_of_its_own() {
    let first = r##"<a id=next href="/second">Next</a> <a id=app href="#" onclick="history.pushState(1, '', '/app'); return false">App</a>
        <form action="/second"><label>Query <input id=q name=q></label><button>Go</button></form>"##;
    let second = r#"<h1>Second</h1><button id=pop onclick="window.open('/third')">Pop</button>
        <button id=ask onclick="this.textContent = confirm('Sure?') ? 'yes' : 'no'">Ask</button>"#;
    let third = "<h1>Third</h1><button id=shut onclick='window.close()'>Shut</button>";
    let mut studio = Studio::open(&[
        ("http://a.localhost/", first),
        ("http://a.localhost/second", second),
        ("http://a.localhost/third", third),
    ])
    .await;
    studio.click("#next").await;
    studio.until("location.pathname == '/second' && document.readyState == 'complete'").await;
    studio.steps(1).await;
    studio.run("Page.reload", json!({})).await;
    studio.steps(2).await;
    back(&studio, -1).await;
    studio.until("location.pathname == '/' && document.readyState == 'complete'").await;
    studio.steps(3).await;
    studio.click("#app").await;
    studio.until("location.pathname == '/app'").await;
    studio.steps(4).await;
    back(&studio, -1).await;
    studio.until("location.pathname == '/'").await;
    studio.steps(5).await;
    studio.click("#q").await;
    studio.write("cats").await;
    studio.press("Enter", 13, 0).await;
    studio.until("location.search == '?q=cats' && document.readyState == 'complete'").await;
    studio.steps(7).await;
    studio.run("Page.navigate", json!({ "url": "http://a.localhost/second" })).await;
    studio.until("location.search == '' && document.readyState == 'complete'").await;
    studio.steps(8).await;
    studio.click_away("#ask").await;
    for _ in 0..200 {
        let session = studio.visit.session(&studio.tab).expect("open");
        let answer = json!({ "accept": false });
        if session.run("Page.handleJavaScriptDialog", answer, soon()).await.is_ok() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    studio.steps(10).await;
    let old = studio.tab.clone();
    studio.click("#pop").await;
    studio.steps(12).await;
    studio.tab = studio.visit.tabs().into_iter().find(|tab| *tab != old).expect("a new tab");
    studio.until("document.readyState == 'complete'").await;
    studio.click_away("#shut").await;
    studio.tab = old;
    let steps = studio.steps_until(|steps| steps.len() == 13).await;
    assert_eq!(
        briefs(&steps),
        [
            "click [link Next]",
            "reload",
            "back",
            "click [link App]",
            "back",
            r#"type {"text":"cats"} [textbox Query]"#,
            "press Enter [textbox Query]",
            "goto http://a.localhost/second",
            "click [button Ask]",
            "dialog Sure? false",
            "click [button Pop]",
            "tab-opened http://a.localhost/third 1",
            "click [button Shut]",
        ]
    );
    assert_eq!(steps[12].tab, 2);
    assert_eq!(steps[3].url, "http://a.localhost/");
}

async fn back(studio: &Studio, by: i64) {
    let session = studio.visit.session(&studio.tab).expect("open");
    let history: serde_json::Value =
        session.call("Page.getNavigationHistory", json!({}), soon()).await.expect("history");
    let to = history["currentIndex"].as_i64().expect("an index") + by;
    let entry = history["entries"][usize::try_from(to).expect("an entry")]["id"].clone();
    studio.run("Page.navigateToHistoryEntry", json!({ "entryId": entry })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_uploads_drags_and_double_clicks() {
    let page = r#"<h1>Things</h1><button id=twice ondblclick="this.textContent = 'opened'">Folder</button>
        <input type=file id=file aria-label=Picture>
        <div id=from draggable=true style="width: 80px; height: 30px; background: gold">Card</div>
        <div id=to style="width: 200px; height: 60px; background: silver" ondragover="event.preventDefault()" ondrop="this.append(document.querySelector('#from'))">Bin</div>
        <label>Note <textarea id=note onkeydown="if (event.key == 'Enter') { event.preventDefault(); this.value = ''; }"></textarea></label>
        <dialog id=d>Hello</dialog><script>d.showModal()</script>"#;
    let studio = Studio::open(&[("http://a.localhost/", page)]).await;
    studio.press("Escape", 27, 0).await;
    studio.steps(1).await;
    studio.double_click("#twice").await;
    studio.steps(2).await;
    studio.drag("#from", "#to").await;
    studio.until("document.querySelector('#to').contains(document.querySelector('#from'))").await;
    studio.steps(3).await;
    let picture = studio.out.path().join("cat.png");
    std::fs::write(&picture, "png").expect("written");
    let node: serde_json::Value = studio
        .visit
        .session(&studio.tab)
        .expect("open")
        .call("Runtime.evaluate", json!({ "expression": "document.querySelector('#file')" }), soon())
        .await
        .expect("found");
    let object = node["result"]["objectId"].clone();
    studio.run("DOM.setFileInputFiles", json!({ "files": [picture], "objectId": object })).await;
    studio.steps(4).await;
    studio.click("#note").await;
    studio.write("hi").await;
    studio.press("Enter", 13, 0).await;
    let steps = studio.steps(6).await;
    assert_eq!(
        briefs(&steps),
        [
            "press Escape [dialog ]",
            "click true [button Folder]",
            "drag [div ]",
            r#"upload ["cat.png"] [button Picture]"#,
            r#"type {"text":"hi"} [textbox Note]"#,
            "press Enter [textbox Note]",
        ]
    );
    let Deed::Drag { to } = &steps[2].deed else { panic!("a drag") };
    assert_eq!(to.locators.id.as_deref(), Some("to"));
    assert_eq!(steps[4].deed, Deed::Type { text: Entry::Text("hi".to_owned()) });
}
