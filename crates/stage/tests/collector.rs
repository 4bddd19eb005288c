//! Raw reports in, steps out: the collector by itself.

use umpire_model::Viewport;
use umpire_stage::record::{Collector, Heading, PageReport, RawEvent};
use umpire_stage::session::Session;

use crate::studio::briefs;

fn collector() -> Collector {
    Collector::new(Heading {
        name: "t".to_owned(),
        recorded_at: "2026-11-15T00:00:00Z".to_owned(),
        began: 1_000,
        recorder: "test".to_owned(),
        start_url: String::new(),
        viewport: Viewport::default(),
    })
}

fn report(tab: &str, text: &str) -> RawEvent {
    RawEvent::Page { tab: tab.to_owned(), report: PageReport::read(text).unwrap_or_else(|| panic!("{text}")) }
}

fn document(tab: &str, name: &str, at: u64, url: &str, how: &str) -> RawEvent {
    let text = format!(
        r#"{{"kind":"document","at":{at},"url":"{url}","how":"{how}","viewport":[800,600],"document":"{name}","path":[]}}"#
    );
    report(tab, &text)
}

fn deed(
    tab: &str,
    document: &str,
    id: u64,
    at: u64,
    deed: &str,
    element: &str,
    interactive: bool,
) -> RawEvent {
    let text = format!(
        r#"{{"kind":"deed","id":{id},"at":{at},"url":"http://a/","deed":{deed},"interactive":{interactive},
            "element":{{"tag":"x","name":"{element}","locators":{{"css":"{element}"}},"position":{{}}}},"document":"{document}","path":[]}}"#
    );
    report(tab, &text)
}

fn settled(tab: &str, document: &str, id: u64, effect: bool) -> RawEvent {
    let text =
        format!(r#"{{"kind":"settled","id":{id},"effect":{effect},"document":"{document}","path":[]}}"#);
    report(tab, &text)
}

fn opened(tab: &str, opener: Option<&str>, at: u64) -> RawEvent {
    RawEvent::TabOpened { tab: tab.to_owned(), opener: opener.map(str::to_owned), url: String::new(), at }
}

fn closed(tab: &str, at: u64) -> RawEvent {
    RawEvent::TabClosed { tab: tab.to_owned(), at }
}

const CLICK: &str = r#"{"do":"click"}"#;

fn typed(text: &str) -> String {
    format!(r#"{{"do":"type","text":{{"text":"{text}"}}}}"#)
}

fn collected(events: Vec<RawEvent>) -> Session {
    let mut collector = collector();
    for event in events {
        collector.take_in(event);
    }
    collector.session()
}

#[test]
fn steps_are_in_the_order_they_were_done_and_once_each() {
    let start = || document("A", "d", 1_000, "http://a/", "navigate");
    for (what, events, steps) in [
        (
            "told twice, and late",
            vec![
                start(),
                deed("A", "d", 2, 3_000, CLICK, "second", true),
                deed("A", "d", 1, 2_000, CLICK, "first", true),
                deed("A", "d", 1, 2_000, CLICK, "first", true),
                start(),
            ],
            vec!["click [x first]", "click [x second]"],
        ),
        (
            "a deed that grows",
            vec![
                start(),
                deed("A", "d", 1, 2_000, &typed("a"), "f", true),
                deed("A", "d", 1, 2_000, &typed("abc"), "f", true),
            ],
            vec![r#"type {"text":"abc"} [x f]"#],
        ),
        (
            "the click into the field that is then typed in",
            vec![
                start(),
                deed("A", "d", 1, 2_000, CLICK, "f", true),
                deed("A", "d", 2, 2_500, &typed("a"), "f", true),
                deed("A", "d", 3, 3_000, CLICK, "g", true),
            ],
            vec![r#"type {"text":"a"} [x f]"#, "click [x g]"],
        ),
        (
            "noise, and what only looks like it",
            vec![
                start(),
                deed("A", "d", 1, 2_000, CLICK, "nothing", false),
                settled("A", "d", 1, false),
                deed("A", "d", 2, 3_000, CLICK, "did something", false),
                settled("A", "d", 2, true),
                deed("A", "d", 3, 4_000, CLICK, "led away", false),
                report("A", r#"{"kind":"leaving","at":4100,"document":"d","path":[]}"#),
                document("A", "e", 4_200, "http://b/", "navigate"),
                deed("A", "e", 1, 5_000, CLICK, "not settled yet", false),
            ],
            vec!["click [x did something]", "click [x led away]"],
        ),
        (
            "tabs by the page and by the person, closed by either",
            vec![
                opened("A", None, 900),
                start(),
                deed("A", "d", 1, 2_000, CLICK, "pop", true),
                opened("B", Some("A"), 2_100),
                document("B", "p", 2_200, "http://p/", "navigate"),
                deed("B", "p", 1, 3_000, CLICK, "allow", true),
                closed("B", 3_200),
                opened("C", None, 20_000),
                document("C", "q", 20_500, "http://q/", "navigate"),
                closed("C", 40_000),
                closed("A", 50_000),
            ],
            vec![
                "click [x pop]",
                "tab-opened http://p/ 1",
                "click [x allow]",
                "open-tab http://q/",
                "close-tab",
            ],
        ),
        (
            "a link opened in a new tab",
            vec![
                opened("A", None, 900),
                start(),
                deed("A", "d", 1, 2_000, r#"{"do":"open-tab","url":"http://q/"}"#, "link", true),
                opened("B", Some("A"), 2_050),
                document("B", "q", 2_200, "http://q/", "navigate"),
            ],
            vec!["open-tab http://q/ [x link]"],
        ),
    ] {
        let session = collected(events);
        assert_eq!(briefs(&session.steps), steps, "{what}");
        assert_eq!(session.start_url, "http://a/", "{what}");
        assert_eq!(session.viewport, Viewport { width: 800, height: 600 }, "{what}");
        assert!(session.steps.iter().all(|step| step.at_ms >= 1_000), "{what}: times count from the start");
        assert_eq!(Session::read(&session.write()).expect("its own text"), session, "{what}");
    }
}

#[test]
fn a_flood_ends() {
    let mut collector = collector();
    collector.take_in(document("A", "d", 1_000, "http://a/", "navigate"));
    for id in 0..6_000 {
        collector.take_in(deed("A", "d", id, 2_000 + id, CLICK, "x", true));
    }
    assert_eq!(collector.session().steps.len(), 5_000);
}

#[test]
fn a_password_that_is_a_word_of_the_format_breaks_nothing() {
    let mut collector = collector();
    collector.take_in(document("A", "d", 1_000, "http://a/", "navigate"));
    for word in ["click", "steps", "name", "state", "secret", "version"] {
        let secret = format!(r#"{{"kind":"secret","id":1,"value":"{word}","document":"{word}","path":[]}}"#);
        collector.take_in(report("A", &secret));
    }
    collector.take_in(deed("A", "d", 2, 2_000, CLICK, "my secret name", true));
    let session = collector.session();
    assert_eq!(briefs(&session.steps), ["click [x my «redacted» «redacted»]"]);
    assert_eq!(Session::read(&session.write()).expect("still a session"), session);
}
