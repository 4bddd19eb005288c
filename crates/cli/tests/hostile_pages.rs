//! Pages that misbehave, on a server of the test's own: each attempt gets an outcome, and the run goes on.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use crate::support::{folder, run, site};

/// Hostile pages, told apart by the last part of the path.
fn answer(mut stream: TcpStream) {
    let mut request = [0; 8192];
    let read = stream.read(&mut request).unwrap_or(0);
    let head = String::from_utf8_lossy(&request[..read]).into_owned();
    let target = head.split_whitespace().nth(1).unwrap_or("/");
    let path = target.rsplit('/').next().unwrap_or_default();
    let body = match path {
        "alerts" => "<h1>Alerts</h1><script>setTimeout(() => { for (;;) alert('again') }, 50)</script>",
        "popups" => "<h1>Popups</h1><script>for (let i = 0; i < 100; i++) open('/calm')</script>",
        "download" => "<h1>Download</h1><script>location = '/huge'</script>",
        "busy" => "<h1>Busy</h1><script>for (;;);</script>",
        "stalls" => {
            // Promises a page and never sends it.
            std::thread::sleep(Duration::from_mins(2));
            return;
        }
        "huge" => {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: 1073741824\r\n\
                        content-disposition: attachment; filename=huge.bin\r\n\r\n";
            let _ = stream.write_all(head.as_bytes());
            let chunk = vec![0; 1 << 20];
            while stream.write_all(&chunk).is_ok() {}
            return;
        }
        _ => "<h1>Calm</h1><p>Nothing happens here.</p>",
    };
    site::page(&stream, "200 OK", body);
}

fn write_suite(dir: &Path, port: u16, pages: &[&str]) {
    fs::create_dir_all(dir.join("suite")).expect("folder");
    let toml = format!(
        "version = 1\nname = \"hostile\"\ndescription = \"d\"\nworld = \"live\"\nhosts = [\"bad.localhost:{port}\"]\n"
    );
    fs::write(dir.join("suite/suite.toml"), toml).expect("suite.toml");
    let mut tasks = String::new();
    for page in pages {
        let task = serde_json::json!({
            "id": page, "template": page, "kind": "retrieve", "intent": "What does the heading say?", "sites": [],
            "start_urls": [format!("http://bad.localhost:{port}/{page}")], "category": "c", "difficulty": "easy",
            "reference": [r#"answer "{\"action\":\"retrieve\",\"status\":\"SUCCESS\",\"results\":[\"x\"],\"error_details\":null}""#],
            "checks": [{"type": "response", "status": "SUCCESS", "results": ["x"], "schema": {"type": "string"}}],
        });
        tasks.push_str(&task.to_string());
        tasks.push('\n');
    }
    fs::write(dir.join("suite/tasks.jsonl"), tasks).expect("tasks");
}

#[test]
fn every_hostile_page_ends_with_an_outcome_and_the_run_goes_on() {
    let dir = folder();
    let pages = ["alerts", "popups", "download", "busy", "stalls", "calm"];
    write_suite(dir.path(), site::open(answer), &pages);
    let ran = run(
        dir.path(),
        &[
            "run",
            "--suite",
            "suite",
            "--agent",
            "oracle",
            "--retries",
            "0",
            "--seconds",
            "60",
            "-j",
            "3",
            "--json",
        ],
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let outcomes: std::collections::BTreeMap<String, String> = ran.outcomes().into_iter().collect();
    assert_eq!(outcomes.len(), pages.len(), "{}", ran.stdout);
    let of = |page: &str| outcomes.get(&format!("oracle/{page}/1")).map_or("none", String::as_str);
    // The oracle needs no element here, so whatever can be looked at is passed.
    for page in ["alerts", "popups", "download", "calm"] {
        assert_eq!(of(page), "pass", "{page}: {}", ran.stdout);
    }
    // A page that never comes, or never answers, is not the agent's failure.
    for page in ["busy", "stalls"] {
        assert_eq!(of(page), "infra", "{page}: {}", ran.stdout);
    }
    let journal = |page: &str| {
        let runs = fs::read_dir(dir.path().join("runs")).expect("runs").flatten().next().expect("run").path();
        fs::read_to_string(runs.join("attempts/oracle").join(page).join("1/journal.jsonl")).expect("journal")
    };
    for page in ["alerts", "popups", "download", "busy", "calm"] {
        assert!(journal(page).contains("\"status\":200"), "{page} was really served");
    }
    assert!(journal("alerts").contains("\"type\":\"dialog\""), "the dialogs are in the trajectory");
    let tabs = journal("popups").matches("\"type\":\"tab_opened\"").count();
    assert!((2..=20).contains(&tabs), "{tabs} tabs were let open");
    assert!(journal("download").contains("\"type\":\"download\""), "the download is in the trajectory");
}
