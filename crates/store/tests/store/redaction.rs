//! Secrets stop at the writer: canaries go into every channel, and the whole folder is searched for them.

use std::fs;

use crate::fixtures::{all_files, attempt_id, ended, exchange, run_in, started};
use tempfile::TempDir;
use umpire_model::{
    Action, BackendAnswer, BlobSource as _, Body, Dialog, Digest, End, EpisodeBegan, EventBody, Evidence,
    Media, Moment, Observed, REDACTED, Redactor, Rewarded, Said, ScrollArea, Tab, Target,
};

/// Letters only, so that it can pose as a role or a header name too.
const CANARY: &str = "CanaryOfTheDeepMine";
const COOKIE: &str = "session-value-nobody-told-us-of";

fn text() -> String {
    format!("before {CANARY} after")
}

fn actions() -> Vec<Action> {
    let target = || Target::Named { role: CANARY.to_owned(), name: text(), nth: 1 };
    vec![
        Action::Click(target()),
        Action::Hover(target()),
        Action::Type(target(), text()),
        Action::Press(text()),
        Action::Select(target(), text()),
        Action::Upload(target(), vec![text()]),
        Action::Drag(target(), target()),
        Action::Scroll(ScrollArea::Element(target()), umpire_model::Direction::Down),
        Action::OpenTab(text()),
        Action::GoTo(text()),
        Action::Answer(text()),
    ]
}

/// One event of every kind, the canary in each of its texts.
fn events(evidence: &dyn Evidence) -> Vec<EventBody> {
    let latin1: Vec<u8> = [b"caf\xe9 ", CANARY.as_bytes(), b" \xff"].concat();
    let blobs = [
        evidence.blob(text().as_bytes(), Media::Text),
        evidence.blob(format!("{{\"{CANARY}\":\"{CANARY}\"}}").as_bytes(), Media::Json),
        evidence.blob(text().as_bytes(), Media::Bytes),
        evidence.blob(&latin1, Media::Bytes),
        evidence.blob(text().as_bytes(), Media::Png),
    ];
    let mut all: Vec<EventBody> =
        blobs.iter().map(|state| EventBody::StateBefore { state: state.clone() }).collect();
    all.push(EventBody::StateAfter { state: blobs[0].clone() });
    for said in
        [Said::Json(Body::Text(format!("[\"{CANARY}\"]"))), Said::Refused(text()), Said::Unreachable(text())]
    {
        all.push(EventBody::BackendAnswer(Box::new(BackendAnswer {
            backend: text(),
            question: Digest::of(b"a question"),
            asked: text(),
            when: Moment::After,
            said,
            took_ms: 1,
        })));
    }
    all.push(EventBody::Observed(Observed {
        step: 1,
        url: text(),
        title: text(),
        tabs: vec![Tab { id: text(), url: text(), title: text(), active: true }],
        screenshot: Some(blobs[4].clone()),
        outline: Some(blobs[0].clone()),
        elements: 1,
        took_ms: 1,
    }));
    all.push(EventBody::EpisodeBegan(EpisodeBegan { seed: 1, mode: text(), seconds: 1, utterance: text() }));
    all.push(EventBody::Rewarded(Rewarded {
        raw: 1.0,
        reason: Some(text()),
        event: Some(text()),
        trusted: true,
        client_script: Some(text()),
    }));
    all.push(EventBody::Thought { step: 1, text: text() });
    for action in actions() {
        all.push(EventBody::Acted { step: 1, action, at: None, error: Some(text()), took_ms: 1 });
    }
    all.push(EventBody::ForeignAction { step: 1, text: text(), at: None, error: Some(text()) });
    for body in [Body::Text(text()), Body::Omitted(text()), Body::Blob(blobs[0].clone())] {
        all.push(EventBody::Exchange(Box::new(telling_exchange(body))));
    }
    all.extend([
        EventBody::Navigated { tab: text(), url: text(), same_document: false },
        EventBody::TabOpened { tab: text(), opener: Some(text()), url: text() },
        EventBody::TabClosed { tab: text() },
        EventBody::TabCrashed { tab: text() },
        EventBody::Console { tab: text(), level: text(), text: text() },
        EventBody::Dialog(Dialog { tab: text(), kind: text(), message: text(), accepted: true }),
        EventBody::Download { url: text(), name: text(), bytes: 1, state: text() },
        EventBody::Gate { request: text(), decision: text(), reason: text(), suspicious: true },
        EventBody::AgentOutput { stream: text(), text: text() },
        EventBody::Answered { response: format!("{{\"results\":[\"{CANARY}\"]}}") },
        EventBody::Recorded { requests_seen: 1, requests_written: 1 },
    ]);
    all
}

