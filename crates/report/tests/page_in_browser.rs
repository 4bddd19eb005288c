//! The one-file page in a real browser: its script runs under its own policy, and what is hostile stays text.

mod synthetic;

use std::path::PathBuf;
use std::process::{Command, Stdio};

use umpire_report::{page, rows, summary};

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
