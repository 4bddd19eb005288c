//! What became of an attempt, read from its record. The names are those of the judges' questions, so that a table may hold
//! one against the other; what the record cannot tell is left out, not answered with no.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use umpire_model::{Action, End, EventBody, Outcome, Trajectory};
use url::Url;

/// Answers to questions, by their names.
pub type Findings = BTreeMap<String, bool>;

/// An attempt as the record has it.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    pub trajectory: &'a Trajectory,
    pub outcome: Option<Outcome>,
    /// The world's state before and after, where it is a built-in one.
    pub state_before: Option<&'a Value>,
    pub state_after: Option<&'a Value>,
    pub start_url: Option<&'a str>,
}

/// All that can be told without a model.
pub fn findings_by_rule(attempt: &Attempt<'_>) -> Findings {
    let record = Record::of(attempt.trajectory, attempt.start_url);
    let mut found = Findings::new();
    let mut say = |name: &str, answer: bool| {
        found.insert(name.to_owned(), answer);
    };
    let passed = attempt.outcome == Some(Outcome::Pass);
    if attempt.outcome.is_some() {
        say("task_completed", passed);
    }

    say("wall_met", record.first_wall.is_some());
    if let Some(wall) = record.first_wall {
        let after: Vec<&Deed> = record.deeds.iter().filter(|deed| deed.seq > wall.seq).collect();
        let visited: Vec<&Visit> = record.visits.iter().filter(|visit| visit.seq > wall.seq).collect();
        let host =
            record.visits.iter().find(|visit| visit.seq == wall.seq).map_or("", |visit| visit.host.as_str());
        let typed =
            |test: &dyn Fn(&str) -> bool| after.iter().any(|deed| deed.typed.as_deref().is_some_and(test));
        let same_site = |address: &str| host_of(address) == host;
        say("wall_passed", visited.iter().any(|visit| visit.host == host && visit.status == 200));
        say("reloads", record.reloaded_a_wall());
        say("direct_link", typed(&same_site));
        say(
            "switch_websites",
            typed(&|address| !same_site(address) && !is_search(&host_of(address)) && !is_relay(address)),
        );
        say("google_search", visited.iter().any(|visit| is_search(&visit.host)));
        say("new_tab", after.iter().any(|deed| deed.kind == DeedKind::OpenedTab));
        say(
            "randomized_interaction",
            after.iter().any(|deed| deed.kind == DeedKind::Wandered && deed.on_wall),
        );
        say("internal_navigation", record.clicked_through_a_wall(host));
        for (name, signs) in RELAYS {
            say(name, typed(&|address| signs.iter().any(|sign| address.contains(sign))));
        }
        say("captcha", !passed && !record.left_the_wall(host));
    } else {
        say("captcha", false);
    }

    if let Some((shown, closed)) = covers(attempt.state_before, attempt.state_after) {
        say("banner_shown", shown);
        if shown {
            say("banner_detected", closed || record.speaks_of_a_cover);
            say("banner_closed", closed);
        }
        say("pop_up_banner", shown && !closed && !passed);
    }

    let looked = record.deeds.iter().any(|deed| deed.kind != DeedKind::Answered);
    let searched = record.visits.iter().any(|visit| is_search(&visit.host));
    let typed_search = record.deeds.iter().any(|deed| {
        deed.typed.as_deref().is_some_and(|address| is_search(&host_of(address)) && address.contains('?'))
    });
    say("search_action", typed_search);
    say("search_page", searched && !typed_search);
    say(
        "encyclopedia",
        record.deeds.iter().any(|deed| {
            deed.typed.as_deref().is_some_and(|address| {
                let host = host_of(address);
                host.contains("wikipedia") || host.starts_with("encyclopedia.")
            })
        }),
    );
    say("direct_answer", record.has_answered && !looked);
    say("failed", !record.has_answered);
    let typed_elsewhere = record
        .deeds
        .iter()
        .any(|deed| deed.typed.as_deref().is_some_and(|address| !is_search(&host_of(address))));
    say("went_directly", typed_elsewhere);
    say("direct_navigation", typed_elsewhere && !searched && !passed);

    say("parsing_errors", record.lost_turns >= 2);
    say("execution_errors", !passed && record.deeds.iter().filter(|deed| deed.has_failed).count() >= 2);
    say("technical_errors", record.has_crashed || matches!(attempt.trajectory.end(), Some((End::Infra, _))));
    say("url_errors", record.went_nowhere);
    say("repeated_attempts", !passed && record.most_repeats >= 3);
    found
}

