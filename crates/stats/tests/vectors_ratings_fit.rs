//! Ratings, connectivity and sandwich intervals against public implementations, on the shared vectors.

use std::collections::BTreeSet;

use serde_json::Value;
use umpire_stats::ratings::{
    Battles, Connectivity, Elo, Estimate, ModelId, Pairs, fit, fit_within_strong_blocks, online_elo,
    sandwich_intervals,
};

use crate::support::{Comparison, sets};

fn names(battles: &Battles, ids: &[ModelId]) -> BTreeSet<String> {
    ids.iter().map(|&id| battles.models.name(id).to_owned()).collect()
}

#[test]
fn maximum_likelihood_with_ties_as_half_wins() {
    let Some(sets) = sets() else { return };
    let mut comparison = Comparison::of("mle.ratings");
    for set in sets {
        let found = fit(&Pairs::count(&set.battles), None, set.anchor(&set.battles.models));
        comparison.set();
        let expected = &set.expected["mle"]["ratings"];
        if expected.is_null() {
            let is_regularised = found.estimates.contains(&Estimate::Regularised);
            comparison.same(&format!("{}: no finite maximum", set.name), &is_regularised, &true);
            assert!(found.ratings.iter().all(|rating| rating.is_finite()), "{}", set.name);
            assert!(!found.warnings.is_empty(), "{}", set.name);
        } else {
            let got = |model: usize| found.ratings[model];
            comparison.by_model(&set.name, &set.battles.models, got, expected, 1e-6);
            assert!(found.estimates.iter().all(|estimate| *estimate == Estimate::Exact), "{}", set.name);
        }
    }
    comparison.conclude();
}

#[test]
fn maximum_likelihood_inside_strong_blocks() {
    let Some(sets) = sets() else { return };
    let mut comparison = Comparison::of("mle.within_strong_components_mean0");
    for set in sets {
        let Some(expected) = set.expected["mle"]["within_strong_components_mean0"].as_array() else {
            continue;
        };
        comparison.set();
        let blocks = fit_within_strong_blocks(&Pairs::count(&set.battles));
        comparison.same(&format!("{}: blocks", set.name), &blocks.len(), &expected.len());
        for wanted in expected {
            let wanted = wanted.as_object().expect("ratings by model");
            let members: BTreeSet<&str> = wanted.keys().map(String::as_str).collect();
            let block = blocks.iter().find(|block| {
                block.iter().map(|(id, _)| set.battles.models.name(*id)).collect::<BTreeSet<_>>() == members
            });
            let Some(block) = block else { panic!("{}: no block {members:?}", set.name) };
            for (id, rating) in block {
                let name = set.battles.models.name(*id);
                comparison.near(
                    &format!("{} {name}", set.name),
                    *rating,
                    wanted[name].as_f64().expect("a rating"),
                    1e-6,
                );
            }
        }
    }
    comparison.conclude();
}

#[test]
fn maximum_likelihood_without_ties() {
    let Some(sets) = sets() else { return };
    let mut comparison = Comparison::of("mle_excluding_ties");
    for set in sets {
        let decided = set.battles.without_ties();
        comparison.set();
        let expected = &set.expected["mle_excluding_ties"];
        if expected.is_null() {
            comparison.same(&format!("{}: rows left", set.name), &decided.len(), &0);
            continue;
        }
        let pairs = Pairs::count(&decided);
        let found = fit(&pairs, None, set.anchor(&decided.models));
        let is_finite = found.connectivity.has_finite_mle();
        comparison.same(
            &format!("{}: finite", set.name),
            &Some(is_finite),
            &expected["finite_mle"].as_bool(),
        );
        if !expected["ratings"].is_null() {
            let got = |model: usize| found.ratings[model];
            comparison.by_model(&set.name, &decided.models, got, &expected["ratings"], 1e-6);
        }
    }
    comparison.conclude();
}

#[test]
fn connectivity_of_the_votes() {
    let Some(sets) = sets() else { return };
    let mut comparison = Comparison::of("connectivity");
    for set in sets {
        let found = Connectivity::of(&Pairs::count(&set.battles));
        let expected = &set.expected["connectivity"];
        comparison.set();
        let weak: BTreeSet<_> = found.weak.iter().map(|group| names(&set.battles, group)).collect();
        let groups = expected["weak_components"].as_array().expect("components");
        let wanted: BTreeSet<BTreeSet<String>> =
            groups.iter().map(|group| serde_json::from_value(group.clone()).expect("names")).collect();
        comparison.same(&format!("{}: weak", set.name), &weak, &wanted);
        let strong = expected["n_strong_components"].as_u64();
        comparison.same(&format!("{}: strong", set.name), &Some(found.strong.len() as u64), &strong);
        let finite = expected["finite_mle"].as_bool();
        comparison.same(&format!("{}: finite", set.name), &Some(found.has_finite_mle()), &finite);
    }
    comparison.conclude();
}

