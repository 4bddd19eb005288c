//! `umpire failures`, from a run of obstacles to the table, without a model.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value, json};
use umpire_llm::Provider;
use umpire_llm::scripted::{Act, Asked, Script, ScriptedProvider};
use umpire_model::{Digest, Ruling, Shown, VOTE_VERSION, Vote};
use umpire_store::Runs;

use crate::support::{Ran, folder, run};

static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().expect("runtime"));

pub fn succeeds(place: &Path, arguments: &[&str]) -> Ran {
    let ran = run(place, arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}\n{}", ran.stdout, ran.stderr);
    ran
}

/// The share in a column of an agent's row, as (count, of).
fn share(table: &Value, agent: &str, column: &str) -> (u64, u64) {
    let columns = table["columns"].as_array().expect("columns");
    let at = columns.iter().position(|name| name == column).unwrap_or_else(|| panic!("{column} in {table}"));
    let rows = table["rows"].as_array().expect("rows");
    let row = rows.iter().find(|row| row["agent"] == agent).expect("the agent");
    let share = &row["shares"][at];
    (share["count"].as_u64().expect("a count"), share["of"].as_u64().expect("a denominator"))
}

#[test]
fn from_obstacles_to_the_table_without_a_model() {
    let place = folder();
    let place = place.path();
    for (mode, most) in [("captcha", "3"), ("popups", "2")] {
        let out = format!("{mode}-tasks");
        let told =
            succeeds(place, &["--json", "failures", "tasks", "--mode", mode, "--most", most, "--out", &out]);
        let told: Value = serde_json::from_str(&told.stdout).expect("JSON");
        assert_eq!(told["provoking"], json!(most.parse::<u64>().expect("a number")), "{told}");
    }
    let again = run(place, &["failures", "tasks", "--mode", "captcha", "--out", "captcha-tasks"]);
    assert_eq!(again.code, Some(1), "what is there is left alone");
    assert!(
        run(place, &["failures", "tasks", "--mode", "fog", "--out", "x"]).stderr.contains("captcha, popups")
    );

    succeeds(place, &["run", "--suite", "captcha-tasks", "--agent", "oracle", "--agent", "yes"]);
    let told = succeeds(place, &["--json", "failures", "table", "--set", "captcha"]);
    let table: Value = serde_json::from_str(&told.stdout).expect("one table");
    // The oracle goes through every wall that it meets, whoever answers at once stays in front of it.
    let (met, all) = share(&table, "oracle", "wall_met");
    assert!(met >= 2 && all >= 3, "{table}");
    assert_eq!(share(&table, "oracle", "wall_passed"), (met, met));
    assert_eq!(share(&table, "oracle", "task_completed"), (met, met));
    let (met, _) = share(&table, "yes", "wall_met");
    assert_eq!(
        (share(&table, "yes", "wall_passed"), share(&table, "yes", "task_completed")),
        ((0, met), (0, met))
    );

    succeeds(place, &["run", "--suite", "popups-tasks", "--agent", "oracle", "--agent", "yes"]);
    let told = succeeds(place, &["--json", "failures", "table", "--set", "popups"]);
    let table: Value = serde_json::from_str(&told.stdout).expect("one table");
    assert_eq!(share(&table, "oracle", "banner_closed"), (2, 2));
    assert_eq!(share(&table, "oracle", "task_completed"), (2, 2));
    assert_eq!(share(&table, "yes", "banner_detected"), (0, 2), "it never looks");
    let aimed = ["failures", "tasks", "--mode", "direct-navigation", "--most", "2", "--out", "direct-tasks"];
    succeeds(place, &aimed);
    succeeds(place, &["run", "--suite", "direct-tasks", "--agent", "oracle", "--agent", "yes"]);
    let told = succeeds(place, &["--json", "failures", "table", "--set", "navigation"]);
    let table: Value = serde_json::from_str(&told.stdout).expect("one table");
    let (completed, all) = share(&table, "oracle", "task_completed");
    assert!(completed == all && all >= 2, "{table}");
    assert_eq!(share(&table, "oracle", "direct_answer"), (0, all), "it looks first");
    assert_eq!(share(&table, "yes", "direct_answer"), (all, all), "and this one never does");
    assert_eq!(share(&table, "yes", "task_completed").0, 0);
    let words = succeeds(place, &["failures", "table"]).stdout;
    assert!(words.contains("navigation, in %") && words.contains("failure-mode, in %"), "{words}");
    let votes = run(place, &["failures", "table", "--by", "votes"]);
    assert!(votes.stderr.contains("umpire judge --judge failure-mode"), "{}", votes.stderr);
    cast_navigation_votes(place);
    let told = succeeds(place, &["--json", "failures", "table", "--set", "navigation", "--by", "votes"]);
    let table: Value = serde_json::from_str(&told.stdout).expect("one table");
    assert_eq!(share(&table, "yes", "direct_answer"), (1, 1), "two of three that could be read");
    assert_eq!(share(&table, "yes", "search_page"), (0, 1));
}

/// What a judge said of one attempt of the latest run, five times.
fn cast_navigation_votes(place: &Path) {
    let run = Runs::new(place.join("runs")).latest().expect("runs").expect("the latest");
    let attempts = run.planned().expect("attempts");
    let attempt = attempts.into_iter().find(|id| id.agent == "yes").expect("one of them");
    let said = [
        (Ruling::Noted, true),
        (Ruling::Noted, true),
        (Ruling::Noted, false),
        (Ruling::Error, false),
        (Ruling::Error, false),
    ];
    for (sample, (ruling, is_direct)) in (1..).zip(said) {
        let vote = Vote {
            version: VOTE_VERSION,
            attempt: attempt.clone(),
            against: None,
            r#try: 1,
            judge: "navigation".to_owned(),
            digest: Digest::of(b"judge"),
            evidence: Digest::of(b"evidence"),
            model: "small".to_owned(),
            sample,
            ruling,
            reason: String::new(),
            findings: json!({ "direct_answer": is_direct, "search_page": !is_direct }),
            shown: Shown::default(),
            calls: Vec::new(),
        };
        run.attempt(&attempt).append_vote(&vote).expect("filed");
    }
}

