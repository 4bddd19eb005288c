//! Unmodified Playwright clients, Node and Python, against the gate.
//!
//! Their packages are installed once into the target directory. Where npm or pip is missing, the test says so and
//! passes: those are not needed to build or use Umpire.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use umpire_browser::{Seat, SeatOptions};
use umpire_model::EventBody;

use crate::seats::{Memory, html, network, reply, site, small_pool, soon};

const PLAYWRIGHT: &str = "1.65.0";

fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// A folder with a package in it, installed by the first test run that needs it.
fn installed(name: &str, marker: &str, mut install: Command) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{PLAYWRIGHT}"));
    if !folder.join(marker).exists() {
        std::fs::create_dir_all(&folder).expect("created");
        let output = install.current_dir(&folder).output().expect("started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    folder
}

async fn shop_seat() -> (umpire_browser::Pool, Seat, Arc<Memory>) {
    let shop = site(|request| {
        match request.uri().path() {
        "/" => reply(
            200,
            &[("content-type", "text/html; charset=utf-8"), ("set-cookie", "visited=1")],
            "<h1>Lamps</h1><label>Name <input id=name></label>
             <button onclick=\"greeting.textContent = 'Hello ' + document.getElementById('name').value\">Greet</button>
             <p id=greeting></p><a href=/more target=_blank>More</a>
             <iframe src='http://consent.localhost/'></iframe>",
        ),
        path => html(&format!("<title>Page {path}</title>")),
    }
    });
    let consent = site(|request| match request.uri().path() {
        "/" => html(
            "<button onclick=\"fetch('/agree', {method: 'POST'}).then(() => this.outerHTML = 'agreed')\">Agree</button>",
        ),
        _ => reply(200, &[("content-type", "text/plain")], "ok"),
    });
    let pool = small_pool().await;
    let memory = Arc::new(Memory::default());
    let evidence: Arc<dyn umpire_model::Evidence> = Arc::<Memory>::clone(&memory);
    let network = network(&[("shop.localhost", shop), ("consent.localhost", consent)]);
    let seat = pool.seat_for_client(SeatOptions::new(evidence, network), soon()).await.expect("a seat");
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    (pool, seat, memory)
}

/// Runs the client against a seat and checks what it saw, and what was seen of it.
async fn drive(mut client: Command) {
    let (_pool, seat, memory) = shop_seat().await;
    client.env("UMPIRE_CDP_URL", &seat.endpoint().expect("has one").http);
    let client = tokio::process::Command::from(client).kill_on_drop(true).output();
    let output = tokio::time::timeout(Duration::from_mins(1), client).await;
    let output =
        output.unwrap_or_else(|_| panic!("the client hangs; {:#?}", memory.gates())).expect("started");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}\n{:#?}", memory.gates());
    let seen: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let expected = json!({
        "heading": "Lamps", "greeting": "Hello Zoë", "more": "Page /more", "second": "Page /second",
        "cookies": 0, "shot": true, "pages": 1,
    });
    assert_eq!(seen, expected);
    let activity = seat.client_activity().borrow().clone();
    assert!(activity.counted >= 4, "{activity:?}");
    let summary = seat.close(soon()).await;
    assert_eq!(summary.requests_seen, summary.requests_written);
    for tail in ["/agree", "/more", "/second", "/fresh"] {
        assert!(
            memory.exchanges().iter().any(|exchange| exchange.request.url.ends_with(tail)),
            "{tail} is missing"
        );
    }
    let gates: Vec<_> =
        memory.all().into_iter().filter(|event| matches!(event, EventBody::Gate { .. })).collect();
    let is_honest = |event: &EventBody| !matches!(event, EventBody::Gate { suspicious: true, .. });
    assert!(gates.iter().all(is_honest), "{gates:#?}");
}

#[tokio::test]
async fn node_playwright_works_unchanged() {
    if !has("npm") || !has("node") {
        println!("skipped: npm is not installed");
        return;
    }
    let mut install = Command::new("npm");
    install.args([
        "install",
        "--prefix",
        ".",
        "--no-audit",
        "--no-fund",
        &format!("playwright-core@{PLAYWRIGHT}"),
    ]);
    let home = installed("playwright-node", "node_modules/playwright-core/package.json", install);
    let mut client = Command::new("node");
    client.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/drive.mjs")).env("PLAYWRIGHT_HOME", home);
    drive(client).await;
}

#[tokio::test]
async fn python_playwright_works_unchanged() {
    if !has("pip") || !has("python3") {
        println!("skipped: pip is not installed");
        return;
    }
    let mut install = Command::new("pip");
    install.args(["install", "--quiet", "--target", ".", &format!("playwright=={PLAYWRIGHT}")]);
    let home = installed("playwright-python", "playwright/__init__.py", install);
    let mut client = Command::new("python3");
    client.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/drive.py")).env("PYTHONPATH", home);
    drive(client).await;
}
