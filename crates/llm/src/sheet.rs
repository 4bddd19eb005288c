//! The record of one call: what was sent, what came back, what it took.

use std::time::Instant;

use serde_json::Value;
use umpire_model::{CallSource, EventBody, Media, ModelCall, Usage, UsdMicros};

use crate::call::Wanted;
use crate::caller::Caller;
use crate::price::Price;
use crate::wire::{WireFormat, without_images};

/// The dearest known way of counting a screenshot: 33 tokens where others count one.
const TOKENS_OF_AN_IMAGE: u64 = 48_000;
/// Assumed of a request that sets no limit to its reply.
const TOKENS_OF_A_REPLY: u64 = 32_768;
/// What servers put around a prompt.
const TOKENS_AROUND: u64 = 1_000;
/// No provider writes more for one call; what is asked beyond that would only break the sums.
const MOST_TOKENS: u64 = 1 << 32;

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
    pub(crate) fn begin(caller: &Caller, wanted: Wanted, body: &Value) -> Self {
        let mut images = 0;
        let request = without_images(body, &mut |media, content| {
            images += 1;
            format!("sha256:{}", caller.evidence.blob(content, media).digest)
        });
        let text = request.to_string();
        // A token is a byte at least.
        let input = text.len() as u64 + images * TOKENS_OF_AN_IMAGE + TOKENS_AROUND;
        Self {
            most: Usage { input, output: output_of(wanted, body), ..Usage::default() },
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

/// The most tokens that can be written: the limit a request sets, in each of the replies it asks for. Of the fields of
/// other formats its provider takes no notice.
fn output_of(wanted: Wanted, body: &Value) -> u64 {
    let Wanted::Reply { format, .. } = wanted else { return TOKENS_OF_A_REPLY };
    let configs = [&body["generationConfig"], &body["generation_config"]];
    let own = [body];
    let holders: &[&Value] = if format == WireFormat::Gemini { &configs } else { &own };
    let limit = largest(holders, limit_fields(format)).unwrap_or(TOKENS_OF_A_REPLY);
    let replies = largest(holders, reply_fields(format)).unwrap_or(1);
    limit.saturating_mul(replies).min(MOST_TOKENS)
}

fn largest(holders: &[&Value], fields: &[&str]) -> Option<u64> {
    let in_one = |holder: &&Value| fields.iter().filter_map(|field| holder[*field].as_u64()).max();
    holders.iter().filter_map(in_one).max().filter(|number| *number > 0)
}

fn limit_fields(format: WireFormat) -> &'static [&'static str] {
    match format {
        WireFormat::Chat => &["max_completion_tokens", "max_tokens"],
        WireFormat::Responses => &["max_output_tokens"],
        WireFormat::Messages => &["max_tokens"],
        WireFormat::Gemini => &["maxOutputTokens", "max_output_tokens"],
    }
}

fn reply_fields(format: WireFormat) -> &'static [&'static str] {
    match format {
        WireFormat::Chat => &["n", "best_of"],
        WireFormat::Gemini => &["candidateCount", "candidate_count"],
        WireFormat::Responses | WireFormat::Messages => &[],
    }
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
    fn what_can_be_written_is_found_in_the_fields_of_the_format() {
        use WireFormat::{Chat, Gemini, Messages, Responses};

        let unlimited = TOKENS_OF_A_REPLY;
        for (format, body, expected) in [
            (Chat, json!({"max_tokens": 10}), 10),
            (Chat, json!({"max_completion_tokens": 11, "max_tokens": 10}), 11),
            (Chat, json!({"max_completion_tokens": 1, "max_tokens": 10}), 10),
            (Chat, json!({"max_output_tokens": 1}), unlimited),
            (Chat, json!({"max_tokens": 10, "n": 10}), 100),
            (Chat, json!({"max_tokens": 10, "n": 2, "best_of": 5}), 50),
            (Chat, json!({"n": 3}), 3 * unlimited),
            (Chat, json!({"max_tokens": 1, "n": u64::MAX}), MOST_TOKENS),
            (Chat, json!({"max_tokens": "many"}), unlimited),
            (Chat, json!({"max_tokens": 0, "n": 0}), unlimited),
            (Chat, json!([]), unlimited),
            (Responses, json!({"max_output_tokens": 12, "max_tokens": 99, "n": 9}), 12),
            (Messages, json!({"max_tokens": 13, "n": 9}), 13),
            (Gemini, json!({"generationConfig": {"maxOutputTokens": 13}, "max_tokens": 1}), 13),
            (Gemini, json!({"generation_config": {"max_output_tokens": 14, "candidate_count": 2}}), 28),
            (Gemini, json!({"generationConfig": {"maxOutputTokens": 15, "candidateCount": 4}}), 60),
        ] {
            assert_eq!(
                output_of(Wanted::Reply { format, streams: false }, &body),
                expected,
                "{format:?} {body}"
            );
        }
    }
}
