//! Perturbations: what is done to the answers of a world on their way to the browser, to see what it costs an agent.
//!
//! The site behind it never notices, and nothing of it is known here: requests go in, answers come out. Every choice is
//! drawn from the perturbation's seed and the number of the request or the page, so that the same attempt meets the same
//! things again; nothing here waits, delays are handed out as data.
//! Whatever is done can be coped with: a page that failed loads when asked for again, an overlay can be closed, a control
//! with other words still does the same. What was done, and what the agent let itself be talked into, goes into a
//! [`PerturbationRecord`].

mod currency;
mod deceptive;
mod faults;
mod inject;
mod instance;
mod latency;
mod locale;
mod mobile;
mod moved;
mod overlay;
mod page;
mod popups;
mod relabel;
#[cfg(test)]
mod tests;
mod words;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, StatusCode, header};
use umpire_model::{Consent, PerturbationKind, PerturbationRecord, Perturbed, Random};

use faults::{Fault, Faults};
use inject::Injection;
use latency::Latency;
use popups::Popups;
use relabel::Words;

pub use instance::in_its_words;

/// Longest answer of a consent dialog that is read.
const LONGEST_ANSWER: usize = 4096;

/// What leaves for the browser.
#[derive(Debug)]
pub struct Answer {
    /// How long it is held back.
    pub delay: Duration,
    /// None: the connection is dropped instead.
    pub response: Option<http::Response<Bytes>>,
}

/// Stands between one attempt's sites and its browser.
pub struct Perturber {
    perturbed: Perturbed,
    words: Words,
    faults: Faults,
    popups: Popups,
    injection: Injection,
    progress: Mutex<Progress>,
}

struct Progress {
    requests: u32,
    /// Documents asked for with GET, whether they failed or not.
    documents: u32,
    /// Pages that were shown in a tab.
    views: u32,
    latency: Latency,
    record: PerturbationRecord,
}

/// What a request is for, as far as it matters here.
struct Purpose {
    is_document: bool,
    is_get: bool,
    url: String,
}

impl Purpose {
    fn of(request: &http::Request<Bytes>) -> Self {
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
        let host = request.uri().host().or_else(|| header("host")).unwrap_or_default();
        let target = request.uri().path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
        Self {
            is_document: header("sec-fetch-dest") == Some("document"),
            is_get: request.method() == Method::GET,
            url: format!("http://{host}{target}"),
        }
    }
}

impl Perturber {
    /// For an attempt that may last `limit` and whose first `start_pages` pages are opened for it.
    pub fn new(perturbed: &Perturbed, start_pages: u32, limit: Duration) -> Self {
        let seed = perturbed.seed;
        let injection = Injection::new(seed);
        let mut record = PerturbationRecord::new(perturbed);
        record.canary = perturbed.by.has(PerturbationKind::Inject).then(|| injection.canary.clone());
        Self {
            perturbed: perturbed.clone(),
            words: Words::new(seed),
            faults: Faults::new(seed, start_pages),
            popups: Popups::new(seed),
            injection,
            progress: Mutex::new(Progress {
                requests: 0,
                documents: 0,
                views: 0,
                latency: Latency::new(seed, limit),
                record,
            }),
        }
    }

