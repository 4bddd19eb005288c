//! The one-file page in a real browser: its script runs under its own policy, and what is hostile stays text.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use umpire_report::{page, rows, summary};

use crate::synthetic;

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("UMPIRE_CHROMIUM").map(PathBuf::from);
    let usual = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"];
    named.into_iter().chain(usual.map(PathBuf::from)).find(|path| path.exists())
}

/// The page as it is once its script has run.
fn opened(text: &str) -> Option<String> {
    let Some(browser) = chromium() else {
        eprintln!("skipped: there is no Chromium");
        return None;
    };
    let dir = tempfile::tempdir().expect("temp");
    let file = dir.path().join("report.html");
    std::fs::write(&file, text).expect("written");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            // Time that scripts wait for passes at once.
            "--virtual-time-budget=5000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", dir.path().join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .stderr(Stdio::null())
        .output()
        .expect("Chromium starts");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_list_shows_rows_and_hostile_text_as_text() {
    let root = tempfile::tempdir().expect("temp");
    let run = synthetic::write(root.path());
    let mut summary = summary(&run).expect("readable");
    let rows = rows(&run, &summary).expect("readable");
    summary.attempts[1].reason = format!("{}</script><h1>owned</h1>", synthetic::HOSTILE);
    let Some(shown) = opened(&page(&summary, &rows).expect("rendered")) else { return };
    assert!(shown.contains("data-ready=\""), "the script did not come to its end");
    let lines = shown.matches("aria-rowindex=").count();
    assert!((20..48).contains(&lines), "{lines} of 48 attempts are in the page: a window, not all");
    assert!(shown.contains("48 of 48"));
    let list =
        shown.split("id=\"window\"").nth(1).expect("a list").split("id=\"detail\"").next().expect("its end");
    assert!(list.contains("&lt;script&gt;alert('x')&lt;/script&gt;"), "the reason is shown");
    for element in ["<script", "<img", "<h1"] {
        assert!(!list.contains(element), "{element} came out of a text");
    }
    assert!(!shown.contains("<h1>owned"));
}

/// Were the policy's hash wrong, or the policy missing, one of these would tell.
#[test]
fn no_other_script_would_run() {
    let root = tempfile::tempdir().expect("temp");
    let run = synthetic::write(root.path());
    let summary = summary(&run).expect("readable");
    let rows = rows(&run, &summary).expect("readable");
    let text = page(&summary, &rows).expect("rendered");
    let smuggled =
        text.replace("</body>", "<script>document.documentElement.dataset.owned = '1'</script></body>");
    assert_ne!(smuggled, text);
    let Some(shown) = opened(&smuggled) else { return };
    assert!(shown.contains("data-ready=\"") && !shown.contains("data-owned"), "a foreign script ran");
}

/// What [`page_driver.js`](page_driver.js) saw of the list, beside what the summary says.
#[test]
fn the_list_filters_sorts_and_follows_the_keys() {
    let root = tempfile::tempdir().expect("temp");
    let run = synthetic::write(root.path());
    let summary = summary(&run).expect("readable");
    let rows = rows(&run, &summary).expect("readable");
    let text = page(&summary, &rows).expect("rendered");
    let policy = text.find("<meta http-equiv=\"Content-Security-Policy\"").expect("a policy");
    let end = policy + text[policy..].find('>').expect("its end") + 1;
    let driver = format!("<script>{}</script></body>", include_str!("page_driver.js"));
    let worked = format!("{}{}", &text[..policy], text[end..].replace("</body>", &driver));
    let Some(shown) = opened(&worked) else { return };
    let found = shown.split("data-json=\"").nth(1).and_then(|rest| rest.split('"').next());
    let found = percent_decoded(found.expect("the driver came to its end"));
    let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");

    let counted = |holds: &dyn Fn(usize) -> bool| (0..rows.len()).filter(|&at| holds(at)).count();
    let passed = counted(&|at| rows[at].passed());
    let lamps = counted(&|at| {
        let (id, reason) = (&rows[at].instance, &summary.attempts[at].reason);
        id.to_lowercase().contains("lamp") || reason.to_lowercase().contains("lamp")
    });
    let agent = found["agentName"].as_str().expect("a name");
    let by_agent = counted(&|at| rows[at].agent == agent);
    assert!(passed > 0 && lamps > 0 && by_agent > 0 && by_agent < rows.len(), "the run is told apart");
    for (what, wanted) in [
        ("passed", passed),
        ("notPassed", rows.len() - passed),
        ("text", lamps),
        ("agent", by_agent),
        ("nothing", 0),
    ] {
        assert_eq!(found[what]["shown"], format!("{wanted} of {}", rows.len()), "{what}");
    }
    assert!(found["agent"]["rows"].as_array().expect("rows").iter().all(|cells| cells[1] == agent));

    let steps = |what: &str| -> Vec<i64> {
        let rows = found[what]["rows"].as_array().expect("rows").iter();
        rows.map(|cells| cells[4].as_str().and_then(|cell| cell.parse().ok()).unwrap_or(-1)).collect()
    };
    let (up, down) = (steps("ascending"), steps("descending"));
    assert_eq!(
        (&found["ascending"]["sort"], &found["descending"]["sort"]),
        (&"ascending".into(), &"descending".into())
    );
    assert!(up.is_sorted() && down.iter().rev().is_sorted() && up.first() < down.first(), "{up:?} {down:?}");

    let keys: Vec<(&str, i64, bool)> = found["keys"]
        .as_array()
        .expect("keys")
        .iter()
        .map(|key| {
            let (name, taken) = (key["key"].as_str().expect("a key"), key["taken"] == true);
            (name, key["place"].as_i64().unwrap_or(-1), taken)
        })
        .collect();
    let last = i64::try_from(rows.len()).expect("few") - 1;
    let moves =
        [("ArrowDown", 0, true), ("j", 1, true), ("k", 0, true), ("End", last, true), ("Home", 0, true)];
    assert_eq!(keys[..5], moves);
    assert_eq!(keys[5], ("x", 0, false), "other keys are the browser's");
    assert_eq!(found["detail"]["hidden"], false);
    assert!(found["detail"]["text"].as_str().is_some_and(|text| text.contains("umpire show ")));
}

fn percent_decoded(text: &str) -> String {
    url::form_urlencoded::parse(format!("x={text}").as_bytes()).map(|(_, value)| value.into_owned()).collect()
}
