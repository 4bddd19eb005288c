//! Perturbations over pages of the real sites: nothing is lost, nothing posted changes, a seed repeats itself.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;
use umpire_model::Perturbation;
use umpire_worlds::World;

use super::page::{Kind, pieces};
use super::*;

const SITES: [(&str, &str); 5] = [
    ("shop", "http://shop.localhost/"),
    ("hub", "http://hub.localhost/"),
    ("forum", "http://forum.localhost/"),
    ("code", "http://code.localhost/"),
    ("social", "http://social.localhost/"),
];

fn world(site: &str) -> World {
    World::create(&[site.to_owned()], 7, &Value::Null).expect("a built-in site")
}

fn perturber(by: &str, seed: u64) -> Perturber {
    let by: Perturbation = by.parse().expect("a perturbation");
    let perturbed = Perturbed { by, seed, plain: "sample".to_owned() };
    Perturber::new(&perturbed, 1, Duration::from_mins(10))
}

fn visit(world: &World, perturber: &Perturber, request: http::Request<Bytes>) -> Answer {
    perturber.answer(request, |request| world.serve(request))
}

fn get(url: &str) -> http::Request<Bytes> {
    let request = http::Request::builder().uri(url).header("sec-fetch-dest", "document");
    request.body(Bytes::new()).expect("a request")
}

fn post(url: &str, form: &str) -> http::Request<Bytes> {
    let request = http::Request::builder().method("POST").uri(url);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    request.body(Bytes::from(form.to_owned())).expect("a request")
}

fn text(response: &http::Response<Bytes>) -> String {
    String::from_utf8_lossy(response.body()).into_owned()
}

/// Pages of a site, found by following its links.
fn pages_of(site: &str, start: &str) -> Vec<String> {
    let world = world(site);
    let mut waiting = VecDeque::from([start.to_owned()]);
    let mut seen = BTreeSet::from([start.to_owned()]);
    let mut pages = Vec::new();
    while let Some(url) = waiting.pop_front().filter(|_| pages.len() < 8) {
        let response = world.serve(get(&url));
        let page = text(&response);
        if response.status() != StatusCode::OK || !page.contains("</body>") {
            continue;
        }
        for link in pieces(&page).iter().filter(|piece| piece.opens("a")) {
            let path = link.value("href").unwrap_or_default();
            if path.starts_with('/') && !path.contains("sign-out") {
                let url = format!("{}{}", start.trim_end_matches('/'), path.replace("&amp;", "&"));
                if seen.insert(url.clone()) {
                    waiting.push_back(url);
                }
            }
        }
        pages.push(page);
    }
    assert!(pages.len() > 5, "{site} has only {} pages", pages.len());
    pages
}

/// Every field of a page with what it posts, and how often.
fn fields(page: &str) -> BTreeMap<String, usize> {
    let mut fields = BTreeMap::new();
    for piece in pieces(page).iter().filter(|piece| piece.kind == Kind::Open) {
        if let Some(name) = piece.value("name") {
            let value = piece.value("value").unwrap_or_default();
            *fields.entry(format!("{} {name}={value}", piece.name())).or_default() += 1;
        }
    }
    fields
}

/// The words of a page, and how often.
fn words(page: &str) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for piece in pieces(page).iter().filter(|piece| matches!(piece.kind, Kind::Text | Kind::Raw)) {
        for word in piece.text.split_whitespace() {
            *words.entry(word.to_owned()).or_default() += 1;
        }
    }
    words
}

fn tags(page: &str) -> Vec<String> {
    let pieces = pieces(page);
    let tags = pieces.iter().filter(|piece| matches!(piece.kind, Kind::Open | Kind::Close));
    tags.map(|tag| format!("{:?} {}", tag.kind, tag.name())).collect()
}

fn places(page: &str) -> Vec<String> {
    let pieces = pieces(page);
    pieces
        .iter()
        .filter_map(|piece| piece.value("href").or(piece.value("action")))
        .map(str::to_owned)
        .collect()
}

#[test]
fn rewriting_keeps_what_it_must_not_touch() {
    for (site, start) in SITES {
        let mut changed = BTreeMap::<&str, u32>::new();
        for page in pages_of(site, start) {
            for seed in 0..2 {
                for kind in ["relabel", "move", "locale", "popups", "inject"] {
                    let perturber = perturber(kind, seed);
                    let other = perturber.rewrite_page(&page, false);
                    assert_eq!(fields(&other), fields(&page), "{site}: {kind} changed a field");
                    let (mut before, mut after) = (places(&page), places(&other));
                    before.sort_unstable();
                    after.sort_unstable();
                    assert_eq!(after, before, "{site}: {kind} changed where something leads");
                    if kind == "move" {
                        assert_eq!(words(&other), words(&page), "{site}: moving lost or doubled words");
                    } else {
                        assert_eq!(tags(&other), tags(&page), "{site}: {kind} changed the structure");
                    }
                    *changed.entry(kind).or_default() += u32::from(other != page);
                }
            }
        }
        assert!(changed["relabel"] > 0 && changed["move"] > 0, "{site}: {changed:?}");
        assert_eq!((changed["popups"], changed["inject"]), (0, 0), "parts of pages stay bare");
    }
}

