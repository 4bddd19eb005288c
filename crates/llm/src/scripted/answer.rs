//! Acts as HTTP responses.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http_body_util::StreamBody;
use http_body_util::combinators::BoxBody;
use hyper::body::Frame;
use hyper::header::{HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};
use umpire_model::Usage;

use super::act::{Act, Asked};
use crate::serve::{Body, BodyError, Dropped, full, response};
use crate::wire::{Answer, SseEvent};

const FLOOD_CHUNK: usize = 64 << 10;
const BREATH: Duration = Duration::from_millis(30);

pub(super) async fn perform(act: Act, asked: &Asked) -> Result<Response<Body>, Dropped> {
    let mut act = act;
    while let Act::Wait(wait, then) = act {
        tokio::time::sleep(wait).await;
        act = *then;
    }
    let json = |body: Body| response(StatusCode::OK, "application/json", body);
    Ok(match act {
        Act::Say(text) => {
            let usage = counted(asked, &text);
            said(&Answer { usage: Some(usage), ..Answer::text(text) }, asked)
        }
        Act::Answer(answer) => said(&answer, asked),
        Act::SayUncounted(text) => said(&Answer::text(text), asked),
        Act::SayMiscounted(text) => miscounted(text, asked),
        Act::Status { status, retry_after, body } => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let mut answer = response(status, "application/json", full(body));
            if let Some(value) = retry_after.and_then(|value| HeaderValue::try_from(value).ok()) {
                answer.headers_mut().insert(RETRY_AFTER, value);
            }
            answer
        }
        Act::Hang | Act::Wait(..) => std::future::pending().await,
        Act::Drop => return Err(Dropped),
        Act::BreakOff(text) => broken_off(text, asked),
        Act::Babble => json(full("<html>It works!</html>")),
        Act::Nothing => json(full("")),
        Act::Flood(bytes) => json(flood(bytes)),
    })
}

fn counted(asked: &Asked, text: &str) -> Usage {
    let tokens = |bytes: usize| bytes.div_ceil(4) as u64;
    Usage { input: tokens(asked.text().len()), output: tokens(text.len()), ..Usage::default() }
}

/// The body of an answer with its content type.
fn content(answer: &Answer, asked: &Asked) -> (&'static str, String) {
    let id = format!("scripted-{}", asked.number);
    let model = asked.body["model"].as_str().unwrap_or("scripted").to_owned();
    let Some(format) = asked.format else {
        return ("application/json", embeddings(asked, &model).to_string());
    };
    if !asked.streams {
        return ("application/json", format.answer(answer, &model, &id).to_string());
    }
    let mut answer = answer.clone();
    answer.usage = answer.usage.filter(|_| format.counts_in_streams(&asked.body));
    let events = format.stream(&answer, &model, &id);
    ("text/event-stream", events.iter().map(SseEvent::to_text).collect())
}

/// Texts that share words have vectors that point the same way.
fn embeddings(asked: &Asked, model: &str) -> Value {
    let input = &asked.body["input"];
    let texts: Vec<&str> = match input.as_array() {
        Some(texts) => texts.iter().filter_map(Value::as_str).collect(),
        None => input.as_str().into_iter().collect(),
    };
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| json!({"object": "embedding", "index": index, "embedding": bag_of_words(text)}))
        .collect();
    let tokens = asked.body["input"].to_string().len().div_ceil(4);
    let usage = json!({"prompt_tokens": tokens, "total_tokens": tokens});
    json!({"object": "list", "data": data, "model": model, "usage": usage})
}

fn bag_of_words(text: &str) -> Vec<f32> {
    let mut counts = vec![0.0; 64];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let sum = word.to_lowercase().bytes().fold(7_usize, |sum, byte| sum * 31 % 8191 + usize::from(byte));
        counts[sum % 64] += 1.0;
    }
    // No text at all still has a direction.
    counts[0] += 0.1;
    counts
}

fn said(answer: &Answer, asked: &Asked) -> Response<Body> {
    let (kind, body) = content(answer, asked);
    response(StatusCode::OK, kind, full(body))
}

fn miscounted(text: String, asked: &Asked) -> Response<Body> {
    let usage = Usage { input: 9, output: 9, ..Usage::default() };
    let (kind, body) = content(&Answer { usage: Some(usage), ..Answer::text(text) }, asked);
    response(StatusCode::OK, kind, full(body.replace(":9", ":-9")))
}

fn broken_off(text: String, asked: &Asked) -> Response<Body> {
    let (kind, mut body) = content(&Answer::text(text), asked);
    let mut half = body.len() / 2;
    while !body.is_char_boundary(half) {
        half -= 1;
    }
    body.truncate(half);
    let begun = stream::once(async { Ok(Frame::data(Bytes::from(body))) });
    let broken = stream::once(async {
        // Without a pause the beginning would not leave either.
        tokio::time::sleep(BREATH).await;
        Err(Box::new(Dropped) as BodyError)
    });
    response(StatusCode::OK, kind, BoxBody::new(StreamBody::new(begun.chain(broken))))
}

fn flood(bytes: usize) -> Body {
    let chunk = Bytes::from(vec![b' '; FLOOD_CHUNK]);
    let frames = (0..bytes.div_ceil(FLOOD_CHUNK)).map(move |_| Ok(Frame::data(chunk.clone())));
    BoxBody::new(StreamBody::new(stream::iter(frames)))
}
