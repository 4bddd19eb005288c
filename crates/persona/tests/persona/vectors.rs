//! Planner parsing, scoring and meta-evaluation against the reference vectors.

use serde_json::Value;
use umpire_persona::planner::reference::{Runner, before, on_demand};
use umpire_persona::scoring::{Hidden, Pair, Rubric, score};
use umpire_stats::agreement::preferences_from_scores;

use crate::files::shared;

fn cases(file: &str) -> Option<Vec<Value>> {
    shared(&format!("vectors/persona2web/{file}"))
}

#[test]
fn vectors_retrieval_planner_before_an_attempt() {
    let Some(cases) = cases("planner_pre.jsonl") else { return };
    for case in &cases {
        let response = case["response"].as_str().expect("a response");
        for (runner, name) in [
            (Runner::BrowserUse, "browser_use"),
            (Runner::AgentOccam, "agentoccam"),
            (Runner::AgentOccamThinking, "agentoccam_qwen_thinking"),
        ] {
            assert_eq!(serde_json::json!(before(response, runner)), case[name], "{name}: {response}");
        }
    }
    println!("{} answers compared, by 3 readings each", cases.len());
}

#[test]
fn vectors_retrieval_planner_on_demand() {
    let Some(cases) = cases("planner_ondemand.jsonl") else { return };
    for case in &cases {
        let response = case["response"].as_str().expect("a response");
        let read = on_demand(response).map_or(Value::Null, |read| {
            serde_json::json!({"action": read.action, "reason": read.reason, "effective_query": read.query})
        });
        assert_eq!(read, case["agentoccam"], "{response}");
    }
    println!("{} answers compared", cases.len());
}

#[test]
fn vectors_retrieval_scoring() {
    let Some(cases) = cases("scoring.jsonl") else { return };
    for case in &cases {
        let (input, expected) = (&case["input"], &case["expected"]);
        let is = |value: &Value| value == &Value::from(1) || value == &Value::from(true);
        let list = |key: &str| input[key].as_array().expect(key).iter().map(is).collect::<Vec<bool>>();
        let pair = |(retrieval, utilization)| Pair { retrieval, utilization };
        let got = score(&Rubric {
            website: pair((is(&input["web_retrieval"]), is(&input["web_utilization"]))),
            preferences: list("pref_retrieval").into_iter().zip(list("pref_utilization")).map(pair).collect(),
            location: is(&input["location_aware"])
                .then(|| pair((is(&input["loc_retrieval"]), is(&input["loc_utilization"])))),
            intent: input["intent_points"].as_u64().expect("points") as u32,
            hidden: Hidden::ALL,
        });
        for (got, key) in [
            (got.website, "p_web"),
            (got.preference, "p_pref"),
            (got.average, "p_avg"),
            (got.intent, "intent"),
        ] {
            let wanted = expected[key].as_f64().expect(key);
            assert!((got - wanted).abs() < 1e-9, "{key}: {got} and {wanted} for {input}");
        }
        assert_eq!(Some(got.success), expected["success"].as_bool(), "{input}");
    }
    let generalised = cases.iter().filter(|case| case["generalised"] == true).count();
    println!("{} rubrics compared, {generalised} of them with other than two preferences", cases.len());
}

#[test]
fn vectors_retrieval_meta_evaluation() {
    let Some(cases) = cases("meta_eval.jsonl") else { return };
    for case in &cases {
        let numbers = |key: &str| -> Vec<f64> {
            case[key].as_array().expect(key).iter().map(|value| value.as_f64().expect(key)).collect()
        };
        let people =
            case["human"].as_array().expect("people").iter().map(|label| label.as_i64().expect("a label"));
        let scores = numbers("pre_execution").into_iter().zip(numbers("on_demand"));
        let pairs: Vec<(f64, f64, i64)> =
            scores.zip(people).map(|((pre, on), label)| (pre, on, label)).collect();
        let got = preferences_from_scores(&pairs);
        let expected = &case["expected"];
        assert_eq!(serde_json::json!(got.by_scores), expected["pairwise"]);
        let near = |got: Option<f64>, key: &str| match (got, expected[key].as_f64()) {
            (Some(got), Some(wanted)) => assert!((got - wanted).abs() < 1e-9, "{key}: {got} and {wanted}"),
            (got, wanted) => assert_eq!(got, wanted, "{key}"),
        };
        near(got.accuracy.value(), "accuracy");
        near(got.pearson, "pearson");
        near(got.spearman, "spearman");
    }
    println!("{} comparisons compared", cases.len());
}
