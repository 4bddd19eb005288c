use serde_json::Value;
use umpire_model::{
    BlobRef, BlobSource, Body, Digest, Event, EventBody, Exchange, JOURNAL_VERSION, Media, Trajectory,
};
use umpire_report::har;

use crate::synthetic::{BEGAN, exchange};

/// One blob of bytes that are no text; every other is missing.
struct OneBlob;

const PIXELS: &[u8] = &[0xff, 0xd8, 0xff, 0x00];

fn pixels() -> BlobRef {
    BlobRef { digest: Digest::of(PIXELS), media: Media::Jpeg, bytes: PIXELS.len() as u64 }
}

impl BlobSource for OneBlob {
    fn read(&self, blob: &BlobRef) -> Result<Vec<u8>, std::io::Error> {
        if *blob == pixels() { Ok(PIXELS.to_vec()) } else { Err(std::io::ErrorKind::NotFound.into()) }
    }
}

fn trajectory(exchanges: Vec<Exchange>) -> Trajectory {
    let events = exchanges
        .into_iter()
        .enumerate()
        .map(|(seq, exchange)| Event {
            v: JOURNAL_VERSION,
            seq: seq as u64,
            ms: 0,
            body: EventBody::Exchange(Box::new(exchange)),
        })
        .collect();
    Trajectory { events, damaged_lines: 0, tries: 1 }
}

fn sample() -> Trajectory {
    let at = |n: u32| BEGAN + f64::from(n);
    let mut image = exchange("Image", "GET", "http://a.test/p.jpg", 200, None, at(25));
    image.response.as_mut().expect("made with one").body = Some(Body::Blob(pixels()));
    let mut lost = exchange("Fetch", "PUT", "http://a.test/api?x=1&x=2&y=%C3%A4", 200, Some("{}"), at(40));
    lost.response = None;
    lost.error = Some("net::ERR_ABORTED".to_owned());
    let mut missing = exchange("Script", "GET", "http://a.test/s.js", 200, None, at(30));
    let gone = BlobRef { digest: Digest::of(b"gone"), media: Media::Text, bytes: 4 };
    missing.response.as_mut().expect("made with one").body = Some(Body::Blob(gone));
    let mut omitted = exchange("Media", "GET", "http://a.test/film.mp4", 200, None, at(31));
    omitted.response.as_mut().expect("made with one").body = Some(Body::Omitted("media".to_owned()));
    let mut frame = exchange("Document", "GET", "http://ads.test/", 200, None, at(35));
    frame.main_frame = false;
    "frame-target".clone_into(&mut frame.target);
    // Written when they ended, so not in the order in which they started.
    trajectory(vec![
        image,
        exchange("Document", "GET", "http://a.test/", 302, None, at(10)),
        exchange("Document", "GET", "http://a.test/home", 200, None, at(20)),
        missing,
        omitted,
        frame,
        lost,
        exchange("Document", "POST", "http://a.test/login", 200, Some("user=x&pass=a+b"), at(50)),
    ])
}

fn strings(value: &Value, names: &[&str]) {
    for name in names {
        assert!(value[name].is_string(), "{name} of {value}");
    }
}

fn numbers(value: &Value, names: &[&str]) {
    for name in names {
        assert!(value[name].is_number(), "{name} of {value}");
    }
}

fn pairs(value: &Value) {
    for pair in value.as_array().expect("a list") {
        strings(pair, &["name", "value"]);
    }
}

#[test]
fn every_field_that_har_1_2_requires_is_there() {
    let har = har(&sample(), &OneBlob);
    let log = &har["log"];
    assert_eq!(log["version"], "1.2");
    strings(&log["creator"], &["name", "version"]);
    let pages = log["pages"].as_array().expect("a list");
    for page in pages {
        strings(page, &["startedDateTime", "id", "title"]);
        assert!(page["pageTimings"].is_object());
    }
    for entry in log["entries"].as_array().expect("a list") {
        strings(entry, &["startedDateTime", "_resourceType", "_frameId"]);
        numbers(entry, &["time"]);
        assert!(entry["cache"].is_object());
        let request = &entry["request"];
        strings(request, &["method", "url", "httpVersion"]);
        numbers(request, &["headersSize", "bodySize"]);
        for name in ["cookies", "headers", "queryString"] {
            pairs(&request[name]);
        }
        let response = &entry["response"];
        numbers(response, &["status", "headersSize", "bodySize"]);
        strings(response, &["statusText", "httpVersion", "redirectURL"]);
        for name in ["cookies", "headers"] {
            pairs(&response[name]);
        }
        numbers(&response["content"], &["size"]);
        strings(&response["content"], &["mimeType"]);
        numbers(&entry["timings"], &["send", "wait", "receive"]);
        // A timing of -1 does not apply; the others add up to the whole.
        let timings = entry["timings"].as_object().expect("an object");
        let sum: f64 = timings.values().filter_map(Value::as_f64).filter(|part| *part >= 0.0).sum();
        assert!((sum - entry["time"].as_f64().expect("a number")).abs() < 1e-9);
        assert!(pages.iter().any(|page| page["id"] == entry["pageref"]), "{entry}");
    }
}

