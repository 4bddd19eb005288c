//! `umpire stats` and `umpire compare` on a file of our own. The figures are what `scipy` gives for the same file.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Ran, folder, run};

fn example() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/stats/attempts.csv")
        .to_string_lossy()
        .into_owned()
}

fn stats(arguments: &[&str]) -> Ran {
    run(folder().path(), &[&["stats"], arguments].concat())
}

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("one JSON object")
}

fn close(value: &Value, expected: f64) {
    let got = value.as_f64().unwrap_or_else(|| panic!("no number: {value}"));
    assert!((got - expected).abs() < 1e-9, "{got}, expected {expected}");
}

#[test]
fn the_figures_are_those_of_scipy() {
    let found = json(&stats(&[&example(), "--json", "--draws", "100"]));
    let north = &found["agents"][0];
    assert_eq!(north["agent"], "north");
    close(&north["macro_rates"]["template"]["value"], 0.715_277_777_777_777_8);
    close(&north["macro_rates"]["template"]["interval"]["low"], 0.548_669_692_440_317_2);
    close(&north["macro_rates"]["template"]["interval"]["high"], 0.881_885_863_115_238_4);
    close(&north["macro_rates"]["clustered"]["low"], 0.504_715_471_984_743_5);
    close(&north["macro_rates"]["clustered"]["high"], 0.891_117_861_348_589_7);
    for (k, once, always) in [
        (0, 0.697_916_666_666_666_7, 0.697_916_666_666_666_6),
        (1, 0.864_583_333_333_333_4, 0.531_25),
        (2, 0.906_25, 0.406_25),
    ] {
        close(&north["reliability"]["curve"][k]["once"]["value"], once);
        close(&north["reliability"]["curve"][k]["always"]["value"], always);
    }
    close(&north["efficiency"]["ratio"]["value"], 1.281_094_527_363_184);
    let states = &north["states"];
    let counted: Vec<_> = ["both", "lost", "gained", "neither"].map(|part| states[part].as_u64()).into();
    assert_eq!(counted, [Some(11), Some(8), Some(1), Some(4)]);

    assert_eq!(found["anchor"], "north");
    let south = &found["comparisons"][0];
    close(&south["by_template"]["value"], -0.152_777_777_777_777_76);
    close(&south["by_template"]["interval"]["low"], -0.265_285_260_971_860_4);
    close(&south["by_template"]["interval"]["high"], -0.040_270_294_583_695_12);
    close(&south["p_value"], 0.012_324_250_511_093_506);
    close(&south["p_mcnemar"], 0.011_330_984_183_587_134);
    assert_eq!(
        (south["attempts"]["gained"].as_u64(), south["attempts"]["lost"].as_u64()),
        (Some(10), Some(26))
    );
}

#[test]
fn the_tables_say_what_they_are() {
    let ran = stats(&[&example(), "--draws", "200"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn the_same_attempts_compared_with_themselves_do_not_differ() {
    let (file, folder) = (example(), folder());
    let found = json(&run(folder.path(), &["compare", &file, &file, "--json", "--draws", "50"]));
    let agents = found["agents"].as_array().expect("agents");
    assert_eq!(agents.len(), 2);
    for agent in agents {
        assert_eq!(agent["flips"].as_array().map(Vec::len), Some(0));
        assert_eq!(
            (&agent["comparison"]["p_mcnemar"], &agent["comparison"]["unpaired"]),
            (&1.0.into(), &0.into())
        );
    }
}

#[test]
fn what_changed_comes_first() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("before.csv", "agent,task,template,success\nold,a,t,1\nold,b,t,0\nold,c,u,1\nold,d,u,1\n");
    write(
        "after.jsonl",
        "{\"agent\":\"new\",\"task\":\"a\",\"template\":\"t\",\"success\":false}\n{\"agent\":\"new\",\"task\":\"b\",\"template\":\"t\",\"success\":true}\n{\"agent\":\"new\",\"task\":\"c\",\"template\":\"u\",\"success\":true}\n{\"agent\":\"new\",\"task\":\"e\",\"template\":\"u\",\"success\":true}\n",
    );
    let ran = run(folder.path(), &["compare", "before.csv", "after.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn an_attempt_without_an_outcome_is_open_whatever_stands_beside_it() {
    let dir = folder();
    let table = "agent,task,outcome,passed\na,t1,pass,true\na,t2,,false\n";
    fs::write(dir.path().join("attempts.csv"), table).expect("written");
    let found = json(&run(dir.path(), &["stats", "attempts.csv", "--json"]));
    let rate = &found["agents"][0]["rate"];
    close(&rate["infra_low"], 0.5);
    close(&rate["infra_high"], 1.0);
}

#[test]
fn bad_input_is_named_with_its_place() {
    let folder = folder();
    for (text, said) in [
        ("agent,outcome\nx,pass\n", "rows.csv:1: no column says what was attempted"),
        ("agent,task\nx,a\n", "rows.csv:1: no column says how it ended"),
        ("agent,task,outcome\nx,a,pass\nx,b,perhaps\n", "rows.csv:3: `outcome` is `perhaps`"),
        ("agent,task,outcome\nx,a,pass\nx,a,fail\n", "rows.csv:3: x/a/1 is there twice"),
        ("agent,task,outcome,steps\nx,a,pass,-2\n", "rows.csv:2: `steps` is `-2`"),
        ("agent,task,outcome\n,a,pass\n", "rows.csv:2: it names no agent"),
    ] {
        fs::write(folder.path().join("rows.csv"), text).expect("written");
        let ran = run(folder.path(), &["stats", "rows.csv"]);
        let told = ran.stderr.replace("\n  │ ", "");
        assert!(ran.code == Some(1) && told.contains(said), "{text}: {:?} {told}", ran.code);
    }
    let ran = stats(&[&example(), "--anchor", "east"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("agents: north, south"), "{}", ran.stderr);
    let ran = run(folder.path(), &["compare", &example(), "nowhere"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
}
