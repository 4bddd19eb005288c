//! `umpire rank` on small files of our own: what it counts, what it says, and what it refuses.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Ran, folder, run, umpire};

/// The command on a file that is written for it.
fn on_file(name: &str, text: &str, arguments: &[&str]) -> Ran {
    let folder = folder();
    fs::write(folder.path().join(name), text).expect("written");
    run(folder.path(), &[&["rank", name], arguments].concat())
}

fn rankings(name: &str, text: &str, arguments: &[&str]) -> Value {
    let ran = on_file(name, text, &[arguments, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("one JSON object")
}

fn close(value: &Value, expected: f64) {
    let got = value.as_f64().unwrap_or_else(|| panic!("no number: {value}"));
    assert!((got - expected).abs() < 1e-6, "{got}, expected {expected}");
}

/// p beats q three times of four, and they tie twice.
const TWO: &str = "model_a,model_b,winner\np,q,a\nq,p,b\np,q,a\np,q,b\nq,p,t\np,q,x\n";

#[test]
fn ratings_are_the_odds_of_winning() {
    // Ties as half wins: 4 : 2. Without: 3 : 1.
    for (ties, odds, battles) in [("half", 2.0_f64, 6), ("drop", 3.0, 4)] {
        let found = rankings("b.csv", TWO, &["--ties", ties]);
        let models = &found["rankings"][0]["models"];
        assert_eq!(models[0]["model"], "p");
        close(&models[0]["rating"], 1000.0 + 200.0 * odds.log10());
        close(&models[1]["rating"], 1000.0 - 200.0 * odds.log10());
        close(&models[0]["win_rate"], 0.75);
        assert_eq!(models[0]["battles"], battles);
        assert_eq!((&models[0]["rank"], &models[1]["rank"]), (&1.into(), &1.into()), "too few to tell apart");
    }
    let anchored = rankings("b.csv", TWO, &["--anchor", "q=1200"]);
    close(&anchored["rankings"][0]["models"][1]["rating"], 1200.0);
}

#[test]
fn a_person_reads_an_aligned_table() {
    let ran = on_file("b.csv", TWO, &["--matrix"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    // Worked by hand: log odds ln 2; information 6 · 2/9 = 4/3 and ridge 6e-5; squared scores
    // 3·(1/3)² + (2/3)² + 2·(1/6)² = 5/6; variance (5/6) / (2·(4/3) + 6e-5)² · (400/ln 10)² = 3536.3; ± 116.6.
    assert_eq!(
        ran.stdout,
        "Battles  b.csv: 6 between 2 models\n\
         Method   Bradley–Terry by maximum likelihood · ties are half wins · 95 % intervals by sandwich\n\
         \n\
         \x20 rank  model  rating         interval  battles  win rate\n\
         \x20    1  p      1060.2  [943.7, 1176.8]        6      75.0\n\
         \x20    1  q       939.8  [823.2, 1056.3]        6      25.0\n\
         \n\
         \x20 Decided battles that the model of the row won against that of the column, in %\n\
         \x20          1     2\n\
         \x20  1 p     –  75.0\n\
         \x20  2 q  25.0     –\n"
    );
}

#[test]
fn csv_json_lines_and_standard_input_are_alike() {
    let lines = "{\"left\":\"p\",\"right\":\"q\",\"vote\":\"p\"}\n{\"left\":\"p\",\"right\":\"q\",\"vote\":\"model_b\"}\n\
                 {\"left\":\"q\",\"right\":\"p\",\"vote\":\"b\"}\n";
    let csv = "left,right,vote\n\"p\",q,p\np,q,model_b\nq,p,b\n";
    let of_lines = rankings("b.jsonl", lines, &[]);
    let of_csv = rankings("b.csv", csv, &[]);
    assert_eq!(of_lines["rankings"], of_csv["rankings"]);
    close(&of_csv["rankings"][0]["models"][0]["rating"], 1000.0 + 200.0 * 2.0_f64.log10());
    let folder = folder();
    let mut command = umpire(folder.path());
    command.args(["rank", "-", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("umpire starts");
    child.stdin.take().expect("piped").write_all(csv.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("ends");
    let found: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(found["rankings"], of_csv["rankings"]);
}

#[test]
fn ballots_of_an_arena_are_battles_and_models_votes_are_not() {
    let ballot = |choice: &str, by: &str| {
        format!("{{\"version\":1,\"by\":{by},\"choice\":\"{choice}\",\"left\":\"p\",\"right\":\"q\"}}\n")
    };
    let people =
        ["left", "left", "right", "both-bad", "tie"].map(|choice| ballot(choice, "\"person\"")).concat();
    let models = ballot("right", "{\"model\":\"pairwise/tiny\"}").repeat(5);
    let found = rankings("ballots.jsonl", &format!("{people}{models}"), &[]);
    assert_eq!(found["rankings"][0]["models"][0]["battles"], 5, "{found}");
    let csv = "a,b,winner\np,q,a\np,q,a\np,q,b\np,q,x\np,q,t\n";
    assert_eq!(found["rankings"], rankings("b.csv", csv, &[])["rankings"]);
}

#[test]
fn what_the_battles_cannot_tell_is_said() {
    let found = rankings("b.csv", "model_a,model_b,winner\ntop,p,a\np,q,a\nq,p,a\nu,v,t\nu,v,unsure\n", &[]);
    let ranking = &found["rankings"][0];
    let kinds: Vec<&str> =
        ranking["warnings"].as_array().expect("warnings").iter().filter_map(|w| w["kind"].as_str()).collect();
    assert_eq!(kinds, ["not-comparable", "no-finite-rating", "unknown-labels"]);
    assert_eq!(ranking["warnings"][1]["models"]["never_lost"][0][0], "top");
    for model in ranking["models"].as_array().expect("models") {
        let is_regularised = ["top", "p", "q"].contains(&model["model"].as_str().expect("a name"));
        assert_eq!(model["estimate"] == "regularised", is_regularised, "{model}");
        assert!(model["high"].as_f64() > model["low"].as_f64() || !is_regularised, "{model}");
    }
    let text = on_file("b.csv", "model_a,model_b,winner\ntop,p,a\np,q,a\nq,p,a\n", &[]).stdout;
    assert!(text.contains("! top never lost a point to the rest, p, q never took one"), "{text}");
}

#[test]
fn a_single_vote_puts_nobody_ahead() {
    for intervals in ["sandwich", "bootstrap"] {
        let found = rankings("b.csv", "model_a,model_b,winner\np,q,a\n", &["--intervals", intervals]);
        let models = &found["rankings"][0]["models"];
        assert_eq!((&models[0]["rank"], &models[1]["rank"]), (&1.into(), &1.into()), "{intervals}");
    }
    let tied = rankings("b.csv", "model_a,model_b,winner\np,q,t\n", &[]);
    assert_eq!(tied["rankings"][0]["warnings"][0]["kind"], "nothing-decided");
}

#[test]
fn groups_are_ranked_apart() {
    let text = "model_a,model_b,winner,site\np,q,a,shop\np,q,b,shop\np,q,b,mail\nq,p,b,mail\n";
    let found = rankings("b.csv", text, &["--by", "site"]);
    let groups: Vec<&str> =
        found["rankings"].as_array().expect("rankings").iter().filter_map(|r| r["group"].as_str()).collect();
    assert_eq!(groups, ["mail", "shop"]);
    close(&found["rankings"][1]["models"][0]["rating"], 1000.0);
}

#[test]
fn the_seed_decides_the_bootstrap() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rank/battles.csv");
    let text = fs::read_to_string(example).expect("the example");
    let draw =
        |seed| rankings("b.csv", &text, &["--intervals", "bootstrap", "--rounds", "50", "--seed", seed]);
    assert_eq!(draw("1"), draw("1"));
    assert_ne!(draw("1")["rankings"][0]["models"], draw("2")["rankings"][0]["models"]);
    let elo = rankings("b.csv", &text, &["--method", "elo"]);
    assert!(elo["rankings"][0]["models"][0]["low"].is_null());
    let style = rankings("b.csv", &text, &["--style", "steps"]);
    let effect = style["rankings"][0]["style"][0]["coefficient"].as_f64().expect("a coefficient");
    assert!(effect < 0.0, "the example's votes like few steps: {effect}");
}

#[test]
fn votes_can_be_limited() {
    let mut text = String::from("model_a,model_b,winner,judge,tstamp\n");
    for n in 0..40 {
        let winner = if n % 10 == 0 { "b" } else { "a" };
        let _ = writeln!(text, "p,q,{winner},u{},{n}", n % 8);
    }
    for n in 0..12 {
        let _ = writeln!(text, "p,q,b,hostile,{}", 100 + n);
    }
    let limited = rankings("b.csv", &text, &["--daily-limit", "3"]);
    assert_eq!(limited["filtered"]["kept"], 8 * 3 + 3);
    let flagged = rankings("b.csv", &text, &["--drop-flagged"]);
    assert_eq!(flagged["filtered"]["flagged"][0], "hostile");
    assert_eq!(flagged["rankings"][0]["battles"], 40);
}

#[test]
fn what_is_wrong_is_said_with_place_and_remedy() {
    for (text, arguments, said) in [
        ("", &[][..], &["b.csv: no column", "--model-a"][..]),
        ("model_a,model_b,winner\n", &[], &["b.csv: there is no battle in it"]),
        ("x,model_b,winner\np,q,a\n", &[], &["no column", "its columns are x, model_b, winner"]),
        ("model_a,model_b,winner\np,q,a\np,q\n", &[], &["b.csv:3: 2 fields, but the header has 3"]),
        ("model_a,model_b,winner\np,q,a\n,q,a\n", &[], &["b.csv:3: `model_a` is empty"]),
        ("model_a,model_b,winner\np,p,a\n", &[], &["b.csv: `p` is the only model", "at least two models"]),
        ("model_a,model_b,winner\np,q,t\n", &["--ties", "drop"], &["no battle is left", "--ties half"]),
        (TWO, &["--by", "site"], &["there is no column `site`"]),
        (TWO, &["--anchor", "p"], &["--anchor MODEL=1000"]),
        (TWO, &["--style", "words"], &["there is no column `words_a`"]),
        (TWO, &["--daily-limit", "3"], &["judge, user, voter", "--judge"]),
        (TWO, &["--method", "elo", "--intervals", "sandwich"], &["--intervals bootstrap"]),
        (TWO, &["--reweight", "--intervals", "bootstrap"], &["leave out --intervals bootstrap"]),
    ] {
        let ran = on_file("b.csv", text, arguments);
        assert_eq!(ran.code, Some(1), "{text}{arguments:?}: {}", ran.stdout);
        let flat = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
        for words in said {
            assert!(flat.contains(words), "{words:?} is not in {flat}");
        }
    }
    let ran = run(folder().path(), &["rank", "nowhere.csv"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("nowhere.csv"), "{}", ran.stderr);
}
