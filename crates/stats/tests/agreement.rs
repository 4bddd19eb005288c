//! The estimators of agreement against established Python packages, on the tables of `vectors/agreement.json`
//! (`vectors/agreement.py` makes them and names the packages).

use serde_json::Value;
use umpire_stats::agreement::{
    Confusion, cohen_kappa, fleiss_kappa, kendall_tau_b, krippendorff_alpha, pearson, powered_rate, spearman,
};

fn vectors(kind: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("vectors/agreement.json")).expect("our own file");
    let cases = all[kind].as_array().expect("a list").clone();
    assert!(cases.len() >= 3, "only {} cases of {kind}", cases.len());
    cases
}

fn whole(value: &Value) -> Vec<usize> {
    value.as_array().expect("a list").iter().map(|number| number.as_u64().expect("whole") as usize).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number")).collect()
}

fn flags(value: &Value) -> Vec<bool> {
    whole(value).into_iter().map(|number| number == 1).collect()
}

fn pairs(case: &Value) -> Vec<(bool, bool)> {
    flags(&case["human"]).into_iter().zip(flags(&case["judge"])).collect()
}

fn same(got: Option<f64>, case: &Value, name: &str) {
    match (got, case[name].as_f64()) {
        (None, None) => {}
        (Some(got), Some(expected)) if (got - expected).abs() < 1e-9 => {}
        (got, expected) => panic!("{name}: {got:?}, expected {expected:?} in {case}"),
    }
}

#[test]
fn confusion_agrees_with_scikit_learn() {
    for case in vectors("confusion") {
        let table = Confusion::of(pairs(&case));
        same(table.agreement().value(), &case, "agreement");
        same(table.precision().value(), &case, "precision");
        same(table.recall().value(), &case, "recall");
        same(table.true_negative_rate().value(), &case, "true_negative_rate");
        same(table.f1(), &case, "f1");
        same(table.kappa(), &case, "kappa");
    }
}

#[test]
fn kappas_agree_with_scikit_learn_and_statsmodels() {
    for case in vectors("cohen") {
        same(cohen_kappa(whole(&case["first"]).into_iter().zip(whole(&case["second"]))), &case, "kappa");
    }
    for case in vectors("fleiss") {
        let counts: Vec<Vec<usize>> = case["counts"].as_array().expect("rows").iter().map(whole).collect();
        same(fleiss_kappa(&counts), &case, "kappa");
    }
}

#[test]
fn alpha_agrees_with_the_krippendorff_package() {
    for case in vectors("alpha") {
        let units: Vec<Vec<usize>> = case["units"].as_array().expect("units").iter().map(whole).collect();
        same(krippendorff_alpha(&units), &case, "alpha");
    }
}

#[test]
fn correlations_agree_with_scipy() {
    for case in vectors("rank") {
        let (first, second) = (numbers(&case["first"]), numbers(&case["second"]));
        same(pearson(&first, &second), &case, "pearson");
        same(spearman(&first, &second), &case, "spearman");
        same(kendall_tau_b(&first, &second), &case, "kendall");
    }
}

#[test]
fn prediction_powered_rates_agree_with_ppi_python() {
    for case in vectors("powered") {
        let rate = powered_rate(&pairs(&case), &flags(&case["unlabelled"])).expect("labels");
        assert!(!rate.clipped, "cut off, so not comparable: {rate:?}");
        same(Some(rate.value), &case, "value");
        same(Some(rate.interval.low), &case, "low");
        same(Some(rate.interval.high), &case, "high");
    }
}
