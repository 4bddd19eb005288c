//! One account of one real server: two runs in two processes take turns with it, and orders know whose it is.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Ran, folder, run, site, umpire};

/// Long enough for two attempts that do not wait for each other to meet.
const SLOW: Duration = Duration::from_millis(700);

/// A site that knows one account by its cookie, and which attempts asked for their pages, one after the other.
#[derive(Clone, Default)]
struct Site {
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    fn start(&self) -> u16 {
        let club = self.clone();
        site::open(move |stream| club.answer(&stream))
    }

    fn answer(&self, stream: &TcpStream) {
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
        let Some(request) = lines.next() else { return };
        let is_known = lines.take_while(|line| !line.is_empty()).any(|line| line.contains("sid=ann-0815"));
        let (method, path) = request.split_once(' ').unwrap_or_default();
        let path = path.split(' ').next().unwrap_or_default();
        if let Some(attempt) = path.strip_prefix("/of/") {
            self.asked.lock().expect("asked").push(attempt.to_owned());
            std::thread::sleep(SLOW);
        }
        if path.starts_with("/api/") {
            self.asked.lock().expect("asked").push(format!("{method} {path}"));
        }
        let status = if method == "DELETE" { "404 Not Found" } else { "200 OK" };
        let body =
            format!("<title>Club</title><p>{}</p>", if is_known { "Welcome, Ann" } else { "Who are you?" });
        site::page(stream, status, &body);
    }
}

/// A folder with a suite of two tasks that visit three slow pages each, and an account that lies beside both folders.
fn prepare(dir: &Path, run: &str, port: u16) {
    let site = format!("http://club.localhost:{port}");
    fs::create_dir_all(dir.join(run).join("suite")).expect("a folder");
    let config = format!(
        "[vault]\nfile = \"../umpire.vault\"\n\n[backends.club]\nurl = \"http://127.0.0.1:{port}\"\nwritable = true\n\n[accounts.ann]\nuser = \"ann.b\"\nsite = \"{site}/\"\nstate = \"../state.json\"\ncheck = {{ url = \"{site}/me\", shows = [\"Welcome, Ann\"] }}\n"
    );
    fs::write(dir.join(run).join("umpire.toml"), config).expect("umpire.toml");
    let toml = format!(
        "version = 1\nname = \"{run}\"\ndescription = \"d\"\nworld = \"live\"\nhosts = [\"club.localhost:{port}\"]\n"
    );
    fs::write(dir.join(run).join("suite/suite.toml"), toml).expect("suite.toml");
    let answer = r#"answer \"{\\\"action\\\":\\\"navigate\\\",\\\"status\\\":\\\"SUCCESS\\\",\\\"results\\\":null,\\\"error_details\\\":null}\""#;
    let tasks = ["a", "b"].map(|task| {
        let page = format!("{site}/of/{run}-{task}");
        format!(
            r#"{{"id":"{task}","template":"{task}","kind":"navigate","intent":"Look around.","sites":[],"start_urls":["{page}"],"category":"c","difficulty":"easy","account":"ann","reference":["goto \"{page}\"","goto \"{page}\"","{answer}"],"checks":[{{"type":"response","status":"SUCCESS"}}]}}"#
        )
    });
    fs::write(dir.join(run).join("suite/tasks.jsonl"), tasks.join("\n")).expect("tasks");
}

fn begin(dir: &Path, run: &str) -> Child {
    umpire(&dir.join(run))
        .args(["--json", "run", "--suite", "suite", "--agent", "oracle", "-j", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("umpire starts")
}

fn ended(child: Child) -> Ran {
    Ran::of(&child.wait_with_output().expect("umpire ends"))
}

const STATE: &str = r#"{"cookies": [{"name": "sid", "value": "ann-0815", "domain": "club.localhost", "path": "/", "expires": -1,
        "httpOnly": true, "secure": false, "sameSite": "Lax"}], "origins": []}"#;

