//! Histories by seed: the same bytes again, what they look like, and that they imply what is true without saying it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use umpire_model::Digest;
use umpire_persona::audit::audit;
use umpire_persona::{Entry, EntryKind, Extent, Generated, Profile, Tables, free_profile, generate, people};

fn extent() -> Extent {
    Extent { entries: 2_000, until: "2026-03-15".parse().expect("a day") }
}

fn users(seed: u64, count: usize) -> Vec<(Profile, Generated)> {
    let tables = Tables::embedded();
    let make = |person| {
        let profile = free_profile(tables, seed, person);
        let generated = generate(tables, seed, &profile, extent());
        (profile, generated)
    };
    people(tables, seed, count).into_iter().map(make).collect()
}

fn digest(seed: u64, count: usize) -> Digest {
    let all: Vec<String> = users(seed, count).iter().map(|(_, made)| made.history.to_json()).collect();
    Digest::of(all.concat().as_bytes())
}

/// What this thread has computed so far: a machine that is busy with something else makes nothing slower.
fn time_spent() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split_whitespace().next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}

#[test]
fn fifty_users_take_seconds_and_the_same_seed_gives_the_same_bytes() {
    let before = time_spent();
    let first = digest(7, 50);
    let took = time_spent().saturating_sub(before);
    println!("50 users x 2,000 entries in {took:?}");
    assert!(took > Duration::ZERO, "this machine does not tell what a thread computed");
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_eq!(first, digest(7, 50));
    assert_ne!(first, digest(8, 50));
}

#[test]
fn what_is_true_is_implied_and_never_said() {
    let (mut truths, mut findings) = (0, Vec::new());
    for seed in [1, 2, 4] {
        for (profile, made) in users(seed, 20) {
            let audit = audit(Tables::embedded(), &profile, &made.history);
            let who = format!("{} of seed {seed}", profile.person.id);
            findings.extend(audit.findings().into_iter().map(|finding| format!("{who}: {finding}")));
            truths += audit.support.len();
        }
    }
    assert!(findings.is_empty(), "{findings:#?}");
    println!("{truths} truths of 60 users inferable, none said");
    assert!(truths > 2_000);
}

#[test]
fn a_planted_sentence_is_caught() {
    let (profile, mut made) = users(5, 1).remove(0);
    let own = profile.domains.iter().find(|own| !own.preferences.is_empty()).expect("a taste");
    let taste = &own.preferences[0];
    for said in [
        format!("prefers {}", taste.value),
        format!("{}: {}", taste.key, taste.value),
        format!("always orders {}", taste.value),
        taste.value.clone(),
    ] {
        let entry = &mut made.history.entries[700];
        (entry.kind, entry.object) = (EntryKind::Visit, said.clone());
        let audit = audit(Tables::embedded(), &profile, &made.history);
        assert_eq!(
            audit.statements.iter().map(|one| one.entry).collect::<BTreeSet<_>>(),
            [700].into(),
            "{said}"
        );
    }
}

#[test]
fn support_taken_away_is_noticed() {
    let tables = Tables::embedded();
    let (profile, made) = users(5, 1).remove(0);
    let supported = audit(tables, &profile, &made.history).support;
    for (at, support) in supported.iter().enumerate() {
        let mut poorer = made.history.clone();
        let value = support.value.to_lowercase();
        poorer
            .entries
            .retain(|entry| !entry.object.to_lowercase().contains(&value) && entry.website != value);
        let now = &audit(tables, &profile, &poorer).support[at];
        let is_number = value.parse::<f64>().is_ok() || value.contains(':');
        assert!(is_number || !now.is_inferable(), "{now}");
    }
    let mut turned = made.history.clone();
    let site = &profile.domains.iter().find(|own| !own.preferences.is_empty()).expect("a taste").website.host;
    let rival =
        tables.of_host(site).expect("a domain").sites.iter().find(|other| other.website.host != *site);
    for entry in turned.entries.iter_mut().filter(|entry| entry.website == *site) {
        rival.expect("a rival").website.host.clone_into(&mut entry.website);
    }
    let findings = audit(tables, &profile, &turned).findings();
    assert!(findings.len() == 1 && findings[0].contains("website"), "{findings:?}");
}

#[test]
fn a_year_looks_like_one() {
    for (profile, made) in users(9, 10) {
        let entries = &made.history.entries;
        assert!((1_950..=2_050).contains(&entries.len()), "{}", entries.len());
        assert_eq!(made.actions.len(), entries.len());
        assert!(entries.is_sorted_by_key(|entry| entry.timestamp));
        assert!(entries.iter().all(|entry| !(2..6).contains(&entry.timestamp.hour())));
        let days: BTreeSet<_> = entries.iter().map(|entry| entry.timestamp.date()).collect();
        assert!(days.len() > 330, "{} days", days.len());
        let mut kinds: BTreeMap<EntryKind, usize> = BTreeMap::new();
        for entry in entries {
            *kinds.entry(entry.kind).or_default() += 1;
        }
        assert_eq!(kinds.len(), 5, "{kinds:?}");
        assert!(kinds[&EntryKind::Search] + kinds[&EntryKind::Visit] > entries.len() / 2);
        let untold = |entry: &&Entry| {
            let object = &entry.object;
            object.trim() != object
                || object.is_empty()
                || object.contains(['{', '}', '['])
                || object.contains("  ")
                || object.contains("()")
                || object.contains(", ,")
                || entry.website.is_empty()
        };
        assert_eq!(entries.iter().find(untold), None, "{}", profile.person.id);
        let deals =
            entries.iter().filter(|entry| matches!(entry.kind, EntryKind::Purchase | EntryKind::Booking));
        let (mut all, mut changed) = (0, 0);
        for deal in deals {
            let is_changed = ["(cancelled)", "(returned)"].iter().any(|mark| deal.object.ends_with(mark))
                || deal.object.contains("(moved ")
                || deal.object.contains("(delivery moved");
            if is_changed { changed += 1 } else { all += 1 }
        }
        assert!((all / 25..=all / 6).contains(&changed), "{changed} of {all} deals changed");
    }
}
