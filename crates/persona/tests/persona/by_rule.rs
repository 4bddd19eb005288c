//! The rubric by rule: flags and kinds of error for attempts of every sort.

use serde_json::json;
use umpire_model::Persona;
use umpire_persona::History;
use umpire_persona::Tables;
use umpire_persona::scoring::{
    Access, Applied, Attempted, Decided, ErrorKind, Flags, Hidden, Hit, Judged, Pair, Part, Rubric, decide,
    score,
};

fn persona() -> Persona {
    serde_json::from_value(json!({
        "id": "ida-holm",
        "website": {"name": "Basketway", "host": "basketway.localhost"},
        "preferences": [
            {"key": "brand", "value": "Hollow Farm", "text": "from Hollow Farm"},
            {"key": "packaging", "value": "Glass", "text": "packed in Glass"}
        ],
        "location": {"address": "12 Alder Street", "city": "Portmere"}
    }))
    .expect("a persona")
}

/// 0: brand, packaging and site; 1: a rival; 2: the home; 3: nothing of note.
fn history() -> History {
    let entry = |object: &str, website: &str| json!({"timestamp": "2026-01-02 08:00:00", "type": "purchase", "object": object, "website": website});
    let entries = json!([
        entry("Hollow Farm Oat Drink (in glass)", "basketway.localhost"),
        entry("Old Ferry Rye Bread (in paper)", "fennelrye.localhost"),
        entry("food order, to 12 Alder Street, Portmere", "shop.localhost"),
        entry("weather Portmere", "map.localhost"),
    ]);
    History::parse(&entries.to_string()).expect("a history")
}

fn access(step: u32, query: &str, hits: &[usize]) -> Access {
    let hits = hits.iter().map(|&entry| Hit { entry, score: 0.8 }).collect();
    Access { step, query: query.to_owned(), hits, answer: None }
}

/// An attempt at level 2 that found and used everything.
fn perfect() -> Attempted {
    Attempted {
        intent: "Order the milk I like the way I like it.".to_owned(),
        level: Some(2),
        accesses: vec![access(1, "where groceries are bought", &[0]), access(2, "home address", &[2])],
        alike: Vec::new(),
        used_website: Some(true),
        used_preferences: vec![Some(true), Some(true)],
        used_location: Some(true),
        applied: vec![],
        success: Some(true),
        blocked_by: None,
    }
}

fn decided(change: impl FnOnce(&mut Attempted)) -> Decided {
    let mut attempted = perfect();
    change(&mut attempted);
    decide(Tables::embedded(), &persona(), &history(), &attempted)
}

type Change = Box<dyn FnOnce(&mut Attempted)>;
type Blame = (ErrorKind, Option<Part>);

fn errors(decided: &Decided) -> Vec<Blame> {
    decided.errors.iter().map(|error| (error.kind, error.part.clone())).collect()
}

#[test]
fn an_attempt_that_did_everything_is_perfect_without_a_judge() {
    let decided = decided(|_| {});
    assert_eq!(errors(&decided), []);
    assert_eq!(decided.undecided, []);
    let score = score(&decided.rubric().expect("nothing left open"));
    assert!(score.success, "{score:?}");
}