/// Ballots with four complaints about captchas and four about cookie banners.
fn ballots() -> String {
    let walls = [
        "stopped by the captcha",
        "the captcha page blocked it",
        "captcha not solved, blocked",
        "blocked by a captcha wall",
    ];
    let banners = [
        "cookie banner not closed",
        "the cookie banner covered the page",
        "banner with cookies stayed open",
        "did not close the cookie banner",
    ];
    let mut lines = String::new();
    for (number, text) in walls.iter().chain(&banners).enumerate() {
        let ballot = json!({
            "version": 1, "battle": format!("b{number}"), "voter": "ann", "choice": "left", "left": "oak", "right": "elm",
            "task": "t", "task_kind": "retrieve", "at": 5,
            "annotations": [{"side": "right", "step": 2, "verdict": "wrong", "text": text},
                {"side": "left", "step": 1, "verdict": "ok", "text": "fine"}],
        });
        lines.push_str(&ballot.to_string());
        lines.push('\n');
    }
    lines
}

/// Names the group about captchas, and makes a mess of the other.
fn namer(asked: &Asked) -> Act {
    let text = asked.text();
    let inside = text.split("These do not:").next().unwrap_or_default();
    if inside.contains("captcha") {
        Act::say("Sure: {\"name\": \"Captcha not solved\", \"fits\": 4}")
    } else {
        Act::say("I would call it cookies.")
    }
}

#[test]
fn a_model_names_the_groups_it_can_and_terms_name_the_others() {
    let provider = RUNTIME.block_on(ScriptedProvider::start(Script::new(namer))).expect("a provider");
    let place = folder();
    let place = place.path();
    let config = format!(
        "[models.small]\nprovider = \"openai-compatible\"\nmodel = \"tiny-1\"\nbase_url = \"{}\"\nprice = {{ input = 1.0, output = 2.0 }}\n",
        provider.base_url(Provider::OpenAiCompatible)
    );
    fs::write(place.join("umpire.toml"), config).expect("configuration");
    fs::write(place.join("ballots.jsonl"), ballots()).expect("written");
    let cluster = ["failures", "cluster", "--ballots", "ballots.jsonl", "--most", "3", "--model", "small"];
    let ran = succeeds(place, &[&["--json"], &cluster[..]].concat());
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let names: Vec<&str> = found["clusters"]
        .as_array()
        .expect("clusters")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names.len(), 2, "{found}");
    assert!(names.contains(&"Captcha not solved"), "{names:?}");
    assert!(names.iter().any(|name| name.contains("cookie") || name.contains("banner")), "{names:?}");
    assert!(ran.stderr.contains("its salient terms name it"), "{}", ran.stderr);
    assert_eq!(provider.asked().len(), 2, "one question a group");

    let unknown = run(place, &[&cluster[..6], &["--model", "large"]].concat());
    assert_eq!(unknown.code, Some(1), "a model that is not there: {}", unknown.stderr);
    let poor = run(place, &[&cluster[..], &["--budget", "0.0000001usd"]].concat());
    assert!(poor.stderr.contains("salient terms") || poor.code == Some(1), "{}", poor.stderr);
}

#[test]
fn annotations_of_an_arena_are_grouped_and_a_group_becomes_tasks() {
    let place = folder();
    let place = place.path();
    let lines = ballots();
    fs::write(place.join("ballots.jsonl"), &lines).expect("written");
    let cluster = ["failures", "cluster", "--ballots", "ballots.jsonl", "--most", "3", "--out", "modes.json"];
    let shown = succeeds(place, &cluster).stdout;
    assert!(shown.contains("8 reasons, compared by words") && shown.contains("stability"), "{shown}");
    let modes: Value =
        serde_json::from_str(&fs::read_to_string(place.join("modes.json")).expect("written")).expect("JSON");
    let clusters = modes["clusters"].as_array().expect("clusters");
    assert_eq!(clusters.len(), 2, "{shown}");
    let about =
        |cluster: &Value, word: &str| cluster["terms"].as_array().expect("terms").contains(&json!(word));
    let captcha = clusters.iter().find(|cluster| about(cluster, "captcha")).expect("a group about captchas");
    assert_eq!(captcha["reasons"].as_array().expect("texts").len(), 4);
    let number = captcha["number"].to_string();
    let aimed = succeeds(
        place,
        &[
            "--json",
            "failures",
            "tasks",
            "--clusters",
            "modes.json",
            "--cluster",
            &number,
            "--most",
            "4",
            "--out",
            "aimed",
        ],
    );
    assert!(aimed.stdout.contains(r#""mode":"captcha""#), "{}", aimed.stdout);
    succeeds(place, &["run", "--suite", "aimed", "--agent", "oracle", "--plan"]);

    fs::write(place.join("broken.jsonl"), lines.replace("\"version\":1", "\"version\":9")).expect("written");
    let newer = run(place, &["failures", "cluster", "--ballots", "broken.jsonl"]);
    assert!(newer.stderr.contains("broken.jsonl:1"), "{}", newer.stderr);
}
