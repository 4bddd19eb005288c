//! Audits of the released task files, and of small ones that have each fault once.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use umpire_webarena::audit::{AuditReport, Category, KnowledgeProbe, audit, baselines};
use umpire_webarena::original::{RequiredContents, locator, parse_tasks};

use crate::support;

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The file of original tasks, or `None` with a notice.
fn original_file() -> Option<String> {
    let path = support::shared_folder("data")?.with_file_name("webarena").join("test.raw.json");
    if path.is_file() {
        return Some(read(&path));
    }
    println!("skipped: {} does not exist", path.display());
    None
}

fn verified_file(name: &str) -> Option<String> {
    Some(read(&support::shared_folder("data")?.join(name)))
}

fn tasks(report: &AuditReport, category: Category) -> Vec<i64> {
    report.tasks_in(&[category]).into_iter().collect()
}

#[test]
fn the_original_tasks_have_the_published_faults() {
    let Some(file) = original_file() else { return };
    let report = audit(&file).expect("readable");
    println!("{report}");
    assert_eq!(report.tasks, 812);
    let compared: Vec<_> = report.summary.iter().filter(|row| row.published.is_some()).collect();
    assert_eq!(compared.len(), 6);
    for row in compared {
        assert_eq!(Some(row.tasks), row.published, "{}", row.name);
    }
    assert_eq!(tasks(&report, Category::LiteralAlternatives), [386]);
    assert_eq!(tasks(&report, Category::BrokenCheck), [0_i64; 0]);
    // The paper's own examples.
    assert!(tasks(&report, Category::ResponseSubstring).contains(&40));
    assert!(tasks(&report, Category::PageContent).contains(&538));
}

#[test]
fn original_tasks_are_written_back_as_read() {
    let Some(file) = original_file() else { return };
    let written = serde_json::to_value(parse_tasks(&file).expect("readable")).expect("writable");
    let read: Value = serde_json::from_str(&file).expect("JSON");
    assert_eq!(written.to_string(), read.to_string());
}

#[test]
fn every_locator_of_the_original_tasks_is_readable() {
    let Some(file) = original_file() else { return };
    let (mut whole_page, mut expressions, mut helpers, mut prepared) = (0, 0, 0, 0);
    for task in parse_tasks(&file).expect("readable") {
        for check in &task.eval.program_html {
            assert!(
                !matches!(check.required_contents, RequiredContents::Unusable(_)),
                "task {}",
                task.task_id
            );
            match check.locator.as_str() {
                "" => whole_page += 1,
                call if call.starts_with("func:") => helpers += 1,
                expression => {
                    assert_eq!(
                        locator::is_readable(expression),
                        Ok(()),
                        "task {}: {expression}",
                        task.task_id
                    );
                    expressions += 1;
                    prepared += usize::from(!check.prep_actions.is_empty());
                }
            }
        }
    }
    println!(
        "locators: {whole_page} whole pages, {expressions} expressions ({prepared} after a script), {helpers} helper calls"
    );
    assert_eq!(whole_page + expressions + helpers, 651);
}

#[test]
fn naive_answers_score_as_published_on_the_original_tasks() {
    let Some(file) = original_file() else { return };
    let report = baselines(&file, None).expect("readable");
    println!("{report}");
    // docs/audit.md argues the one that differs.
    for score in report.naive.iter().filter(|score| score.name != "intent_numbers") {
        if let Some(published) = score.published {
            assert_eq!(score.passed.len(), published, "{}", score.name);
        }
    }
    assert_eq!(report.knowledge, KnowledgeProbe::NotRun { reason: "needs a model" });
}

/// The tasks that no honest run can pass, found by executing the released evaluator on correct runs.
const UNPASSABLE: [i64; 18] =
    [319, 429, 567, 568, 569, 570, 604, 611, 612, 613, 614, 699, 700, 742, 743, 745, 746, 811];
/// The tasks that a visit to the start page and the right claim pass, found the same way.
const START_PAGE_SUFFICES: [i64; 10] = [356, 757, 758, 761, 762, 763, 764, 765, 766, 767];

#[test]
fn the_verified_tasks_have_the_faults_that_execution_showed() {
    let Some(file) = verified_file("webarena-verified.json") else { return };
    let report = audit(&file).expect("readable");
    println!("{report}");
    let unpassable = report.tasks_in(&Category::UNPASSABLE);
    assert_eq!(unpassable.iter().copied().collect::<Vec<_>>(), UNPASSABLE);
    assert_eq!(tasks(&report, Category::OmittedRetrievedData), [319]);
    assert_eq!(tasks(&report, Category::OneElementAlternatives), [699, 700, 811]);
    assert_eq!(tasks(&report, Category::UnsubstitutedPlaceholder), [604, 611, 612, 613, 614]);
    assert_eq!(tasks(&report, Category::StartPageSuffices), START_PAGE_SUFFICES);
    assert_eq!(tasks(&report, Category::NoActivity).len(), 324);
    let effortless = report.tasks_in(&[Category::StartPageSuffices, Category::ClaimSuffices]);
    assert_eq!(effortless.difference(&unpassable).count(), 41);
}