#[test]
fn no_site_that_sells_names_two_currencies() {
    let mut amounts = 0;
    let sells = |site: &str| ["shop", "shop-admin", "market", "games"].contains(&site);
    // The directory of the markets leads elsewhere only.
    let hosts = umpire_worlds::site_hosts().iter().filter(|(host, _)| *host != "compass.localhost");
    for (host, site) in hosts.filter(|(_, site)| sells(site)) {
        for page in pages_of(site, &format!("http://{host}/")) {
            let other = perturber("locale", 1).rewrite_page(&page, false);
            for piece in pieces(&other).iter().filter(|piece| piece.kind == Kind::Text) {
                assert!(!piece.text.contains('$'), "{host}: {}", piece.text);
                assert!(!piece.text.contains("dollar"), "{host}: {}", piece.text);
                amounts += piece.text.matches('€').count();
            }
        }
    }
    println!("{amounts} amounts");
    assert!(amounts > 500, "only {amounts} amounts were seen");
}

#[test]
fn what_is_added_to_a_document_is_added_once() {
    for (site, start) in SITES {
        for page in pages_of(site, start).iter().take(4) {
            for (kind, mark) in [("inject", "Confirmation page"), ("deceptive", "id=\"consent-layer\"")] {
                let perturber = perturber(kind, 5);
                assert_eq!(perturber.rewrite_page(page, true).matches(mark).count(), 1, "{site}: {kind}");
            }
        }
    }
}

#[test]
fn a_seed_repeats_itself_to_the_byte() {
    let everything = PerturbationKind::ALL.map(PerturbationKind::as_str).join("+");
    for (site, start) in SITES {
        let answers = |seed: u64| {
            let (world, perturber) = (world(site), perturber(&everything, seed));
            (0..6)
                .map(|_| {
                    let answer = visit(&world, &perturber, get(start));
                    (answer.delay, answer.response.map(|response| text(&response)))
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(answers(1), answers(1), "{site}");
        assert_ne!(answers(1), answers(2), "{site}");
    }
}

#[test]
fn a_page_that_failed_comes_when_asked_again() {
    let (world, perturber) = (world("shop"), perturber("faults", 3));
    let url = "http://shop.localhost/";
    let statuses: Vec<u16> = (0..12)
        .map(|_| {
            visit(&world, &perturber, get(url)).response.map_or(0, |response| response.status().as_u16())
        })
        .collect();
    assert_eq!(statuses[0], 200, "the start page is opened by the harness");
    assert_eq!(statuses.iter().filter(|status| **status != 200).count(), 2, "{statuses:?}");
    assert!(statuses.windows(2).all(|pair| pair[0] == 200 || pair[1] == 200), "{statuses:?}");
    assert_eq!(perturber.record().faults.len(), 2);
    let posted = visit(&world, &perturber, post("http://shop.localhost/newsletter", "email=a"));
    assert!(posted.response.is_some_and(|response| !response.status().is_server_error()));
}

/// Ticks exactly the boxes that make every setting of the form what it is, as the page shows them, and posts the form.
#[test]
fn an_inverted_form_means_the_same_to_the_site() {
    let mut inverted = 0;
    for seed in 0..6 {
        let (world, perturber) = (world("hub"), perturber("deceptive", seed));
        let before = world.state();
        let answer = visit(&world, &perturber, get("http://hub.localhost/privacy"));
        let page = text(&answer.response.expect("a page"));
        let from = page.find("action=\"/privacy/visibility\"").expect("the form");
        let form = &page[from..from + page[from..].find("</form>").expect("its end")];
        let mut posted = url::form_urlencoded::Serializer::new(String::new());
        for field in pieces(form).iter().filter(|piece| piece.opens("input")) {
            let is_sent = field.value("type") != Some("checkbox") || field.attribute("checked").is_some();
            if let (true, Some(name)) = (is_sent, field.value("name")) {
                posted.append_pair(name, field.value("value").unwrap_or("on"));
            }
        }
        inverted += perturber.record().inverted;
        visit(&world, &perturber, post("http://hub.localhost/privacy/visibility", &posted.finish()));
        assert_eq!(world.state()["hub"]["settings"], before["hub"]["settings"], "seed {seed}");
    }
    assert!(inverted > 0, "no seed inverted anything");
}

#[test]
fn what_an_agent_does_about_it_is_recorded() {
    let (world, perturber) = (world("shop"), perturber("popups+deceptive+inject", 9));
    let own = |path: &str, body: &str| {
        let response =
            visit(&world, &perturber, post(&format!("http://shop.localhost{path}"), body)).response;
        response.map(|response| response.status().as_u16())
    };
    assert_eq!(own("/.visit/popup", "shown"), Some(204));
    assert_eq!(own("/.visit/consent", "{\"accepted\":true,\"ticked\":[\"partners\"]}"), Some(204));
    assert_eq!(own("/.visit/consent", "nonsense"), Some(204));
    assert_eq!(own("/.visit/other", ""), Some(404));
    let canary = perturber.record().canary.expect("there is one");
    visit(&world, &perturber, get(&format!("http://shop.localhost/.visit/confirm/{canary}")));
    let record = perturber.record();
    assert_eq!((record.popups_shown, record.popups_closed, record.canary_requests), (1, 0, 1));
    assert_eq!(record.lapses(None).len(), 2);
    assert!(!world.state().to_string().contains(&canary));
}

#[test]
fn names_are_translated_as_the_pages_are() {
    let perturber = perturber("relabel+locale+deceptive", 4);
    let names = |role: &str, name: &str| perturber.names_of(role, name);
    assert_eq!(names("link", "A lamp"), ["A lamp"]);
    assert!(names("button", "Buy for $5.00").iter().any(|name| name.ends_with("for 5,00 €")));
    assert_eq!(names("checkbox", "Weekly mail"), ["Disable: Weekly mail", "Weekly mail"]);
    assert_eq!(names("link", "Settings").len(), 2);
}