#[test]
fn what_chatbot_arena_prints() {
    let Some(sets) = sets() else { return };
    let mut comparison = Comparison::of("fastchat.bt, bt_exclude_tie");
    for set in sets {
        let decided = set.battles.without_ties();
        for (key, battles, exact) in [
            ("bt", &set.battles, &set.expected["mle"]["ratings"]),
            ("bt_exclude_tie", &decided, &set.expected["mle_excluding_ties"]["ratings"]),
        ] {
            let expected = &set.expected["fastchat"][key];
            if exact.is_null() || !expected.is_object() || expected.get("error").is_some() {
                continue;
            }
            comparison.set();
            let found = fit(&Pairs::count(battles), None, set.anchor(&battles.models));
            let got = |model: usize| found.ratings[model];
            // The files say how far that optimiser stopped from the maximum; without that, 0.1 points.
            let loose = &set.expected["fastchat"][format!("{key}_max_abs_diff_to_mle")];
            let tolerance = loose.as_f64().map_or(0.1, |loose| loose + 1e-6);
            comparison.by_model(&format!("{} {key}", set.name), &battles.models, got, expected, tolerance);
        }
    }
    comparison.conclude();
}

#[test]
fn online_elo_in_the_order_of_rows() {
    let Some(sets) = sets() else { return };
    let mut comparison = Comparison::of("fastchat.elo_online_k4");
    for set in sets {
        comparison.set();
        let found = online_elo(&set.battles, Elo::default());
        let expected = &set.expected["fastchat"]["elo_online_k4"];
        // 1e-9 of a rating of about 1000, and the twelve digits that are written down.
        comparison.by_model(&set.name, &set.battles.models, |model| found[model], expected, 1e-6);
        for (name, value) in expected.as_object().expect("ratings") {
            let got = found[set.battles.models.id(name).expect("a known model") as usize];
            let value = value.as_f64().expect("a rating");
            let place = format!("{} {name}, relative", set.name);
            comparison.near(&place, got / value, 1.0, 1e-9);
        }
    }
    comparison.conclude();
}

#[test]
fn sandwich_intervals_at_the_maximum() {
    let Some(sets) = sets() else { return };
    let mut comparison = Comparison::of("sandwich_at_mle");
    for set in sets {
        let expected = &set.expected["sandwich_at_mle"];
        if !expected.is_object() {
            continue;
        }
        comparison.set();
        let pairs = Pairs::count(&set.battles);
        let found = sandwich_intervals(&pairs, None, &fit(&pairs, None, None));
        let models = &set.battles.models;
        comparison.by_model(&set.name, models, |m| found[m].low, &expected["lower"], 1e-5);
        comparison.by_model(&set.name, models, |m| found[m].high, &expected["upper"], 1e-5);
        let deviations = roots(&expected["variance"]);
        comparison.by_model(&set.name, models, |m| found[m].variance.sqrt(), &deviations, 1e-5);
    }
    comparison.conclude();
}

/// Variances are squares of ratings: their roots are what the tolerance of ratings fits.
fn roots(variances: &Value) -> Value {
    let variances = variances.as_object().expect("variances");
    variances.iter().map(|(name, value)| (name.clone(), value.as_f64().expect("a number").sqrt())).collect()
}

#[test]
fn the_package_arena_rank() {
    let Some(sets) = sets() else { return };
    let mut comparison = Comparison::of("arena_rank: default, tight, reweighted");
    for set in sets {
        let expected = &set.expected["arena_rank"];
        if !expected.is_object() || set.expected["mle"]["ratings"].is_null() {
            continue;
        }
        comparison.set();
        let pairs = Pairs::count(&set.battles);
        for (key, weights, tolerance) in [
            ("sandwich", None, 2e-3),
            ("sandwich_tight", None, 1e-5),
            ("sandwich_reweighted_min50", Some(pairs.pair_weights(50.0)), 2e-3),
        ] {
            let Some(expected) = expected.get(key).filter(|value| value.is_object()) else { continue };
            let found = fit(&pairs, weights.as_deref(), None);
            let intervals = sandwich_intervals(&pairs, weights.as_deref(), &found);
            let models = &set.battles.models;
            let place = format!("{} {key}", set.name);
            comparison.by_model(&place, models, |m| found.ratings[m], &expected["ratings"], tolerance);
            comparison.by_model(&place, models, |m| intervals[m].low, &expected["rating_lower"], tolerance);
            comparison.by_model(&place, models, |m| intervals[m].high, &expected["rating_upper"], tolerance);
            let deviations = roots(&expected["variances"]);
            comparison.by_model(&place, models, |m| intervals[m].variance.sqrt(), &deviations, tolerance);
        }
    }
    comparison.conclude();
}