#[test]
fn fixed_claims_score_on_the_verified_tasks() {
    let Some(file) = verified_file("webarena-verified.json") else { return };
    let report = baselines(&file, None).expect("readable");
    println!("{report}");
    assert_eq!((report.tasks, report.verified_tasks), (0, 812));
    assert_eq!(report.claims.iter().map(|score| score.passed.len()).sum::<usize>(), 41);
    let navigate = report.claims.iter().find(|score| score.claim == "NAVIGATE SUCCESS");
    assert_eq!(navigate.map(|score| score.passed.as_slice()), Some(&START_PAGE_SUFFICES[..]));
}

#[test]
fn the_hard_subset_has_one_unpassable_task() {
    let Some(file) = verified_file("webarena-verified-hard.full.json") else { return };
    let report = audit(&file).expect("readable");
    assert_eq!(report.tasks, 258);
    assert_eq!(report.tasks_in(&Category::UNPASSABLE), BTreeSet::from([429]));
}

fn verified_task(eval: &Value) -> String {
    let task = json!([{
        "task_id": 5, "sites": ["gitlab"], "intent_template_id": 1, "start_urls": ["__GITLAB__/a"], "intent": "do it",
        "intent_template": "do it", "instantiation_dict": {}, "revision": 1, "eval": eval
    }]);
    task.to_string()
}

/// The categories found in a task that expects `response` and `events`.
fn found(response: &Value, schema: &Value, events: &[Value]) -> BTreeSet<Category> {
    let mut eval =
        vec![json!({"evaluator": "AgentResponseEvaluator", "results_schema": schema, "expected": response})];
    eval.extend(events.iter().cloned());
    let report = audit(&verified_task(&Value::Array(eval))).expect("well-formed");
    report.findings.into_iter().map(|finding| finding.category).collect()
}

fn event(expected: &Value, options: &Value) -> Value {
    let mut event = json!({"evaluator": "NetworkEventEvaluator", "expected": expected});
    for (key, value) in options.as_object().into_iter().flatten() {
        event[key] = value.clone();
    }
    event
}

#[test]
fn events_exclude_each_other() {
    let mutate = json!({"task_type": "mutate", "status": "SUCCESS", "retrieved_data": null});
    let navigate = json!({"task_type": "navigate", "status": "SUCCESS", "retrieved_data": null});
    let post = |url: &str, data: Value| json!({"url": url, "http_method": "POST", "post_data": data});
    let (none, any) = (json!({}), json!({"last_event_only": false}));
    let (a, b) = (post("__GITLAB__/x", json!({"id": 1})), post("__GITLAB__/x", json!({"id": 2})));
    for (what, response, left, right, contradicts) in [
        ("one field, two values", &mutate, event(&a, &none), event(&b, &none), true),
        ("any event will do", &mutate, event(&a, &any), event(&b, &none), false),
        (
            "two fields",
            &mutate,
            event(&a, &none),
            event(&post("__GITLAB__/x", json!({"name": 2})), &none),
            false,
        ),
        (
            "a pattern",
            &mutate,
            event(&a, &none),
            event(&post("__GITLAB__/x", json!({"id": "^\\d+$"})), &none),
            false,
        ),
        (
            "two addresses",
            &mutate,
            event(&a, &none),
            event(&post("__GITLAB__/y", json!({"id": 2})), &none),
            false,
        ),
        (
            "wanted and forbidden",
            &mutate,
            event(&a, &none),
            event(&b, &json!({"should_not_exist": true})),
            true,
        ),
        (
            "two ends",
            &navigate,
            event(&json!({"url": "__GITLAB__/x"}), &none),
            event(&json!({"url": "__GITLAB__/y"}), &none),
            true,
        ),
        (
            "one end twice",
            &navigate,
            event(&json!({"url": "__GITLAB__/x"}), &none),
            event(&json!({"url": "__GITLAB__/X/"}), &none),
            false,
        ),
        (
            "a choice of ends",
            &navigate,
            event(&json!({"url": ["__GITLAB__/x", "__GITLAB__/y"]}), &none),
            event(&json!({"url": "__GITLAB__/y"}), &none),
            false,
        ),
        (
            "an end and a request",
            &navigate,
            event(&json!({"url": "__GITLAB__/x"}), &none),
            event(&b, &none),
            false,
        ),
    ] {
        let categories = found(response, &json!({"type": "null"}), &[left, right]);
        assert_eq!(categories.contains(&Category::ContradictoryEvents), contradicts, "{what}");
    }
}

