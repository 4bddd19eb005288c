//! A made-up run with every outcome, hostile texts and drawn screenshots, written through the real store.
#![allow(dead_code, reason = "tests and the example use their own parts of it")]

#[path = "../../../model/tests/made_up/mod.rs"]
pub mod made_up;

use std::io::Cursor;
use std::path::Path;
use std::sync::LazyLock;

use image::{ImageFormat, Rgb, RgbImage};
use serde_json::json;
use umpire_model::{
    Action, AgentEntry, AttemptId, Body, CheckResult, Dialog, Digest, End, EventBody, Evidence, Exchange,
    ExchangeRequest, ExchangeResponse, Instance, Manifest, Media, Observed, Outcome, Rect, Redactor, Tab,
    Target, TaskKind, VERDICT_VERSION, Verdict, Viewport,
};
use umpire_store::{Run, Runs};

pub const HOSTILE: &str = "<script>alert('x')</script><img src=x onerror=alert(1)>\u{202e}\"'&";

/// Milliseconds since the epoch of the first request.
pub const BEGAN: f64 = 1_767_225_600_000.0;

const VIEWPORT: Viewport = Viewport { width: 1280, height: 1024 };

pub fn instances() -> Vec<Instance> {
    let table = [
        (
            "shop-cheapest-lamp",
            TaskKind::Retrieve,
            "shop",
            "search",
            None,
            false,
            "What does the cheapest desk lamp cost?",
        ),
        (
            "shop-cart-two",
            TaskKind::Mutate,
            "shop",
            "cart",
            None,
            false,
            "Put two of the blue mugs into the cart.",
        ),
        (
            "shop-cart-two@nav",
            TaskKind::Mutate,
            "shop",
            "cart",
            None,
            true,
            "Put two of the blue mugs into the cart. Open Kitchen first.",
        ),
        ("shop-orders-page", TaskKind::Navigate, "shop", "account", None, false, "Show me my last order."),
        (
            "shop-return-policy",
            TaskKind::Retrieve,
            "shop",
            "reviews",
            None,
            false,
            "How many reviews mention a cracked glass?",
        ),
        (
            "forum-subscribe@off",
            TaskKind::Mutate,
            "forum",
            "communities",
            Some("off"),
            false,
            "Subscribe me to the gardening community.",
        ),
        (
            "forum-subscribe@on",
            TaskKind::Mutate,
            "forum",
            "communities",
            Some("on"),
            false,
            "Subscribe me to the gardening community.",
        ),
        (
            "forum-top-comment",
            TaskKind::Retrieve,
            "forum",
            "comments",
            None,
            false,
            "Who wrote the most upvoted comment on the composting post?",
        ),
        (
            "forum-vote",
            TaskKind::Mutate,
            "forum",
            "votes",
            None,
            false,
            "Upvote the newest post about tomatoes.",
        ),
        ("hub-ads@off", TaskKind::Mutate, "hub", "privacy", Some("off"), false, "Turn off personalised ads."),
        ("hub-ads@on", TaskKind::Mutate, "hub", "privacy", Some("on"), false, "Turn off personalised ads."),
        (
            "hub-sessions",
            TaskKind::Retrieve,
            "hub",
            "security",
            None,
            false,
            "From which city was my account last used?",
        ),
    ];
    table
        .into_iter()
        .map(|(id, kind, site, category, state, with_hint, intent)| Instance {
            task: id.split('@').next().unwrap_or(id).to_owned(),
            intent: intent.to_owned(),
            with_hint,
            state: state.map(str::to_owned),
            sites: vec![site.to_owned()],
            start_urls: vec![format!("http://{site}.localhost/")],
            category: category.to_owned(),
            ..Instance::bare(id, kind)
        })
        .collect()
}

pub fn agents() -> Vec<AgentEntry> {
    [("oracle", "oracle"), ("heuristic", "heuristic"), ("say-yes", "yes"), ("my-bot", "command")]
        .map(|(name, kind)| AgentEntry {
            name: name.to_owned(),
            kind: kind.to_owned(),
            settings: if kind == "command" {
                [("command".into(), "node bot.mjs".into())].into()
            } else {
                [].into()
            },
        })
        .to_vec()
}

