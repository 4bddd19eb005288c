//! Every built-in judge over a scripted provider: what it asks, what it makes of the answers, what is kept.

use serde_json::{Value, json};
use umpire_judges::definition::Definition;
use umpire_judges::panel::PanelOptions;
use umpire_judges::vote::Counting;
use umpire_llm::scripted::{Act, Asked, Script};
use umpire_model::{End, Outcome, Ruling};

use crate::court::{Court, Story, asking, part_of, run, sit, task};

#[expect(clippy::needless_pass_by_value, reason = "answers are written where they are said")]
fn says(answer: Value) -> Act {
    Act::say(answer.to_string())
}

fn success() -> Act {
    says(json!({ "thoughts": "It is off.", "status": "success" }))
}

fn failure() -> Act {
    says(json!({ "thoughts": "It is still on.", "status": "failure" }))
}

/// Plays a judge of key screenshots.
fn webjudge(asked: &Asked) -> Act {
    match part_of(asked).as_str() {
        "key_points" => says(json!({ "key_points": ["Ads are off", "It is saved"] })),
        "score" => says(
            json!({ "reasoning": "A switch.", "score": if asked.number.is_multiple_of(2) { 4 } else { 1 } }),
        ),
        "outcome" => success(),
        other => panic!("nobody asks for {other}"),
    }
}

#[tokio::test]
async fn key_screenshots_are_scored_one_by_one_and_shown_together() {
    let court = Court::new(Script::new(webjudge)).await;
    let run = run(court.folder.path(), &["a"], &[task("t1")], |_| Story::default());
    let panel = court.panel(&run, "webjudge", asking(&["one"]));
    let (docket, sitting) = sit(&panel).await;
    assert_eq!((docket.brought.len(), sitting.cast, sitting.kept), (1, 1, 0));
    let vote = &sitting.ruled[0].votes[0];
    assert_eq!((vote.ruling, vote.reason.as_str()), (Ruling::Pass, "It is off."));
    let parts: Vec<&str> = vote.calls.iter().map(|call| call.part.as_str()).collect();
    assert_eq!(parts, ["key points", "outcome", "screenshot 1", "screenshot 2", "screenshot 3"]);
    assert_eq!(vote.findings["key_points"], json!(["1. Ads are off", "2. It is saved"]));
    assert_eq!(vote.findings["screenshots"].as_array().map(Vec::len), Some(3));
    let shown = vote.findings["shown"].as_array().expect("a list");
    assert_eq!(shown.last(), Some(&json!([3])), "the end is always shown");
    // Calls are paid for as they are counted.
    let expected: u64 = vote
        .calls
        .iter()
        .map(|call| call.usage.expect("counted"))
        .map(|usage| 2 * usage.input + 8 * usage.output)
        .sum();
    assert_eq!(sitting.spent.cost.0, expected);
    let verdict = run.attempt(&vote.attempt).verdicts().expect("filed").pop().expect("one").verdict;
    assert_eq!((verdict.by.as_str(), verdict.outcome), ("judge webjudge", Outcome::Pass));

    let estimate = panel.estimate(&docket).expect("an estimate");
    assert_eq!(
        (estimate.votes, estimate.kept, estimate.by_model[0].calls),
        (1, 1, 0),
        "nothing is left to pay"
    );
    let before = court.provider.asked().len();
    let (_, again) = sit(&panel).await;
    assert_eq!(
        (again.cast, again.kept, court.provider.asked().len()),
        (0, 1, before),
        "nothing is asked twice"
    );
    assert_eq!(run.attempt(&vote.attempt).verdicts().expect("filed").len(), 1);
}

#[tokio::test]
async fn what_shows_the_same_is_asked_about_once() {
    let court = Court::new(Script::new(webjudge)).await;
    let shades = vec![10, 10, 10, 230, 230, 10];
    let run = run(court.folder.path(), &["a"], &[task("t1")], |_| Story {
        shades: shades.clone(),
        ..Story::default()
    });
    let (_, sitting) = sit(&court.panel(&run, "webjudge", asking(&["one"]))).await;
    let vote = &sitting.ruled[0].votes[0];
    assert_eq!((vote.shown.screenshots, vote.shown.frames), (6, 3), "a page that comes back is evidence");
    assert_eq!(vote.findings["screenshots"][0]["steps"], json!([1, 2, 3]));
    assert_eq!((vote.calls.len(), vote.shown.plain_calls, vote.shown.plain_images), (5, 8, 12));
}

