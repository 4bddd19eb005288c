//! What is taken out of evidence before it is written.
//!
//! Events are cleaned field by field rather than as JSON: a secret that happens to be `text` or `exchange` must not
//! blank the names our own format is made of. Every match below lists all fields, so a new one does not compile
//! until somebody has decided about it.

use std::borrow::Cow;

use umpire_model::{
    Action, BackendAnswer, Body, Consent, Dialog, EpisodeBegan, EventBody, Exchange, ExchangeRequest,
    ExchangeResponse, Guarded, HistoryAccess, Observed, PerturbationRecord, Redactor, Rewarded, Said,
    ScrollArea, Tab, Target,
};

/// Removes secrets from every free text of an event, and the credentials from headers.
pub(crate) fn clean_event(redactor: &Redactor, event: &mut EventBody) {
    match event {
        // The plan's own words: names, digests and numbers of the harness.
        EventBody::Started {
            attempt: _,
            r#try: _,
            instance: _,
            at: _,
            browser: _,
            remote: _,
            viewport: _,
        }
        | EventBody::StateBefore { state: _ }
        | EventBody::StateAfter { state: _ }
        | EventBody::Recorded { requests_seen: _, requests_written: _ } => {}
        EventBody::Staged(staged) => {
            clean_text(redactor, &mut staged.what);
            clean_all(redactor, staged.healed.iter_mut().chain(&mut staged.problem));
        }
        EventBody::BackendAnswer(answer) => clean_backend_answer(redactor, answer),
        EventBody::Perturbed(record) => clean_perturbation(redactor, record),
        EventBody::Observed(observed) => clean_observed(redactor, observed),
        EventBody::Thought { step: _, text } | EventBody::TurnLost { step: _, reason: text } => {
            clean_text(redactor, text);
        }
        EventBody::Acted { step: _, action, at: _, error, took_ms: _ } => {
            clean_action(redactor, action);
            clean_all(redactor, error);
        }
        // Request and reply are blobs, cleaned when they were written.
        EventBody::ModelCalled(call) => {
            clean_text(redactor, &mut call.model);
            clean_all(redactor, &mut call.error);
        }
        EventBody::HistoryAccessed(access) => clean_access(redactor, access),
        EventBody::ForeignAction { step: _, text, at: _, error } => {
            clean_text(redactor, text);
            clean_all(redactor, error);
        }
        EventBody::Exchange(exchange) => clean_exchange(redactor, exchange),
        EventBody::Navigated { tab, url, same_document: _ } => clean_all(redactor, [tab, url]),
        EventBody::TabOpened { tab, opener, url } => {
            clean_all(redactor, [tab, url].into_iter().chain(opener));
        }
        EventBody::TabClosed { tab } | EventBody::TabCrashed { tab } => clean_text(redactor, tab),
        EventBody::Console { tab, level, text } => clean_all(redactor, [tab, level, text]),
        EventBody::Dialog(Dialog { tab, kind, message, accepted: _ }) => {
            clean_all(redactor, [tab, kind, message]);
        }
        EventBody::Download { url, name, bytes: _, state } => clean_all(redactor, [url, name, state]),
        EventBody::Gate { request, decision, reason, suspicious: _ } => {
            clean_all(redactor, [request, decision, reason]);
        }
        EventBody::Guarded(Guarded { kind: _, request, decision: _ }) => clean_text(redactor, request),
        EventBody::AgentOutput { stream, text } => clean_all(redactor, [stream, text]),
        EventBody::Answered { response } => clean_text(redactor, response),
        EventBody::EpisodeBegan(EpisodeBegan { seed: _, mode, seconds: _, utterance }) => {
            clean_all(redactor, [mode, utterance]);
        }
        EventBody::Rewarded(Rewarded { raw: _, reason, event, trusted: _, client_script }) => {
            clean_all(redactor, reason.iter_mut().chain(event).chain(client_script));
        }
        EventBody::Ended { end: _, detail, steps: _, counted: _ } => clean_text(redactor, detail),
    }
}

/// Removes secrets from content. Only an image is left alone, and only if it really is one.
pub(crate) fn clean_content<'a>(redactor: &Redactor, content: &'a [u8]) -> Cow<'a, [u8]> {
    if is_image(content) {
        return Cow::Borrowed(content);
    }
    if std::str::from_utf8(content).is_ok() {
        return redactor.bytes(content);
    }
    // Text in another encoding, or text with a stray byte: the readable stretches are cleaned one by one.
    let mut cleaned = Vec::with_capacity(content.len());
    let mut changed = false;
    for chunk in content.utf8_chunks() {
        let text = redactor.text(chunk.valid());
        changed |= matches!(text, Cow::Owned(_));
        cleaned.extend_from_slice(text.as_bytes());
        cleaned.extend_from_slice(chunk.invalid());
    }
    if changed { Cow::Owned(cleaned) } else { Cow::Borrowed(content) }
}

fn is_image(content: &[u8]) -> bool {
    content.starts_with(b"\x89PNG\r\n\x1a\n") || content.starts_with(b"\xff\xd8\xff")
}

fn clean_all<'a>(redactor: &Redactor, texts: impl IntoIterator<Item = &'a mut String>) {
    for text in texts {
        clean_text(redactor, text);
    }
}

