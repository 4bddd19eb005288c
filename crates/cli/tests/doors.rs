//! Agents that decide elsewhere, in whole attempts: `umpire steps`, `umpire mcp`, and commands with such an interface.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::sync::LazyLock;
use std::time::Duration;

use serde_json::{Value, json};
use umpire_llm::Provider;
use umpire_llm::scripted::{Act, Answer, ScriptedProvider};
use umpire_model::Usage;

use crate::support::serving::{Serving, send};
use crate::support::{folder, run, umpire};

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
    // The two actions below have to fit into the time of an attempt, whatever else the machine does.
    let limits = ["--seconds", "30", "--actions", "2"];
    let serving = serve(dir.path(), &limits);
    let run_id = serving.about["run"].clone();
    assert_eq!(serving.post("/reset", &json!({"instance": "shop-no-samovar"})).0, 200);
    serving.kill();
    let serving = serve(dir.path(), &limits);
    assert_eq!(serving.about["run"], run_id, "the same command goes on");
    let (status, begun) = serving.post("/reset", &json!({"instance": "shop-no-samovar"}));
    assert_eq!(status, 200, "{begun}");
    std::thread::sleep(Duration::from_secs(31));
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
    let (dir, _provider) = with_a_model();
    let mut server = umpire(dir.path())
        .args(["mcp", "--suite", "demo", "--instance", "shop-no-samovar+dark", "--agent-name", "tools"])
        .args(["--perturb", "dark", "--models", "small"])
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
    let task = ask("tools/call", json!({"name": "get_task", "arguments": {}}));
    let models: Value =
        serde_json::from_str(task["content"][1]["text"].as_str().expect("models")).expect("JSON");
    assert_eq!(ask_model(&models["models"], "small").0, 200);
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
    let shown = run(dir.path(), &["show", "tools/shop-no-samovar+dark/1"]);
    assert!(shown.stdout.contains("PASS by rules"), "{}{}", shown.stdout, shown.stderr);
    assert!(shown.stdout.contains("perturbed by dark"), "{}", shown.stdout);
}

/// The provider runs here while the command is waited for.
static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().expect("runtime"));

/// A folder whose configuration has one model, which answers `yes` for 30 cents.
fn with_a_model() -> (tempfile::TempDir, ScriptedProvider) {
    let usage = Usage { input: 200, cached_input: 0, output: 100, reasoning: 0 };
    let answer = Answer { usage: Some(usage), ..Answer::text("yes") };
    let provider = RUNTIME.block_on(ScriptedProvider::start(Act::Answer(answer))).expect("a provider");
    let config = format!(
        "[models.small]\nprovider = \"openai-compatible\"\nmodel = \"tiny-1\"\nbase_url = \"{}\"\nprice = {{ input = 1000.0, output = 1000.0 }}\n",
        provider.base_url(Provider::OpenAiCompatible)
    );
    let dir = folder();
    fs::write(dir.path().join("umpire.toml"), config).expect("configuration");
    (dir, provider)
}

/// Asks a model as a client of OpenAI's would that has read these variables. Status and JSON of the answer.
fn ask_model(models: &Value, name: &str) -> (u16, Value) {
    let base = models["OPENAI_BASE_URL"].as_str().expect("an address");
    let (address, path) = base.strip_prefix("http://").and_then(|url| url.split_once('/')).expect("a URL");
    let port = address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let key = models["OPENAI_API_KEY"].as_str().expect("a key");
    let headers = format!("authorization: Bearer {key}\r\ncontent-type: application/json\r\n");
    let body = json!({"model": name, "messages": [{"role": "user", "content": "Is it there?"}]});
    send(port, "POST", &format!("/{path}/chat/completions"), &headers, &body.to_string())
}

