//! Agents that ask a model, as a user runs them: the built command, real Chromium, and a provider that answers by script.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;
use umpire_llm::Provider;
use umpire_llm::scripted::{Act, Asked, Script, ScriptedProvider};

use crate::support::{Ran, folder, run, umpire};

const KEY: &str = "sk-not-for-anybodys-eyes-1234567890";
const TASK: &str = "id=hub-password-age";

/// The provider runs here while the command is waited for.
static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().expect("runtime"));

fn provider(script: impl Into<Script>) -> ScriptedProvider {
    RUNTIME.block_on(ScriptedProvider::start(script)).expect("a provider")
}

/// A configuration with one model at the provider and one agent of each kind.
fn configure(folder: &Path, provider: &ScriptedProvider, more: &str) {
    let agents: String = ["voyager", "occam", "indexed", "search", "knowledge"]
        .map(|kind| format!("[agents.{kind}]\nkind = \"{kind}\"\nmodel = \"small\"\n"))
        .concat();
    let config = format!(
        "[models.small]\nprovider = \"openai-compatible\"\nmodel = \"tiny-1\"\nbase_url = \"{}\"\nkey = \"TINY_KEY\"\nimages = false\ntries = 2\n{more}\n{agents}",
        provider.base_url(Provider::OpenAiCompatible)
    );
    std::fs::write(folder.join("umpire.toml"), config).expect("configuration");
}

fn with_key(folder: &Path, arguments: &[&str]) -> Ran {
    Ran::of(&umpire(folder).env("TINY_KEY", KEY).args(arguments).output().expect("umpire starts"))
}

/// The number before a name in the page the model was shown, in whichever way it was shown.
fn mark_of(shown: &str, name: &str) -> Option<u32> {
    let line =
        shown.lines().rev().find(|line| line.contains(&format!("\"{name}\"")) && line.contains('['))?;
    line.split_once('[')?.1.split_once(']')?.0.parse().ok()
}

/// Does what the task needs, in the way of the agent that asks.
fn student(asked: &Asked) -> Act {
    let shown = asked.text();
    let last = shown.rfind("Page").map_or(shown.as_str(), |at| &shown[at..]);
    let is_there = last.contains("hub.localhost/security");
    let answer = r#"{"action":"retrieve","status":"SUCCESS","results":["2025-06-22"],"error_details":null}"#;
    let link = mark_of(last, "Sign-in & security").unwrap_or(0);
    Act::say(match (shown.contains("ANSWER;"), shown.contains("Highlight:"), is_there) {
        (true, _, true) => format!("Thought: there it is\nAction: ANSWER; {answer}"),
        (true, _, false) => format!("Thought: security\nAction: Click [{link}]"),
        (_, true, true) => format!("Summary: s\nReason: r\nHighlight: none\nAction: stop [{answer}]"),
        (_, true, false) => format!("Summary: s\nReason: r\nHighlight: {link}\nAction: click [{link}]"),
        (_, _, true) => {
            serde_json::json!({"action": [{"done": {"text": answer, "success": true}}]}).to_string()
        }
        (_, _, false) => {
            serde_json::json!({"action": [{"click_element_by_index": {"index": link}}]}).to_string()
        }
    })
}

fn journals(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(journals(&path));
        } else if path.file_name().is_some_and(|name| name == "journal.jsonl") {
            found.push(path);
        }
    }
    found
}

/// What each call cost, but for those that were refused: they were never made.
fn paid(events: &[Value]) -> Vec<u64> {
    events.iter().filter_map(|event| event["cost"].as_u64()).filter(|cost| *cost > 0).collect()
}

pub(crate) fn events(folder: &Path, kind: &str) -> Vec<Value> {
    let texts = journals(&folder.join("runs"))
        .into_iter()
        .map(|path| std::fs::read_to_string(path).expect("journal"));
    let all: Vec<Value> = texts
        .flat_map(|text| {
            text.lines().map(|line| serde_json::from_str(line).expect("an event")).collect::<Vec<_>>()
        })
        .collect();
    all.into_iter().filter(|event| event["type"] == kind).collect()
}

fn everything(folder: &Path) -> Vec<u8> {
    let mut content = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        content.extend(if path.is_dir() { everything(&path) } else { std::fs::read(&path).expect("file") });
    }
    content
}

