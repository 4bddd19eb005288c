//! Deeds other than clicks, replayed in a real browser: the page tells what it saw, as trusted events.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use umpire_browser::Handler;
use umpire_stage::replay::{ReplayError, ReplayOptions, Replayed, Replayer, Wanted};

use crate::support::by_hand::{by_hand, element, html, step};
use crate::support::{pool, seat, soon};

/// Tells the server what happened, and whether a person could have done it.
const TOLD: &str = "<script>
    const tell = (event, what) => fetch('/told', { method: 'POST', body: `${what}${event.isTrusted ? '' : ' by script'}` });
    const $ = (id) => document.getElementById(id);
</script>";

fn site(body: &str) -> (Handler, Arc<Mutex<Vec<String>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let page = format!("{TOLD}{body}");
    let handler: Handler = {
        let told = Arc::clone(&told);
        Arc::new(move |request| {
            if request.uri().path() == "/told" {
                told.lock().expect("not poisoned").push(String::from_utf8_lossy(request.body()).into_owned());
            }
            html(&page)
        })
    };
    (handler, told)
}

/// What the page told after these steps.
async fn replayed(
    body: &str,
    steps: &[Value],
    uploads: &Path,
) -> (Result<Replayed, ReplayError>, Vec<String>) {
    let pool = pool(1).await;
    let (handler, told) = site(body);
    let seat = seat(&pool, &["site.localhost"], handler).await;
    let options =
        ReplayOptions { patience: Duration::from_secs(5), uploads, ..ReplayOptions::new(Wanted::On) };
    let result = Replayer::new(&seat, options).replay(&by_hand(steps), soon()).await;
    // A page tells what was done to it in its own time.
    let give_up = soon();
    while result.is_ok() && told.lock().expect("not poisoned").is_empty() {
        assert!(!give_up.passed(), "the page told nothing");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    seat.close(soon()).await;
    let told = told.lock().expect("not poisoned").clone();
    (result, told)
}

#[tokio::test]
async fn hovering_opens_the_menu_that_the_next_click_needs() {
    let body = "<button id=more onmouseenter=\"$('menu').hidden = false\">More</button>
        <div id=menu hidden><button onclick=\"tell(event, 'exported')\">Export</button></div>";
    let steps = [
        step(1, &json!({ "do": "hover" }), &element("button", "button", "More"), "way"),
        step(1, &json!({ "do": "click" }), &element("button", "button", "Export"), "way"),
    ];
    let (result, told) = replayed(body, &steps, Path::new(".")).await;
    result.expect("replayed");
    assert_eq!(told, ["exported"]);
}

#[tokio::test]
async fn window_and_element_are_scrolled_to_where_they_were() {
    let body = "<div id=list role=listbox aria-label=Songs tabindex=0 style='height:100px;overflow:auto'><div style='height:2000px'>a</div></div>
        <div style='height:3000px'></div>
        <button onclick=\"tell(event, `${$('list').scrollTop} ${scrollY > 1000}`)\">Where</button>";
    let steps = [
        step(1, &json!({ "do": "scroll", "x": 0.0, "y": 640.0 }), &element("div", "listbox", "Songs"), "way"),
        step(1, &json!({ "do": "scroll", "x": 0.0, "y": 2500.0 }), &Value::Null, "way"),
        step(1, &json!({ "do": "click" }), &element("button", "button", "Where"), "way"),
    ];
    let (result, told) = replayed(body, &steps, Path::new(".")).await;
    result.expect("replayed");
    assert_eq!(told, ["640 true"]);
}

#[tokio::test]
async fn a_card_is_dragged_onto_another_list() {
    let body = "<div id=card draggable=true role=button tabindex=0 ondragstart=\"event.dataTransfer.setData('text/plain', 'card')\" style='width:200px;height:60px;background:#ccd'>Write report</div>
        <section id=done role=region aria-label=Done tabindex=0 style='margin-top:120px;width:400px;height:200px;background:#cdc' ondragover='event.preventDefault()' ondrop=\"event.preventDefault(); tell(event, 'dropped ' + event.dataTransfer.getData('text/plain'))\">Done</section>";
    let drag = json!({ "do": "drag", "to": element("section", "region", "Done") });
    let steps = [step(1, &drag, &element("div", "button", "Write report"), "way")];
    let (result, told) = replayed(body, &steps, Path::new(".")).await;
    result.expect("replayed");
    assert_eq!(told, ["dropped card"]);
}

#[tokio::test]
async fn a_file_is_uploaded_by_its_name() {
    let body = "<label>Photo <input id=photo type=file onchange=\"this.files[0].text().then(text => tell(event, `${this.files[0].name}: ${text}`))\"></label>";
    let photo = json!({ "tag": "input", "input_type": "file", "role": "button", "name": "Photo", "locators": { "id": "photo" }, "position": {} });
    let steps = [step(1, &json!({ "do": "upload", "files": ["cat.txt"] }), &photo, "way")];
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("cat.txt"), "meow").expect("written");
    let (result, told) = replayed(body, &steps, folder.path()).await;
    result.expect("replayed");
    assert_eq!(told, ["cat.txt: meow"]);

    let nowhere = tempfile::tempdir().expect("a folder");
    let (result, told) = replayed(body, &steps, nowhere.path()).await;
    let error = result.expect_err("there is no such file").to_string();
    assert!(error.starts_with("step 1, upload") && error.contains("cat.txt"), "{error}");
    assert_eq!(told, Vec::<String>::new());
}

#[tokio::test]
async fn waiting_ends_when_it_is_there_or_gone_or_the_time_is_up() {
    let body = "<p id=busy role=status aria-label=Loading>Loading</p><div id=late></div>
        <script>
            setTimeout(() => { $('late').innerHTML = `<button onclick=\"tell(event, $('busy') ? 'early' : 'late')\">Ready</button>` }, 700);
            setTimeout(() => $('busy').remove(), 1400);
        </script>";
    let wait = |gone: bool, name: &str, role: &str, tag: &str| {
        let deed = json!({ "do": "wait-for", "gone": gone, "millis": 4000 });
        step(1, &deed, &element(tag, role, name), "way")
    };
    let steps = [
        wait(false, "Ready", "button", "button"),
        wait(true, "Loading", "status", "p"),
        step(1, &json!({ "do": "click" }), &element("button", "button", "Ready"), "way"),
    ];
    let (result, told) = replayed(body, &steps, Path::new(".")).await;
    result.expect("replayed");
    assert_eq!(told, ["late"]);

    let never = [wait(false, "Ready for ever", "button", "button")];
    let (result, _) = replayed("<h1>Nothing</h1>", &never, Path::new(".")).await;
    let error = result.expect_err("it never comes").to_string();
    assert!(error.starts_with("step 1, wait-for button"), "{error}");
}
