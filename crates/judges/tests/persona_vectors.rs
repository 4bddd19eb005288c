//! The persona rubric against the reference vectors.

use std::path::{Path, PathBuf};

use serde_json::Value;
use umpire_judges::pipelines::{Pair, Rubric, persona_score};

fn shared() -> PathBuf {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    std::env::var_os("UMPIRE_SHARED").map_or(default, PathBuf::from)
}

#[test]
fn every_vector_is_scored_as_the_paper_does() {
    let path = shared().join("vectors/persona2web/scoring.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: there is no {}", path.display());
        return;
    };
    let mut compared = 0;
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let (input, expected) = (&row["input"], &row["expected"]);
        let is = |value: &Value| value == &Value::from(1) || value == &Value::from(true);
        let list = |key: &str| input[key].as_array().expect(key).iter().map(is).collect::<Vec<bool>>();
        let pairs = list("pref_retrieval").into_iter().zip(list("pref_utilization"));
        let pair = |(retrieval, utilization)| Pair { retrieval, utilization };
        let rubric = Rubric {
            website: pair((is(&input["web_retrieval"]), is(&input["web_utilization"]))),
            preferences: pairs.map(pair).collect(),
            location: is(&input["location_aware"])
                .then(|| pair((is(&input["loc_retrieval"]), is(&input["loc_utilization"])))),
            intent: input["intent_points"].as_u64().expect("points") as u32,
            counts_retrieval: true,
        };
        let score = persona_score(&rubric);
        let near = |got: f64, key: &str| {
            let wanted = expected[key].as_f64().unwrap_or_else(|| panic!("{key} of {expected}"));
            assert!((got - wanted).abs() < 1e-9, "{key}: {got} and {wanted} for {input}");
        };
        near(score.website, "p_web");
        near(score.preference, "p_pref");
        near(score.average, "p_avg");
        near(score.intent, "intent");
        assert_eq!(Some(score.success), expected["success"].as_bool(), "{input}");
        compared += 1;
    }
    println!("{compared} vectors compared");
    assert!(compared > 0);
}