fn telling_exchange(body: Body) -> umpire_model::Exchange {
    let headers = || {
        [
            ("Authorization", format!("Bearer {COOKIE}")),
            ("cookie", format!("{CANARY}={COOKIE}; theme={COOKIE}")),
            ("Set-Cookie", format!("sid={COOKIE}; Path=/{CANARY}\nother={COOKIE}")),
            ("X-Api-Key", COOKIE.to_owned()),
            ("Referer", text()),
            (CANARY, text()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    };
    let mut telling = exchange(Some(body));
    telling.target = text();
    telling.frame = Some(text());
    telling.resource = text();
    telling.error = Some(text());
    telling.request.method = text();
    telling.request.url = text();
    telling.request.http_version = text();
    telling.request.headers = headers();
    if let Some(response) = &mut telling.response {
        response.status_text = text();
        response.http_version = text();
        response.mime = text();
        response.remote = Some(text());
        response.headers = headers();
    }
    telling
}

#[test]
fn no_channel_lets_a_secret_through() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let attempt = run.attempt(&attempt_id());
    let writer = attempt.writer(Redactor::new([CANARY])).expect("a writer");
    writer.event(started(1));
    let mut written = 2;
    for event in events(&writer) {
        writer.event(event);
        written += 1;
    }
    let EventBody::Ended { end, steps, counted, .. } = ended(End::Stopped) else { unreachable!() };
    writer.event(EventBody::Ended { end, detail: text(), steps, counted });
    writer.finish().expect("on disk");

    let mut searched = 0;
    for file in all_files(run.folder()) {
        let mut content = fs::read(&file).expect("readable");
        if file.extension().is_some_and(|extension| extension == "zst") {
            content = zstd::decode_all(content.as_slice()).expect("compressed by us");
        }
        for secret in [CANARY, COOKIE] {
            let found = content.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{} holds {secret}", file.display());
        }
        searched += 1;
    }
    assert!(searched >= 6, "journal, manifest and blobs were looked at");

    let trajectory = attempt.read().expect("readable");
    assert_eq!((trajectory.events.len(), trajectory.damaged_lines), (written, 0), "redaction breaks no line");
    for (_, exchange) in trajectory.exchanges() {
        let header = |wanted: &str| {
            exchange.request.headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
        };
        assert_eq!(header("Authorization"), Some(REDACTED));
        assert_eq!(header("Referer"), Some(format!("before {REDACTED} after").as_str()));
    }
    for event in &trajectory.events {
        if let EventBody::StateBefore { state } = &event.body {
            run.blobs().read(state).expect("digests name what was stored, not what was given");
        }
    }
}

#[test]
fn a_secret_that_looks_like_our_format_breaks_nothing() {
    let root = TempDir::new().expect("temp");
    let attempt = run_in(root.path()).attempt(&attempt_id());
    let words = ["type", "text", "exchange", "started", "step", "click", "document", "oracle", "infra"];
    let writer = attempt.writer(Redactor::new(words)).expect("a writer");
    writer.event(started(1));
    writer.event(EventBody::Exchange(Box::new(exchange(Some(Body::Text("type text".to_owned()))))));
    let action = Action::Click(Target::named("text", "click"));
    writer.event(EventBody::Acted { step: 1, action, at: None, error: None, took_ms: 1 });
    writer.event(ended(End::Infra));
    writer.finish().expect("on disk");
    let trajectory = attempt.read().expect("readable");
    assert_eq!((trajectory.events.len(), trajectory.damaged_lines), (4, 0));
    assert_eq!(trajectory.end().map(|(end, _)| end), Some(End::Infra));
    assert_eq!(
        trajectory.exchanges().next().and_then(|(_, exchange)| exchange.request.body.clone()),
        Some(Body::Text(format!("{REDACTED} {REDACTED}")))
    );
}

#[test]
fn images_are_left_as_they_are() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let writer = run.attempt(&attempt_id()).writer(Redactor::new([CANARY])).expect("a writer");
    let pixels: Vec<u8> = [&b"\xff\xd8\xff"[..], CANARY.as_bytes()].concat();
    let image = writer.blob(&pixels, Media::Jpeg);
    writer.finish().expect("on disk");
    assert_eq!(run.blobs().read(&image).expect("stored"), pixels);
}
