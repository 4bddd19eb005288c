//! Synthetic network expectations against synthetic traces, with the answers the released evaluator gave.

use std::collections::BTreeMap;

use jiff::civil::date;
use serde_json::{Value, json};
use umpire_webarena::config::Config;
use umpire_webarena::reference::evaluate::Evaluation;
use umpire_webarena::reference::response::AgentResponse;
use umpire_webarena::reference::results::Provenance;
use umpire_webarena::task::Dataset;
use umpire_webarena::trace::{Retention, Trace};

use crate::support;

/// The task a network evaluator of the vectors stands in.
fn dataset(case: &Value) -> Dataset {
    let task = json!([{
        "sites": case["sites"], "task_id": 0, "intent_template_id": 0, "start_urls": ["__SHOPPING__"],
        "intent": "-", "intent_template": "-", "instantiation_dict": {}, "revision": 1,
        "eval": [
            {"evaluator": "AgentResponseEvaluator", "results_schema": {"type": "null"},
             "expected": {"task_type": case["task_type"], "status": "SUCCESS", "retrieved_data": null}},
            case["evaluator"],
        ],
    }]);
    Dataset::from_json(task.to_string().as_bytes()).expect("a task")
}

#[test]
fn vectors_rules_network() {
    let Some(cases) = support::vector_cases("network.jsonl") else { return };
    let configs: BTreeMap<String, Config> = support::vector_json("network_configs.json");
    let mut mismatches = Vec::new();
    let mut compared = 0;
    for case in cases.iter().filter(|case| case["unstable"] != true) {
        compared += 1;
        let dataset = dataset(case);
        let evaluation = Evaluation {
            config: &configs[case["config_id"].as_str().expect("a configuration")],
            today: date(2026, 11, 15),
            provenance: Provenance::of_data(dataset.checksum()),
        };
        let trace = Trace::from_list(case["network_trace"].to_string().as_bytes(), &Retention::everything());
        let response = AgentResponse::Value(umpire_webarena::python::Value::None);
        let result = evaluation.evaluate(&dataset.tasks()[0], &response, trace);

        let expected = support::outcome(&case["expected"]);
        let actual = match result.evaluators_results.get(1) {
            Some(network) => support::evaluator_outcome(network),
            None => ("raised".to_owned(), Vec::new()),
        };
        if actual != expected {
            mismatches.push(format!(
                "{} ({}): {actual:?}, not {expected:?}\n  expected error: {}\n  error: {:?}\n  {}\n  {}",
                case["id"],
                case["tag"],
                case["expected"]["error_msg"],
                result.evaluators_results.get(1).map(|network| &network.error_msg),
                case["evaluator"],
                case["network_trace"],
            ));
        }
    }
    support::conclude("network", compared, &mismatches);
}