#[test]
fn perturbations_and_models_reach_those_who_come_by_steps() {
    let (dir, provider) = with_a_model();
    let more = ["--perturb", "popups", "--models", "small", "--attempt-budget", "0.50usd", "--guard", "deny"];
    let serving = serve(dir.path(), &more);
    let instances =
        ["shop-no-samovar", "hub-password-age"].map(|id| [json!(id), json!(format!("{id}+popups"))]).concat();
    let offered = serving.about["instances"].as_array().expect("instances");
    assert!(instances.iter().all(|id| offered.contains(id)) && offered.len() == 4, "{offered:?}");
    let (_, begun) = serving.post("/reset", &json!({"instance": "hub-password-age+popups"}));
    assert_eq!(begun["observation"]["task"]["id"], "hub-password-age", "the agent is not told");
    let models = &begun["models"];
    assert_eq!(models["UMPIRE_MODEL"], "small");
    assert_eq!(ask_model(models, "tiny-1").0, 404, "a name that is not configured");
    for expected in [200, 200, 402] {
        let (status, answer) = ask_model(models, "small");
        assert_eq!(status, expected, "30 cents, 60 cents, and no more: {answer}");
    }
    assert_eq!(provider.asked().len(), 2, "what is refused costs nothing");
    let (_, next) = serving.post("/step", &json!({"session": begun["session"], "action": "noop()"}));
    assert_eq!((&next["models"], &next["done"]), (&Value::Null, &json!(false)), "told at the beginning only");
    // Nobody is to blame who gives up without a model.
    let (_, left) = serving.post("/close", &json!({"session": begun["session"]}));
    assert_eq!((&left["outcome"], &left["truncated"]), (&json!("budget"), &json!(true)), "{left}");
    assert_eq!(ask_model(models, "small").0, 401, "the key has ended with the attempt");
    drop(serving);

    let shown = run(dir.path(), &["show", "remote/hub-password-age+popups/1"]);
    assert!(shown.stdout.contains("perturbed by popups"), "{}", shown.stdout);
    let report = run(dir.path(), &["report", "--json", "--no-html"]);
    let summary: Value = serde_json::from_str(report.stdout.trim()).expect("JSON");
    // The call that was refused is in the record as well, and cost nothing.
    let spending = &summary["agents"][0]["spending"];
    assert_eq!((&spending["calls"], &spending["usage"]["input"]), (&json!(3), &json!(400)), "{spending}");
    let manifest = &summary["manifest"];
    assert_eq!((&manifest["perturbations"], &manifest["guard"]), (&json!(["popups"]), &json!("deny")));
    assert_eq!(
        manifest["agents"][0]["settings"],
        json!({"interface": "steps", "models": "small", "budget": "$0.50"})
    );
}