#[test]
fn the_browsing_agents_solve_a_task_and_leave_their_calls_as_evidence() {
    let (folder, provider) = (folder(), provider(Script::new(student)));
    configure(folder.path(), &provider, "price = { input = 1.0, output = 2.0 }");
    let agents = "voyager,occam,indexed";
    let ran =
        with_key(folder.path(), &["run", "--suite", "demo", "--filter", TASK, "--agent", agents, "--json"]);
    let outcomes: Vec<String> = ran.outcomes().into_iter().map(|(_, outcome)| outcome).collect();
    assert_eq!(outcomes, ["pass"; 3], "{}\n{}", ran.stdout, ran.stderr);
    let calls = events(folder.path(), "model_called");
    assert_eq!(calls.len(), 6, "two calls each");
    for call in &calls {
        assert_eq!((call["model"].as_str(), call["source"].as_str()), (Some("small"), Some("provider")));
        assert!(call["cost"].as_u64().is_some_and(|cost| cost > 0), "{call}");
        assert!(call["step"].as_u64().is_some_and(|step| step >= 1), "{call}");
    }
    let table = run(folder.path(), &["--json", "report"]);
    let summary: Value =
        serde_json::from_str(&table.stdout).unwrap_or_else(|_| panic!("{}{}", table.stdout, table.stderr));
    let agent = &summary["agents"][0];
    assert_eq!(agent["spending"]["calls"], 2, "{agent}");
    let settings = &summary["manifest"]["agents"][0]["settings"];
    assert!(settings["prompts"].is_string(), "{settings}");
    assert!(settings["model_identity"].as_str().is_some_and(|id| id.contains("tiny-1")), "{settings}");
    assert!(!String::from_utf8_lossy(&everything(folder.path())).contains(KEY), "the key is on the disk");
}

#[test]
fn indexed_asks_each_vendor_for_a_form_that_it_takes() {
    let (folder, provider) = (folder(), provider(Script::new(student)));
    let models: String = [Provider::OpenAi, Provider::OpenAiResponses, Provider::Anthropic, Provider::Gemini]
        .map(|vendor| {
            format!(
                "[models.{0}]\nprovider = \"{0}\"\nmodel = \"m\"\nbase_url = \"{1}\"\nimages = false\ntries = 1\n\
                 [agents.by-{0}]\nkind = \"indexed\"\nmodel = \"{0}\"\n",
                vendor.name(),
                provider.base_url(vendor)
            )
        })
        .concat();
    std::fs::write(folder.path().join("umpire.toml"), models).expect("configuration");
    let agents = "by-openai,by-openai-responses,by-anthropic,by-gemini";
    let ran = run(folder.path(), &["run", "--suite", "demo", "--filter", TASK, "--agent", agents, "--json"]);
    let outcomes: Vec<String> = ran.outcomes().into_iter().map(|(_, outcome)| outcome).collect();
    assert_eq!(outcomes, ["pass"; 4], "{}\n{}", ran.stdout, ran.stderr);
}

#[test]
fn a_dead_provider_makes_infra_and_not_failures() {
    let (folder, provider) = (folder(), provider(Act::status(500)));
    configure(folder.path(), &provider, "breaker_calls = 1\nbreaker_pause_seconds = 3600");
    let ran = with_key(
        folder.path(),
        &[
            "run",
            "--suite",
            "demo",
            "--filter",
            "site=hub and kind=retrieve",
            "--agent",
            "occam",
            "--retries",
            "0",
            "-j",
            "1",
            "--json",
        ],
    );
    let outcomes = ran.outcomes();
    assert!(outcomes.len() > 3, "{}\n{}", ran.stdout, ran.stderr);
    assert!(outcomes.iter().all(|(_, outcome)| outcome == "infra"), "{outcomes:?}");
    // After the first call with its two tries the circuit is open.
    assert_eq!(provider.asked().len(), 2);
}