/// What becomes of an attempt, fixed by agent and place in the list.
fn fate(agent: &str, index: usize) -> Option<Outcome> {
    match (agent, index) {
        ("oracle", 7) => Some(Outcome::Infra),
        ("oracle", _) | ("heuristic", 0 | 3 | 5 | 9) | ("my-bot", 0..=2) => Some(Outcome::Pass),
        ("heuristic", 4) => Some(Outcome::Timeout),
        ("heuristic", 8) => Some(Outcome::Budget),
        ("my-bot", 5) => Some(Outcome::Blocked),
        ("my-bot", 6) => Some(Outcome::Invalid),
        ("my-bot", 9..) => None,
        _ => Some(Outcome::Fail),
    }
}

pub fn write(root: &Path) -> Run {
    let instances = instances();
    let manifest = manifest("core-7f3a91c2", agents(), &instances);
    let run = Runs::new(root).create(&manifest, &instances).expect("a new run");
    for agent in &manifest.agents {
        for (index, instance) in instances.iter().enumerate() {
            let id = AttemptId::new(&agent.name, &instance.id, 1).expect("names");
            write_attempt(&run, &id, instance, fate(&agent.name, index), index);
        }
    }
    run
}

pub fn manifest(run: &str, agents: Vec<AgentEntry>, instances: &[Instance]) -> Manifest {
    Manifest {
        suite: "core".to_owned(),
        browser: "Chromium/148.0.7778.0".to_owned(),
        viewport: VIEWPORT,
        ..made_up::manifest(run, agents, instances)
    }
}

pub fn write_attempt(run: &Run, id: &AttemptId, instance: &Instance, fate: Option<Outcome>, index: usize) {
    let attempt = run.attempt(id);
    // Of those without a fate one never started, one was interrupted, and one waits for its verdict.
    if fate.is_none() && index == 11 {
        return;
    }
    let writer = attempt.writer(Redactor::default()).expect("a writer");
    if fate == Some(Outcome::Infra) {
        start(&writer, id, instance, 1);
        writer.event(ended(End::Infra, "the browser did not answer for 30 s", 0));
    }
    let again = u32::from(fate == Some(Outcome::Infra));
    start(&writer, id, instance, 1 + again);
    let evidence = write_steps(&writer, id, instance, index);
    if fate.is_none() && index == 10 {
        writer.finish().expect("on disk");
        return;
    }
    let (end, detail) = match fate {
        Some(Outcome::Timeout) => (End::Time, "600 s have passed"),
        Some(Outcome::Budget) => (End::Actions, "20 counted actions were used"),
        Some(Outcome::Blocked) => (End::Blocked, "a captcha was shown"),
        Some(Outcome::Infra) => (End::Infra, "the browser did not answer for 30 s"),
        _ => (End::Answered, ""),
    };
    writer.event(EventBody::Recorded { requests_seen: 8, requests_written: 8 });
    writer.event(ended(end, detail, 4));
    writer.finish().expect("on disk");
    if let Some(outcome) = fate {
        attempt.append_verdict(&verdict(id, outcome, &evidence)).expect("filed");
    }
}

fn start(evidence: &dyn Evidence, id: &AttemptId, instance: &Instance, r#try: u32) {
    evidence.event(EventBody::Started {
        attempt: id.clone(),
        r#try,
        instance: instance.digest(),
        at: "2026-01-01T00:00:03Z".to_owned(),
        browser: "Chromium/148.0.7778.0".to_owned(),
        remote: None,
        viewport: VIEWPORT,
    });
}

fn ended(end: End, detail: &str, steps: u32) -> EventBody {
    EventBody::Ended { end, detail: detail.to_owned(), steps, counted: steps.saturating_sub(1) }
}

/// Sequence numbers a verdict can point to.
struct Seqs {
    post: u64,
    answer: u64,
    state: u64,
}

