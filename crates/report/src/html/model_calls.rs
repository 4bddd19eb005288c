//! What models were asked, what it took and what it cost.

use maud::{Markup, html};
use umpire_model::{CallSource, ModelCall, Spending, Usage};

use super::recording::Recording;
use crate::wording::{bytes, clipped, count};

const ERROR_SHOWN: usize = 400;

pub fn model_calls(recording: &Recording<'_>) -> Markup {
    if recording.calls.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 id="models" {
                "Models " span.muted { (count(recording.calls.len(), "call")) ", " (total(&recording.calls)) }
            }
            div.scroll tabindex="0" role="region" aria-label="Calls of models" {
                table.wide {
                    thead {
                        tr {
                            th.number { "step" } th { "model" } th.number { "read" } th.number { "cached" }
                            th.number { "written" } th.number { "cost" } th.number { "ms" } th { "reply" }
                        }
                    }
                    tbody { @for (step, call) in &recording.calls { (row(*step, call)) } }
                }
            }
        }
    }
}

/// The sum, or what is known of it.
fn total(calls: &[(u32, &ModelCall)]) -> String {
    let mut spending = Spending::default();
    for (_, call) in calls {
        spending.count(call);
    }
    let Usage { input, output, .. } = spending.usage;
    format!("{input} tokens read, {output} written, cost {spending}")
}

fn row(step: u32, call: &ModelCall) -> Markup {
    let of_usage =
        |part: fn(Usage) -> u64| call.usage.map_or("?".to_owned(), |usage| part(usage).to_string());
    html! {
        tr {
            td.number { @if step > 0 { a href={ "#step-" (step) } { (step) } } }
            td.nowrap { (clipped(&call.model, ERROR_SHOWN)) }
            td.number { (of_usage(|usage| usage.input)) }
            td.number { (of_usage(|usage| usage.cached_input)) }
            td.number { (of_usage(|usage| usage.output)) }
            td.number { @match call.cost { Some(cost) => (cost), None => "?" } }
            td.number { (call.took_ms) }
            td.said {
                @if let Some(error) = &call.error { span.bad { (clipped(error, ERROR_SHOWN)) } }
                @else if let Some(reply) = &call.reply { (bytes(reply.bytes)) }
                @match call.source {
                    CallSource::Provider => {}
                    CallSource::Cache => { span.muted { " from the cache" } }
                    CallSource::Cassette => { span.muted { " from the cassette" } }
                }
                @if call.tries > 1 { span.muted { " after " (call.tries) " tries" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use umpire_model::{BlobRef, Digest, Event, EventBody, JOURNAL_VERSION, Media, Trajectory, UsdMicros};

    use super::*;

    fn call(usage: Option<Usage>, cost: Option<UsdMicros>, error: Option<&str>) -> EventBody {
        let request = BlobRef { digest: Digest::of(b"request"), media: Media::Json, bytes: 7 };
        EventBody::ModelCalled(Box::new(ModelCall {
            step: Some(2),
            model: "small".to_owned(),
            reply: error.is_none().then(|| BlobRef { bytes: 900, ..request.clone() }),
            request,
            usage,
            cost,
            source: CallSource::Provider,
            tries: 3,
            took_ms: 1200,
            error: error.map(str::to_owned),
        }))
    }

    fn page(calls: Vec<EventBody>) -> String {
        let events =
            calls.into_iter().map(|body| Event { v: JOURNAL_VERSION, seq: 1, ms: 0, body }).collect();
        model_calls(&Recording::of(&Trajectory { events, ..Trajectory::default() })).into_string()
    }

    #[test]
    fn an_unknown_cost_is_not_counted_as_nothing() {
        let usage = Some(Usage { input: 1000, output: 50, ..Usage::default() });
        let known = call(usage, Some(UsdMicros(1500)), None);
        assert!(page(vec![known.clone()]).contains("1000 tokens read, 50 written, cost $0.0015"));
        let page_of_both = page(vec![known, call(None, None, Some("<b>gone"))]);
        assert!(page_of_both.contains("cost $0.0015 and more"), "{page_of_both}");
        assert!(page_of_both.contains("&lt;b&gt;gone"));
        assert!(page(vec![call(None, None, None)]).contains("cost unknown"));
        assert_eq!(page(Vec::new()), "");
    }
}