#[test]
fn an_attempt_ends_when_its_money_is_spent() {
    let scroll = Script::new(|_: &Asked| Act::say("Thought: on\nAction: Scroll [WINDOW]; [down]"));
    let (folder, provider) = (folder(), provider(scroll));
    configure(folder.path(), &provider, "price = { input = 20.0, output = 20.0 }");
    let config = folder.path().join("umpire.toml");
    let text = std::fs::read_to_string(&config).expect("configuration");
    std::fs::write(
        &config,
        text.replace("kind = \"voyager\"\n", "kind = \"voyager\"\nbudget = \"0.10usd\"\n"),
    )
    .expect("write");
    let ran = with_key(
        folder.path(),
        &["run", "--suite", "demo", "--filter", TASK, "--agent", "voyager", "--json"],
    );
    assert_eq!(
        ran.outcomes(),
        [("voyager/hub-password-age/1".to_owned(), "budget".to_owned())],
        "{}",
        ran.stderr
    );
    let costs = paid(&events(folder.path(), "model_called"));
    let (last, before) = costs.split_last().expect("calls");
    let spent: u64 = before.iter().sum();
    assert!(spent < 100_000, "the budget was spent before the last call: {costs:?}");
    assert!(spent + last >= 100_000, "the last call reached it: {costs:?}");
    // Without a price nobody could say when it is spent.
    let unpriced = std::fs::read_to_string(&config)
        .expect("configuration")
        .replace("price = { input = 20.0, output = 20.0 }", "");
    std::fs::write(&config, unpriced).expect("write");
    let refused =
        with_key(folder.path(), &["run", "--suite", "demo", "--filter", TASK, "--agent", "voyager"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("nobody knows what it costs"), "{}", refused.stderr);
}

#[test]
fn a_run_that_has_spent_its_budget_goes_on_with_a_larger_one() {
    let (folder, provider) = (folder(), provider(Script::new(student)));
    configure(folder.path(), &provider, "price = { input = 20.0, output = 20.0 }");
    let command = |budget: &'static str| {
        [
            "run",
            "--suite",
            "demo",
            "--filter",
            TASK,
            "--agent",
            "occam,voyager,indexed",
            "-j",
            "1",
            "--budget",
            budget,
            "--json",
        ]
    };
    let ran = with_key(folder.path(), &command("0.05usd"));
    assert_eq!(ran.code, Some(102), "{}\n{}", ran.stdout, ran.stderr);
    assert!(
        ran.outcomes().len() < 3 && ran.outcomes().iter().all(|(_, outcome)| outcome == "pass"),
        "{}",
        ran.stdout
    );
    let again = with_key(folder.path(), &command("5usd"));
    assert_eq!(again.code, Some(0), "{}\n{}", again.stdout, again.stderr);
    assert_eq!(ran.outcomes().len() + again.outcomes().len(), 3, "none ran twice to its end");
}

#[test]
fn a_model_that_says_nothing_useful_uses_its_turns_up() {
    let (folder, provider) = (folder(), provider(Act::say("Ich weiß nicht, was ich tun soll.")));
    configure(folder.path(), &provider, "");
    let arguments = [
        "run",
        "--suite",
        "demo",
        "--filter",
        TASK,
        "--agent",
        "voyager,indexed",
        "--actions",
        "4",
        "--json",
    ];
    let mut outcomes = with_key(folder.path(), &arguments).outcomes();
    outcomes.sort();
    let pair = |agent: &str, outcome: &str| (format!("{agent}/hub-password-age/1"), outcome.to_owned());
    assert_eq!(outcomes, [pair("indexed", "fail"), pair("voyager", "budget")]);
    let lost = events(folder.path(), "turn_lost");
    assert!(
        lost.iter().any(|event| event["reason"].as_str().is_some_and(|why| why.contains("Action:"))),
        "{lost:?}"
    );
}

#[test]
fn what_was_recorded_is_replayed_without_a_provider_or_a_key() {
    let (folder, provider) = (folder(), provider(Script::new(student)));
    configure(folder.path(), &provider, "");
    let base = [
        "run",
        "--suite",
        "demo",
        "--filter",
        TASK,
        "--agent",
        "voyager",
        "--cassette",
        "calls.jsonl",
        "--json",
    ];
    let recorded = with_key(folder.path(), &[&base[..], &["--cassette-mode", "record"]].concat());
    assert_eq!(
        recorded.outcomes().first().map(|(_, outcome)| outcome.as_str()),
        Some("pass"),
        "{}",
        recorded.stderr
    );
    drop(provider);
    let replayed =
        run(folder.path(), &[&base[..], &["--cassette-mode", "replay-or-fail", "--repeat", "1"]].concat());
    assert_eq!(
        replayed.outcomes().first().map(|(_, outcome)| outcome.as_str()),
        Some("pass"),
        "{}",
        replayed.stderr
    );
    let tape = std::fs::read_to_string(folder.path().join("calls.jsonl")).expect("cassette");
    assert!(!tape.contains(KEY));
}