#[test]
fn attempts_of_two_processes_do_not_meet_in_one_account() {
    let dir = folder();
    let dir = dir.path();
    let site = Site::default();
    let port = site.start();
    fs::write(dir.join("state.json"), STATE).expect("written");
    for run in ["one", "two"] {
        prepare(dir, run, port);
    }
    let both = ["one", "two"].map(|run| begin(dir, run));
    let both = both.map(ended);
    for ran in &both {
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.outcomes().iter().all(|(_, outcome)| outcome == "pass"), "{}", ran.stdout);
        assert_eq!(ran.outcomes().len(), 2);
    }
    let asked = site.asked.lock().expect("asked").clone();
    let mut attempts = asked.clone();
    attempts.dedup();
    assert_eq!(attempts.len(), 4, "attempts met: {asked:?}");
    let waiting = both.iter().flat_map(Ran::events).find(|event| event["event"] == "waiting");
    let reason = waiting.expect("one of them had to wait")["reason"].to_string();
    assert!(reason.contains("account `ann` is in use by process "), "{reason}");
}

#[test]
fn a_killed_run_keeps_no_account() {
    let dir = folder();
    let dir = dir.path();
    let site = Site::default();
    let port = site.start();
    fs::write(dir.join("state.json"), STATE).expect("written");
    for run in ["one", "two"] {
        prepare(dir, run, port);
    }
    let mut first = begin(dir, "one");
    let in_use = || !site.asked.lock().expect("asked").is_empty();
    for _ in 0..2_400 {
        if in_use() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(in_use(), "the first run never began");
    first.kill().expect("killed");
    first.wait().expect("gone");
    let ran = run(&dir.join("two"), &["--json", "run", "--suite", "suite", "--agent", "oracle"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.events().iter().any(|event| event["event"] == "waiting"), "{}", ran.stdout);
}

#[test]
fn orders_know_the_account_and_what_is_gone_already() {
    let dir = folder();
    let dir = dir.path();
    let site = Site::default();
    let port = site.start();
    fs::write(dir.join("state.json"), STATE).expect("written");
    prepare(dir, "one", port);
    let file = dir.join("one/suite/tasks.jsonl");
    let tasks = fs::read_to_string(&file).expect("tasks");
    let order = |call: Value| json!({"backend": "club", "order": {"call": call}});
    let named = |id: &str, orders: Value| {
        let mut task: Value = serde_json::from_str(tasks.lines().next().expect("a task")).expect("JSON");
        task["id"] = json!(id);
        task["states"] = json!({"set": {"orders": orders}});
        task.to_string()
    };
    let tasks = [
        named(
            "opened",
            json!([
                order(
                    json!({"method": "PUT", "path": "/api/{{account.user}}/notes", "body": {"private": false}})
                ),
                order(json!({"method": "DELETE", "path": "/api/old", "also_fine": [404]})),
            ]),
        ),
        named("there", json!([order(json!({"method": "DELETE", "path": "/api/older"}))])),
        named("unknown", json!([order(json!({"method": "PUT", "path": "/api/{{account.email}}"}))])),
    ];
    fs::write(&file, tasks.join("\n")).expect("written");
    let arguments = ["--json", "run", "--suite", "suite", "--agent", "oracle", "-j", "1", "--retries", "0"];
    let ran = run(&dir.join("one"), &arguments);
    let finished: Vec<Value> =
        ran.events().into_iter().filter(|event| event["event"] == "finished").collect();
    let of = |id: &str| {
        let attempt = format!("oracle/{id}@set/1");
        finished
            .iter()
            .find(|event| event["attempt"] == attempt)
            .unwrap_or_else(|| panic!("{id}: {}", ran.stdout))
    };
    assert_eq!(of("opened")["outcome"], "pass", "{}", ran.stdout);
    assert_eq!(of("there")["outcome"], "infra");
    assert!(of("there")["reason"].to_string().contains("status 404"), "{}", ran.stdout);
    assert_eq!(of("unknown")["outcome"], "infra");
    assert!(of("unknown")["reason"].to_string().contains("`account.email`"), "{}", ran.stdout);
    let mut asked = site.asked.lock().expect("asked").clone();
    asked.retain(|asked| asked.contains("/api/"));
    assert_eq!(asked, ["PUT /api/ann.b/notes", "DELETE /api/old", "DELETE /api/older"]);
}
