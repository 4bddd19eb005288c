//! A model provider that answers by script, in all formats, and misbehaves on purpose.
//!
//! No real provider is needed to see what becomes of a call: tests and benchmarks of every room start this one and
//! point a model's `base_url` at it.

mod act;
mod answer;

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::{Request, Response};
use serde_json::Value;
use url::Url;

pub use crate::wire::{
    Answer, Conversation, Image, Piece, Shape, Tool, ToolCall, ToolChoice, ToolResult, Turn,
};
pub use act::{Act, Asked, Script};

use crate::serve::{Body, Dropped, Listening};
use crate::spec::{ModelSpec, Provider};

/// The running provider; it ends when it is dropped.
#[derive(Debug)]
pub struct ScriptedProvider {
    listening: Listening,
    requests: Arc<Mutex<Requests>>,
}

#[derive(Debug)]
struct Requests {
    count: usize,
    /// None if nobody will look at them.
    kept: Option<Vec<Asked>>,
}

impl ScriptedProvider {
    pub async fn start(script: impl Into<Script>) -> io::Result<Self> {
        Self::keeping(script.into(), Some(Vec::new())).await
    }

    /// One that keeps no requests: with their screenshots they are a weight that a benchmark would measure.
    pub async fn start_forgetful(script: impl Into<Script>) -> io::Result<Self> {
        Self::keeping(script.into(), None).await
    }

    async fn keeping(script: Script, kept: Option<Vec<Asked>>) -> io::Result<Self> {
        let script = Arc::new(script);
        let requests = Arc::new(Mutex::new(Requests { count: 0, kept }));
        let seen = Arc::clone(&requests);
        let handler = move |request| respond(request, Arc::clone(&script), Arc::clone(&seen));
        Ok(Self { listening: Listening::start(handler).await?, requests })
    }

    /// Where a model of this provider finds it. Schemas that the vendor would refuse are refused; compatible servers, which
    /// have a place of their own, take all.
    pub fn base_url(&self, provider: Provider) -> Url {
        let version = match provider {
            Provider::Anthropic | Provider::Gemini => "",
            Provider::OpenAiCompatible => "compatible/v1",
            _ => "v1",
        };
        let text = format!("http://{}/{version}", self.listening.address);
        Url::parse(&text).expect("an address is part of a URL")
    }

    /// A model that is asked here.
    pub fn model(&self, provider: Provider, name: &str) -> ModelSpec {
        ModelSpec { base_url: Some(self.base_url(provider)), ..ModelSpec::new(provider, name) }
    }

    /// All requests so far; none of a provider that forgets them.
    pub fn asked(&self) -> Vec<Asked> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).kept.clone().unwrap_or_default()
    }
}

async fn respond(
    request: Request<Incoming>,
    script: Arc<Script>,
    seen: Arc<Mutex<Requests>>,
) -> Result<Response<Body>, Dropped> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map_err(|_| Dropped)?.to_bytes();
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let asked = {
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = Asked::new(seen.count, &parts, body);
        seen.count += 1;
        if let Some(kept) = &mut seen.kept {
            kept.push(asked.clone());
        }
        asked
    };
    let act = match asked.refused_schema() {
        Some(reason) => Act::bad_request(&reason),
        None => script.act(&asked),
    };
    answer::perform(act, &asked).await
}
