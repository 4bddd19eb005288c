//! `umpire agree` on the released data, against the published and recomputed numbers of
//! `specs/online-mind2web-tables.md`: one test a table, to the precision printed there.

#![allow(clippy::float_cmp, reason = "both sides are rounded to what a table prints")]

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support;
use crate::support::run;

/// A path of the shared files, or `None` with a notice if this machine has none.
fn shared(path: &str) -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("UMPIRE_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let found = shared.join(path);
    if found.exists() {
        return Some(found);
    }
    println!("skipped: {} does not exist", found.display());
    None
}

/// The files of Online-Mind2Web, and a way to run the command on them.
struct Data(PathBuf);

impl Data {
    fn find() -> Option<Self> {
        shared("data/online-mind2web").map(Self)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    fn webjudge(&self, more: &[&str]) -> Value {
        let (verdicts, labels) =
            (self.file("om2w_webjudge_judgments.jsonl"), self.file("om2w_human_labels.jsonl"));
        card(&[&["--judgments", &verdicts, "--labels", &labels], more].concat())
    }

    fn reward_bench(&self, more: &[&str]) -> Value {
        let matrix = self.file("arb_success_matrix.csv");
        card(&[&[matrix.as_str(), "--where", "split=test"], more].concat())
    }
}

/// The card that the command writes, with few draws where intervals are not looked at.
fn card(arguments: &[&str]) -> Value {
    let draws: &[&str] = if arguments.contains(&"--draws") { &[] } else { &["--draws", "20"] };
    let folder = support::folder();
    let ran = run(folder.path(), &[&["--json", "agree"], draws, arguments].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let card: Value = serde_json::from_str(&ran.stdout).expect("one JSON object");
    println!("{} attempts, {} labelled", card["humans"]["attempts"], card["humans"]["labelled"]);
    card
}

fn judge<'a>(card: &'a Value, name: &str) -> &'a Value {
    let judges = card["judges"].as_array().expect("judges");
    judges.iter().find(|judge| judge["judge"] == name).unwrap_or_else(|| panic!("no judge {name}"))
}

/// The figures of a group, of a judge or of people.
fn group<'a>(groups: &'a Value, column: &str, value: &str) -> &'a Value {
    let groups = groups["groups"].as_array().expect("groups");
    let found = groups.iter().find(|group| group["column"] == column && group["value"] == value);
    found.unwrap_or_else(|| panic!("no {column} {value}"))
}

/// A proportion as percent, rounded as a table prints it.
fn percent(value: &Value, digits: i32) -> f64 {
    let value = value.get("value").unwrap_or(value).as_f64().unwrap_or_else(|| panic!("no number: {value}"));
    rounded(100.0 * value, digits)
}

fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

fn interval(value: &Value, digits: i32) -> (f64, f64) {
    (percent(&value["interval"]["low"], digits), percent(&value["interval"]["high"], digits))
}

const GPT_4O: &str = "gpt-4o-2024-08-06";
const O4_MINI: &str = "o4-mini";

#[test]
fn table_2_human_success_rates() {
    let Some(data) = Data::find() else { return };
    let card = card(&["--labels", &data.file("om2w_human_labels.jsonl")]);
    assert_eq!(card["humans"]["labelled"], 1800);
    for (agent, count, rate) in [
        ("seeact", 92, 30.7),
        ("agent_e", 84, 28.0),
        ("browser_use", 90, 30.0),
        ("claude_computer_use_3.5", 87, 29.0),
        ("operator", 184, 61.3),
        ("claude_computer_use_3.7", 169, 56.3),
    ] {
        let success = &group(&card["humans"], "agent", agent)["success"];
        assert_eq!((success["count"].as_u64(), success["of"].as_u64()), (Some(count), Some(300)), "{agent}");
        assert_eq!(percent(success, 1), rate, "{agent}");
    }
}

