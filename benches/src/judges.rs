//! Judges without their models: trajectories of 20 screenshots go through the real pipeline to a model that answers at
//! once. It makes of each prompt what a provider is sent, pictures in base64; the body of the request, with all of them
//! in it, is measured apart.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Map, Value, json};
use umpire_judges::asking::{Asking, Ledger, Parser};
use umpire_judges::case::{Case, Deed, Turn};
use umpire_judges::definition::Definition;
use umpire_judges::frames::{Darkroom, Frames};
use umpire_judges::judge::{Bench, Exhibit, Judge, Side};
use umpire_judges::pictures::{Fingerprint, InMemory, Policy, Screenshot, collapse, prepare};
use umpire_llm::{Ask, Finish, Part, Prompt, Reply};
use umpire_model::{AttemptId, BlobRef, BlobSource, Deadline, Digest, Media, Redactor, Ruling, TaskKind};

use crate::cpu_ms;
use crate::screens;

const SCREENSHOTS: u32 = 20;
/// Different ones, so that no cache of the processor holds all of them.
const TRAJECTORIES: u32 = 16;
const THREADS: usize = 2;
const MEASURED_FOR: Duration = Duration::from_secs(3);
/// One call that is shown every screenshot.
const JUDGE: &str = "webvoyager";

pub fn measure() -> Result<(), String> {
    let (busy, idle) = (Court::new(1)?, Court::new(3)?);
    let bytes: usize = busy.blobs.0.values().map(Bytes::len).sum();
    let one = screens::page(0, 0, 80)?;
    let long = screens::long_page()?;
    let small = Policy { longest_side: 1024, ..Policy::default() };
    let fingerprint_ms = milliseconds(|| Fingerprint::of(&one).map(drop))?;
    let close = [one.clone(), screens::page(0, 0, 90)?].map(|content| Screenshot {
        step: 1,
        digest: Digest::of(&content),
        content,
    });
    let pair_ms = milliseconds(|| collapse_one_by_one(&close))?;
    let (per_second, cpu_ms) = busy.judge_all(&Model { writes_body: false })?;
    let (_, idle_cpu_ms) = idle.judge_all(&Model { writes_body: false })?;
    let (_, request_cpu_ms) = busy.judge_all(&Model { writes_body: true })?;
    let unseen = || busy.judge(0, &Darkroom::default(), &Model { writes_body: false });
    println!(
        "{}",
        json!({
            "judge": JUDGE,
            "screenshots": SCREENSHOTS,
            "threads": THREADS,
            "mean_kb": bytes as f64 / 1024.0 / busy.blobs.0.len() as f64,
            "per_second": per_second,
            "cpu_ms": cpu_ms,
            "idle_cpu_ms": idle_cpu_ms,
            "request_cpu_ms": request_cpu_ms,
            "fingerprint_ms": fingerprint_ms,
            "compare_ms": pair_ms - 2.0 * fingerprint_ms,
            "shrink_ms": milliseconds(|| prepare(&one, &small).map(drop))?,
            "tiles_ms": milliseconds(|| prepare(&long, &Policy::default()).map(drop))?,
            "new_trajectory_ms": milliseconds(unseen)?,
        })
    );
    Ok(())
}

/// Cases with their pictures, and the judge they come before.
struct Court {
    judge: Judge,
    cases: Vec<Case>,
    blobs: Pictures,
}

struct Pictures(HashMap<Digest, Bytes>);

impl BlobSource for Pictures {
    fn read(&self, blob: &BlobRef) -> Result<Vec<u8>, std::io::Error> {
        self.0.get(&blob.digest).map(|content| content.to_vec()).ok_or(std::io::ErrorKind::NotFound.into())
    }
}

impl Court {
    /// Where each page stays for so many steps.
    fn new(stays: u32) -> Result<Self, String> {
        let definition = Definition::built_in(JUDGE).ok_or("no such judge")?;
        let (mut cases, mut blobs) = (Vec::new(), HashMap::new());
        for run in 0..TRAJECTORIES {
            let screens = screens::recorded(run, SCREENSHOTS, stays)?;
            let shown = screens.into_iter().map(|content| {
                let (digest, bytes) = (Digest::of(&content), content.len() as u64);
                blobs.insert(digest.clone(), content);
                BlobRef { digest, media: Media::Jpeg, bytes }
            });
            cases.push(case(run, shown)?);
        }
        Ok(Self { judge: Judge::new(definition), cases, blobs: Pictures(blobs) })
    }