fn write_steps(evidence: &dyn Evidence, id: &AttemptId, instance: &Instance, index: usize) -> Seqs {
    let site = &instance.sites[0];
    let origin = format!("http://{site}.localhost:4711");
    let state = evidence.blob(br#"{"shop":{"cart":[]}}"#, Media::Json);
    evidence.event(EventBody::StateBefore { state });
    let mut clock = BEGAN;
    let mut load = |resource: &str, method: &str, path: &str, status: u16, body: Option<&str>| {
        clock += 20.0;
        let exchange = exchange(resource, method, &format!("{origin}{path}"), status, body, clock);
        evidence.event(EventBody::Exchange(Box::new(exchange)))
    };
    load("Document", "GET", "/", 200, None);
    for path in ["/site.css", "/site.js", "/logo.png"] {
        load(if path.ends_with("png") { "Image" } else { "Script" }, "GET", path, 200, None);
    }
    evidence.event(EventBody::Navigated {
        tab: "tab-1".into(),
        url: format!("{origin}/"),
        same_document: false,
    });

    let button = Rect { x: 874.0, y: 412.0, width: 150.0, height: 44.0 };
    let field = Rect { x: 340.0, y: 30.0, width: 480.0, height: 40.0 };
    let acts: [(&str, Action, Option<Rect>, Option<&str>); 4] = [
        (
            "The search box is the quickest way.",
            Action::Type(Target::named("textbox", "Search"), "blue mug".into()),
            Some(field),
            None,
        ),
        ("Now send it.", Action::Press("Enter".into()), None, None),
        (
            HOSTILE,
            Action::Click(Target::named("button", "Add to cart")),
            Some(button),
            (index % 3 == 1).then_some("the button is covered by a dialog"),
        ),
        ("That was all.", Action::Answer(answer(index)), None, None),
    ];
    let (mut post, mut answer) = (0, 0);
    for (number, (thought, action, at, error)) in (1_u32..).zip(acts) {
        let shot = evidence.blob(screenshot(index, number), Media::Jpeg);
        let outline = evidence.blob(format!("heading \"{site} {number}\"").as_bytes(), Media::Text);
        evidence.event(EventBody::Observed(Observed {
            step: number,
            url: format!("{origin}/search?q=blue+mug&page={number}"),
            title: if number == 3 { HOSTILE.to_owned() } else { format!("Results – {site}") },
            tabs: vec![Tab { id: "tab-1".into(), url: origin.clone(), title: site.clone(), active: true }],
            screenshot: Some(shot),
            outline: Some(outline),
            elements: 120,
            took_ms: 41,
        }));
        evidence.event(EventBody::Thought { step: number, text: thought.to_owned() });
        let response = if let Action::Answer(response) = &action { Some(response.clone()) } else { None };
        evidence.event(EventBody::Acted {
            step: number,
            action,
            at,
            error: error.map(str::to_owned),
            took_ms: 63,
        });
        match number {
            2 => {
                load("Document", "GET", "/search?q=blue+mug", 302, None);
                load("Document", "GET", "/search/?q=blue+mug", 200, None);
                evidence.event(EventBody::Navigated {
                    tab: "tab-1".into(),
                    url: format!("{origin}/search/?q=blue+mug"),
                    same_document: false,
                });
            }
            3 => {
                post = load("Fetch", "POST", "/api/cart", 200, Some("sku=MUG-1&quantity=2"));
                load("Image", "GET", "/missing.png", 404, None);
                evidence.event(EventBody::Console {
                    tab: "tab-1".into(),
                    level: "error".into(),
                    text: HOSTILE.to_owned(),
                });
                evidence.event(EventBody::Dialog(Dialog {
                    tab: "tab-1".into(),
                    kind: "confirm".into(),
                    message: "Really add two?".into(),
                    accepted: true,
                }));
            }
            _ => {}
        }
        if let Some(response) = response {
            answer = evidence.event(EventBody::Answered { response });
        }
    }
    if id.agent == "my-bot" {
        evidence
            .event(EventBody::AgentOutput {
                stream: "stdout".into(), text: "connecting…\nclicked\n".into()
            });
        evidence.event(EventBody::AgentOutput { stream: "stderr".into(), text: HOSTILE.to_owned() });
        if index == 3 {
            evidence.event(EventBody::Gate {
                request: "Target.createTarget file:///work/suites/core/tasks.jsonl".into(),
                decision: "refused".into(),
                reason: "file: is out of bounds".into(),
                suspicious: true,
            });
        }
    }
    let state = evidence.blob(br#"{"shop":{"cart":[{"sku":"MUG-1","quantity":2}]}}"#, Media::Json);
    let state = evidence.event(EventBody::StateAfter { state });
    Seqs { post, answer, state }
}

fn answer(index: usize) -> String {
    json!({"action": "mutate", "status": "SUCCESS", "results": [format!("{index}.99")], "note": HOSTILE})
        .to_string()
}

pub fn exchange(
    resource: &str,
    method: &str,
    url: &str,
    status: u16,
    body: Option<&str>,
    started: f64,
) -> Exchange {
    let pairs =
        |list: &[(&str, &str)]| list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    Exchange {
        target: "tab-1".to_owned(),
        frame: Some("frame-1".to_owned()),
        main_frame: true,
        resource: resource.to_owned(),
        started,
        took_ms: 12.25,
        request: ExchangeRequest {
            method: method.to_owned(),
            url: url.to_owned(),
            http_version: "HTTP/1.1".to_owned(),
            headers: pairs(&[
                ("Cookie", "sid=1; theme=dark"),
                ("Content-Type", "application/x-www-form-urlencoded"),
            ]),
            body: body.map(|text| Body::Text(text.to_owned())),
        },
        response: Some(ExchangeResponse {
            status,
            status_text: "OK".to_owned(),
            http_version: "HTTP/1.1".to_owned(),
            headers: pairs(&[
                ("Content-Type", "text/html"),
                ("Set-Cookie", "a=1; Path=/\nb=2"),
                ("Location", "/search/?q=blue+mug"),
            ]),
            mime: "text/html".to_owned(),
            encoded_bytes: 5321,
            from_cache: false,
            remote: Some("127.0.0.1:4711".to_owned()),
            body: Some(Body::Text("<!doctype html>".to_owned())),
        }),
        error: None,
    }
}

fn verdict(id: &AttemptId, outcome: Outcome, seqs: &Seqs) -> Verdict {
    let passed = outcome == Outcome::Pass;
    let check = |kind: &str, expected: &str, held: bool, found: &str, evidence: Vec<u64>| CheckResult {
        kind: kind.to_owned(),
        expected: expected.to_owned(),
        held,
        found: found.to_owned(),
        evidence,
    };
    let judged = matches!(outcome, Outcome::Pass | Outcome::Fail);
    let checks = if judged {
        vec![
            check(
                "response",
                "status SUCCESS, results [19.99]",
                passed,
                if passed { "as expected" } else { HOSTILE },
                vec![seqs.answer],
            ),
            check(
                "network",
                "a POST to /api/cart with quantity 2",
                true,
                "POST /api/cart, 200",
                vec![seqs.post],
            ),
            check(
                "state",
                "shop /cart contains {sku: MUG-1, quantity: 2}",
                passed,
                "[{sku: MUG-1, quantity: 2}]",
                vec![seqs.state],
            ),
        ]
    } else {
        Vec::new()
    };
    let reason = match outcome {
        Outcome::Pass => "every check held".to_owned(),
        Outcome::Fail => format!("answer: expected 19.99, got {HOSTILE}"),
        other => format!("{other}: see how the try ended"),
    };
    Verdict {
        version: VERDICT_VERSION,
        attempt: id.clone(),
        by: "rules".to_owned(),
        digest: Digest::of(b"rules"),
        outcome,
        reason,
        response_form: None,
        checks,
    }
}

/// Pages look alike within a suite, and drawing is slow in a debug build: a few pictures serve all attempts.
fn screenshot(index: usize, step: u32) -> &'static [u8] {
    const LOOKS: usize = 4;
    static DRAWN: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        (0..LOOKS).flat_map(|look| (1..=4).map(move |step| drawn_page(look, step))).collect()
    });
    &DRAWN[(index % LOOKS) * 4 + step as usize - 1]
}

