//! Plots as a browser lays them out: no label leaves its plot, and none covers another.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use umpire_report::plots::{Estimate, ForestPlot, forest};

use crate::drawings;

/// Finds labels that stick out of their drawing or lie on another, and writes them into the page.
const LOOK: &str = "
const found = [];
for (const svg of document.querySelectorAll('svg')) {
  const frame = svg.getBoundingClientRect();
  const labels = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
  for (const [text, box] of labels) {
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
      found.push(svg.dataset.name + ': ' + text + ' sticks out');
    }
  }
  for (let a = 0; a < labels.length; a += 1) {
    for (let b = a + 1; b < labels.length; b += 1) {
      const [[one, p], [other, q]] = [labels[a], labels[b]];
      const across = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const down = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      // Boxes include the room above and below the letters.
      if (across > 1 && down > 4) found.push(svg.dataset.name + ': ' + one + ' on ' + other);
    }
  }
}
const out = document.createElement('pre');
out.id = 'found';
out.textContent = JSON.stringify({ plots: document.querySelectorAll('svg').length, found });
document.body.append(out);
";

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("UMPIRE_CHROMIUM").map(PathBuf::from);
    let usual = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"];
    named.into_iter().chain(usual.map(PathBuf::from)).find(|path| path.exists())
}

#[test]
fn labels_stay_inside_and_apart() {
    let Some(browser) = chromium() else {
        eprintln!("skipped: there is no Chromium");
        return;
    };
    let mut page = String::from("<!doctype html><meta charset=utf-8><body style='width:1240px'>");
    let mut plots = 0;
    for count in [1, 5, 20] {
        for (name, plot) in drawings::all(count) {
            page.push_str(&plot.replacen("<svg", &format!("<svg data-name=\"{name} of {count}\""), 1));
            page.push_str("<br>");
            plots += 1;
        }
    }
    // Where one short name decides how much room all have.
    for name in ["category 12", "checkout", "WWW MMMM", "account & profile", "söndag – über", "<b>=+=</b>"]
    {
        let row =
            Estimate { label: name.to_owned(), value: Some(0.5), low: 0.4, high: 0.6, ..Estimate::default() };
        let plot = forest(&ForestPlot { rows: vec![row], ..ForestPlot::default() });
        page.push_str(&plot.replacen("<svg", "<svg data-name=\"short\"", 1));
        plots += 1;
    }
    let _ = write!(page, "<script>{LOOK}</script>");
    let dir = tempfile::tempdir().expect("temp");
    let file = dir.path().join("plots.html");
    std::fs::write(&file, page).expect("written");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        .args(["--window-size=1280,1024", "--dump-dom"])
        .arg(format!("--user-data-dir={}", dir.path().join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .stderr(Stdio::null())
        .output()
        .expect("Chromium starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let found = text.split("<pre id=\"found\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let found: serde_json::Value = serde_json::from_str(
        &found.expect("the script ran").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"),
    )
    .expect("JSON");
    assert_eq!(found["plots"], plots);
    assert_eq!(found["found"], serde_json::json!([]), "{:#}", found["found"]);
}