    /// How many were judged a second, and the CPU milliseconds of one. All pictures have been seen before.
    fn judge_all(&self, model: &Model) -> Result<(f64, f64), String> {
        let darkroom = Darkroom::default();
        for place in 0..self.cases.len() {
            self.judge(place, &darkroom, model)?;
        }
        let done = AtomicUsize::new(0);
        let (started, cpu) = (Instant::now(), cpu_ms());
        let work = || {
            while started.elapsed() < MEASURED_FOR {
                let next = done.fetch_add(1, Ordering::Relaxed);
                self.judge(next % self.cases.len(), &darkroom, model)?;
            }
            Ok::<(), String>(())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().map_err(|_| "a thread panicked".to_owned())?)
        })?;
        let done = done.load(Ordering::Relaxed) as f64;
        Ok((done / started.elapsed().as_secs_f64(), (cpu_ms() - cpu) / done))
    }

    fn judge(&self, place: usize, darkroom: &Darkroom, model: &Model) -> Result<(), String> {
        let policy = self.judge.evidence();
        let exhibit = Exhibit::new(self.cases[place].clone(), policy, &self.blobs);
        let frames =
            Frames::of(&exhibit.case, policy, &self.blobs, darkroom).map_err(|none| none.to_string())?;
        let ledger = Ledger::new(Redactor::default());
        let bench = Bench {
            side: Side { exhibit: &exhibit, frames: &frames },
            other: None,
            asking: Asking::new(model, &ledger, Parser::Strict, Deadline::after(Duration::from_mins(1))),
        };
        let opinion = now(self.judge.judge(&bench))?.map_err(|none| none.to_string())?;
        if opinion.ruling == Ruling::Pass { Ok(()) } else { Err("the model was not understood".to_owned()) }
    }
}

fn case(run: u32, screenshots: impl Iterator<Item = BlobRef>) -> Result<Case, String> {
    let turns = screenshots.zip(1..).map(|(screenshot, step)| Turn {
        step,
        url: format!("http://shop.localhost/jackets?page={step}"),
        title: "Jackets".to_owned(),
        screenshot: Some(screenshot),
        outline: None,
        thought: Some("The third product is blue and comes in M, so it goes into the basket.".to_owned()),
        deeds: vec![Deed {
            text: format!("click [{}] the button \"Add to basket\" of the third product", step * 7),
            is_answer: false,
            error: None,
        }],
    });
    Ok(Case {
        attempt: AttemptId::new("voyager", &format!("jacket-{run}"), 1).map_err(|bad| bad.to_string())?,
        intent: "Find the cheapest blue jacket in size M and put it into the basket.".to_owned(),
        kind: TaskKind::Mutate,
        start_urls: vec!["http://shop.localhost/".to_owned()],
        category: "basket".to_owned(),
        ui_elements: vec!["button".to_owned()],
        reference: Vec::new(),
        level: None,
        persona: None,
        turns: turns.collect(),
        answer: Some("The blue Harbour jacket is in the basket.".to_owned()),
        end: None,
        requests: Vec::new(),
        changes: Vec::new(),
    })
}

/// Answers at once; what it is asked becomes what goes over the wire.
struct Model {
    writes_body: bool,
}

impl Ask for Model {
    fn ask<'a>(&'a self, prompt: &'a Prompt, _deadline: Deadline) -> umpire_llm::Asking<'a> {
        let parts: Vec<Value> = prompt.messages.iter().flat_map(|message| &message.parts).map(wire).collect();
        if self.writes_body {
            std::hint::black_box(serde_json::to_vec(&parts).unwrap_or_default());
        }
        std::hint::black_box(parts);
        let text = r#"{"thoughts": "The basket shows the jacket.", "status": "success"}"#.to_owned();
        Box::pin(std::future::ready(Ok(Reply { text, finish: Finish::Complete, usage: None, cost: None })))
    }

    fn sees_images(&self) -> bool {
        true
    }
}

fn wire(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Image { media, content } => {
            let url = Value::String(format!("data:{};base64,{}", media.mime(), STANDARD.encode(content)));
            // Moved in, where the macro would copy it.
            let image = Map::from_iter([("url".to_owned(), url)]);
            Value::Object(Map::from_iter([
                ("type".to_owned(), json!("image_url")),
                ("image_url".to_owned(), image.into()),
            ]))
        }
    }
}

/// Of a future that never waits, for its model does not.
fn now<T>(future: impl Future<Output = T>) -> Result<T, String> {
    match std::pin::pin!(future).poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(value) => Ok(value),
        std::task::Poll::Pending => Err("the judge waited for something".to_owned()),
    }
}

/// Looked at one after the other, so that it is the cost of one core.
fn collapse_one_by_one(close: &[Screenshot]) -> Result<(), String> {
    let memory = InMemory::default();
    for shot in close {
        collapse(std::slice::from_ref(shot), &memory).map_err(|bad| bad.to_string())?;
    }
    let frames = collapse(close, &memory).map_err(|bad| bad.to_string())?;
    if frames.len() == 1 { Ok(()) } else { Err("the pair is not one frame".to_owned()) }
}

/// The best of several: what the machine does beside this is not measured.
fn milliseconds(mut work: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let mut best = f64::INFINITY;
    for _ in 0..10 {
        let started = Instant::now();
        work()?;
        best = best.min(started.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(best)
}
