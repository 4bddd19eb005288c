//! Agents that decide elsewhere, in whole attempts: `umpire steps`, `umpire mcp`, and commands with such an interface.

mod support;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use support::serving::Serving;
use support::{folder, run, umpire};

/// A search that finds nothing: it needs the page, but nothing that only the suite knows.
const SAMOVAR: [&str; 4] = ["--suite", "demo", "--filter", "id=shop-no-samovar or id=hub-password-age"];

fn serve(folder: &Path, more: &[&str]) -> Serving {
    Serving::start(folder, &[&["steps"], &SAMOVAR[..], more].concat())
}

/// The mark of the first element with this role.
fn mark(answer: &Value, role: &str) -> u64 {
    let elements = answer["observation"]["elements"].as_array().expect("elements");
    let element = elements.iter().find(|element| element["role"] == role);
    element
        .and_then(|element| element["mark"].as_u64())
        .unwrap_or_else(|| panic!("no {role} in {elements:?}"))
}

fn search_and_give_up(serving: &Serving, begun: &Value) -> Value {
    let session = &begun["session"];
    let typed = format!("fill('{}', 'copper samovar')", mark(begun, "searchbox"));
    let (_, after) = serving.post("/step", &json!({"session": session, "action": typed}));
    assert_eq!(after["observation"]["last_action_error"], "", "{after}");
    let (_, after) = serving.post("/step", &json!({"session": session, "action": "press \"Enter\""}));
    let url = after["observation"]["url"].as_str().expect("a URL");
    assert!(url.starts_with("http://shop.localhost/search?q=copper"), "{url}");
    serving.post("/step", &json!({"session": session, "action": "report_infeasible('none')"})).1
}

#[test]
fn an_attempt_by_steps_is_one_of_a_run() {
    let dir = folder();
    let serving = serve(dir.path(), &["--sessions", "2", "--agent-name", "mine"]);
    assert_eq!(serving.about["instances"].as_array().map(Vec::len), Some(2));
    let (status, begun) = serving.post("/reset", &json!({"instance": "shop-no-samovar"}));
    assert_eq!(status, 200, "{begun}");
    assert!(
        begun["observation"]["screenshot"].as_str().is_some_and(|picture| picture.starts_with("/9j/")),
        "a JPEG"
    );
    let (status, other) = serving.post("/reset", &json!({"instance": "hub-password-age"}));
    assert_eq!(
        (status, &other["observation"]["url"]),
        (200, &json!("http://hub.localhost/")),
        "several at once"
    );
    let (status, full) = serving.post("/reset", &json!({}));
    assert_eq!(status, 503, "{full}");
    let ended = search_and_give_up(&serving, &begun);
    assert_eq!(
        (&ended["outcome"], &ended["reward"], &ended["terminated"]),
        (&json!("pass"), &json!(1.0), &json!(true))
    );
    let (status, refused) = serving.post("/reset", &json!({"instance": "shop-no-samovar"}));
    assert_eq!(status, 409, "a finished attempt is not run twice: {refused}");
    // What the checks expect is nobody's to read.
    let (_, wrong) = serving
        .post("/step", &json!({"session": other["session"], "action": "send_msg_to_user('1999-01-01')"}));
    assert_eq!(
        (&wrong["outcome"], &wrong["reward"], &wrong["reason"]),
        (&json!("fail"), &json!(0.0), &json!(""))
    );
    for (head, headers) in
        [("/step", ""), (&*format!("{}/step", serving.path()), "origin: http://shop.localhost\r\n")]
    {
        assert_eq!(serving.ask("POST", head, headers, "{}").0, 403, "{head} {headers}");
    }
    drop(serving);

    let report = run(dir.path(), &["report", "--json", "--no-html"]);
    let summary: Value = serde_json::from_str(report.stdout.trim()).expect("JSON");
    assert_eq!(
        (&summary["agents"][0]["rate"]["passed"], &summary["agents"][0]["rate"]["planned"]),
        (&json!(1), &json!(2))
    );
    let manifests: Vec<_> = fs::read_dir(dir.path().join("runs")).expect("runs").flatten().collect();
    let manifest = fs::read_to_string(manifests[0].path().join("manifest.json")).expect("manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(
        manifest["agents"][0],
        json!({"name": "mine", "kind": "remote", "settings": {"interface": "steps"}})
    );
    let shown = run(dir.path(), &["show", "mine/shop-no-samovar/1", "--har", "out.har"]);
    assert!(shown.stdout.contains("PASS by rules"), "{}", shown.stdout);
    let har = fs::read_to_string(dir.path().join("out.har")).expect("HAR");
    assert!(har.contains("/search?q=copper"), "the search was recorded");
}

#[test]
fn what_a_killed_server_leaves_begins_again_and_time_runs_while_nobody_decides() {
    let dir = folder();
    let limits = ["--seconds", "8", "--actions", "2"];
    let serving = serve(dir.path(), &limits);
    let run_id = serving.about["run"].clone();
    assert_eq!(serving.post("/reset", &json!({"instance": "shop-no-samovar"})).0, 200);
    serving.kill();
    let serving = serve(dir.path(), &limits);
    assert_eq!(serving.about["run"], run_id, "the same command goes on");
    let (status, begun) = serving.post("/reset", &json!({"instance": "shop-no-samovar"}));
    assert_eq!(status, 200, "{begun}");
    std::thread::sleep(Duration::from_secs(9));
    let (_, late) = serving.post("/step", &json!({"action": "noop()"}));
    assert_eq!(
        (&late["outcome"], &late["truncated"], &late["terminated"]),
        (&json!("timeout"), &json!(true), &json!(false))
    );
    let (_, begun) = serving.post("/reset", &json!({"instance": "hub-password-age"}));
    let spent = "mouse_move(5, 5)\n".repeat(3);
    let (_, over) =
        serving.post("/step", &json!({"session": begun["session"], "action": spent, "screenshot": "none"}));
    assert_eq!((&over["outcome"], &over["truncated"]), (&json!("budget"), &json!(true)), "{over}");
    drop(serving);
    let again = serve(dir.path(), &limits);
    assert_ne!(again.about["run"], run_id, "all of that run is finished, so this is another");
}