#[test]
fn a_run_of_steps_that_has_spent_its_money_begins_nothing_more() {
    let (dir, _provider) = with_a_model();
    let serving = serve(dir.path(), &["--models", "small", "--budget", "0.10usd"]);
    let (_, begun) = serving.post("/reset", &json!({"instance": "hub-password-age"}));
    assert_eq!(ask_model(&begun["models"], "small").0, 200);
    assert_eq!(ask_model(&begun["models"], "small").0, 402);
    let (_, left) = serving.post("/close", &json!({"session": begun["session"]}));
    assert_eq!(left["outcome"], Value::Null, "it says nothing about the attempt: {left}");
    let (status, refused) = serving.post("/reset", &json!({"instance": "shop-no-samovar"}));
    assert_eq!(status, 409);
    assert!(refused["error"].as_str().is_some_and(|said| said.contains("larger --budget")), "{refused}");
    drop(serving);
    let serving = serve(dir.path(), &["--models", "small", "--budget", "10usd"]);
    assert_eq!(serving.post("/reset", &json!({"instance": "hub-password-age"})).0, 200, "it goes on");
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

/// A wish that says nothing of who wishes it, and a history of that person.
const WISH: &str = "books-hiro-tanaka@2";

/// Query, entries shown, and error of every access to a history in an attempt's journal.
fn history_accesses(folder: &Path, attempt: &str) -> Vec<(String, usize, Option<String>)> {
    let run = fs::read_dir(folder.join("runs")).expect("runs").flatten().next().expect("a run").path();
    let file = run.join("attempts").join(attempt).join("journal.jsonl");
    let journal = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let events = journal.lines().map(|line| serde_json::from_str::<Value>(line).expect("an event"));
    let told = |event: Value| {
        let shown = event["hits"].as_array().into_iter().flatten().filter(|hit| hit["text"].is_string());
        let text = |key: &str| event[key].as_str().map(str::to_owned);
        (text("query").expect("a query"), shown.count(), text("error"))
    };
    events.filter(|event| event["type"] == "history_accessed").map(told).collect()
}

/// One that found something, one that found nothing, one that was refused.
fn assert_found_missed_and_refused(accesses: &[(String, usize, Option<String>)]) {
    let [found, missed, refused] = accesses else { panic!("{accesses:?}") };
    assert!(found.0 == "nature book paperlark" && found.1 > 0 && found.2.is_none(), "{found:?}");
    assert!(missed.0 == "zzyzx" && missed.1 == 0 && missed.2.is_none(), "{missed:?}");
    assert!(refused.2.as_deref().is_some_and(|why| why.contains("asked 2 times")), "{refused:?}");
}

#[test]
fn who_comes_by_steps_asks_a_history_until_it_is_spent_and_all_of_it_is_evidence() {
    let dir = folder();
    let wish = format!("id={WISH}");
    let serving = Serving::start(
        dir.path(),
        &["steps", "--suite", "persona", "--filter", &wish, "--history-accesses", "2"],
    );
    let (_, begun) = serving.post("/reset", &json!({}));
    let ask = |query: &str| {
        let asked = json!({"session": begun["session"], "query": query, "reason": "it is unsaid"});
        serving.post("/history", &asked)
    };
    let (status, found) = ask("nature book paperlark");
    let first = found["entries"][0].as_str().unwrap_or_default();
    assert!(status == 200 && first.contains(".localhost"), "{found}");
    let (status, nothing) = ask("zzyzx");
    assert_eq!((status, &nothing["entries"]), (200, &json!([])), "{nothing}");
    let (status, refused) = ask("nature book paperlark");
    assert_eq!(status, 429, "{refused}");
    serving.post("/close", &json!({"session": begun["session"]}));
    drop(serving);
    assert_found_missed_and_refused(&history_accesses(dir.path(), &format!("remote/{WISH}/1")));
}

/// An agent with a browser of its own, which it does not use, that looks things up.
const LOOKING_UP: &str = r#"
import json, os, urllib.error, urllib.request
assert "UMPIRE_CDP_URL" in os.environ and "UMPIRE_STEP_URL" not in os.environ
def ask(query):
    body = json.dumps({"query": query, "reason": "it is unsaid"}).encode()
    try:
        answer = urllib.request.urlopen(urllib.request.Request(os.environ["UMPIRE_HISTORY_URL"], body), timeout=60)
        return json.load(answer)["entries"]
    except urllib.error.HTTPError as refused:
        return refused.code
found, nothing, refused = ask("nature book paperlark"), ask("zzyzx"), ask("nature book paperlark")
assert found and ".localhost" in found[0] and nothing == [] and refused == 429, (found, nothing, refused)
print(json.dumps({"action": "retrieve", "status": "NOT_FOUND_ERROR", "results": None, "error_details": "asked"}))
"#;

#[test]
fn a_command_that_drives_its_own_browser_asks_a_history_and_is_scored_as_one_that_could() {
    let dir = folder();
    fs::write(dir.path().join("asking.py"), LOOKING_UP).expect("script");
    let config = "[agents.asking]\nkind = \"command\"\ncommand = [\"python3\", \"asking.py\"]\n";
    fs::write(dir.path().join("umpire.toml"), config).expect("configuration");
    let wish = format!("id={WISH}");
    let made = ["run", "--suite", "persona", "--filter", &wish, "--history-accesses", "2", "--json"];
    let ran = run(dir.path(), &[&made[..], &["--agent", "asking,stranger"]].concat());
    let shown = run(dir.path(), &["show", &format!("asking/{WISH}/1")]).stdout;
    assert!(shown.contains("NOT_FOUND_ERROR"), "it came to its end: {shown}{}", ran.stderr);
    assert_found_missed_and_refused(&history_accesses(dir.path(), &format!("asking/{WISH}/1")));
    let scored = run(dir.path(), &["persona", "score", "--json"]);
    let scored: Value = serde_json::from_str(&scored.stdout).unwrap_or_else(|_| panic!("{}", scored.stderr));
    let knowing: Vec<(&Value, &Value)> =
        scored.as_array().expect("scores").iter().map(|one| (&one["knowing"], &one["accesses"])).collect();
    assert_eq!(
        knowing,
        [(&json!("lexical, type-object"), &json!(2)), (&json!("–"), &json!(0))],
        "what was refused told nothing: {scored}"
    );
}