#[test]
fn table_2_webjudge_rates_and_agreement() {
    let Some(data) = Data::find() else { return };
    let card = data.webjudge(&[]);
    assert_eq!(
        (&card["policies"]["missing"], &card["policies"]["unexecutable"]),
        (&"count-as-failure".into(), &"failure".into())
    );
    let judge = judge(&card, GPT_4O);
    let absent: Value = serde_json::from_str(r#"["claude_computer_use_3.7", "operator"]"#).expect("list");
    assert_eq!(judge["concerned"]["agents_not_judged"], absent);
    for (agent, rate, agreement, wilson) in [
        ("seeact", 39.7, 87.7, (83.5, 90.9)),
        ("agent_e", 34.3, 87.7, (83.5, 90.9)),
        ("browser_use", 39.0, 83.0, (78.3, 86.8)),
        ("claude_computer_use_3.5", 34.0, 88.3, (84.2, 91.5)),
    ] {
        let figures = group(judge, "agent", agent);
        assert_eq!(figures["n"], 300);
        assert_eq!(percent(&figures["judge_rate"], 1), rate, "{agent}");
        assert_eq!(percent(&figures["agreement"], 1), agreement, "{agent}");
        assert_eq!(interval(&figures["agreement"], 1), wilson, "{agent}");
    }
}

#[test]
fn readme_agreement_of_o4_mini_under_both_policies() {
    let Some(data) = Data::find() else { return };
    let (as_failures, left_out) =
        (data.webjudge(&[]), data.webjudge(&["--missing", "drop", "--unexecutable", "drop"]));
    let (counted, dropped) = (judge(&as_failures, O4_MINI), judge(&left_out, O4_MINI));
    for (agent, readme, exact, excluded, rate) in [
        ("seeact", 85.3, 85.33, 84.88, 30.0),
        ("agent_e", 86.3, 86.33, 86.20, 27.0),
        ("browser_use", 89.3, 89.33, 89.30, 26.0),
        ("claude_computer_use_3.5", 87.0, 87.00, 87.00, 24.0),
    ] {
        let figures = group(counted, "agent", agent);
        assert_eq!(percent(&figures["agreement"], 1), readme, "{agent}");
        assert_eq!(percent(&figures["agreement"], 2), exact, "{agent}");
        assert_eq!(percent(&figures["judge_rate"], 1), rate, "{agent}");
        assert_eq!(percent(&group(dropped, "agent", agent)["agreement"], 2), excluded, "{agent}");
    }
    assert_eq!(percent(&counted["gap"]["judge"], 2), 2.67);
    // Each card also says what the other policy would give.
    assert_eq!(counted["otherwise"]["count"], dropped["overall"]["agreement"]["count"]);
}

#[test]
fn constant_answer_baseline() {
    let Some(data) = Data::find() else { return };
    let card = data.webjudge(&[]);
    for (agent, agreement) in
        [("seeact", 69.3), ("agent_e", 72.0), ("browser_use", 70.0), ("claude_computer_use_3.5", 71.0)]
    {
        let figures = group(judge(&card, O4_MINI), "agent", agent);
        assert_eq!(percent(&figures["constant_agreement"], 1), agreement, "{agent}");
    }
}

#[test]
fn figure_4_success_by_difficulty() {
    let Some(data) = Data::find() else { return };
    let labels = data.file("om2w_human_labels.jsonl");
    let six = card(&["--labels", &labels]);
    let table = &six["humans"]["difficulty"];
    assert_eq!(table["levels"], serde_json::json!(["easy", "medium", "hard"]));
    let mut compared = 0;
    for (agent, rates) in [
        ("seeact", [60.2, 25.2, 8.1]),
        ("agent_e", [49.4, 26.6, 6.8]),
        ("browser_use", [55.4, 26.6, 8.1]),
        ("claude_computer_use_3.5", [56.6, 20.3, 14.9]),
        ("claude_computer_use_3.7", [90.4, 49.0, 32.4]),
        ("operator", [83.1, 58.0, 43.2]),
    ] {
        let found = table["agents"].as_array().expect("agents").iter().find(|row| row["agent"] == agent);
        let got = found.expect(agent)["rates"].as_array().expect("rates").iter().map(|rate| percent(rate, 1));
        assert_eq!(got.collect::<Vec<f64>>(), rates, "{agent}");
        compared += rates.len();
    }
    println!("{compared} cells compared");

    let five = card(&["--labels", &labels, "--where", "agent!=claude_computer_use_3.7"]);
    let drops = &five["humans"]["difficulty"]["drops"];
    assert_eq!((percent(&drops[0]["mean"], 2), percent(&drops[1]["mean"], 2)), (29.64, 15.11));
    assert_eq!(drops[0]["agents"], 5);
}

#[test]
fn judge_quality_on_four_agents() {
    let Some(data) = Data::find() else { return };
    let card = data.webjudge(&[]);
    let agents = ["seeact", "agent_e", "browser_use", "claude_computer_use_3.5"];
    for (name, agreement, precision, recall, kappas, errors, bias) in [
        (GPT_4O, 86.67, 71.9, 89.8, [0.73, 0.71, 0.63, 0.73], (124, 36), 7.3),
        (O4_MINI, 87.00, 80.7, 73.4, [0.65, 0.66, 0.74, 0.67], (62, 94), -2.7),
    ] {
        let judge = judge(&card, name);
        let figures = &judge["overall"];
        assert_eq!(figures["n"], 1200);
        assert_eq!(percent(&figures["agreement"], 2), agreement);
        assert_eq!((percent(&figures["precision"], 1), percent(&figures["recall"], 1)), (precision, recall));
        let wrong = |kind: &str| figures["confusion"][kind].as_i64().expect("count");
        assert_eq!((wrong("false_positive"), wrong("false_negative")), errors);
        assert_eq!(percent(&figures["bias"], 1), bias);
        for (agent, kappa) in agents.into_iter().zip(kappas) {
            let got = &group(judge, "agent", agent)["cohen_kappa"]["value"];
            assert_eq!(rounded(got.as_f64().expect("a number"), 2), kappa, "{agent}");
        }
    }
}

#[test]
fn rogan_gladen_with_errors_from_the_other_agents() {
    let Some(data) = Data::find() else { return };
    let card = data.webjudge(&[]);
    for (name, before, after) in [(GPT_4O, 7.33, 3.37), (O4_MINI, 2.67, 3.63)] {
        let gap = &judge(&card, name)["gap"];
        assert_eq!((percent(&gap["judge"], 2), percent(&gap["corrected"], 2)), (before, after), "{name}");
    }
}

#[test]
fn agreement_by_level() {
    let Some(data) = Data::find() else { return };
    // These published cells leave out the ten attempts without a verdict, unlike the tables by agent.
    let card = data.webjudge(&["--missing", "drop"]);
    for (level, gpt_4o, o4_mini) in [("easy", 85.2, 82.5), ("medium", 85.3, 86.5), ("hard", 90.5, 92.5)] {
        for (name, expected) in [(GPT_4O, gpt_4o), (O4_MINI, o4_mini)] {
            let figures = group(judge(&card, name), "level", level);
            assert_eq!(percent(&figures["agreement"], 1), expected, "{name} {level}");
        }
    }
}

#[test]
fn two_judges_together() {
    let Some(data) = Data::find() else { return };
    let card = data.webjudge(&["--draws", "2000"]);
    let panel = &card["panel"];
    assert_eq!(panel["n"], 1200);
    assert_eq!(percent(&panel["unanimous"], 1), 84.7);
    assert_eq!(panel["unanimous"]["count"], 1016);
    assert_eq!(percent(&panel["right_if_unanimous"], 1), 93.5);
    let (all, any) = (&panel["votes"][0], &panel["votes"][1]);
    assert_eq!((&all["success_if"], &any["success_if"]), (&"all".into(), &"any".into()));
    assert_eq!(
        [&all["agreement"], &all["precision"], &all["recall"]].map(|value| percent(value, 1)),
        [88.5, 87.2, 71.4]
    );
    assert_eq!(percent(&any["agreement"], 1), 85.2);
    let difference = &panel["differences"][0];
    assert_eq!((&difference["first"], &difference["second"]), (&GPT_4O.into(), &O4_MINI.into()));
    assert_eq!(percent(&difference["agreement"], 1), 0.3);
    // Drawn, there as here: the ends may differ by a draw.
    let (low, high) = interval(&difference["agreement"], 1);
    assert!((low + 1.9).abs() < 0.25 && (high - 2.8).abs() < 0.25, "[{low}, {high}]");
}

#[test]
fn attempts_without_key_screenshots() {
    let Some(data) = Data::find() else { return };
    let file = data.file("om2w_webjudge_judgments.jsonl");
    let (mut attempts, mut successes) = (0, 0);
    for (name, of, count) in [(GPT_4O, 337, 3), (O4_MINI, 205, 6)] {
        let one = format!("judge_model={name}");
        let card = card(&[&file, "--where", "n_key_screenshots=0", "--where", &one]);
        let success = &card["humans"]["success"];
        assert_eq!((success["of"].as_u64(), success["count"].as_u64()), (Some(of), Some(count)), "{name}");
        attempts += of;
        successes += count;
    }
    assert_eq!(rounded(100.0 * (attempts - successes) as f64 / attempts as f64, 1), 98.3);
}

const BENCHMARKS: [&str; 5] = ["assistantbench", "visualwebarena", "webarena", "workarena", "workarena++"];

/// Precision by benchmark and overall, recall, F1, accuracy, true-negative rate.
fn reward_bench_row(judge: &Value) -> Vec<f64> {
    let by_benchmark =
        BENCHMARKS.iter().map(|name| percent(&group(judge, "benchmark", name)["precision"], 1));
    let overall = &judge["overall"];
    let names = ["precision", "recall", "f1", "agreement", "true_negative_rate"];
    by_benchmark.chain(names.iter().map(|name| percent(&overall[*name], 1))).collect()
}

#[test]
fn agent_reward_bench_webjudge() {
    let Some(data) = Data::find() else { return };
    let card = data.reward_bench(&[]);
    assert_eq!(card["humans"]["labelled"], 1106);
    for (name, expected) in [
        ("webjudge_gpt4o", [66.7, 69.8, 72.6, 92.3, 75.0, 73.7, 71.2, 72.4, 85.5, 90.8]),
        ("webjudge_7b", [80.0, 66.7, 77.5, 100.0, 70.0, 75.7, 58.0, 65.6, 83.8, 93.2]),
        ("webjudge_o4mini", [100.0, 74.5, 81.2, 100.0, 90.0, 82.0, 47.8, 60.4, 83.3, 96.2]),
    ] {
        assert_eq!(reward_bench_row(judge(&card, name)), expected, "{name}");
    }
}

#[test]
fn agent_reward_bench_rule_based() {
    let Some(data) = Data::find() else { return };
    let card = data.reward_bench(&["--judge", "cum_reward", "--threshold", "0.5", "--missing", "drop"]);
    let judge = judge(&card, "cum_reward");
    assert_eq!((&judge["concerned"]["compared"], &judge["concerned"]["missing"]), (&1065.into(), &41.into()));
    assert_eq!(reward_bench_row(judge), [25.0, 84.9, 79.0, 100.0, 83.3, 83.7, 57.3, 68.0, 85.5, 95.9]);
}

#[test]
fn agent_reward_bench_people_among_themselves() {
    let Some(data) = Data::find() else { return };
    let (matrix, second) = (data.file("arb_success_matrix.csv"), data.file("arb_second_annotations.csv"));
    let card = card(&[&matrix, "--second", &second]);
    let ceiling = &card["humans"]["ceiling"];
    // 93 of 106, where one annotator was unsure; of the 105 on which both decided it is as many.
    let strict = &ceiling["agreement_undecided_differ"];
    assert_eq!(
        (strict["count"].as_u64(), strict["of"].as_u64(), percent(strict, 1)),
        (Some(93), Some(106), 87.7)
    );
    let decided = &ceiling["agreement"];
    assert_eq!((decided["count"].as_u64(), decided["of"].as_u64()), (Some(93), Some(105)));
    let test = data.reward_bench(&["--second", &second]);
    let strict = &test["humans"]["ceiling"]["agreement_undecided_differ"];
    assert_eq!(
        (strict["count"].as_u64(), strict["of"].as_u64(), percent(strict, 1)),
        (Some(75), Some(84), 89.3)
    );
}

#[test]
fn persona_meta_evaluation() {
    let Some(vectors) = shared("vectors/persona2web/meta_eval.jsonl") else { return };
    let folder = support::folder();
    let file = vectors.to_string_lossy().into_owned();
    let ran = run(folder.path(), &["--json", "agree", "--scores", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let got: Value = serde_json::from_str(&ran.stdout).expect("one JSON object");
    let text = std::fs::read_to_string(&vectors).expect("vectors");
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a case")).collect();
    let groups = got["groups"].as_array().expect("groups");
    assert_eq!(groups.len(), cases.len());
    for (group, case) in groups.iter().zip(&cases) {
        let expected = &case["expected"];
        assert_eq!(group["by_scores"], expected["pairwise"], "{}", group["group"]);
        for (name, value) in [
            ("accuracy", &group["accuracy"]["value"]),
            ("pearson", &group["pearson"]),
            ("spearman", &group["spearman"]),
        ] {
            let same = match (value.as_f64(), expected[name].as_f64()) {
                (Some(got), Some(expected)) => (got - expected).abs() < 1e-9,
                (got, expected) => got == expected,
            };
            assert!(same, "{} {name}: {value}, expected {}", group["group"], expected[name]);
        }
    }
    println!("{} cases compared", cases.len());
}