/// A shop page at half size: header with search field, three cards, a button.
fn drawn_page(look: usize, step: u32) -> Vec<u8> {
    let mut page = RgbImage::from_pixel(VIEWPORT.width / 2, VIEWPORT.height / 2, Rgb([250, 250, 248]));
    let mut fill = |x: u32, y: u32, width: u32, height: u32, colour: [u8; 3]| {
        for dy in (y / 2..).take(height as usize / 2) {
            for dx in (x / 2..).take(width as usize / 2) {
                page.put_pixel(dx, dy, Rgb(colour));
            }
        }
    };
    fill(0, 0, 1280, 100, [38, 52, 71]);
    fill(340, 30, 480, 40, [255, 255, 255]);
    for card in 0..3_u32 {
        let x = 60 + card * 400;
        fill(x, 150, 360, 330, [255, 255, 255]);
        let tint = 90 + ((look as u32 * 37 + card * 50 + step * 20) % 140) as u8;
        fill(x + 20, 170, 320, 180, [tint, 150, 200 - tint / 2]);
        fill(x + 20, 370, 220, 14, [190, 195, 200]);
    }
    fill(874, 412, 150, 44, [11, 110, 99]);
    fill(60, 540, 200 * step, 16, [200, 90, 60]);
    let mut out = Cursor::new(Vec::new());
    page.write_to(&mut out, ImageFormat::Jpeg).expect("drawn");
    out.into_inner()
}
