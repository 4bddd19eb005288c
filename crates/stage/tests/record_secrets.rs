//! Secrets that are typed while recording are in no file, in no spelling.

use std::path::Path;

use serde_json::json;
use umpire_model::{REDACTED, Redactor};

use crate::studio::{Studio, briefs, soon};

const PASSWORD: &str = "c4nary \"p&ss";
const SHOWN_PASSWORD: &str = "canary-shown-9931";
const CODE: &str = "canary-code-7712";
const CARD: &str = "4000-canary-1234";
const ASKED: &str = "canary-asked-5518";
const MASKED: &str = "canary-masked-2207";
const TOKEN: &str = "eyJhbGciOiJIUzI1NiJ9.canarytoken";

/// Shows passwords, repeats them everywhere, and sends them on in an address.
const LOGIN: &str = r#"<!doctype html><title>Login</title>
<form action="/echo" method=get>
<input type=hidden name=csrf value="canary-hidden-csrf">
<label>Name <input name=user id=user></label>
<label>Password <input type=password name=pw id=pw></label>
<label>Again <input type=password name=shown id=shown></label> <button type=button id=show onclick="document.querySelector('[name=shown]').type = 'text'">Show</button>
<label>Code <input name=c id=code autocomplete="one-time-code"></label>
<label>Card <input name=n id=card autocomplete="section-x cc-number"></label>
<label>Masked <input name=m id=masked style="-webkit-text-security: disc"></label>
<button id=go>Sign in</button></form>
<button id=ask onclick="prompt('Your password, please')">Ask</button>
<button id=echo onclick="echo()">Repeat</button>
<script>
function echo() {
  const value = (id) => document.getElementById(id).value;
  const all = ["pw", "shown", "code", "card", "masked"].map(value).join(" ");
  const button = document.createElement("button");
  button.id = value("shown");
  button.title = all;
  button.textContent = "Use " + all;
  button.dataset.testid = value("code");
  button.setAttribute("aria-label", btoa(value("pw")) + " " + encodeURIComponent(value("pw")));
  document.body.append(button);
  history.replaceState(0, "", "/login?q=" + encodeURIComponent(value("shown")) + "&id_token=TOKEN#access_token=TOKEN");
}
</script>"#;

/// Shows what came in its address.
const ECHO: &str = r#"<!doctype html><p id=said></p><button>Go on</button><script>
document.querySelector("button").textContent = "Go on as " + new URLSearchParams(location.search).get("shown");
</script>"#;

#[tokio::test(flavor = "multi_thread")]
async fn secrets_become_references_and_are_nowhere_else() {
    let login = LOGIN.replace("TOKEN", TOKEN);
    let studio =
        Studio::open(&[("http://bank.localhost/login", &login), ("http://bank.localhost/echo", ECHO)]).await;
    studio.click("#user").await;
    studio.write("ann").await;
    for (field, secret) in [("#pw", PASSWORD), ("#shown", SHOWN_PASSWORD)] {
        studio.click(field).await;
        studio.write(secret).await;
    }
    studio.click("#show").await;
    studio.click("#shown").await;
    studio.write("x").await;
    for (field, secret) in [("#code", CODE), ("#card", CARD), ("#masked", MASKED)] {
        studio.click(field).await;
        studio.write(secret).await;
    }
    studio.click("#echo").await;
    studio.until("document.querySelector('button[title]') != null").await;
    studio.click("button[title]").await;
    studio.click_away("#ask").await;
    let session = studio.visit.session(&studio.tab).expect("open");
    let answer = json!({ "accept": true, "promptText": ASKED });
    while session.run("Page.handleJavaScriptDialog", answer.clone(), soon()).await.is_err() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    studio.steps_until(|steps| briefs(steps).iter().any(|step| step.starts_with("dialog"))).await;
    studio.click("#go").await;
    studio.until("location.pathname == '/echo' && document.readyState == 'complete'").await;
    studio.click("button").await;
    studio.steps_until(|steps| briefs(steps).last().is_some_and(|step| step.contains("Go on as"))).await;
    let (recorded, out) = studio.finish().await;

    let briefs = briefs(&recorded.session.steps);
    let secrets = briefs.iter().filter(|step| step.contains(r#"{"secret":"accounts/bank/"#)).count();
    assert_eq!(secrets, 7, "five fields, one of them twice, and a prompt: {briefs:#?}");
    assert!(briefs.iter().any(|step| step.contains("accounts/bank/one-time-code")));
    assert!(briefs.iter().any(|step| step.contains("accounts/bank/cc-number")));
    assert!(briefs.last().is_some_and(|step| step.contains(REDACTED)), "the page said it aloud: {briefs:#?}");
    assert_eq!(briefs[0], r#"type {"text":"ann"} [textbox Name]"#);

    let secrets = [PASSWORD, SHOWN_PASSWORD, CODE, CARD, ASKED, MASKED, TOKEN, "canary-hidden-csrf"];
    let redactor = Redactor::new(secrets);
    let mut files = 0;
    for (path, content) in text_files(out.path()) {
        files += 1;
        let found = redactor.text(&content);
        assert_eq!(found, content, "{path} holds a secret");
        assert!(!content.contains("anary"), "{path} holds a part of a secret");
    }
    assert_eq!(files, 1, "the session is the only file with text");
}

fn text_files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(text_files(&path));
        } else if path.extension().is_none_or(|ending| ending != "jpg") {
            let content = String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned();
            found.push((path.display().to_string(), content));
        }
    }
    found
}
