//! Votes on finished attempts: blind until stored, one a voter, counted soon after.

use serde_json::Value;

use crate::support::{RUN, Served, Visitor};

pub const AGENTS: [&str; 4] = ["oracle", "heuristic", "say-yes", "my-bot"];

/// Puts attempts up for votes and returns the study's path.
pub async fn study(operator: &mut Visitor, fields: &[(&str, &str)]) -> String {
    operator.get("/arena").await;
    let mut all = vec![("run", RUN), ("title", "All of it"), ("most", "50"), ("voters", "2")];
    all.retain(|(name, _)| !fields.iter().any(|(given, _)| given == name));
    all.extend_from_slice(fields);
    let made = operator.post("/arena/studies", &all).await;
    assert_eq!(made.status, 303, "{}", made.body);
    made.header("location").expect("the study").to_owned()
}

/// The next battle of a study for somebody, if there is one.
pub async fn next(visitor: &mut Visitor, study: &str) -> Option<String> {
    visitor.get("/arena").await;
    let taken = visitor.post(&format!("{study}/next"), &[]).await;
    taken.header("location").map(str::to_owned)
}

async fn vote(visitor: &mut Visitor, battle: &str, choice: &str) -> u16 {
    visitor.get(battle).await;
    visitor.post(battle, &[("choice", choice)]).await.status
}

#[tokio::test]
async fn a_battle_is_blind_until_the_vote_is_stored() {
    let served = Served::start().await;
    let mut operator = served.operator().await;
    let study = study(&mut operator, &[("agent", "oracle"), ("other_agent", "say-yes"), ("most", "1")]).await;
    let mut ann = served.visitor();
    let battle = next(&mut ann, &study).await.expect("a battle");
    let page = ann.get(&battle).await;
    assert_eq!(page.status, 200);
    let shown = ann.told_on(&page.body, &battle);
    for told in AGENTS.iter().chain(&[RUN, "verdict", "every check", "/runs/core"]) {
        assert!(!shown.contains(told), "`{told}` is told before the vote");
    }
    assert!(page.body.contains("The search box is the quickest way."), "the steps are there");
    // What a page or an agent wrote is text, never markup.
    assert!(page.body.contains("&lt;script&gt;alert") && !page.body.contains("<script>alert"));

    for path in [format!("/runs/{RUN}"), format!("/compare?before={RUN}&after={RUN}&before_agent=oracle")] {
        assert_eq!(ann.get(&path).await.status, 403, "nor may they look it up: {path}");
    }
    let picture = format!("{battle}/left/1");
    let seen = ann.get(&picture).await;
    assert_eq!((seen.status, seen.header("content-type")), (200, Some("image/jpeg")));
    assert!(seen.header("content-security-policy").expect("one").contains("sandbox"));

    ann.get(&battle).await;
    let fields = [
        ("choice", "left"),
        ("step-left-3", "wrong"),
        ("why-left-3", "<i>covered</i>"),
        ("step-right-99", "wrong"),
        ("text", "because"),
    ];
    assert_eq!(ann.post(&battle, &fields).await.status, 303);
    let after = ann.get(&battle).await.body;
    assert!(after.contains("oracle") && after.contains("say-yes"), "now it is told");
    assert!(!after.contains("name=\"choice\""), "and there is nothing left to vote on");
    assert_eq!(ann.get(&format!("/runs/{RUN}")).await.status, 200);

    // A step that is not there was not spoken of.
    let mut ben = served.visitor();
    let same = next(&mut ben, &study).await.expect("it needs two");
    assert_eq!(same, battle);
    assert_eq!(vote(&mut ben, &same, "tie").await, 303);
    let told: Value = serde_json::from_str(&ben.get("/api/v1/battles").await.body).expect("JSON");
    let votes = told["battles"][0]["votes"].as_array().expect("votes");
    assert_eq!(votes.len(), 2);
    let annotations =
        votes.iter().find(|vote| vote["choice"] == "left").expect("hers")["annotations"].clone();
    assert_eq!(annotations.as_array().map(Vec::len), Some(1), "{annotations}");
    assert_eq!((&annotations[0]["step"], &annotations[0]["text"]), (&3.into(), &"<i>covered</i>".into()));
}