#[test]
fn each_error_is_told_by_its_rule() {
    let brand = || Some(Part::Preference("brand".to_owned()));
    let packaging = || Some(Part::Preference("packaging".to_owned()));
    let cases: Vec<(&str, Change, Vec<Blame>)> = vec![
        (
            "retrieved and not used",
            Box::new(|a| a.used_preferences[0] = Some(false)),
            vec![(ErrorKind::UtilizationFailure, brand())],
        ),
        (
            "the home was never found",
            Box::new(|a| (a.accesses[1].hits, a.used_location) = (vec![], Some(false))),
            vec![(ErrorKind::RetrievalFailure, Some(Part::Location))],
        ),
        (
            "the wrong entries were found",
            Box::new(|a| {
                a.accesses = vec![access(1, "groceries", &[1, 2])];
                (a.used_website, a.used_preferences) = (Some(false), vec![Some(false), Some(false)]);
            }),
            vec![
                (ErrorKind::RetrievalFailure, Some(Part::Website)),
                (ErrorKind::RetrievalFailure, brand()),
                (ErrorKind::RetrievalFailure, packaging()),
            ],
        ),
        (
            "a brand out of thin air",
            Box::new(|a| {
                a.used_preferences[0] = Some(false);
                a.applied = vec![Applied { key: "brand".to_owned(), value: "Ostara".to_owned() }];
            }),
            vec![(ErrorKind::HallucinatedPreference, brand())],
        ),
        (
            "the rival's brand was read, so it is not invented",
            Box::new(|a| {
                a.accesses[0].hits.push(Hit { entry: 1, score: 0.6 });
                a.used_preferences[0] = Some(false);
                a.applied = vec![Applied { key: "brand".to_owned(), value: "Old Ferry".to_owned() }];
            }),
            vec![(ErrorKind::UtilizationFailure, brand())],
        ),
        (
            "asked twice",
            Box::new(|a| a.accesses.push(access(5, "Where are groceries bought?", &[0]))),
            vec![(ErrorKind::RedundantAccess, None)],
        ),
    ];
    for (what, change, wanted) in cases {
        assert_eq!(errors(&decided(change)), wanted, "{what}");
    }
}

#[test]
fn why_something_was_not_retrieved_is_told_apart() {
    let why = |change: fn(&mut Attempted)| {
        let decided = decided(change);
        let part = Some(Part::Preference("brand".to_owned()));
        decided.errors.into_iter().find(|error| error.part == part).map(|error| error.why).unwrap_or_default()
    };
    for (change, wanted) in [
        ((|a| a.accesses.clear()) as fn(&mut Attempted), "never asked"),
        (|a| a.accesses = vec![access(1, "milk", &[3])], "in the history, and not in what was found"),
        (
            |a| a.accesses[0].answer = Some("Groceries come from Basketway.".to_owned()),
            "not in what the agent was told",
        ),
    ] {
        let why = why(change);
        assert!(why.contains(wanted), "{why}");
    }
}

#[test]
fn an_answer_in_prose_counts_for_what_it_says() {
    let decided = decided(|a| {
        a.accesses = vec![access(1, "groceries", &[0])];
        a.accesses[0].answer = Some("Mostly Hollow Farm from Basketway, to 12 Alder Street.".to_owned());
    });
    let flags = |retrieval| Flags { retrieval: Some(retrieval), utilization: Some(true) };
    assert_eq!(decided.website, flags(true));
    assert_eq!(decided.preferences, [flags(true), flags(false)]);
    assert_eq!(decided.location, Some(flags(true)));
}

#[test]
fn what_the_evidence_does_not_tell_is_left_to_the_judge() {
    let decided = decided(|a| (a.used_preferences[1], a.success) = (None, None));
    assert_eq!(decided.undecided, [Part::Preference("packaging".to_owned())]);
    assert_eq!((decided.intent, decided.rubric()), (None, None));
}

#[test]
fn what_the_wish_says_cannot_fail_to_be_retrieved() {
    let decided = decided(|a| {
        a.level = Some(0);
        a.accesses.clear();
        a.used_preferences[0] = Some(false);
        a.success = Some(false);
    });
    assert_eq!(errors(&decided), [], "nothing of the history was needed");
    let score = score(&decided.rubric().expect("all told"));
    assert_eq!((score.website, score.preference, score.intent), (1.0, 2.0 / 3.0, 0.0));
}