fn clean_text(redactor: &Redactor, text: &mut String) {
    if let Cow::Owned(cleaned) = redactor.text(text) {
        *text = cleaned;
    }
}

fn clean_backend_answer(redactor: &Redactor, answer: &mut BackendAnswer) {
    let BackendAnswer { backend, question: _, asked, when: _, said, took_ms: _ } = answer;
    clean_all(redactor, [backend, asked]);
    match said {
        Said::Json(body) => clean_body(redactor, body),
        Said::Refused(reason) | Said::Unreachable(reason) => clean_text(redactor, reason),
        Said::Nothing => {}
    }
}

fn clean_access(redactor: &Redactor, access: &mut HistoryAccess) {
    let HistoryAccess { step: _, scheme: _, query, reason, method: _, hits, answer, error, took_ms: _ } =
        access;
    clean_text(redactor, query);
    clean_all(redactor, reason.iter_mut().chain(answer).chain(error));
    clean_all(redactor, hits.iter_mut().filter_map(|hit| hit.text.as_mut()));
}

fn clean_perturbation(redactor: &Redactor, record: &mut PerturbationRecord) {
    let PerturbationRecord {
        by: _,
        seed: _,
        delays: _,
        delayed_ms: _,
        faults,
        popups_shown: _,
        popups_closed: _,
        relabelled: _,
        moved: _,
        rewritten: _,
        inverted: _,
        consent,
        // Made by the harness; compared with what the agent says.
        canary: _,
        canary_requests: _,
    } = record;
    clean_all(redactor, faults);
    if let Some(Consent { accepted: _, ticked }) = consent {
        clean_all(redactor, ticked);
    }
}

fn clean_observed(redactor: &Redactor, observed: &mut Observed) {
    let Observed { step: _, url, title, tabs, screenshot: _, outline: _, elements: _, took_ms: _ } = observed;
    clean_all(redactor, [url, title]);
    for Tab { id, url, title, active: _ } in tabs {
        clean_all(redactor, [id, url, title]);
    }
}

fn clean_action(redactor: &Redactor, action: &mut Action) {
    match action {
        Action::Click(target) | Action::Hover(target) | Action::Scroll(ScrollArea::Element(target), _) => {
            clean_target(redactor, target);
        }
        Action::Type(target, text) | Action::Select(target, text) => {
            clean_target(redactor, target);
            clean_text(redactor, text);
        }
        Action::Upload(target, files) => {
            clean_target(redactor, target);
            clean_all(redactor, files);
        }
        Action::Drag(from, to) => {
            clean_target(redactor, from);
            clean_target(redactor, to);
        }
        Action::WaitFor { target, millis: _ } => clean_target(redactor, target),
        Action::Press(text)
        | Action::ScrollToText(text)
        | Action::OpenTab(text)
        | Action::GoTo(text)
        | Action::Answer(text) => clean_text(redactor, text),
        Action::Scroll(ScrollArea::Window | ScrollArea::Popup, _)
        | Action::ScrollBy { x: _, y: _ }
        | Action::ScrollToEnd
        | Action::Save(_)
        | Action::SwitchTab(_)
        | Action::CloseTab
        | Action::Back
        | Action::Forward
        | Action::Wait { millis: _ } => {}
    }
}

fn clean_target(redactor: &Redactor, target: &mut Target) {
    match target {
        Target::Named { role, name, nth: _ } => {
            if let Cow::Owned(_) = redactor.text(role) {
                // One word of letters, or the action's text form would not parse again.
                "redacted".clone_into(role);
            }
            clean_text(redactor, name);
        }
        Target::Css(text) | Target::XPath(text) => clean_text(redactor, text),
        Target::Mark(_) | Target::Point { x: _, y: _ } => {}
    }
}

fn clean_exchange(redactor: &Redactor, exchange: &mut Exchange) {
    let Exchange { target, frame, main_frame: _, resource, started: _, took_ms: _, request, response, error } =
        exchange;
    clean_all(redactor, [target, resource].into_iter().chain(frame).chain(error));
    let ExchangeRequest { method, url, http_version, headers, body } = request;
    clean_all(redactor, [method, url, http_version]);
    clean_headers(redactor, headers);
    clean_body_if_any(redactor, body);
    if let Some(response) = response {
        let ExchangeResponse {
            status: _,
            status_text,
            http_version,
            headers,
            mime,
            encoded_bytes: _,
            from_cache: _,
            remote,
            body,
        } = response;
        clean_all(redactor, [status_text, http_version, mime].into_iter().chain(remote));
        clean_headers(redactor, headers);
        clean_body_if_any(redactor, body);
    }
}

fn clean_headers(redactor: &Redactor, headers: &mut [(String, String)]) {
    for (name, value) in headers {
        *value = redactor.header(name, value).into_owned();
        // Cookie names and attributes stay, and may hold a known secret all the same.
        clean_text(redactor, value);
        clean_text(redactor, name);
    }
}

fn clean_body_if_any(redactor: &Redactor, body: &mut Option<Body>) {
    if let Some(body) = body {
        clean_body(redactor, body);
    }
}

fn clean_body(redactor: &Redactor, body: &mut Body) {
    match body {
        Body::Text(text) | Body::Omitted(text) => clean_text(redactor, text),
        Body::Blob(_) => {}
    }
}