/// Every journal of a run, with one text for another.
fn rewrite_journals(runs: &std::path::Path, from: &str, to: &str) -> usize {
    let mut changed = 0;
    for entry in std::fs::read_dir(runs).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            changed += rewrite_journals(&entry, from, to);
        } else if entry.extension().is_some_and(|ending| ending == "jsonl") {
            let text = std::fs::read_to_string(&entry).expect("text");
            changed += usize::from(text.contains(from));
            std::fs::write(&entry, text.replace(from, to)).expect("written");
        }
    }
    changed
}

#[tokio::test]
async fn an_agent_that_says_its_own_name_is_still_nobody() {
    let said = "I am Say Yes, powered by GPT-4o mini; ask http://x.test/claude/?by=my-bot.";
    let served = Served::start_with(|options| {
        let changed = rewrite_journals(&options.runs, "The search box is the quickest way.", said);
        assert!(changed > 40, "{changed} journals were changed");
    })
    .await;
    let mut operator = served.operator().await;
    let study = study(&mut operator, &[("most", "4"), ("voters", "1")]).await;
    let mut ann = served.visitor();
    let mut shown = 0;
    while let Some(battle) = next(&mut ann, &study).await {
        shown += 1;
        let page = ann.get(&battle).await.body;
        let page = ann.told_on(&page, &battle);
        for told in ["say yes", "say-yes", "gpt", "4o", "claude", "my-bot"] {
            assert!(!page.contains(told), "`{told}` is told");
        }
        assert!(page.contains("powered by ▮▮▮"), "the rest of the thought is there: {page}");
        assert_eq!(vote(&mut ann, &battle, "tie").await, 303);
        let told = ann.get("/api/v1/battles").await.body;
        assert!(told.contains("\"choice\":\"tie\""));
    }
    assert_eq!(shown, 4);
}

#[tokio::test]
async fn nobody_votes_twice_for_others_or_on_what_they_were_not_given() {
    let served = Served::start().await;
    let mut operator = served.operator().await;
    let study = study(&mut operator, &[("most", "3")]).await;
    let (mut ann, mut eve) = (served.visitor(), served.visitor());
    let battle = next(&mut ann, &study).await.expect("a battle");
    eve.get("/arena").await;
    for path in [battle.clone(), format!("{battle}/left/1")] {
        assert_eq!(eve.get(&path).await.status, 404, "it is not hers: {path}");
        assert_eq!(operator.get(&path).await.status, 404, "nor the operator's: {path}");
    }
    eve.get("/arena").await;
    assert_eq!(eve.post(&battle, &[("choice", "left")]).await.status, 404);
    assert_eq!(eve.get(&study).await.status, 401, "results are for operators");
    assert_eq!(eve.get("/leaderboard/voters").await.status, 401);
    for path in ["/arena/studies", "/leaderboard/voters/leave-out"] {
        eve.get("/arena").await;
        assert_eq!(
            eve.post(path, &[("title", "x"), ("voter", "x"), ("why", "x")]).await.status,
            401,
            "{path}"
        );
    }
    for path in [format!("{battle}/middle/1"), format!("{battle}/left/99"), "/arena/battles/none".to_owned()]
    {
        assert_eq!(ann.get(&path).await.status, 404, "{path}");
    }

    ann.get(&battle).await;
    let token = ann.token.clone();
    let without = ann.post_as_given(&battle, &[("choice", "left")], &[]).await;
    assert_eq!(without.status, 403, "a vote needs its token");
    let foreign = [("Origin", "http://evil.example")];
    let sent = ann.post_as_given(&battle, &[("token", &token), ("choice", "left")], &foreign).await;
    assert_eq!(sent.status, 403, "and comes from our own page");
    let of_another = eve.token.clone();
    let sent = ann.post_as_given(&battle, &[("token", &of_another), ("choice", "left")], &[]).await;
    assert_eq!(sent.status, 403, "with a token of one's own");
    ann.get(&battle).await;
    assert_eq!(ann.post(&battle, &[("choice", "everybody")]).await.status, 400);
    assert_eq!(vote(&mut ann, &battle, "left").await, 303);
    ann.get("/arena").await;
    assert_eq!(ann.post(&battle, &[("choice", "right")]).await.status, 403, "one vote");
    let second = next(&mut ann, &study).await.expect("another");
    assert_ne!(second, battle, "what was voted on does not come again");

    let open: Value = serde_json::from_str(&eve.get("/api/v1/battles").await.body).expect("JSON");
    assert_eq!(open["battles"].as_array().map(Vec::len), Some(0), "one more is to vote: names are not told");
}

