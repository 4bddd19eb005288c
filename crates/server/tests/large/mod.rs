//! A made-up run of many attempts. Its files are written as they are, without a sync each: ten thousand of those would
//! take minutes and say nothing about reading them.
#![allow(dead_code, reason = "tests and examples use their own parts of it")]

use std::fs;
use std::path::Path;

use umpire_model::{
    Action, AgentEntry, AttemptId, CheckResult, Difficulty, Digest, End, Event, EventBody, Exchange,
    ExchangeRequest, ExchangeResponse, Instance, JOURNAL_VERSION, Manifest, Observed, Outcome, TaskKind,
    VERDICT_VERSION, Verdict, Viewport,
};
use umpire_store::{FiledVerdict, Run, Runs};

use crate::support::synthetic::made_up;

pub const STEPS: u32 = 8;

pub fn write(root: &Path, name: &str, agents: usize, instances: usize) -> Run {
    let instances: Vec<Instance> = (0..instances).map(instance).collect();
    let agents: Vec<AgentEntry> = (0..agents)
        .map(|number| AgentEntry {
            name: format!("agent-{number}"),
            kind: "made-up".to_owned(),
            settings: [].into(),
        })
        .collect();
    let manifest = Manifest {
        created: "2026-02-01T00:00:00Z".to_owned(),
        suite: "large".to_owned(),
        ..made_up::manifest(name, agents, &instances)
    };
    let run = Runs::new(root).create(&manifest, &instances).expect("a new run");
    for (place, id) in run.planned().expect("planned").into_iter().enumerate() {
        write_attempt(&run, &id, place);
    }
    run
}

fn instance(number: usize) -> Instance {
    let site = ["shop", "forum", "hub", "map", "news"][number % 5];
    Instance {
        template: format!("{site}-template-{}", number % 40),
        intent: format!("Do the thing number {number} on the site {site}, and say what it came to."),
        sites: vec![site.to_owned()],
        start_urls: vec![format!("http://{site}.localhost/")],
        category: format!("category {}", number % 7),
        difficulty: [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard][number % 3],
        ..Instance::bare(
            &format!("{site}-task-{number}"),
            [TaskKind::Retrieve, TaskKind::Mutate, TaskKind::Navigate][number % 3],
        )
    }
}

fn write_attempt(run: &Run, id: &AttemptId, place: usize) {
    let mut bodies = vec![EventBody::Started {
        attempt: id.clone(),
        r#try: 1,
        instance: Digest::of(id.instance.as_bytes()),
        at: "2026-02-01T00:00:03Z".to_owned(),
        browser: "Chromium/148".to_owned(),
        remote: None,
        viewport: Viewport::default(),
    }];
    for step in 1..=STEPS {
        bodies.push(EventBody::Observed(Observed {
            step,
            url: format!("http://shop.localhost/page/{step}"),
            title: format!("Page {step}"),
            tabs: Vec::new(),
            screenshot: None,
            outline: None,
            elements: 100,
            took_ms: 40,
        }));
        bodies.push(EventBody::Acted {
            step,
            action: Action::Press("Enter".to_owned()),
            at: None,
            error: None,
            took_ms: 60,
        });
        bodies.push(EventBody::Exchange(Box::new(exchange(step))));
    }
    bodies.push(EventBody::Ended { end: End::Answered, detail: String::new(), steps: STEPS, counted: STEPS });
    let mut journal = Vec::new();
    for (seq, body) in (0_u64..).zip(bodies) {
        let event = Event { v: JOURNAL_VERSION, seq, ms: seq * 300, body };
        serde_json::to_writer(&mut journal, &event).expect("plain data");
        journal.push(b'\n');
    }
    let outcome = match place % 7 {
        0 => Outcome::Infra,
        1..=3 => Outcome::Pass,
        _ => Outcome::Fail,
    };
    let passed = outcome == Outcome::Pass;
    let check = CheckResult {
        kind: if place.is_multiple_of(2) { "response" } else { "state" }.to_owned(),
        expected: "the right thing".to_owned(),
        held: passed,
        found: "something".to_owned(),
        evidence: Vec::new(),
    };
    let verdict = Verdict {
        version: VERDICT_VERSION,
        attempt: id.clone(),
        by: "rules".to_owned(),
        digest: Digest::of(b"rules"),
        outcome,
        reason: format!("check 1: expected the right thing, got something (attempt {place})"),
        response_form: None,
        checks: vec![check],
    };
    let path = run.attempt(id).journal_path();
    let folder = path.parent().expect("a folder");
    fs::create_dir_all(folder).expect("made");
    fs::write(&path, journal).expect("written");
    let filed = serde_json::to_string(&FiledVerdict { r#try: 1, verdict }).expect("plain data");
    fs::write(folder.join("verdicts.jsonl"), format!("{filed}\n")).expect("written");
}

fn exchange(step: u32) -> Exchange {
    let headers = || vec![("Accept".to_owned(), "text/html,application/xhtml+xml".to_owned()); 6];
    Exchange {
        target: "tab-1".to_owned(),
        frame: None,
        main_frame: true,
        resource: "Document".to_owned(),
        started: 1_767_225_600_000.0,
        took_ms: 12.0,
        request: ExchangeRequest {
            method: "GET".to_owned(),
            url: format!("http://shop.localhost/page/{step}"),
            http_version: "HTTP/1.1".to_owned(),
            headers: headers(),
            body: None,
        },
        response: Some(ExchangeResponse {
            status: 200,
            status_text: "OK".to_owned(),
            http_version: "HTTP/1.1".to_owned(),
            headers: headers(),
            mime: "text/html".to_owned(),
            encoded_bytes: 5000,
            from_cache: false,
            remote: None,
            body: None,
        }),
        error: None,
    }
}