#[test]
fn a_blocked_attempt_keeps_half_of_its_intent_if_it_was_right_so_far() {
    for (used_website, used_preferences, points) in [
        (Some(true), vec![Some(true), Some(true)], 5),
        (Some(true), vec![None, None], 5),
        (Some(true), vec![Some(true), Some(false)], 0),
        (Some(false), vec![Some(false), Some(false)], 0),
        (None, vec![None, None], 0),
    ] {
        let decided = decided(|a| {
            (a.success, a.blocked_by) = (Some(false), Some("out of stock".to_owned()));
            (a.used_website, a.used_preferences) = (used_website, used_preferences.clone());
        });
        assert_eq!(decided.intent, Some(points), "{used_website:?}, {used_preferences:?}");
    }
}

#[test]
fn what_a_judge_may_still_say_cannot_hide_a_failure() {
    let success = |decided: &Decided, judged| score(&decided.rubric_if(judged)).success;
    let failed = decided(|a| (a.success, a.used_preferences[0]) = (Some(false), None));
    assert_eq!(failed.rubric(), None, "a preference is open");
    assert!(
        !success(&failed, false) && !success(&failed, true),
        "and the wish is not fulfilled all the same"
    );
    let open = decided(|a| a.used_preferences[0] = None);
    assert!(!success(&open, false) && success(&open, true));
    let unjudged = decided(|a| a.success = None);
    assert_eq!((unjudged.rubric_if(false).intent, unjudged.rubric_if(true).intent), (0, 10));
}

#[test]
fn a_judge_settles_what_is_open_and_nothing_else() {
    let mut open = decided(|a| (a.success, a.used_preferences) = (Some(false), vec![None, Some(false)]));
    assert_eq!(open.undecided, [Part::Preference("brand".to_owned())]);
    let mut rubric = open.rubric_if(true);
    // It contradicts a rule about the packaging, and finds that the brand was made up.
    rubric.preferences[0].utilization = false;
    rubric.preferences[1].utilization = true;
    let invented = vec![Applied { key: "brand".to_owned(), value: "Old Ferry".to_owned() }];
    open.settle(&Judged { rubric, redundant: true, invented }, &persona());
    let settled = open.rubric().expect("nothing is open");
    assert_eq!(settled.preferences.iter().map(|pair| pair.utilization).collect::<Vec<_>>(), [false, false]);
    let brand = Some(Part::Preference("brand".to_owned()));
    assert!(errors(&open).contains(&(ErrorKind::HallucinatedPreference, brand)), "{:?}", open.errors);
    assert!(
        errors(&open).iter().all(|(kind, _)| *kind != ErrorKind::RedundantAccess),
        "the record tells that"
    );
}

#[test]
fn what_a_judge_settles_is_blamed_by_what_the_rules_saw_come_back() {
    let brand = || Some(Part::Preference("brand".to_owned()));
    let found = |a: &mut Attempted| a.used_preferences[0] = None;
    let missed = |a: &mut Attempted| (a.accesses, a.used_preferences[0]) = (vec![], None);
    let told = |a: &mut Attempted| (a.accesses, a.used_preferences[0], a.level) = (vec![], None, Some(0));
    for (what, change, says, blamed) in [
        (
            "it came back, and the judge missed that",
            found as fn(&mut Attempted),
            false,
            vec![ErrorKind::UtilizationFailure],
        ),
        ("it never came back, and the judge dreamt it did", missed, true, vec![ErrorKind::RetrievalFailure]),
        ("the agent was told, so nothing had to come back", told, false, vec![]),
    ] {
        let mut open = decided(change);
        let mut rubric = Rubric { hidden: Hidden::ALL, ..open.rubric_if(true) };
        rubric.preferences[0] = Pair { retrieval: says, utilization: false };
        open.settle(&Judged { rubric, redundant: false, invented: Vec::new() }, &persona());
        let of_brand = errors(&open).into_iter().filter(|(_, part)| *part == brand());
        assert_eq!(of_brand.map(|(kind, _)| kind).collect::<Vec<_>>(), blamed, "{what}");
    }
}
