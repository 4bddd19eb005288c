//! Models vote on a study beside people: `umpire run`, `umpire serve`, votes, `umpire judge --study`.

use std::cmp::Ordering;

use serde_json::{Value, json};
use umpire_llm::Provider;
use umpire_llm::scripted::{Act, Asked, Script, ScriptedProvider};

use super::failures::succeeds;
use super::visitor::Visitor;
use crate::support::serving::{OPERATORS_PASSWORD, serve};
use crate::support::{folder, run};

/// Prefers whoever took more steps, wherever it stands.
fn diligence(asked: &Asked) -> Act {
    let text = asked.text();
    let (first, second) = text.split_once("Agent B did:").expect("both sides");
    let steps = |text: &str| text.matches("\nstep ").count();
    let better = match steps(first).cmp(&steps(second)) {
        Ordering::Greater => "A",
        Ordering::Less => "B",
        Ordering::Equal => "tie",
    };
    Act::say(json!({ "thoughts": "One of them did more.", "better": better }).to_string())
}

/// Votes for the left on every battle of a study; how many there were.
async fn vote_left(visitor: &mut Visitor, study: &str) -> usize {
    let mut votes = 0;
    loop {
        visitor.get("/arena").await;
        let next = visitor.post(&format!("{study}/next"), &[]).await;
        let Some(battle) = next.header("location").map(str::to_owned) else { return votes };
        visitor.get(&battle).await;
        assert_eq!(visitor.post(&battle, &[("choice", "left")]).await.status, 303);
        votes += 1;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_votes_on_a_study_blind_in_both_orders_and_is_held_against_people() {
    let provider = ScriptedProvider::start(Script::new(diligence)).await.expect("a provider");
    let place = folder();
    let place = place.path();
    let config = format!(
        "[models.small]\nprovider = \"openai-compatible\"\nmodel = \"tiny-1\"\nbase_url = \"{}\"\n\
         [agents.quillfish]\nkind = \"oracle\"\n[agents.bramblecat]\nkind = \"yes\"\n",
        provider.base_url(Provider::OpenAiCompatible)
    );
    std::fs::write(place.join("umpire.toml"), &config).expect("written");
    let chosen = [
        "run",
        "--suite",
        "demo",
        "--filter",
        "site=forum and kind=retrieve",
        "--agent",
        "quillfish",
        "--agent",
        "bramblecat",
    ];
    succeeds(place, &chosen);
    let (_serving, origin) = serve(place, &config, &[]);
    let address = origin.strip_prefix("http://").expect("plain").parse().expect("an address");
    let (mut operator, mut ann) = (Visitor::new(address), Visitor::new(address));
    operator.sign_in("op", OPERATORS_PASSWORD).await;
    let page = operator.get("/arena").await.body;
    let name =
        page.split("name=\"run\"").nth(1).and_then(|rest| rest.split("value=\"").nth(1)).expect("a run");
    let name = name.split('"').next().expect("a name");
    let fields = [("run", name), ("title", "Forum"), ("most", "50"), ("voters", "1")];
    let study =
        operator.post("/arena/studies", &fields).await.header("location").expect("a study").to_owned();
    let id = study.rsplit('/').next().expect("an id");
    let battles = vote_left(&mut ann, &study).await;
    assert!(battles > 1, "{battles} battles");

    let judge = ["--json", "judge", "--study", id, "--model", "small"];
    let estimate = succeeds(place, &[&judge[..], &["--estimate"]].concat());
    assert_eq!(estimate.events()[0]["calls"], 2 * battles, "{}", estimate.stdout);
    assert!(provider.asked().is_empty(), "an estimate asks nobody");
    let judged = succeeds(place, &judge).events();
    assert_eq!(provider.asked().len(), 2 * battles, "each pair in both orders");
    for asked in provider.asked() {
        let text = asked.text();
        assert!(!text.contains("quillfish") && !text.contains("bramblecat"), "{text}");
    }
    let ballots: Vec<&Value> =
        judged.iter().filter(|event| event["event"] == "ballot").map(|event| &event["ballot"]).collect();
    assert_eq!(ballots.len(), battles);
    let mut left = 0;
    for ballot in &ballots {
        let preferred = &ballot[ballot["choice"].as_str().expect("a choice")];
        assert_eq!(*preferred, "quillfish", "it is the one that does something: {ballot}");
        left += u64::from(ballot["choice"] == "left");
    }
    let told = judged.last().expect("a summary");
    let share = &told["agreement"]["pairwise/small"]["share"];
    assert_eq!((&share["count"], &share["of"]), (&json!(left), &json!(battles)), "people said left: {told}");

    // What was said is kept, and the pages of the running server have it.
    let again = succeeds(place, &["judge", "--study", id, "--model", "small"]).stdout;
    assert!(again.contains(&format!("votes: 0 cast, {battles} kept from before")), "{again}");
    assert_eq!(provider.asked().len(), 2 * battles);
    let agreed = format!("{left}/{battles}");
    let says_so = |page: &str| page.split("pairwise/small").nth(1).is_some_and(|rest| rest.contains(&agreed));
    operator.get_until(&study, says_so).await;
    let standings: Value = serde_json::from_str(&ann.get("/api/v1/leaderboard").await.body).expect("JSON");
    assert_eq!(standings["ballots"], battles, "people alone make the standings");
    assert!(operator.get("/accounts").await.body.contains("model voted"));

    let elsewhere = run(place, &["judge", "--study", "none", "--model", "small"]);
    assert!(
        elsewhere.stderr.contains("there is no study `none`") && elsewhere.stderr.contains("Forum"),
        "{}",
        elsewhere.stderr
    );
    let single = run(place, &["judge", "--study", id, "--judge", "webjudge", "--model", "small"]);
    assert!(single.stderr.contains("does not compare two attempts"), "{}", single.stderr);
}