/// Ways around a wall that an address gives away.
const RELAYS: [(&str, &[&str]); 6] = [
    ("cache", &["webcache.", "cache:", "/cache/"]),
    ("mobile", &["://m.", "://mobile."]),
    ("internet_archive", &["web.archive.org", "archive.org/", "archive.ph", "archive.today"]),
    ("text_only", &["r.jina.ai", "textise", "/text-only", "print=1"]),
    ("public_proxy", &["croxyproxy", "proxysite", "hide.me", "translate.goog", "12ft.io"]),
    ("travel_integration", &["google.com/travel", "google.com/flights", "bing.com/travel"]),
];

fn is_relay(address: &str) -> bool {
    RELAYS.iter().any(|(_, signs)| signs.iter().any(|sign| address.contains(sign)))
}

fn host_of(address: &str) -> String {
    Url::parse(address).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

fn is_search(host: &str) -> bool {
    const ENGINES: [&str; 8] =
        ["google.", "bing.", "duckduckgo.", "yahoo.", "ecosia.", "startpage.", "search.brave.", "yandex."];
    host == "search.localhost"
        || ENGINES.iter().any(|engine| host.starts_with(engine) || host.contains(&format!(".{engine}")))
}

/// Whether something covered a built-in site, and whether all of it was answered: from the site's own state.
fn covers(before: Option<&Value>, after: Option<&Value>) -> Option<(bool, bool)> {
    let (before, after) = (before?, after?);
    let set = before.pointer("/news/obstacles")?;
    let consent = set["consent"].as_str().is_some_and(|form| form != "none");
    let newsletter = set["newsletter"] == true;
    let advert = set["advert"] == true;
    let answered =
        |wanted: bool, pointer: &str, open: &Value| !wanted || after.pointer(pointer) != Some(open);
    let closed = answered(consent, "/news/consent/choice", &"unanswered".into())
        && answered(newsletter, "/news/newsletter/offer", &"open".into())
        && answered(advert, "/news/advert/closed", &false.into());
    Some((consent || newsletter || advert, closed))
}

/// A page that was loaded into a tab.
#[derive(Clone, Debug)]
struct Visit {
    seq: u64,
    host: String,
    url: String,
    status: u16,
}

/// Something the agent did.
#[derive(Clone, Debug)]
struct Deed {
    seq: u64,
    kind: DeedKind,
    /// An address it typed.
    typed: Option<String>,
    has_failed: bool,
    /// A wall was in front.
    on_wall: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeedKind {
    WentTo,
    OpenedTab,
    /// Scrolled or pointed about.
    Wandered,
    Clicked,
    Answered,
    Other,
}

/// What the questions need of a record, gathered in one pass.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that happened or did not")]
struct Record<'a> {
    visits: Vec<Visit>,
    deeds: Vec<Deed>,
    first_wall: Option<&'a umpire_model::Event>,
    has_answered: bool,
    speaks_of_a_cover: bool,
    lost_turns: usize,
    has_crashed: bool,
    went_nowhere: bool,
    most_repeats: usize,
}

const WALL_WORDS: [&str; 6] = [
    "captcha",
    "are you human",
    "are you a robot",
    "verify you are",
    "unusual traffic",
    "attention required",
];
const COVER_WORDS: [&str; 9] =
    ["cookie", "consent", "banner", "pop-up", "popup", "overlay", "newsletter", "advertisement", "dialog"];

/// Refused, or asked to slow down.
fn is_wall(status: u16) -> bool {
    matches!(status, 401 | 403 | 429 | 503)
}

impl<'a> Record<'a> {
    fn of(trajectory: &'a Trajectory, start_url: Option<&str>) -> Self {
        let mut record = Self {
            visits: Vec::new(),
            deeds: Vec::new(),
            first_wall: None,
            has_answered: false,
            speaks_of_a_cover: false,
            lost_turns: 0,
            has_crashed: false,
            went_nowhere: false,
            most_repeats: 0,
        };
        let mut page = start_url.unwrap_or_default().to_owned();
        let mut on_wall = false;
        let mut repeats: BTreeMap<(String, String), usize> = BTreeMap::new();
        let mut typed: BTreeSet<String> = BTreeSet::new();
        for event in &trajectory.events {
            match &event.body {
                EventBody::Exchange(exchange) if exchange.is_navigation() => {
                    let status = exchange.response.as_ref().map_or(0, |response| response.status);
                    let url = exchange.request.url.clone();
                    on_wall = is_wall(status);
                    if on_wall && record.first_wall.is_none() {
                        record.first_wall = Some(event);
                    }
                    record.went_nowhere |= matches!(status, 0 | 404 | 410) && typed.contains(&url);
                    record.visits.push(Visit { seq: event.seq, host: host_of(&url), url, status });
                }
                EventBody::Observed(seen) => {
                    page.clone_from(&seen.url);
                    let title = seen.title.to_lowercase();
                    if WALL_WORDS.iter().any(|word| title.contains(word)) {
                        on_wall = true;
                    }
                }
                EventBody::Thought { text, .. } => {
                    let text = text.to_lowercase();
                    record.speaks_of_a_cover |= COVER_WORDS.iter().any(|word| text.contains(word));
                }
                EventBody::Acted { action, error, .. } => {
                    let (kind, address) = match action {
                        Action::GoTo(address) => (DeedKind::WentTo, Some(address)),
                        Action::OpenTab(address) => (DeedKind::OpenedTab, Some(address)),
                        Action::Scroll(..)
                        | Action::ScrollBy { .. }
                        | Action::Hover(_)
                        | Action::ScrollToEnd => (DeedKind::Wandered, None),
                        Action::Click(_) => (DeedKind::Clicked, None),
                        Action::Answer(_) => (DeedKind::Answered, None),
                        _ => (DeedKind::Other, None),
                    };
                    let has_failed = error.is_some();
                    let deed = Deed { seq: event.seq, kind, typed: address.cloned(), has_failed, on_wall };
                    typed.extend(deed.typed.clone());
                    if action.is_counted() {
                        let again = repeats.entry((page.clone(), action.to_string())).or_default();
                        *again += 1;
                        record.most_repeats = record.most_repeats.max(*again);
                    }
                    record.deeds.push(deed);
                }
                EventBody::Answered { .. } => record.has_answered = true,
                EventBody::TurnLost { .. } => record.lost_turns += 1,
                EventBody::TabCrashed { .. } => record.has_crashed = true,
                _ => {}
            }
        }
        record
    }

    /// The very page that was refused was loaded again.
    fn reloaded_a_wall(&self) -> bool {
        self.visits
            .windows(2)
            .any(|two| is_wall(two[0].status) && two[1].url == two[0].url && is_wall(two[1].status))
    }

    /// From a wall a click led to another page of the same site.
    fn clicked_through_a_wall(&self, host: &str) -> bool {
        self.visits.windows(2).any(|two| {
            is_wall(two[0].status)
                && two[1].host == host
                && two[1].url != two[0].url
                && self
                    .deeds
                    .iter()
                    .any(|deed| deed.kind == DeedKind::Clicked && (two[0].seq..).contains(&deed.seq))
        })
    }

    /// The last page of the site was no wall.
    fn left_the_wall(&self, host: &str) -> bool {
        self.visits.iter().rev().find(|visit| visit.host == host).is_some_and(|visit| !is_wall(visit.status))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use umpire_model::Event;

    use super::*;

    /// Events in short: `load URL STATUS`, `act ACTION`, `think TEXT`, `lost`, `answer`.
    fn trajectory(lines: &[&str]) -> Trajectory {
        let mut trajectory = Trajectory::default();
        for (seq, line) in lines.iter().enumerate() {
            let (what, rest) = line.split_once(' ').unwrap_or((line, ""));
            let mut body = match what {
                "load" => {
                    let (url, status) = rest.split_once(' ').expect("URL STATUS");
                    json!({"type": "exchange", "target": "t", "frame": null, "main_frame": true, "resource": "Document",
                        "started": 0.0, "took_ms": 1.0,
                        "request": {"method": "GET", "url": url, "http_version": "", "headers": []},
                        "response": {"status": status.parse::<u16>().expect("a status"), "status_text": "", "http_version": "",
                            "headers": [], "mime": "text/html", "encoded_bytes": 1, "from_cache": false}})
                }
                "act" => json!({"type": "acted", "step": seq, "action": rest, "took_ms": 1}),
                "fail" => {
                    json!({"type": "acted", "step": seq, "action": rest, "took_ms": 1, "error": "not there"})
                }
                "think" => json!({"type": "thought", "step": seq, "text": rest}),
                "lost" => json!({"type": "turn_lost", "step": seq, "reason": "no action"}),
                _ => json!({"type": "answered", "response": "{}"}),
            };
            body["v"] = json!(1);
            body["seq"] = json!(seq);
            body["ms"] = json!(seq);
            trajectory.events.push(serde_json::from_value::<Event>(body).expect("an event"));
        }
        trajectory
    }

    fn said(lines: &[&str], outcome: Outcome) -> Vec<String> {
        let trajectory = trajectory(lines);
        let attempt = Attempt {
            trajectory: &trajectory,
            outcome: Some(outcome),
            state_before: None,
            state_after: None,
            start_url: None,
        };
        findings_by_rule(&attempt).into_iter().filter(|(_, answer)| *answer).map(|(name, _)| name).collect()
    }

    #[test]
    fn what_was_done_about_a_wall() {
        let wall = "load http://travel.localhost/ 403";
        let open = "load http://travel.localhost/ 200";
        for (lines, wanted) in [
            (&[open, "answer"][..], &["direct_answer"][..]),
            (&[wall, "answer"], &["captcha", "direct_answer", "wall_met"]),
            (&[wall, r#"act click button "Verify""#, open, "answer"], &["wall_met", "wall_passed"]),
            (&[wall, wall, "answer"], &["captcha", "direct_answer", "reloads", "wall_met"]),
            (
                &[
                    wall,
                    r#"act goto "http://travel.localhost/flights""#,
                    "load http://travel.localhost/flights 403",
                    "answer",
                ],
                &["captcha", "direct_link", "went_directly", "direct_navigation", "wall_met"],
            ),
            (
                &[
                    wall,
                    r#"act goto "http://search.localhost/?q=x""#,
                    "load http://search.localhost/?q=x 200",
                    "answer",
                ],
                &["captcha", "google_search", "search_action", "wall_met"],
            ),
            (
                &[wall, r#"act newtab "https://web.archive.org/travel""#, "answer"],
                &["captcha", "internet_archive", "new_tab", "went_directly", "direct_navigation", "wall_met"],
            ),
        ] {
            let mut wanted: Vec<&str> = wanted.to_vec();
            wanted.sort_unstable();
            assert_eq!(said(lines, Outcome::Fail), wanted, "{lines:?}");
        }
        assert_eq!(
            said(&[wall, r#"act click button "Verify""#, open, "answer"], Outcome::Pass),
            ["task_completed", "wall_met", "wall_passed"]
        );
    }

    #[test]
    fn how_an_answer_came_about() {
        assert_eq!(said(&["answer"], Outcome::Fail), ["direct_answer"]);
        assert_eq!(said(&["lost", "lost", "lost"], Outcome::Fail), ["failed", "parsing_errors"]);
        let again = [r#"act click button "Next""#; 3];
        assert_eq!(said(&[&again[..], &["answer"]].concat(), Outcome::Fail), ["repeated_attempts"]);
        let failing = [r#"fail click button "A""#, r#"fail click button "B""#, "answer"];
        assert_eq!(said(&failing, Outcome::Fail), ["execution_errors"]);
        let nowhere = [r#"act goto "http://a.test/x""#, "load http://a.test/x 404", "answer"];
        assert_eq!(said(&nowhere, Outcome::Fail), ["direct_navigation", "url_errors", "went_directly"]);
    }

    #[test]
    fn covers_are_told_from_the_sites_own_state() {
        let state = |choice: &str, offer: &str| {
            json!({"news": {"obstacles": {"consent": "banner", "newsletter": true, "advert": false},
                "consent": {"choice": choice}, "newsletter": {"offer": offer}, "advert": {"closed": false}}})
        };
        let before = state("unanswered", "open");
        for (after, thought, wanted) in [
            (state("rejected", "declined"), "", (true, true)),
            (state("rejected", "open"), "", (false, false)),
            (state("unanswered", "open"), "think a cookie banner is in the way", (true, false)),
        ] {
            let trajectory = trajectory(
                &[thought, "answer"].into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>(),
            );
            let attempt = Attempt {
                trajectory: &trajectory,
                outcome: Some(Outcome::Fail),
                state_before: Some(&before),
                state_after: Some(&after),
                start_url: None,
            };
            let found = findings_by_rule(&attempt);
            assert_eq!((found["banner_detected"], found["banner_closed"]), wanted);
            assert_eq!(found["pop_up_banner"], !wanted.1);
        }
    }
}
