//! Battles from the visitor's words to the names, with real agents in real browsers, watched in another.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::chromium::Page;
use super::failures::succeeds;
use crate::support::serving::{OPERATORS_PASSWORD, serve};
use crate::support::{folder, site};

/// Names that nobody would write by chance, for agents that need no model.
const AGENTS: [&str; 2] = ["quillfish", "bramblecat"];
const CONFIG: &str = "[agents.quillfish]\nkind = \"heuristic\"\n[agents.bramblecat]\nkind = \"link-follower\"\n\
                      [arena]\nagents = [\"quillfish\", \"bramblecat\"]\nactions = 6\nseconds = 60\n";
/// So long that nobody has to hurry who wants to see them at work.
const LONG_CONFIG: &str = "[agents.quillfish]\nkind = \"heuristic\"\n[agents.bramblecat]\nkind = \"link-follower\"\n\
                           [arena]\nagents = [\"quillfish\", \"bramblecat\"]\nactions = 30\nseconds = 200\n";

/// Asks for a battle by the form on the page, and stays on the battle's page.
async fn ask(page: &Page, origin: &str, fields: &[(&str, &str)]) -> String {
    page.goto(&format!("{origin}/arena")).await;
    let what = if fields.iter().any(|(name, _)| *name == "suite") { "drawn" } else { "own" };
    let form = format!("document.querySelector('input[name=what][value={what}]').form");
    for (name, value) in fields {
        let value = serde_json::to_string(value).expect("text");
        page.js(&format!("{form}.elements.{name}.value = {value}")).await;
    }
    page.js(&format!("{form}.querySelector('button').focus()")).await;
    let before = page.loads();
    page.press("Enter").await;
    page.loaded(before).await;
    page.js("location.pathname").await.as_str().expect("a path").to_owned()
}

const TOLD: &str = "/quillfish|bramblecat|arena-[0-9a-f]{8}/.test(document.documentElement.outerHTML)";
/// With its scripts, so that keys are heard.
const VOTING: &str = "document.readyState === 'complete' && document.querySelector('input[name=choice]')";