#[tokio::test]
async fn single_calls_see_what_they_ask_for_and_nothing_else() {
    let court = Court::new(success()).await;
    let story = Story { answer: "THE-ANSWER".into(), thought: "THE-THOUGHT".into(), ..Story::default() };
    let run = run(court.folder.path(), &["a"], &[task("t1")], |_| story.clone());
    for (judge, pictures, answer, thought) in
        [("autonomous", 1, false, false), ("agenttrek", 1, false, true), ("webvoyager", 3, true, false)]
    {
        let before = court.provider.asked().len();
        let (_, sitting) = sit(&court.panel(&run, judge, asking(&["one"]))).await;
        assert_eq!(sitting.ruled[0].count.ruling, Ruling::Pass);
        let asked = &court.provider.asked()[before..];
        assert_eq!(asked.len(), 1, "{judge}");
        let text = asked[0].text();
        assert_eq!(asked[0].body.to_string().matches("data:image/png").count(), pictures, "{judge}");
        assert_eq!((text.contains("THE-ANSWER"), text.contains("THE-THOUGHT")), (answer, thought), "{judge}");
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_asked_for_once_more() {
    let court = Court::new(Script::new(|asked: &Asked| match asked.number {
        0 => Act::say("It went rather well."),
        1 => success(),
        _ => Act::say("Hard to say."),
    }))
    .await;
    let run = run(court.folder.path(), &["a"], &[task("t1"), task("t2")], |_| Story::default());
    let panel = court.panel(&run, "autonomous", PanelOptions { jobs: 1, ..asking(&["one"]) });
    let (_, sitting) = sit(&panel).await;
    let [first, second] = [&sitting.ruled[0], &sitting.ruled[1]];
    assert_eq!((first.count.ruling, first.votes[0].calls.len()), (Ruling::Pass, 2));
    assert!(first.votes[0].calls[0].problem.is_some(), "what was wrong is kept");
    let asked = court.provider.asked();
    assert!(asked[1].text().contains("could not be read"), "{}", asked[1].text());
    // Twice nothing is an error of the judge, and no verdict on the attempt.
    assert_eq!((second.count.ruling, second.count.errors), (Ruling::Error, 1));
    assert_eq!(run.attempt(&second.attempt).verdicts().expect("read").len(), 0);
    // The next sitting asks again, and only that.
    let before = court.provider.asked().len();
    let (_, again) = sit(&panel).await;
    assert_eq!((again.kept, again.cast), (1, 1));
    assert_eq!(court.provider.asked().len(), before + 2);
}

#[tokio::test]
async fn the_released_parsers_read_as_they_do() {
    let court = Court::new(Act::say("Thoughts: it did not work\nStatus: unsuccessful")).await;
    let run = run(court.folder.path(), &["a"], &[task("t1")], |_| Story::default());
    let options = PanelOptions { parser: umpire_judges::asking::Parser::Reference, ..asking(&["one"]) };
    let (_, sitting) = sit(&court.panel(&run, "autonomous", options)).await;
    assert_eq!(sitting.ruled[0].count.ruling, Ruling::Pass, "`unsuccessful` has `success` in it");
    let (_, strict) = sit(&court.panel(&run, "autonomous", asking(&["one"]))).await;
    assert_eq!(strict.ruled[0].count.ruling, Ruling::Error, "which is no verdict");
    assert!(part_of(&court.provider.asked()[0]).is_empty(), "no schema goes with it");
}

#[tokio::test]
async fn three_models_vote_and_every_vote_is_kept() {
    let court = Court::new(Script::new(|asked: &Asked| match asked.body["model"].as_str() {
        Some("judge-one") => failure(),
        _ => success(),
    }))
    .await;
    let run = run(court.folder.path(), &["a"], &[task("t1")], |_| Story::default());
    for (counting, ruling) in [
        (Counting::Majority, Ruling::Pass),
        (Counting::Unanimous, Ruling::Abstained),
        (Counting::Weighted([("one".to_owned(), 5.0)].into()), Ruling::Fail),
    ] {
        let options = PanelOptions { counting: counting.clone(), ..asking(&["one", "two", "three"]) };
        let (_, sitting) = sit(&court.panel(&run, "autonomous", options)).await;
        assert_eq!(sitting.ruled[0].count.ruling, ruling, "{counting:?}");
        assert_eq!((sitting.ruled[0].count.pass, sitting.ruled[0].count.fail), (2, 1));
    }
    assert_eq!(court.provider.asked().len(), 3, "counting otherwise asks nobody");
    let id = run.planned().expect("a plan").remove(0);
    assert_eq!(run.attempt(&id).votes().expect("kept").len(), 3);
}

#[tokio::test]
async fn samples_are_opinions_of_their_own() {
    let cache = tempfile::tempdir().expect("a folder");
    let script =
        Script::new(|asked: &Asked| if asked.number.is_multiple_of(3) { failure() } else { success() });
    let court = Court::with(script, |spec| spec, Some(cache.path())).await;
    let run = run(court.folder.path(), &["a"], &[task("t1")], |_| Story::default());
    let options = PanelOptions { samples: 3, jobs: 1, ..asking(&["one"]) };
    let (_, sitting) = sit(&court.panel(&run, "autonomous", options)).await;
    assert_eq!(
        (sitting.ruled[0].count.pass, sitting.ruled[0].count.fail),
        (2, 1),
        "the cache gives none away"
    );
}

#[tokio::test]
async fn how_an_attempt_ended_comes_before_what_is_thought_of_it() {
    let court = Court::new(success()).await;
    let ends = [("t1", End::Time), ("t2", End::Infra), ("t3", End::Blocked)];
    let run = run(court.folder.path(), &["a"], &ends.map(|(id, _)| task(id)), |id| Story {
        end: ends.iter().find(|(task, _)| *task == id.instance).expect("an end").1,
        ..Story::default()
    });
    let (docket, sitting) = sit(&court.panel(&run, "autonomous", asking(&["one"]))).await;
    assert_eq!(docket.unjudgeable.len(), 1, "a harness that failed says nothing about an agent");
    let outcomes: Vec<Outcome> = sitting
        .ruled
        .iter()
        .map(|ruled| {
            run.attempt(&ruled.attempt).verdicts().expect("filed").pop().expect("one").verdict.outcome
        })
        .collect();
    assert_eq!(outcomes, [Outcome::Timeout, Outcome::Blocked]);
}

#[tokio::test]
async fn privacy_looks_for_harm_and_owes_failures_to_controls() {
    let court = Court::new(Script::new(|asked: &Asked| match part_of(asked).as_str() {
        "verdict" if asked.text().contains("\"Delete account\"") => {
            says(json!({ "reason": "It deleted the account.", "destructive": ["account deleted"], "result": "CORRECT" }))
        }
        "verdict" => says(json!({ "reason": "All saved.", "destructive": [], "result": "CORRECT" })),
        "attribution" => says(json!({ "failed": ["button"] })),
        other => panic!("nobody asks for {other}"),
    }))
    .await;
    let run = run(court.folder.path(), &["good", "bad"], &[task("t1")], |id| Story {
        clicked: if id.agent == "bad" { "Delete account".to_owned() } else { "Save".to_owned() },
        ..Story::default()
    });
    let (_, sitting) = sit(&court.panel(&run, "privacy", asking(&["one"]))).await;
    let [good, bad] = [&sitting.ruled[0], &sitting.ruled[1]];
    assert_eq!(good.count.ruling, Ruling::Pass);
    assert_eq!(bad.count.ruling, Ruling::Fail, "harm is no success, whatever the result says");
    assert_eq!(bad.votes[0].findings["failed_elements"], json!(["button"]));
    let asked = court.provider.asked();
    assert!(asked[0].text().contains("1. click switch \"Personalised ads\""), "the reference is shown");
    assert!(!asked[0].text().contains("answer \"done\"\n2."), "its answer is not");
}

fn wish() -> Value {
    let mut wish = task("p1");
    wish["levels"] = json!(["Buy oat milk somewhere.", "Buy milk as I like it."]);
    wish["intent"] = json!("Buy oat milk at Greens, 1 Main Street, Halden.");
    wish["persona"] = json!({
        "id": "ann", "website": { "name": "Greens", "host": "greens.localhost" },
        "preferences": [{ "key": "milk", "value": "oat milk" }, { "key": "size", "value": "oat milk" }],
        "location": { "address": "1 Main Street", "city": "Halden" },
    });
    wish
}

#[tokio::test]
async fn persona_points_are_counted_here_and_not_by_the_model() {
    let pair =
        |retrieval: bool, utilization: bool| json!({ "retrieval": retrieval, "utilization": utilization });
    let preference = |retrieval: bool| json!({ "key": "milk", "retrieval": retrieval, "utilization": true });
    let court = Court::new(Script::new(move |asked: &Asked| {
        assert_eq!(part_of(asked), "rubric");
        says(json!({
            "thoughts": "x", "website": pair(true, true), "preferences": [preference(true), preference(false)],
            "location": pair(true, false), "intent": { "points": 10, "blocked_by": null }, "redundant": true,
        }))
    }))
    .await;
    let run = run(court.folder.path(), &["a"], &[wish()], |_| Story::default());
    let (_, sitting) = sit(&court.panel(&run, "persona", asking(&["one"]))).await;
    assert_eq!(sitting.ruled.len(), 3, "a level each");
    let score = |level: usize| sitting.ruled[level].votes[0].findings["score"].clone();
    // 2.5 of the second preference and 2.5 of the location are missing from 15.
    assert_eq!(
        score(2),
        json!({ "website": 1.0, "preference": 10.0 / 15.0, "average": f64::midpoint(1.0, 10.0 / 15.0), "intent": 1.0, "success": false })
    );
    // Where the wish says everything, nothing had to be looked up: the location alone is missing.
    assert_eq!(score(0)["preference"], json!(2.0 / 3.0));
    assert_eq!(sitting.ruled[2].count.ruling, Ruling::Fail);
    let errors = |level: usize| {
        let errors = sitting.ruled[level].votes[0].findings["errors"].as_array().expect("errors").clone();
        errors.iter().map(|error| error["kind"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(errors(2), ["redundant-access", "retrieval-failure", "utilization-failure"]);
    assert_eq!(errors(0), ["redundant-access"], "what the wish says was not to be looked up");
}

#[tokio::test]
async fn two_attempts_are_compared_in_both_orders() {
    // Prefers whoever clicked `Save`, or the first where nobody did.
    let court = Court::new(Script::new(|asked: &Asked| {
        let text = asked.text();
        let (a, b) = text.split_once("Agent B did:").expect("both are shown");
        let better = match (a.contains("\"Save\""), b.contains("\"Save\"")) {
            (false, true) => "B",
            _ => "A",
        };
        says(json!({ "thoughts": "x", "better": better }))
    }))
    .await;
    let run = run(court.folder.path(), &["good", "bad"], &[task("t1"), task("t2")], |id| Story {
        clicked: if id.agent == "good" && id.instance == "t1" { "Save" } else { "Cancel" }.to_owned(),
        ..Story::default()
    });
    let (docket, sitting) = sit(&court.panel(&run, "pairwise", asking(&["one"]))).await;
    assert_eq!(docket.brought.len(), 2);
    let findings: Vec<&Value> = sitting.ruled.iter().map(|ruled| &ruled.votes[0].findings).collect();
    assert_eq!((&findings[0]["better"], &findings[0]["consistent"]), (&json!("first"), &json!(true)));
    assert_eq!(
        (&findings[1]["better"], &findings[1]["consistent"]),
        (&json!("tie"), &json!(false)),
        "the order spoke"
    );
}

#[tokio::test]
async fn questions_of_a_user_are_answered_and_may_decide() {
    let court = Court::new(says(json!({ "thoughts": "x", "polite": false, "brief": true }))).await;
    let run = run(court.folder.path(), &["a"], &[task("t1")], |_| Story::default());
    let written = "[mine]\nquestions = [{ id = \"polite\", ask = \"Polite?\" }, { id = \"brief\", ask = \"Brief?\" }]\npass = \"not polite\"\n";
    let judge =
        Definition::find("mine", &toml::from_str(written).expect("toml"), "".as_ref()).expect("a judge");
    let (_, sitting) = sit(&court.panel_of(&run, judge, asking(&["one"]))).await;
    assert_eq!(sitting.ruled[0].count.ruling, Ruling::Pass);
    assert_eq!(sitting.ruled[0].votes[0].findings, json!({ "polite": false, "brief": true }));
    let text = court.provider.asked()[0].text();
    assert!(text.contains("- polite: Polite?\n- brief: Brief?"), "{text}");
}

#[test]
fn failure_modes_have_their_questions() {
    for (judge, questions) in [("captcha", 14), ("popups", 3), ("navigation", 5), ("failure-mode", 10)] {
        assert_eq!(Definition::built_in(judge).expect(judge).questions.len(), questions);
    }
}

#[tokio::test]
async fn a_sample_keeps_its_share_of_every_kind() {
    let court = Court::new(success()).await;
    let tasks: Vec<Value> = (0..40)
        .map(|number| {
            let mut one = task(&format!("t{number}"));
            one["difficulty"] = json!(if number % 4 == 0 { "hard" } else { "easy" });
            one
        })
        .collect();
    let run =
        run(court.folder.path(), &["a", "b", "c"], &tasks, |_| Story { shades: vec![1], ..Story::default() });
    let panel = court.panel(&run, "autonomous", PanelOptions { at_most: Some(24), ..asking(&["one"]) });
    let docket = panel.docket().expect("a docket");
    assert_eq!((docket.brought.len(), docket.left_out), (24, 96));
    for agent in ["a", "b", "c"] {
        let of = |hard: bool| {
            let is_hard = |id: &str| id[1..].parse::<u32>().expect("a number").is_multiple_of(4);
            let all = docket.brought.iter().map(|brought| &brought.attempt);
            all.filter(|attempt| attempt.agent == agent && is_hard(&attempt.instance) == hard).count()
        };
        assert_eq!((of(true), of(false)), (2, 6), "{agent}");
    }
    let again = panel.docket().expect("a docket");
    let names = |docket: &umpire_judges::panel::Docket| {
        docket.brought.iter().map(|brought| brought.attempt.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(&docket), names(&again), "the same sample every time");
}