#[test]
fn agents_without_a_usable_model_say_what_is_missing() {
    let folder = folder();
    let ran = run(folder.path(), &["run", "--suite", "smoke", "--agent", "occam"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("asks a model, and none is named"), "{}", ran.stderr);
    let ran = run(folder.path(), &["run", "--suite", "smoke", "--agent", "occam", "--model", "big"]);
    assert!(ran.stderr.contains("there is no model `big`"), "{}", ran.stderr);
    let provider = provider(Act::Nothing);
    configure(folder.path(), &provider, "");
    let ran = run(folder.path(), &["run", "--suite", "smoke", "--agent", "occam"]);
    assert!(ran.stderr.contains("TINY_KEY is not set"), "{}", ran.stderr);
}

/// Searches, opens the first result, and answers.
fn searcher(asked: &Asked) -> Act {
    let said = asked.text();
    if said.contains("Reply with the query alone") {
        return Act::say("lamp");
    }
    let results = said.split_once("<results>").map_or("", |(_, results)| results);
    let first =
        results.lines().find_map(|line| line.strip_prefix('[')?.split_once(']').map(|(mark, _)| mark));
    Act::say(first.map_or("2025-06-22", |mark| mark))
}

#[test]
fn the_search_agent_finds_the_search_engine_whatever_the_task_is_about() {
    let (folder, provider) = (folder(), provider(Script::new(searcher)));
    configure(folder.path(), &provider, "");
    let ran = with_key(
        folder.path(),
        &["run", "--suite", "demo", "--filter", TASK, "--agent", "search,knowledge", "--json"],
    );
    assert_eq!(ran.outcomes().len(), 2, "{}\n{}", ran.stdout, ran.stderr);
    let asked = events(folder.path(), "exchange");
    let searched = asked.iter().find(|event| {
        event["request"]["url"]
            .as_str()
            .is_some_and(|url| url.starts_with("http://search.localhost/search?q=lamp"))
    });
    assert_eq!(searched.map(|event| event["response"]["status"].clone()), Some(200.into()));
    let clicked = events(folder.path(), "acted").iter().any(|event| {
        event["action"].as_str().is_some_and(|action| action.starts_with("click")) && event["error"].is_null()
    });
    assert!(clicked, "a result was opened");
}

/// Asks until it is refused, or once if it is told to, with nothing but what its environment says.
const FOREIGN: &str = r#"
import json, os, sys, urllib.error, urllib.request
url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
body = json.dumps({"model": os.environ["UMPIRE_MODEL"], "messages": [{"role": "user", "content": "x" * 400}]}).encode()
headers = {"authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "content-type": "application/json"}
for _ in range(1 if sys.argv[1] == "once" else 1000):
    try:
        answer = json.load(urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=30))
    except urllib.error.HTTPError as refused:
        print(refused.code, refused.read().decode())
        sys.exit(1)
print(answer["choices"][0]["message"]["content"])
"#;

#[test]
fn a_foreign_agent_asks_through_the_gateway_and_is_stopped_by_its_budget() {
    let answer = r#"{"action":"retrieve","status":"SUCCESS","results":["2025-06-22"],"error_details":null}"#;
    let (folder, provider) = (folder(), provider(Act::say(answer)));
    std::fs::write(folder.path().join("foreign.py"), FOREIGN).expect("agent");
    let agent = |name: &str, how: &str| {
        format!(
            "[agents.{name}]\nkind = \"command\"\ncommand = [\"python3\", \"foreign.py\", \"{how}\"]\nmodels = [\"small\"]\nbudget = \"0.10usd\"\n"
        )
    };
    let agents = [agent("once", "once"), agent("greedy", "on")].concat();
    configure(
        folder.path(),
        &provider,
        &format!("max_tokens = 50\nprice = {{ input = 40.0, output = 40.0 }}\n{agents}"),
    );
    let ran = with_key(
        folder.path(),
        &["run", "--suite", "demo", "--filter", TASK, "--agent", "once,greedy", "--json"],
    );
    let mut outcomes = ran.outcomes();
    outcomes.sort();
    let pair = |agent: &str, outcome: &str| (format!("{agent}/hub-password-age/1"), outcome.to_owned());
    assert_eq!(outcomes, [pair("greedy", "budget"), pair("once", "pass")], "{}\n{}", ran.stdout, ran.stderr);
    let greedy: Vec<PathBuf> = journals(&folder.path().join("runs"))
        .into_iter()
        .filter(|path| path.to_string_lossy().contains("greedy"))
        .collect();
    let text = std::fs::read_to_string(&greedy[0]).expect("journal");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    let costs = paid(&events);
    let (last, before) = costs.split_last().expect("calls");
    let spent: u64 = before.iter().sum();
    assert!(spent < 100_000 && spent + last >= 100_000, "{costs:?}");
    assert!(text.contains("402") && text.contains("budget_exceeded"), "the refusal says why");
}
