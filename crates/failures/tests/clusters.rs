//! Complaints of three kinds, in many people's words, come apart into three groups.

use std::path::{Path, PathBuf};

use umpire_failures::{
    Clusters, KnownMode, Reason, ReasonSource, Settings, adjusted_rand_index, cluster, known_mode_of,
};
use umpire_recall::{Embed, Encoder};

const COMPLAINTS: [&[&str]; 3] = [
    &[
        "The captcha stopped it and it never got past the verification page",
        "It was blocked by a captcha asking whether it is human",
        "Could not solve the captcha puzzle, gave up at the bot check",
        "Kept reloading the page that asks to verify you are human",
        "The site took it for a robot and showed a captcha",
        "Stuck at the human verification, the captcha was not solved",
        "Blocked at the captcha, then tried the same page again",
        "A robot check with a puzzle blocked the way and it stopped there",
        "The verification page with the captcha was too much for it",
        "It met a captcha wall and reported that the page is blocked",
    ],
    &[
        "Did not close the cookie banner, so the button below could not be clicked",
        "The consent banner covered the article and stayed open",
        "Clicked behind the cookie dialog instead of closing it",
        "It ignored the newsletter pop-up that covered the page",
        "The cookie banner was accepted although the task said to reject cookies",
        "A pop-up with a newsletter covered everything and it did not close it",
        "Never dismissed the consent dialog, the banner covered the search box",
        "The banner about cookies stayed open until the end",
        "It could not find the button to close the pop-up banner",
        "Accepted all cookies in the banner instead of closing the pop-up",
    ],
    &[
        "Typed an address that does not exist and landed on an error page",
        "Went straight to a wrong address instead of using the search",
        "Guessed the address of the site and got a not found error",
        "It navigated directly to an address although searching was needed",
        "The address it typed leads nowhere, a search would have found the site",
        "Made up an address for the site and got an error",
        "Guessed a wrong address twice and never used the search engine",
        "Typed the wrong address from memory, error page, then stopped",
        "Navigated directly to a guessed address that gives an error",
        "Wrong address typed, not found error, no search after that",
    ],
];

fn reasons() -> (Vec<Reason>, Vec<usize>) {
    let all =
        COMPLAINTS.iter().enumerate().flat_map(|(kind, texts)| texts.iter().map(move |text| (kind, *text)));
    let reason = |text: &str| Reason {
        source: ReasonSource::Label,
        agent: "oak".to_owned(),
        about: "oak/t/1".to_owned(),
        step: None,
        text: text.to_owned(),
        categories: Vec::new(),
    };
    let mut reasons: Vec<(usize, Reason)> = all.map(|(kind, text)| (kind, reason(text))).collect();
    umpire_model::Random::new(5).shuffle(&mut reasons);
    (
        reasons.iter().map(|(_, reason)| reason.clone()).collect(),
        reasons.iter().map(|(kind, _)| *kind).collect(),
    )
}

fn agreement(found: &Clusters, truth: &[usize]) -> f64 {
    let mut of_text = vec![99; truth.len()];
    for cluster in &found.clusters {
        for at in &cluster.reasons {
            of_text[*at] = cluster.number;
        }
    }
    adjusted_rand_index(&of_text, truth).expect("as many")
}

fn look_at(found: &Clusters, truth: &[usize], least: f64) {
    for sweep in &found.sweep {
        println!(
            "{} groups: silhouette {:.3}, stability {:.3}",
            sweep.groups, sweep.silhouette, sweep.stability
        );
    }
    for cluster in &found.clusters {
        println!("{}: {} ({} texts)", cluster.number, cluster.name, cluster.reasons.len());
    }
    let index = agreement(found, truth);
    println!(
        "{}: agreement with the truth {index:.3}, {} left over",
        found.vectors,
        found.coverage.left_over.len()
    );
    assert!(index >= least, "{index}");
    let modes: Vec<&str> = found
        .clusters
        .iter()
        .filter_map(|cluster| known_mode_of(&cluster.terms))
        .map(|mode| mode.name)
        .collect();
    for known in KnownMode::ALL {
        assert!(modes.contains(&known.name), "{} is not among {modes:?}", known.name);
    }
}

#[test]
fn by_words() {
    let (reasons, truth) = reasons();
    let found =
        cluster(reasons, None, Settings { most_groups: 6, ..Settings::default() }).expect("thirty reasons");
    look_at(&found, &truth, 0.75);
    assert_eq!(found.coverage.texts, 30);
    assert_eq!(found.coverage.assigned + found.coverage.left_over.len(), 30);
    let written = serde_json::to_string(&found).expect("plain data");
    let read: Clusters = serde_json::from_str(&written).expect("our own");
    // Silhouettes may lose their last digit on the way.
    let groups = |clusters: &Clusters| {
        clusters.clusters.iter().map(|group| (group.name.clone(), group.reasons.clone())).collect::<Vec<_>>()
    };
    assert_eq!((read.version, &read.reasons, groups(&read)), (1, &found.reasons, groups(&found)));
}

#[test]
fn the_same_seed_gives_the_same_groups_and_other_seeds_nearly() {
    let group = |seed: u64| {
        let settings = Settings { most_groups: 6, seed, ..Settings::default() };
        cluster(reasons().0, None, settings).expect("thirty reasons")
    };
    assert_eq!(group(7), group(7));
    let (_, truth) = reasons();
    let found: Vec<f64> = (0..6).map(|seed| agreement(&group(seed), &truth)).collect();
    println!("agreement with the truth by seed: {found:?}");
    assert!(found.iter().all(|index| *index >= 0.6), "{found:?}");
    let chosen = *group(7).chosen().expect("one was chosen");
    assert!(chosen.stability > 0.8, "{chosen:?}");
}

#[test]
fn by_meaning_where_the_model_is_there() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models/minilm");
    let folder = std::env::var_os("UMPIRE_MINILM").map_or(here, PathBuf::from);
    if !folder.join("model.safetensors").exists() {
        println!("no model in {}: by words only", folder.display());
        return;
    }
    let encoder = Encoder::open(&folder).expect("the model");
    let embed: &dyn Embed = &encoder;
    let (reasons, truth) = reasons();
    let settings = Settings { most_groups: 6, ..Settings::default() };
    let found = cluster(reasons, Some(embed), settings).expect("thirty reasons");
    look_at(&found, &truth, 0.9);
}

#[test]
fn texts_about_nothing_are_left_over() {
    let (mut reasons, _) = reasons();
    let mut odd = reasons[0].clone();
    odd.text = "zxqv".to_owned();
    reasons.push(odd);
    let found = cluster(reasons, None, Settings::default()).expect("enough");
    assert!(found.coverage.left_over.contains(&30));
    let few = reasons_of(4);
    assert!(cluster(few, None, Settings::default()).is_err());
}

fn reasons_of(count: usize) -> Vec<Reason> {
    reasons().0.into_iter().take(count).collect()
}