#[test]
fn lists_of_one_are_alternatives_unless_the_schema_has_a_list() {
    let retrieve =
        |data: Value| json!({"task_type": "retrieve", "status": "SUCCESS", "retrieved_data": data});
    let mutate = json!({"task_type": "mutate", "status": "SUCCESS", "retrieved_data": null});
    let list_of = |item: Value| json!({"type": "array", "items": item});
    let text = json!({"type": "string"});
    let names =
        json!({"type": "object", "properties": {"names": {"type": "array", "items": {"type": "string"}}}});
    let post = |options: Value| {
        event(&json!({"url": "__GITLAB__/x", "http_method": "POST", "post_data": {"ids": [1]}}), &options)
    };
    let null = json!({"type": "null"});
    for (what, response, schema, events, lone) in [
        ("one value", retrieve(json!(["a"])), list_of(text.clone()), vec![], false),
        ("one alternative", retrieve(json!([["a"]])), list_of(text.clone()), vec![], true),
        ("two alternatives", retrieve(json!([["a", "b"]])), list_of(text), vec![], false),
        ("a list of names", retrieve(json!([{"names": ["a"]}])), list_of(names.clone()), vec![], false),
        ("a list without schema", retrieve(json!([{"other": ["a"]}])), list_of(names), vec![], true),
        ("a body", mutate.clone(), null.clone(), vec![post(json!({}))], true),
        (
            "a body with a schema",
            mutate,
            null,
            vec![post(
                json!({"post_data_schema": {"type": "object", "properties": {"ids": {"type": "array", "items": {"type": "number"}}}}}),
            )],
            false,
        ),
    ] {
        assert_eq!(
            found(&response, &schema, &events).contains(&Category::OneElementAlternatives),
            lone,
            "{what}"
        );
    }
}

#[test]
fn effortless_passes_are_found() {
    let null = json!({"type": "null"});
    let claim =
        |kind: &str, status: &str| json!({"task_type": kind, "status": status, "retrieved_data": null});
    let visit = |expected: Value| vec![event(&expected, &json!({}))];
    for (what, response, events, expected) in [
        (
            "start page",
            claim("navigate", "SUCCESS"),
            visit(json!({"url": "__GITLAB__/A/"})),
            vec![Category::StartPageSuffices],
        ),
        ("another page", claim("navigate", "SUCCESS"), visit(json!({"url": "__GITLAB__/b"})), vec![]),
        (
            "start page with a query",
            claim("navigate", "SUCCESS"),
            visit(json!({"url": "__GITLAB__/a", "query_params": {"q": ["x"]}})),
            vec![],
        ),
        (
            "words",
            claim("mutate", "NOT_FOUND_ERROR"),
            vec![],
            vec![Category::ClaimSuffices, Category::NoActivity],
        ),
    ] {
        assert_eq!(found(&response, &null, &events).into_iter().collect::<Vec<_>>(), expected, "{what}");
    }
}

#[test]
fn tolerances_and_placeholders_are_found() {
    let retrieve = json!({"task_type": "retrieve", "status": "SUCCESS", "retrieved_data": [{"cost": 3}]});
    let schema = json!({"type": "array", "items": {"type": "object", "properties": {"cost": {"type": "number", "format": "currency"}}}});
    let comment = event(&json!({"url": "__GITLAB__/{{id}}", "http_method": "POST"}), &json!({}));
    assert_eq!(
        found(&retrieve, &schema, &[comment]),
        BTreeSet::from([Category::UnsubstitutedPlaceholder, Category::WideTolerance])
    );
}

#[test]
fn errors_name_the_place_in_the_file() {
    let without_evaluators = verified_task(&json!([])).replace("[{", "[\n{");
    for (file, place, problem) in [
        ("[\n{\"task_id\": 1,}]", "line 2, column 15: ", "not a JSON list of tasks: key must be a string"),
        ("[{}]", "line 1, column 2: ", "task number 1 in the file: eval is missing"),
        (
            &without_evaluators,
            "line 2, column ",
            "task number 1 in the file: a task needs an AgentResponseEvaluator",
        ),
    ] {
        let error = audit(file).expect_err("faulty").to_string();
        assert!(error.starts_with(place) && error.ends_with(problem), "{error}");
    }
}
