//! What surrounds a vote in an arena: drawing the pair before it, cleaning the log after it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use umpire_stats::ratings::{CleaningRules, LoggedVote, NotKept, PairSampler, Winner, clean_vote};

use crate::support::{Comparison, folder, json};

fn strings<T: FromIterator<String>>(value: &Value) -> T {
    value.as_array().into_iter().flatten().map(|name| name.as_str().expect("a name").to_owned()).collect()
}

fn lists(value: &Value) -> BTreeMap<String, Vec<String>> {
    value.as_object().into_iter().flatten().map(|(name, list)| (name.clone(), strings(list))).collect()
}

#[test]
fn probabilities_of_pairs() {
    let Some(folder) = folder() else { return };
    let mut comparison = Comparison::of("sampler.json");
    for case in json(&folder.join("sampler.json")).as_array().expect("cases") {
        comparison.set();
        let weights = case["sampling_weights"].as_object().expect("weights");
        let sampler = PairSampler {
            models: strings(&case["models"]),
            weights: weights.iter().map(|(name, w)| (name.clone(), w.as_f64().expect("a weight"))).collect(),
            outages: strings(&case["outage_models"]),
            boosts: strings(&case["boost_models_x5"]),
            targets: lists(&case["battle_targets"]),
            strict_targets: lists(&case["strict_targets"]),
            anonymous: strings(&case["anon_models"]),
        };
        let found = sampler.pair_probabilities().expect("somebody can play");
        let mut left: BTreeMap<(String, String), f64> =
            found.into_iter().map(|pair| ((pair.left, pair.right), pair.probability)).collect();
        for row in case["pair_probability_left_right"].as_array().expect("pairs") {
            let name = |at: usize| row[at].as_str().expect("a name").to_owned();
            let got = left.remove(&(name(0), name(1))).unwrap_or(0.0);
            comparison.near(
                &format!("{} {row}", case["name"]),
                got,
                row[2].as_f64().expect("a chance"),
                1e-12,
            );
        }
        for (pair, probability) in left {
            comparison.near(&format!("{} {pair:?}, not listed", case["name"]), probability, 0.0, 0.0);
        }
        // 40,000 draws of the released function: within five standard deviations.
        let run = &case["reference_run"];
        let draws = run["draws"].as_f64().expect("draws");
        let found = sampler.pair_probabilities().expect("somebody can play");
        for row in run["counts"].as_array().expect("counts") {
            let pair = found.iter().find(|pair| row[0] == *pair.left && row[1] == *pair.right);
            let p = pair.expect("a pair that may meet").probability;
            let off = (row[2].as_f64().expect("a count") - draws * p) / (draws * p * (1.0 - p)).sqrt();
            comparison.near(&format!("{} drawn {row}", case["name"]), off, 0.0, 5.0);
        }
    }
    comparison.conclude();
}

/// What the fork takes for a model giving itself away, as its list reads after a missing comma joined two words.
const IDENTITY_WORDS: [&str; 33] = [
    "vicuna",
    "lmsys",
    "koala",
    "uc berkeley",
    "open assistant",
    "laion",
    "chatglm",
    "chatgpt",
    "gpt-4",
    "openai",
    "anthropic",
    "claude",
    "bard",
    "palm",
    "lamda",
    "xai",
    "grokgemini",
    "llama",
    "qianwan",
    "qwen",
    "alibaba",
    "mistral",
    "zhipu",
    "keg lab",
    "01.ai",
    "ai2",
    "tülu",
    "tulu",
    "deepseek",
    "hermes",
    "cohere",
    "dbrx",
    "databricks",
];

const ERROR_TEXTS: [&str; 4] = [
    "network error due to high traffic. please regenerate or refresh this page.",
    "$moderation$ your input violates our content moderation guidelines.",
    "api request error. please increase the number of max tokens.",
    "**api request error**",
];

#[test]
fn cleaned_logs() {
    let Some(folder) = folder() else { return };
    let mut comparison = Comparison::of("log_cleaning.json");
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    for case in json(&folder.join("log_cleaning.json"))["cases"].as_array().expect("cases") {
        comparison.set();
        let why = case["why"].as_str().unwrap_or_default();
        let vote: LoggedVote = serde_json::from_value(case["row"].clone()).expect("a logged vote");
        let rules = CleaningRules {
            excluded_models: owned(&["excluded-model"]),
            // The file names no banned address but in the words of the case.
            banned_addresses: if why.contains("banned") { vec![vote.ip.clone()] } else { Vec::new() },
            error_texts: owned(&ERROR_TEXTS),
            identity_words: owned(&IDENTITY_WORDS),
        };
        let mut counters = BTreeMap::new();
        let mut leaks = BTreeMap::new();
        let mut battles = Vec::new();
        match clean_vote(&vote, &rules) {
            Ok(kept) => {
                if kept.is_anonymous {
                    counters.insert("anony", 1);
                }
                if let Some(word) = kept.leaked {
                    leaks.insert(word, 1);
                }
                let winner = match kept.winner {
                    Winner::A => "model_a",
                    Winner::B => "model_b",
                    Winner::Tie => "tie",
                    Winner::BothBad => "tie (bothbad)",
                    Winner::Unknown => "unknown",
                };
                battles.push(json!({
                    "question_id": kept.question_id, "model_a": kept.models[0], "model_b": kept.models[1],
                    "winner": winner, "judge": kept.judge, "turn": kept.turns, "anony": kept.is_anonymous,
                    "tstamp": kept.tstamp,
                }));
            }
            Err(NotKept::NoVote) => {}
            Err(NotKept::Invalid) => drop(counters.insert("invalid", 1)),
            Err(NotKept::Error) => drop(counters.insert("error", 1)),
            Err(NotKept::ExcludedModel) => drop(counters.insert("exclude_model", 1)),
            Err(NotKept::Banned) => drop(counters.insert("banned", 1)),
        }
        comparison.same(&format!("{why}: counters"), &json!(counters), &case["counters"]);
        // A battle that is dropped tells nothing of leaks here; the references count them before they drop.
        if !battles.is_empty() {
            comparison.same(&format!("{why}: leaks"), &json!(leaks), &case["leak_words"]);
        }
        let mut expected = case["battles"].clone();
        for battle in expected.as_array_mut().expect("battles") {
            // What was said is in the row already; token counts and language come from stand-ins.
            for key in ["conversation_a", "conversation_b", "language"] {
                battle.as_object_mut().expect("a battle").remove(key);
            }
        }
        comparison.same(&format!("{why}: battles"), &json!(battles), &expected);
    }
    comparison.conclude();
}