/// The battle's run, once there is one.
fn only_run(place: &Path) -> String {
    let runs = std::fs::read_dir(place.join("runs")).expect("runs").flatten();
    let mut names: Vec<String> = runs
        .filter(|entry| entry.path().join("manifest.json").exists())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.len(), 1, "{names:?}");
    names.remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_has_two_agents_at_work_watches_them_votes_and_is_told() {
    let place = folder();
    let place = place.path();
    let (_serving, origin) = serve(place, CONFIG, &[]);
    let page = Page::open().await;
    let task = "What does the <i>cheapest</i> desk lamp cost?";
    let battle = ask(&page, &origin, &[("task", task), ("work", "retrieve"), ("site", "shop")]).await;
    assert!(battle.starts_with("/arena/battles/"), "{battle}");
    // It goes on by itself: both panes fill, and the page becomes the one to vote on, which may be before one looks.
    page.until(&format!("document.querySelectorAll('.live-versus .shot img').length === 2 || ({VOTING})"))
        .await;
    assert_eq!(page.js(TOLD).await, false);
    page.keep_picture("battle-live-light").await;
    page.dark(true).await;
    page.keep_picture("battle-live-dark").await;
    page.dark(false).await;
    page.until(VOTING).await;
    assert_eq!(page.js(TOLD).await, false, "names are told after the vote");
    assert_eq!(page.js("document.querySelector('.intent').textContent").await, task);
    page.keep_picture("battle-to-vote-light").await;
    page.js("document.querySelector('[name^=step-][value=wrong]').checked = true").await;
    page.js("document.querySelector('[name^=why-]').value = 'went in circles'").await;
    page.press("2").await;
    let before = page.loads();
    page.press("s").await;
    page.loaded(before).await;
    assert_eq!(page.js(TOLD).await, true);
    page.keep_picture("battle-told-light").await;
    assert!(page.heard().complaints.is_empty(), "{:#?}", page.heard().complaints);

    // Both attempts are as every other: recorded, judged and reported.
    let run = only_run(place);
    let report = succeeds(place, &["--json", "report", &run, "--no-html"]).stdout;
    let report: Value = serde_json::from_str(report.lines().next().expect("a line")).expect("JSON");
    for agent in AGENTS {
        assert!(report.to_string().contains(agent), "{report}");
    }
    let shown =
        succeeds(place, &["show", &format!("quillfish/own-{}/1", &battle[15..]), "--run", &run]).stdout;
    assert!(shown.contains("the vote is its outcome"), "{shown}");

    // And the ballot is a line that the failure modes are found in.
    page.sign_in(&origin, "op", OPERATORS_PASSWORD).await;
    let ballots = "fetch('/leaderboard/files/ballots.jsonl').then((answer) => answer.text())";
    let ballots = page.js(ballots).await.as_str().expect("text").to_owned();
    assert!(ballots.contains("went in circles") && ballots.lines().count() == 1, "{ballots}");
    // Groups need several reasons; one vote's are told apart from none by what is asked for.
    std::fs::write(place.join("ballots.jsonl"), ballots.repeat(8)).expect("written");
    let modes = succeeds(place, &["--json", "failures", "cluster", "--ballots", "ballots.jsonl"]).stdout;
    assert!(modes.contains("circles"), "{modes}");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drawn_task_is_judged_by_its_checks_and_works_without_a_script() {
    let place = folder();
    let place = place.path();
    let more = ["--agent", "oracle", "--agent", "zero", "--suite", "demo"];
    let (_serving, origin) = serve(place, "", &more);
    let page = Page::open().await;
    page.without_script(true).await;
    page.goto(&format!("{origin}/arena")).await;
    // A form is sent by key where no script runs.
    page.js("document.querySelector('input[name=what][value=drawn]').form.querySelector('button').focus()")
        .await;
    let before = page.loads();
    page.press("Enter").await;
    page.loaded(before).await;
    // The page loads itself again until there is something to vote on.
    page.until(VOTING).await;
    page.js("document.querySelector('input[value=tie]').checked = true").await;
    page.js("document.querySelector('#vote button').focus()").await;
    let before = page.loads();
    page.press("Enter").await;
    page.loaded(before).await;
    page.until("document.body?.innerText?.includes('Your vote is in')").await;
    let run = only_run(place);
    let report = succeeds(place, &["--json", "report", &run, "--no-html"]).stdout;
    assert!(run.starts_with("demo-") && report.contains("\"pass\""), "{report}");
    page.close().await;
}

/// A site on this machine that counts who comes and sends them on, each to the next address.
fn counting_site(answer: String) -> (u16, Arc<AtomicUsize>) {
    let came = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&came);
    let port = site::open(move |mut stream| {
        counted.fetch_add(1, Ordering::SeqCst);
        let _ = stream.read(&mut [0; 4096]);
        let _ = stream.write_all(answer.as_bytes());
    });
    (port, came)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_redirect_link_or_name_leads_agents_into_the_operators_network() {
    let (secret, reached) =
        counting_site("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret".into());
    let body = format!(
        "<title>Links</title><a href='http://127.0.0.1:{secret}/'>lamp</a><a href='http://localhost:{secret}/'>lamp two</a>\
         <a href='http://169.254.169.254/'>lamp three</a><img src='http://127.0.0.1:{secret}/x.png'>\
         <iframe src='http://[::1]:{secret}/'></iframe><script>fetch('http://127.0.0.1:{secret}/y')</script>"
    );
    let page_of = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let (links, linked) = counting_site(page_of);
    let away = format!(
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{secret}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    let (redirecting, redirected) = counting_site(away);
    let place = folder();
    let place = place.path();
    // The operator named both outright, and the third not.
    let (links_host, redirecting_host) = (format!("127.0.0.1:{links}"), format!("127.0.0.1:{redirecting}"));
    let more = ["--allow-host", &links_host, "--allow-host", &redirecting_host];
    let (_serving, origin) = serve(place, CONFIG, &more);
    let page = Page::open().await;
    for (host, came) in [(&links_host, linked), (&redirecting_host, redirected)] {
        let address = format!("http://{host}/");
        let fields = [
            ("task", "Buy the lamp"),
            ("work", "mutate"),
            ("site", "elsewhere"),
            ("address", address.as_str()),
        ];
        let battle = ask(&page, &origin, &fields).await;
        assert!(battle.starts_with("/arena/battles/"), "{battle}");
        let over = format!("({VOTING}) || document.body?.innerText?.includes('called off')");
        page.until(&over).await;
        assert!(came.load(Ordering::SeqCst) >= 2, "both sides began there");
    }
    assert_eq!(reached.load(Ordering::SeqCst), 0, "nothing came through to what was not named");
    // What was not named cannot be asked for either.
    let direct = format!("http://127.0.0.1:{secret}/");
    let fields =
        [("task", "Look"), ("work", "retrieve"), ("site", "elsewhere"), ("address", direct.as_str())];
    assert_eq!(ask(&page, &origin, &fields).await, "/arena/battles");
    let refused = "document.querySelector('[role=alert]').textContent";
    assert!(page.js(refused).await.to_string().contains("this port is not allowed"));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_called_off_or_killed_leaves_nothing_running_and_says_so() {
    let place = folder();
    let place = place.path();
    let (serving, origin) = serve(place, LONG_CONFIG, &[]);
    let page = Page::open().await;
    let fields = [("task", "Find every lamp"), ("work", "retrieve"), ("site", "shop")];
    ask(&page, &origin, &fields).await;
    page.until("document.querySelector('.live-versus .shot img')").await;
    page.press("c").await;
    page.until("document.body?.innerText?.includes('You called it off')").await;
    let run = umpire_store::Runs::new(place.join("runs")).open(&only_run(place)).expect("a run");
    let begun = Instant::now();
    while run.is_being_written() {
        assert!(begun.elapsed() < Duration::from_mins(1), "it goes on behind our back");
        std::thread::sleep(Duration::from_millis(50));
    }
    let battle = ask(&page, &origin, &fields).await;
    page.until("document.querySelector('.live-versus .shot img')").await;
    serving.kill();
    let (_serving, origin) = serve(place, LONG_CONFIG, &[]);
    page.goto(&format!("{origin}{battle}")).await;
    page.until("document.body?.innerText?.includes('The server was stopped while it ran')").await;
    page.close().await;
}
