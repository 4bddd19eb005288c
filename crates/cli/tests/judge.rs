//! `umpire judge` as a user runs it: a run of the built-in agents, real Chromium, and a judge that answers by script.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::json;
use umpire_llm::Provider;
use umpire_llm::scripted::{Act, Asked, Script, ScriptedProvider};

use crate::support::{folder, run};

static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().expect("runtime"));

/// Believes whoever clicked something, and nobody else.
fn credulous(asked: &Asked) -> Act {
    let status = if asked.text().contains(": click ") { "success" } else { "failure" };
    Act::say(json!({ "thoughts": "They clicked, or not.", "status": status }).to_string())
}

fn configure(folder: &Path, provider: &ScriptedProvider, more: &str) {
    let config = format!(
        "[models.small]\nprovider = \"openai-compatible\"\nmodel = \"tiny-1\"\nbase_url = \"{}\"\nprice = {{ input = 1.0, output = 2.0 }}\n{more}\n",
        provider.base_url(Provider::OpenAiCompatible)
    );
    std::fs::write(folder.join("umpire.toml"), config).expect("configuration");
}

#[test]
fn a_run_is_judged_counted_and_resumed() {
    let provider = RUNTIME.block_on(ScriptedProvider::start(Script::new(credulous))).expect("a provider");
    let dir = folder();
    configure(
        dir.path(),
        &provider,
        "[judges.strict]\nlike = \"autonomous\"\nevidence = { screenshots = \"none\", state = true }",
    );
    let made = run(
        dir.path(),
        &[
            "run",
            "--suite",
            "demo",
            "--filter",
            "id=forum-upvote-newest",
            "--agent",
            "oracle",
            "--agent",
            "near-miss",
            "--agent",
            "yes",
        ],
    );
    assert_eq!(made.code, Some(0), "{}", made.stderr);

    let estimate = run(dir.path(), &["judge", "--judge", "autonomous", "--model", "small", "--estimate"]);
    assert_eq!(estimate.code, Some(0), "{}", estimate.stderr);
    assert!(
        estimate.stdout.contains("autonomous with small on 3 attempts of run demo-"),
        "{}",
        estimate.stdout
    );
    assert!(estimate.stdout.contains("about $0.0"), "{}", estimate.stdout);
    assert!(provider.asked().is_empty(), "an estimate asks nobody");

    let judged = run(dir.path(), &["judge", "--judge", "autonomous", "--model", "small"]);
    assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
    let row = |agent: &str| {
        let line = judged.stdout.lines().find(|line| line.starts_with(agent)).unwrap_or_default();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("oracle")[1..5], ["1", "0", "0", "0"], "{}", judged.stdout);
    assert_eq!(row("yes")[1..5], ["0", "1", "0", "0"], "{}", judged.stdout);
    assert!(
        judged.stdout.contains("votes: 3 cast, 0 kept from before; spent now: $0.0"),
        "{}",
        judged.stdout
    );
    let again = run(dir.path(), &["judge", "--judge", "autonomous", "--model", "small"]);
    assert!(again.stdout.contains("votes: 0 cast, 3 kept from before; spent now: $0.00"), "{}", again.stdout);
    assert_eq!(provider.asked().len(), 3);

    // What models say is shown beside what the rules say, and changes nothing about it.
    let shown = run(dir.path(), &["show", "oracle/forum-upvote-newest/1"]);
    assert!(
        shown.stdout.contains("PASS by rules") && shown.stdout.contains("PASS by judge autonomous"),
        "{}",
        shown.stdout
    );

    let own = run(dir.path(), &["judge", "--judge", "strict", "--model", "small", "--json"]);
    assert_eq!(own.code, Some(0), "{}", own.stderr);
    let events = own.events();
    assert_eq!(events.iter().filter(|event| event["event"] == "vote").count(), 3);
    let last = provider.asked().pop().expect("asked").text();
    let told = provider.asked().iter().any(|asked| asked.text().contains("forum/"));
    assert!(told, "the site's state is shown where a judge asks for it: {last}");
}

#[test]
fn what_keeps_a_judge_from_working_is_said() {
    let provider = RUNTIME.block_on(ScriptedProvider::start(Act::Drop)).expect("a provider");
    let dir = folder();
    configure(dir.path(), &provider, "tries = 1\n[judges.broken]\ntemplate = \"missing.md\"");
    let made =
        run(dir.path(), &["run", "--suite", "demo", "--filter", "id=hub-password-age", "--agent", "no"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    for (arguments, problem) in [
        (
            &["judge", "--judge", "nobody", "--model", "small"][..],
            "there is no judge `nobody`; there are webjudge",
        ),
        (&["judge", "--model", "large"], "there is no model `large`"),
        (&["judge"], "a judge needs a model"),
        (&["judge", "--judge", "broken", "--model", "small"], "judge `broken`: "),
        (&["judge", "--model", "small", "--weight", "small"], "`small` is not MODEL=WEIGHT"),
        (&["judge", "--model", "small", "--budget", "much"], "is not an amount of money"),
        (&["judge", "nowhere", "--model", "small"], "there is no run `nowhere`"),
    ] {
        let ran = run(dir.path(), arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {}", ran.stdout);
        let said = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ").replace(" │ ", " ");
        assert!(said.contains(problem), "{arguments:?}: {said}");
    }
    // A provider that is gone makes errors, not failures, and the same command goes on.
    let judged = run(dir.path(), &["judge", "--judge", "autonomous", "--model", "small"]);
    assert_eq!(judged.code, Some(5), "{}{}", judged.stdout, judged.stderr);
    assert!(
        judged.stdout.contains("1 votes have no answer; they count for neither side"),
        "{}",
        judged.stdout
    );
    let listed = run(dir.path(), &["judge", "--list"]);
    assert!(listed.stderr.contains("missing.md"), "{}", listed.stderr);
}
