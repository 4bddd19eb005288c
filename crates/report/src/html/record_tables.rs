//! Network, gate, console and the agent's own output.

use std::collections::HashMap;

use maud::{Markup, html};
use umpire_model::{Body, Exchange};

use super::recording::{Recording, Request};
use crate::wording::{bytes, clipped, count};

const URL_SHOWN: usize = 400;
const BODY_SHOWN: usize = 4000;
/// Hostile pages can log and load without end; the journal has everything.
const ROWS_SHOWN: usize = 400;
const OUTPUT_SHOWN: usize = 60_000;

/// Which checks rest on which event.
pub type CheckNumbers = HashMap<u64, Vec<usize>>;

pub fn network(recording: &Recording<'_>, evidence: &CheckNumbers) -> Markup {
    let (telling, rest): (Vec<&Request<'_>>, Vec<&Request<'_>>) =
        recording.exchanges.iter().partition(|request| is_telling(request, evidence));
    let lost = recording.recorded.filter(|(seen, written)| seen != written);
    html! {
        section {
            h2 id="network" { "Network " span.muted { (count(recording.exchanges.len(), "request")) } }
            @if let Some((seen, written)) = lost {
                p.bad { "The recorder saw " (count(seen as usize, "request")) " and wrote " (written) "." }
            }
            @if !telling.is_empty() { (network_table(&telling, evidence)) }
            @if !rest.is_empty() {
                details {
                    summary { (count(rest.len(), "further request")) span.muted { " for scripts, styles, images and fonts" } }
                    (network_table(&rest, evidence))
                }
            }
        }
    }
}

/// What the agent caused, what failed, and what a verdict rests on; not what pages are dressed with.
fn is_telling(request: &Request<'_>, evidence: &CheckNumbers) -> bool {
    let exchange = request.exchange;
    evidence.contains_key(&request.seq)
        || !matches!(
            exchange.resource.as_str(),
            "Script" | "Stylesheet" | "Image" | "Font" | "Media" | "Manifest" | "Preflight"
        )
        || exchange.error.is_some()
        || exchange.response.as_ref().is_some_and(|response| response.status >= 400)
}

fn network_table(requests: &[&Request<'_>], evidence: &CheckNumbers) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Requests" {
            table.net.wide {
                thead {
                    tr {
                        th.number { "step" } th { "method" } th { "status" } th { "type" } th { "URL" }
                        th.number { "size" } th.number { "ms" } th { "evidence" }
                    }
                }
                tbody { @for request in requests.iter().take(ROWS_SHOWN) { (network_row(request, evidence)) } }
            }
            @if requests.len() > ROWS_SHOWN {
                p.muted { "and " (requests.len() - ROWS_SHOWN) " more in the journal" }
            }
        }
    }
}

fn network_row(request: &Request<'_>, evidence: &CheckNumbers) -> Markup {
    let Request { seq, step, exchange } = request;
    let checks = evidence.get(seq);
    html! {
        tr id={ "e-" (seq) } class=[checks.map(|_| "evidence")] {
            td.number { (step) }
            td.mono.said { (clipped(&exchange.request.method, 20)) }
            td.mono { (status(exchange)) }
            td { (clipped(&exchange.resource, 20)) }
            td.url.mono.said {
                (clipped(&exchange.request.url, URL_SHOWN))
                (sent_body(exchange))
            }
            td.number { @if let Some(response) = &exchange.response { (bytes(response.encoded_bytes)) } }
            td.number { (format!("{:.0}", exchange.took_ms)) }
            td.nowrap {
                @for number in checks.into_iter().flatten() { a href={ "#check-" (number) } { "check " (number) } " " }
            }
        }
    }
}

fn status(exchange: &Exchange) -> Markup {
    match (&exchange.response, &exchange.error) {
        (Some(response), _) => {
            html! { span class=[(response.status >= 400).then_some("bad")] { (response.status) } }
        }
        (None, Some(error)) => html! { span.bad title=(clipped(error, URL_SHOWN)) { "failed" } },
        (None, None) => html! { span.muted { "none" } },
    }
}

fn sent_body(exchange: &Exchange) -> Markup {
    match &exchange.request.body {
        Some(Body::Text(text)) if !text.is_empty() => html! {
            details { summary { "body, " (bytes(text.len() as u64)) } pre.said { (clipped(text, BODY_SHOWN)) } }
        },
        Some(Body::Blob(blob)) => html! { br; span.muted { "body of " (bytes(blob.bytes)) } },
        Some(Body::Omitted(reason)) => {
            html! { br; span.muted { "body not kept: " (clipped(reason, URL_SHOWN)) } }
        }
        _ => html! {},
    }
}

pub fn gate(recording: &Recording<'_>) -> Markup {
    html! {
        @if !recording.gate.is_empty() {
            section {
                h2 { "Gate " span.muted { (count(recording.gate.len(), "note")) } }
                table.wide {
                    thead { tr { th { "decision" } th { "request" } th { "reason" } } }
                    tbody {
                        @for note in recording.gate.iter().take(ROWS_SHOWN) {
                            tr id={ "e-" (note.seq) } {
                                td.nowrap { (note.decision) @if note.suspicious { " " b.bad { "suspicious" } } }
                                td.mono.said { (clipped(note.request, URL_SHOWN)) }
                                td.said { (clipped(note.reason, URL_SHOWN)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

pub fn console(recording: &Recording<'_>) -> Markup {
    html! {
        @if !recording.console.is_empty() {
            section {
                h2 { "Console " span.muted { (count(recording.console.len(), "line")) } }
                table.net.wide {
                    thead { tr { th.number { "step" } th { "level" } th { "text" } } }
                    tbody {
                        @for line in recording.console.iter().take(ROWS_SHOWN) {
                            tr {
                                td.number { (line.step) }
                                td class=[(line.level == "error").then_some("bad")] { (clipped(line.level, 20)) }
                                td.url.mono.said { (clipped(line.text, URL_SHOWN)) }
                            }
                        }
                    }
                }
                @if recording.console.len() > ROWS_SHOWN {
                    p.muted { "and " (recording.console.len() - ROWS_SHOWN) " more in the journal" }
                }
            }
        }
    }
}

pub fn agent_output(recording: &Recording<'_>) -> Markup {
    let mut shown = String::new();
    for (stream, text) in &recording.output {
        if shown.len() > OUTPUT_SHOWN {
            break;
        }
        let mark = if *stream == "stderr" { "! " } else { "  " };
        for line in text.lines() {
            shown.push_str(mark);
            shown.push_str(line);
            shown.push('\n');
        }
    }
    html! {
        @if !recording.output.is_empty() {
            section {
                h2 { "Agent output " span.muted { "standard error is marked with !" } }
                pre.said tabindex="0" { (clipped(&shown, OUTPUT_SHOWN)) }
            }
        }
    }
}