#[test]
fn an_mcp_client_at_a_pipe_makes_an_attempt() {
    let dir = folder();
    let mut server = umpire(dir.path())
        .args(["mcp", "--suite", "demo", "--instance", "shop-no-samovar", "--agent-name", "tools"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("umpire starts");
    let mut input = server.stdin.take().expect("stdin");
    let mut output = BufReader::new(server.stdout.take().expect("stdout"));
    let mut ask = |method: &str, params: Value| {
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        writeln!(input, "{message}").expect("sent");
        let mut line = String::new();
        output.read_line(&mut line).expect("an answer");
        serde_json::from_str::<Value>(&line).expect("JSON")["result"].clone()
    };
    let hello = ask(
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
    );
    assert!(hello["instructions"].as_str().is_some_and(|text| text.contains("copper samovar")), "{hello}");
    let page = ask("tools/call", json!({"name": "browser_snapshot", "arguments": {}}));
    let page = page["content"][0]["text"].as_str().expect("a page").to_owned();
    let line = page.lines().find(|line| line.contains("- searchbox ")).unwrap_or_else(|| panic!("{page}"));
    let reference = line.split("[ref=").nth(1).and_then(|rest| rest.split(']').next()).expect("a ref");
    let typing = json!({"element": "search", "ref": reference, "text": "copper samovar", "submit": true});
    let found = ask("tools/call", json!({"name": "browser_type", "arguments": typing}));
    assert!(
        found["content"][0]["text"].as_str().is_some_and(|page| page.contains("/search?q=copper")),
        "{found}"
    );
    let over =
        ask("tools/call", json!({"name": "submit_answer", "arguments": {"status": "NOT_FOUND_ERROR"}}));
    assert_eq!(
        (&over["content"][0]["text"], &over["isError"]),
        (&json!("The attempt is over."), &json!(false))
    );
    drop(input);
    assert!(server.wait().expect("ends").success());
    let shown = run(dir.path(), &["show", "tools/shop-no-samovar/1"]);
    assert!(shown.stdout.contains("PASS by rules"), "{}{}", shown.stdout, shown.stderr);
}

/// An agent that speaks the step API with Python's standard library alone.
const STEPPING: &str = r#"
import json, os, sys, urllib.request
assert "UMPIRE_CDP_URL" not in os.environ
def post(path, body):
    request = urllib.request.Request(os.environ["UMPIRE_STEP_URL"] + path, json.dumps(body).encode())
    return json.load(urllib.request.urlopen(request, timeout=60))
begun = post("/reset", {})
box = next(e["mark"] for e in begun["observation"]["elements"] if e["role"] == "searchbox")
post("/step", {"action": f"fill('{box}', 'copper samovar')", "thought": "look for it"})
if sys.argv[1] == "leave":
    sys.exit(3)
post("/step", {"action": "keyboard_press('Enter')"})
if sys.argv[1] == "step":
    ended = post("/step", {"action": "report_infeasible('none')"})
    assert ended["done"] and ended["reward"] is None, ended
else:
    print(json.dumps({"action": "mutate", "status": "NOT_FOUND_ERROR", "results": None, "error_details": "none"}))
"#;

#[test]
fn a_command_that_decides_step_by_step_is_an_agent_of_an_ordinary_run() {
    let dir = folder();
    fs::write(dir.path().join("stepping.py"), STEPPING).expect("script");
    let agent = |name: &str, word: &str| {
        format!(
            "[agents.{name}]\nkind = \"command\"\ncommand = [\"python3\", \"stepping.py\", \"{word}\"]\ninterface = \"steps\"\n"
        )
    };
    let config = [agent("stepping", "step"), agent("printing", "print"), agent("leaving", "leave")].concat();
    fs::write(dir.path().join("umpire.toml"), config).expect("configuration");
    let ran = run(
        dir.path(),
        &[
            "run",
            "--suite",
            "demo",
            "--filter",
            "id=shop-no-samovar",
            "--agent",
            "stepping,printing,leaving",
            "--json",
        ],
    );
    let mut outcomes = ran.outcomes();
    outcomes.sort();
    let expected = [("leaving", "fail"), ("printing", "pass"), ("stepping", "pass")];
    let expected =
        expected.map(|(agent, outcome)| (format!("{agent}/shop-no-samovar/1"), outcome.to_owned()));
    assert_eq!(outcomes, expected, "{}{}", ran.stdout, ran.stderr);
    let shown = run(dir.path(), &["show", "stepping/shop-no-samovar/1"]);
    assert!(shown.stdout.contains("look for it"), "its reasons are in the trajectory: {}", shown.stdout);
    let shown = run(dir.path(), &["show", "leaving/shop-no-samovar/1"]);
    assert!(shown.stdout.contains("exit status: 3"), "{}", shown.stdout);
}