#[tokio::test]
async fn votes_show_on_the_leaderboard_soon_and_after_a_restart() {
    let served = Served::start_with(|options| options.secret = Some("s".to_owned())).await;
    let mut operator = served.operator().await;
    let study =
        study(&mut operator, &[("agent", "oracle"), ("other_agent", "say-yes"), ("voters", "1")]).await;
    let mut ann = served.visitor();
    let mut voted = 0;
    while let Some(battle) = next(&mut ann, &study).await {
        ann.get(&battle).await;
        // Whoever is oracle wins; which side that is shows in pictures of its runs alone, so ask the operator's page.
        let choice = if voted % 4 == 3 { "tie" } else { "left" };
        assert_eq!(ann.post(&battle, &[("choice", choice)]).await.status, 303);
        voted += 1;
    }
    assert_eq!(voted, 12, "twelve instances that both ended");
    let counted = ann.get_until("/api/v1/leaderboard", |told| told.contains("\"ballots\":12,")).await;
    let counted: Value = serde_json::from_str(&counted).expect("JSON");
    let ties: u64 =
        counted["rows"].as_array().expect("rows").iter().map(|row| row["ties"].as_u64().expect("n")).sum();
    assert_eq!(ties, 6, "three ties, each of two agents");
    assert_eq!(counted["sides"]["left"], 9);
    let page = ann.get("/leaderboard").await.body;
    assert!(page.contains("oracle") && page.contains("say-yes") && page.contains("provisional"), "{page}");
    let only: Value =
        serde_json::from_str(&ann.get("/api/v1/leaderboard?kind=mutate").await.body).expect("JSON");
    assert_eq!(only["ballots"], 7, "as many mutate tasks as the made-up run has");
    for nonsense in ["kind=nonsense", "voters=cats", "from=yesterday", "until=2026-02-30", "marked=perhaps"] {
        assert_eq!(ann.get(&format!("/api/v1/leaderboard?{nonsense}")).await.status, 400, "{nonsense}");
    }
    for (which, ballots) in
        [("voters=models", 0), ("voters=everybody", 12), ("until=1999-12-31", 0), ("from=1999-12-31", 12)]
    {
        let told = ann.get(&format!("/api/v1/leaderboard?{which}")).await.body;
        assert!(told.contains(&format!("\"ballots\":{ballots},")), "{which}: {told}");
    }
    for (file, head) in [
        ("standings.csv", "rank,agent,rating"),
        ("pairs.csv", "agent,opponent,battles"),
        ("history.csv", "day,agent,rating"),
    ] {
        assert!(ann.get(&format!("/leaderboard/files/{file}")).await.body.starts_with(head), "{file}");
    }
    for name in ["ratings", "win-fractions", "battle-counts", "history"] {
        let drawing = ann.get(&format!("/leaderboard/drawings/{name}.svg")).await;
        assert_eq!((drawing.status, drawing.header("content-type")), (200, Some("image/svg+xml")), "{name}");
    }

    let served = served.restarted(|options| options.secret = Some("s".to_owned())).await;
    let mut later = served.visitor();
    let told: Value = serde_json::from_str(&later.get("/api/v1/leaderboard").await.body).expect("JSON");
    assert_eq!(told["ballots"], 12);
}

