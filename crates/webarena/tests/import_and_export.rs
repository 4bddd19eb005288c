//! The released task files become suites and come back as they were.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use umpire_model::{Check, Suite, TaskKind};
use umpire_webarena::config::Environments;
use umpire_webarena::import::{Format, ImportError, Imported, export, import};
use umpire_webarena::subset::Subset;

use crate::support;

fn sites() -> Environments {
    serde_json::from_value(json!({
        "shopping": {"urls": ["http://localhost:7770", "https://shop.example.com/"]},
        "shopping_admin": {"urls": ["http://localhost:7780/admin"]},
        "reddit": {"urls": ["https://forum.example.com", "http://localhost:9999"], "active_url_idx": 1},
        "gitlab": {"urls": ["http://localhost:8023"]},
        "wikipedia": {"urls": ["http://localhost:8888/wiki/A/Landing"]},
        "map": {"urls": ["http://localhost:3000"]},
    }))
    .expect("well-formed")
}

fn released(folder: &str, file: &str) -> Option<String> {
    let verified = support::shared_folder("data")?;
    let path = verified.parent()?.join(folder).join(file);
    Some(std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Through the files of a suite and out again: equal values, and every object's keys in their order.
fn comes_back(text: &str, format: Format, tasks: usize) -> Imported {
    let imported = import(text, format, &sites()).expect("importable");
    assert_eq!(imported.tasks.len(), tasks);
    let suite = Suite::parse(
        Path::new("suite.toml"),
        &imported.suite_toml(),
        &[("tasks.jsonl".into(), imported.tasks_jsonl())],
        &[],
    )
    .expect("a suite that fits together");
    assert_eq!(suite.file.world, "live");
    let origin: Vec<Value> = serde_json::from_str(text).expect("JSON");
    let exported = export(&suite.tasks).expect("all were imported");
    for (before, after) in origin.iter().zip(&exported) {
        assert_eq!(before, after);
        assert_eq!(before.to_string(), after.to_string(), "the order of keys is kept");
    }
    assert_eq!(origin.len(), exported.len());
    imported
}

#[test]
fn the_original_tasks_come_back() {
    let Some(text) = released("webarena", "test.raw.json") else { return };
    let suite = comes_back(&text, Format::Auto, 812);
    assert_eq!(suite.file.name, "webarena");
    let candles =
        suite.tasks.iter().find(|task| task.start_urls.len() > 1).expect("some start with several tabs");
    let reached =
        |url: &String| suite.file.hosts.iter().any(|host| url.starts_with(&format!("http://{host}")));
    assert!(candles.start_urls.iter().all(reached), "{:?}: {:?}", suite.file.hosts, candles.start_urls);
    assert!(
        candles.start_urls.iter().all(|url| url.starts_with("http://localhost:")),
        "{:?}",
        candles.start_urls
    );
    assert!(suite.tasks.iter().all(|task| matches!(task.checks[..], [Check::Undecidable(_)])));
}

#[test]
fn the_verified_tasks_come_back() {
    let Some(text) = released("webarena-verified", "webarena-verified.json") else { return };
    let suite = comes_back(&text, Format::Auto, 812);
    let count = |kind| suite.tasks.iter().filter(|task| task.kind == kind).count();
    assert_eq!(
        (count(TaskKind::Retrieve), count(TaskKind::Navigate), count(TaskKind::Mutate)),
        (325, 113, 374),
        "the distribution the reference's specification gives"
    );
    assert!(suite.file.hosts.contains(&"shop.example.com".to_owned()), "{:?}", suite.file.hosts);
    assert!(suite.tasks.iter().all(|task| !task.start_urls.concat().contains("__")));
    let network =
        suite.tasks.iter().flat_map(|task| &task.checks).filter(|check| matches!(check, Check::Network(_)));
    assert_eq!(network.count(), 663);
}

#[test]
fn the_hard_subset_comes_back_by_its_file_and_by_its_ids() {
    let Some(full) = released("webarena-verified", "webarena-verified-hard.full.json") else { return };
    let by_file = comes_back(&full, Format::Verified, 258);
    let (Some(all), Some(ids)) = (
        released("webarena-verified", "webarena-verified.json"),
        released("webarena-verified", "webarena-verified-hard.json"),
    ) else {
        return;
    };
    let subset = Subset::from_json(ids.as_bytes()).expect("the checksum fits");
    let by_ids =
        import(&all, Format::Auto, &sites()).and_then(|suite| suite.select(&subset)).expect("all are there");
    let ids = |suite: &Imported| suite.tasks.iter().map(|task| task.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&by_file), ids(&by_ids));
    for (one, other) in by_file.tasks.iter().zip(&by_ids.tasks) {
        assert_eq!(one.checks, other.checks, "task {}: defaults spelled out change nothing", one.id);
    }
}

fn one_task(changes: &Value) -> String {
    let mut task = json!({
        "sites": ["shopping"], "task_id": 7, "intent_template_id": 1, "start_urls": ["__SHOPPING__/a"], "intent": "Buy",
        "intent_template": "Buy", "instantiation_dict": {}, "revision": 1,
        "eval": [
            {"evaluator": "AgentResponseEvaluator", "results_schema": {"type": "null"},
             "expected": {"task_type": "mutate", "status": "SUCCESS", "retrieved_data": null}},
            {"evaluator": "NetworkEventEvaluator", "expected": {"url": "^__SHOPPING__/cart/\\d+$",
             "http_method": "POST", "post_data": {"link": "__SHOPPING__/x", "n": 1}}},
        ],
    });
    for (pointer, value) in changes.as_object().expect("changes") {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        task.pointer_mut(parent).expect("a place")[key] = value.clone();
    }
    json!([task]).to_string()
}

#[test]
fn every_address_of_a_site_is_accepted() {
    let suite = import(&one_task(&json!({})), Format::Auto, &sites()).expect("importable");
    assert_eq!(suite.tasks[0].start_urls, ["http://localhost:7770/a"]);
    let Some(Check::Network(check)) = suite.tasks[0].checks.get(1) else {
        panic!("{:?}", suite.tasks[0].checks)
    };
    assert_eq!(check.url, [r"^(?:http://localhost:7770|https://shop\.example\.com)/cart/\d+$"]);
    assert_eq!(check.post["link"], json!(["http://localhost:7770/x", "https://shop.example.com/x"]));
}

#[test]
fn what_cannot_be_imported_says_why() {
    let refused = |text: &str, sites: &Environments| {
        import(text, Format::Auto, sites).expect_err("refused").to_string()
    };
    let unresolved = refused(&one_task(&json!({"/sites": ["gitlab", "map"]})), &Environments::new());
    for part in ["gitlab, map, shopping", "[sites]", "umpire.toml"] {
        assert!(unresolved.contains(part), "{unresolved}");
    }
    for (text, part) in [
        (one_task(&json!({"/sites": ["bakery"]})), "task 1 of the file is not a WebArena Verified task"),
        (one_task(&json!({"/intent": ""})), "task 1 of the file"),
        ("{}".to_owned(), "not a JSON array"),
        ("[]".to_owned(), "no tasks"),
        (one_task(&json!({})).replace("]\"", "") + "]", "not a JSON array"),
        (one_task(&json!({"/eval": {"eval_types": 5}})), "is not a WebArena task"),
    ] {
        let problem = refused(&text, &sites());
        assert!(problem.contains(part), "{problem}");
    }
    let twice = one_task(&json!({}));
    let twice = format!("[{0},{0}]", &twice[1..twice.len() - 1]);
    assert!(matches!(import(&twice, Format::Auto, &sites()), Err(ImportError::Duplicate(id)) if id == "7"));
    let mut suite = import(&one_task(&json!({})), Format::Auto, &sites()).expect("importable");
    let unknown = Subset::new(None, vec![7, 8]).expect("a subset");
    assert!(matches!(suite.clone().select(&unknown), Err(ImportError::UnknownTasks(ids)) if ids == [8]));
    suite.tasks[0].origin = None;
    assert!(matches!(export(&suite.tasks), Err(ImportError::NoOrigin(id)) if id == "7"));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[_A-Z^$.{}(?!/a-z]{0,12}".prop_map(Value::from),
        Just(json!("^__GITLAB__/(?!x).*$")),
        Just(json!("__SHOPPING__/x")),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z$^.\\[\\]0-9_]{1,6}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_task_file_breaks_the_reader(
        pointer in prop::sample::select(vec![
            "/sites", "/start_urls", "/eval", "/eval/0/expected", "/eval/0/expected/retrieved_data", "/eval/0/results_schema",
            "/eval/1/expected/url", "/eval/1/expected/post_data", "/eval/1/expected/headers", "/eval/1/expected/query_params",
            "/eval/1/expected/response_status", "/eval/1/post_data_schema", "/eval/1/ignored_query_params_patterns",
        ]),
        value in any_json(),
    ) {
        let text = one_task(&json!({pointer: value}));
        if let Ok(suite) = import(&text, Format::Auto, &sites()) {
            prop_assert_eq!(json!(export(&suite.tasks).expect("an origin")).to_string(), text);
        }
    }
}