#[test]
fn entries_come_in_the_order_of_their_start_and_none_is_lost() {
    let har = har(&sample(), &OneBlob);
    let entries = har["log"]["entries"].as_array().expect("a list");
    let urls: Vec<&str> = entries.iter().filter_map(|entry| entry["request"]["url"].as_str()).collect();
    assert_eq!(urls.len(), 8);
    assert_eq!(urls[..3], ["http://a.test/", "http://a.test/home", "http://a.test/p.jpg"]);
    assert_eq!(entries[0]["startedDateTime"], "2026-01-01T00:00:00.010Z");
    assert_eq!(har["log"]["_selfCheck"]["complete"], true);
}

#[test]
fn the_self_check_notices_what_the_recorder_lost() {
    let mut trajectory = sample();
    let body = EventBody::Recorded { requests_seen: 9, requests_written: 8 };
    trajectory.events.push(Event { v: JOURNAL_VERSION, seq: 8, ms: 0, body });
    let check = har(&trajectory, &OneBlob)["log"]["_selfCheck"].clone();
    assert_eq!(
        (&check["entries"], &check["requestsSeen"], &check["complete"]),
        (&8.into(), &9.into(), &false.into())
    );
    let mut damaged = sample();
    damaged.damaged_lines = 1;
    assert_eq!(har(&damaged, &OneBlob)["log"]["_selfCheck"]["complete"], false);
}

#[test]
fn a_chain_of_redirects_is_one_page() {
    let har = har(&sample(), &OneBlob);
    let titles: Vec<&str> = har["log"]["pages"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|page| page["title"].as_str())
        .collect();
    assert_eq!(titles, ["http://a.test/home", "http://a.test/login"]);
    assert_eq!(har["log"]["entries"][0]["response"]["redirectURL"], "/search/?q=blue+mug");
    assert_eq!(
        har["log"]["entries"][1]["response"]["redirectURL"], "",
        "a Location without redirect leads nowhere"
    );
}

#[test]
fn bodies_cookies_and_queries_are_taken_apart() {
    let har = har(&sample(), &OneBlob);
    let entry = |url: &str| {
        let entries = har["log"]["entries"].as_array().expect("a list");
        entries.iter().find(|entry| entry["request"]["url"] == url).cloned().expect(url)
    };
    let image = &entry("http://a.test/p.jpg")["response"]["content"];
    assert_eq!(
        (&image["text"], &image["encoding"], &image["size"]),
        (&"/9j/AA==".into(), &"base64".into(), &4.into())
    );
    assert!(
        entry("http://a.test/s.js")["response"]["content"]["comment"].is_string(),
        "a missing blob is told"
    );
    assert_eq!(entry("http://a.test/film.mp4")["response"]["content"]["comment"], "not kept: media");
    let lost = entry("http://a.test/api?x=1&x=2&y=%C3%A4");
    assert_eq!((&lost["response"]["status"], &lost["_error"]), (&0.into(), &"net::ERR_ABORTED".into()));
    assert_eq!(
        lost["request"]["queryString"],
        serde_json::json!([{"name": "x", "value": "1"}, {"name": "x", "value": "2"}, {"name": "y", "value": "ä"}])
    );
    let login = entry("http://a.test/login");
    assert_eq!(
        login["request"]["postData"]["params"],
        serde_json::json!([{"name": "user", "value": "x"}, {"name": "pass", "value": "a b"}])
    );
    assert_eq!(login["request"]["bodySize"], 15);
    assert_eq!(login["request"]["cookies"][1], serde_json::json!({"name": "theme", "value": "dark"}));
    assert_eq!(login["response"]["cookies"].as_array().map(Vec::len), Some(2));
    assert_eq!(login["serverIPAddress"], "127.0.0.1");
}
