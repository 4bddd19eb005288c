//! The record of one call: what was sent, what came back, what it took.

use std::time::Instant;

use serde_json::Value;
use umpire_model::{CallSource, EventBody, Media, ModelCall, Usage, UsdMicros};

use crate::caller::Caller;
use crate::price::Price;
use crate::wire::without_images;

/// The dearest known way of counting a screenshot: 33 tokens where others count one.
const TOKENS_OF_AN_IMAGE: u64 = 48_000;
/// Assumed of a request that sets no limit to its reply.
const TOKENS_OF_A_REPLY: u64 = 32_768;
/// What servers put around a prompt.
const TOKENS_AROUND: u64 = 1_000;

/// A request as it is recorded and compared: without images, which are blobs of their own.
pub(crate) struct Sheet {
    pub(crate) request: Value,
    /// The most the call can take.
    pub(crate) most: Usage,
    blob: umpire_model::BlobRef,
    began: Instant,
}

/// How a call ended.
pub(crate) struct Entry<'a> {
    pub(crate) reply: Option<(&'a [u8], Media)>,
    pub(crate) usage: Option<Usage>,
    pub(crate) cost: Option<UsdMicros>,
    pub(crate) source: CallSource,
    pub(crate) tries: u32,
    pub(crate) error: Option<String>,
}

impl Entry<'_> {
    pub(crate) fn empty(source: CallSource) -> Self {
        Self { reply: None, usage: None, cost: None, source, tries: 0, error: None }
    }
}

impl Sheet {
    pub(crate) fn begin(caller: &Caller, body: &Value) -> Self {
        let mut images = 0;
        let request = without_images(body, &mut |media, content| {
            images += 1;
            format!("sha256:{}", caller.evidence.blob(content, media).digest)
        });
        let text = request.to_string();
        // A token is a byte at least.
        let input = text.len() as u64 + images * TOKENS_OF_AN_IMAGE + TOKENS_AROUND;
        let output = limit_of(body).unwrap_or(TOKENS_OF_A_REPLY);
        Self {
            most: Usage { input, output, ..Usage::default() },
            blob: caller.evidence.blob(text.as_bytes(), Media::Json),
            request,
            began: Instant::now(),
        }
    }

    pub(crate) fn most_money(&self, price: Option<Price>) -> Option<UsdMicros> {
        price.map(|price| price.cost(&self.most))
    }

    /// Writes the event.
    pub(crate) fn end(&self, caller: &Caller, model: &str, entry: Entry<'_>) {
        let reply = entry.reply.map(|(content, media)| caller.evidence.blob(content, media));
        let usage = entry.usage.unwrap_or_default();
        tracing::event!(target: "umpire::metrics", tracing::Level::INFO, {
            monotonic_counter.umpire_model_calls = 1_u64,
            monotonic_counter.umpire_model_calls_of_unknown_cost = u64::from(entry.cost.is_none()),
            monotonic_counter.umpire_model_input_tokens = usage.input,
            monotonic_counter.umpire_model_output_tokens = usage.output,
            monotonic_counter.umpire_model_cost_usd = entry.cost.map_or(0.0, |cost| cost.0 as f64 / 1e6),
            histogram.umpire_model_seconds = self.began.elapsed().as_secs_f64(),
            model = model,
            failed = entry.error.is_some()
        });
        caller.evidence.event(EventBody::ModelCalled(Box::new(ModelCall {
            step: caller.current_step(),
            model: model.to_owned(),
            request: self.blob.clone(),
            reply,
            usage: entry.usage,
            cost: entry.cost,
            source: entry.source,
            tries: entry.tries,
            took_ms: self.began.elapsed().as_millis() as u64,
            error: entry.error,
        })));
    }
}

/// The limit a request sets to its reply, in whichever format.
fn limit_of(body: &Value) -> Option<u64> {
    let config = ["generationConfig", "generation_config"].map(|name| &body[name]);
    let places = [
        &body["max_completion_tokens"],
        &body["max_tokens"],
        &body["max_output_tokens"],
        &config[0]["maxOutputTokens"],
        &config[1]["max_output_tokens"],
    ];
    places.into_iter().find_map(Value::as_u64)
}

/// How a recorded answer is shown: pieces of a stream are text.
pub(crate) fn media_of(content_type: &str) -> Media {
    if content_type.starts_with("application/json") { Media::Json } else { Media::Text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_limit_of_a_reply_is_found_in_every_format() {
        for (body, limit) in [
            (json!({"max_tokens": 10}), Some(10)),
            (json!({"max_completion_tokens": 11, "max_tokens": 10}), Some(11)),
            (json!({"max_output_tokens": 12}), Some(12)),
            (json!({"generationConfig": {"maxOutputTokens": 13}}), Some(13)),
            (json!({"generation_config": {"max_output_tokens": 14}}), Some(14)),
            (json!({"max_tokens": "many"}), None),
            (json!([]), None),
        ] {
            assert_eq!(limit_of(&body), limit, "{body}");
        }
    }
}