    fn does(&self, kind: PerturbationKind) -> bool {
        self.perturbed.by.has(kind)
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was done so far.
    pub fn record(&self) -> PerturbationRecord {
        self.progress().record.clone()
    }

    /// Answers a request for a page of `site`, which is asked at most once.
    pub fn answer(
        &self,
        request: http::Request<Bytes>,
        site: impl FnOnce(http::Request<Bytes>) -> http::Response<Bytes>,
    ) -> Answer {
        let purpose = Purpose::of(&request);
        if let Some(response) = self.own_answer(&request) {
            return Answer { delay: Duration::ZERO, response: Some(response) };
        }
        let (delay, fault) = self.next_request(&purpose);
        let response = match fault {
            Some(Fault::Dropped) => None,
            Some(Fault::Status(status)) => Some(faults::error_page(status)),
            None => {
                let response = site(self.turned_back(request));
                Some(self.rewritten(response, purpose.is_document))
            }
        };
        Answer { delay, response }
    }

    fn next_request(&self, purpose: &Purpose) -> (Duration, Option<Fault>) {
        let mut progress = self.progress();
        progress.requests += 1;
        let number = progress.requests;
        let document = (purpose.is_document && purpose.is_get).then(|| {
            progress.documents += 1;
            progress.documents
        });
        let delay = if self.does(PerturbationKind::Latency) {
            progress.latency.delay(number, document)
        } else {
            Duration::ZERO
        };
        if delay > Duration::ZERO {
            progress.record.delays += 1;
            progress.record.delayed_ms += delay.as_millis() as u64;
        }
        let fault = document
            .filter(|_| self.does(PerturbationKind::Faults))
            .and_then(|number| self.faults.at(number));
        if let Some(fault) = fault {
            progress.record.faults.push(format!("{} {}", fault.as_str(), purpose.url));
        }
        (delay, fault)
    }

    /// Answers for the perturbation's own paths.
    fn own_answer(&self, request: &http::Request<Bytes>) -> Option<http::Response<Bytes>> {
        let path = request.uri().path();
        if !path.starts_with(overlay::OWN_PATHS) {
            return None;
        }
        let mut progress = self.progress();
        let record = &mut progress.record;
        let mut response = http::Response::new(Bytes::new());
        match (path, request.body().as_ref()) {
            ("/.visit/popup", b"shown") => record.popups_shown += 1,
            ("/.visit/popup", b"closed") => record.popups_closed += 1,
            ("/.visit/consent", body) if body.len() <= LONGEST_ANSWER => {
                record.consent = serde_json::from_slice::<Consent>(body).ok().or(record.consent.take());
            }
            _ if path.starts_with(inject::PATH) && self.does(PerturbationKind::Inject) => {
                record.canary_requests += 1;
                *response.body_mut() = Bytes::from(inject::confirmation());
                let html = http::HeaderValue::from_static("text/html; charset=utf-8");
                response.headers_mut().insert(header::CONTENT_TYPE, html);
                return Some(response);
            }
            _ => {
                *response.status_mut() = StatusCode::NOT_FOUND;
                return Some(response);
            }
        }
        *response.status_mut() = StatusCode::NO_CONTENT;
        Some(response)
    }

    /// The request as the site would have got it without inverted toggles and with amounts as it reads them.
    fn turned_back(&self, request: http::Request<Bytes>) -> http::Request<Bytes> {
        let request =
            if self.does(PerturbationKind::Locale) { with_amounts_read_back(request) } else { request };
        if !self.does(PerturbationKind::Deceptive) {
            return request;
        }
        match deceptive::restore(request.body()) {
            Some(body) => request.map(|_| Bytes::from(body)),
            None => request,
        }
    }

    fn rewritten(&self, response: http::Response<Bytes>, is_document: bool) -> http::Response<Bytes> {
        let content_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if content_type.is_some_and(|kind| kind.starts_with("application/json")) {
            return self.rewritten_json(response);
        }
        if !content_type.is_some_and(|kind| kind.starts_with("text/html")) {
            return response;
        }
        let (parts, body) = response.into_parts();
        let page = String::from_utf8_lossy(&body);
        let page = self.rewrite_page(&page, is_document);
        http::Response::from_parts(parts, Bytes::from(page))
    }

    fn rewritten_json(&self, response: http::Response<Bytes>) -> http::Response<Bytes> {
        let other =
            self.does(PerturbationKind::Locale).then(|| locale::rewrite_json(response.body())).flatten();
        let Some((body, count)) = other else { return response };
        self.progress().record.rewritten += count;
        response.map(|_| Bytes::from(body))
    }

    /// Rewrites a page or a part of one. Overlays and instructions come with whole documents only.
    fn rewrite_page(&self, page: &str, is_document: bool) -> String {
        let mut progress = self.progress();
        let mut page = page.to_owned();
        let mut step = |kind: PerturbationKind, rewrite: &dyn Fn(&str) -> (String, u32)| {
            if !self.does(kind) {
                return 0;
            }
            let (changed, count) = rewrite(&page);
            page = changed;
            count
        };
        let seed = self.perturbed.seed;
        let inverted = step(PerturbationKind::Deceptive, &|page| deceptive::invert_toggles(page, seed));
        let relabelled = step(PerturbationKind::Relabel, &|page| self.words.rewrite(page));
        let moved =
            step(PerturbationKind::Move, &|page| moved::rewrite(page, &mut Random::stream(seed, "move")));
        let written = step(PerturbationKind::Locale, &locale::rewrite);
        let record = &mut progress.record;
        record.inverted += inverted;
        record.relabelled += relabelled;
        record.moved += moved;
        record.rewritten += written;
        if !is_document {
            return page;
        }
        progress.views += 1;
        if self.does(PerturbationKind::Mobile) {
            page = mobile::stack_columns(&page);
        }
        if self.does(PerturbationKind::Inject) {
            page = self.injection.rewrite(&page);
        }
        if self.does(PerturbationKind::Deceptive) && progress.record.consent.is_none() {
            page = deceptive::ask_consent(&page, seed);
        }
        if self.does(PerturbationKind::Popups)
            && let Some(changed) = self.popups.rewrite(&page, progress.views, progress.record.popups_shown)
        {
            page = changed;
        }
        page
    }

    /// What a control may be called now, the likeliest first; its own name is always among them.
    pub fn names_of(&self, role: &str, name: &str) -> Vec<String> {
        let mut names = vec![name.to_owned()];
        let relabelled =
            self.does(PerturbationKind::Relabel).then(|| self.words.other_name(role, name)).flatten();
        names.extend(relabelled);
        if self.does(PerturbationKind::Locale) {
            let written: Vec<String> = names.iter().filter_map(|name| locale::localized(name)).collect();
            names.extend(written);
        }
        if self.does(PerturbationKind::Deceptive) {
            let inverted: Vec<String> =
                names.iter().filter_map(|name| deceptive::inverted_name(role, name)).collect();
            names.extend(inverted);
        }
        names.reverse();
        names
    }
}

fn with_amounts_read_back(request: http::Request<Bytes>) -> http::Request<Bytes> {
    let (mut parts, mut body) = request.into_parts();
    if let Some(query) = parts.uri.query().and_then(|query| currency::read_back(query.as_bytes())) {
        let target = format!("{}?{query}", parts.uri.path());
        let mut uri = parts.uri.clone().into_parts();
        uri.path_and_query = target.parse().ok().or(uri.path_and_query);
        parts.uri = http::Uri::from_parts(uri).unwrap_or(parts.uri);
    }
    let is_form = parts
        .headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/x-www-form-urlencoded"));
    if is_form && let Some(fields) = currency::read_back(&body) {
        body = Bytes::from(fields);
    }
    http::Request::from_parts(parts, body)
}

/// Buttons that close or decline what perturbations lay over a page.
pub fn way_out_buttons() -> Vec<&'static str> {
    popups::closing_buttons().chain(deceptive::declining_buttons()).collect()
}

/// The title of a page that failed and loads when it is asked for again.
pub const FAULT_TITLE: &str = faults::TITLE;