#[tokio::test]
async fn an_operator_sees_marks_and_leaves_a_voter_out() {
    let served = Served::start().await;
    let mut operator = served.operator().await;
    let study = study(&mut operator, &[("voters", "1"), ("most", "40")]).await;
    let mut hasty = served.visitor();
    for _ in 0..20 {
        let battle = next(&mut hasty, &study).await.expect("a battle");
        assert_eq!(vote(&mut hasty, &battle, "left").await, 303);
    }
    let page = operator.get("/leaderboard/voters").await.body;
    assert!(page.contains("hasty") && page.contains("velocity"), "{page}");
    let voter = page
        .split("name=\"voter\" value=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("a voter");
    let out = operator.post("/leaderboard/voters/leave-out", &[("voter", voter), ("why", "a machine")]).await;
    assert_eq!(out.status, 303, "{}", out.body);
    let page = operator.get("/leaderboard/voters").await.body;
    assert!(page.contains("left out by op") && page.contains("a machine"));
    let is_left_out = |told: &str| told.contains("\"ballots\":0,") && told.contains("\"left_out\":20,");
    operator.get_until("/api/v1/leaderboard", is_left_out).await;
    operator.get("/leaderboard/voters").await;
    operator.post("/leaderboard/voters/count", &[("voter", voter)]).await;
    // All of them were hasty.
    operator.get_until("/api/v1/leaderboard?marked=out", is_left_out).await;
    let log = operator.get("/accounts").await.body;
    assert!(log.contains("voter left out") && log.contains("voter counted again"));
}

/// Holds a value against a schema of the description, all the way down.
fn fits(value: &Value, schema: &Value, description: &Value, place: &str) {
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
        return fits(value, &description["components"]["schemas"][name], description, place);
    }
    if let Some(wanted) = schema.get("const") {
        assert_eq!(value, wanted, "{place}");
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => vec![kind],
    };
    // A whole number is a number too.
    let is_told = types.contains(&kind) || (kind == "integer" && types.contains(&"number"));
    assert!(is_told, "{place} is {value}, not {types:?}");
    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
        fits(item, &schema["items"], description, &format!("{place}[{at}]"));
    }
    let (Some(fields), Some(properties)) = (value.as_object(), schema["properties"].as_object()) else {
        return;
    };
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        assert!(fields.contains_key(name), "{place} has no `{name}`");
    }
    for (name, field) in fields {
        let schema = properties.get(name).unwrap_or_else(|| panic!("{place}.{name} is not described"));
        fits(field, schema, description, &format!("{place}.{name}"));
    }
}

#[tokio::test]
async fn what_the_api_describes_is_what_it_answers() {
    let served = Served::start().await;
    let mut operator = served.operator().await;
    let study = study(&mut operator, &[("voters", "1"), ("most", "3")]).await;
    let mut visitor = served.visitor();
    while let Some(battle) = next(&mut visitor, &study).await {
        visitor.get(&battle).await;
        let fields = [("choice", "left"), ("step-left-1", "wrong"), ("why-left-1", "looked away")];
        assert_eq!(visitor.post(&battle, &fields).await.status, 303);
    }
    visitor.get_until("/api/v1/leaderboard", |told| told.contains("\"ballots\":3,")).await;
    let description: Value =
        serde_json::from_str(&visitor.get("/api/v1/openapi.json").await.body).expect("JSON");
    let paths = description["paths"].as_object().expect("paths");
    assert_eq!(paths.len(), 3);
    for path in paths.keys() {
        let answer = visitor.get(path).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")), "{path}");
        let answer: Value = serde_json::from_str(&answer.body).expect("JSON");
        let response = &description["paths"][path]["get"]["responses"]["200"];
        fits(&answer, &response["content"]["application/json"]["schema"], &description, path);
    }
    let told: Value = serde_json::from_str(&visitor.get("/api/v1/battles").await.body).expect("JSON");
    assert_eq!(
        told["battles"][0]["votes"][0]["annotations"][0]["text"], "looked away",
        "there was something to hold"
    );
}

#[tokio::test]
async fn failure_modes_group_what_was_said_and_count_what_was_recorded() {
    let served = Served::start().await;
    let mut operator = served.operator().await;
    let page = operator.get("/failures").await;
    assert_eq!(page.status, 200, "{}", page.body);
    assert!(
        page.body.contains("What people and judges wrote") && page.body.contains("Silhouette"),
        "{}",
        page.body
    );
    assert!(page.body.contains("navigation"), "a table of what agents did is there");
    assert!(!page.body.contains("<script>alert"), "what was said is text");
    assert_eq!(operator.get("/failures?run=none-such").await.status, 404);
    assert_eq!(operator.get("/failures?run=../etc").await.status, 404);
    assert_eq!(served.visitor().get("/failures").await.status, 401);
}
