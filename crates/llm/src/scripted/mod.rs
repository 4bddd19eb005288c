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
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl ScriptedProvider {
    pub async fn start(script: impl Into<Script>) -> io::Result<Self> {
        let script: Arc<Script> = Arc::new(script.into());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        let handler = move |request| respond(request, Arc::clone(&script), Arc::clone(&seen));
        Ok(Self { listening: Listening::start(handler).await?, asked })
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

    /// All requests so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn respond(
    request: Request<Incoming>,
    script: Arc<Script>,
    seen: Arc<Mutex<Vec<Asked>>>,
) -> Result<Response<Body>, Dropped> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map_err(|_| Dropped)?.to_bytes();
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let asked = {
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = Asked::new(seen.len(), &parts, body);
        seen.push(asked.clone());
        asked
    };
    let act = match asked.refused_schema() {
        Some(reason) => Act::bad_request(&reason),
        None => script.act(&asked),
    };
    answer::perform(act, &asked).await
}
