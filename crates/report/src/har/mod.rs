//! The network of an attempt as HAR 1.2, as browsers' developer tools and others import it.

mod body;
mod cookies;

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use umpire_model::{BlobSource, EventBody, Exchange, ExchangeRequest, ExchangeResponse, Trajectory};

use body::{content, post_data, size_of};
use cookies::{request_cookies, response_cookies};

/// One entry per recorded exchange, each hop of a redirect being one, in the order in which they started.
///
/// `log._selfCheck` compares what the browser reported, what the journal holds and what was written here; its
/// `complete` is false if anything went missing on the way. A body that cannot be read leaves a comment, never a
/// missing entry.
pub fn har(trajectory: &Trajectory, blobs: &dyn BlobSource) -> Value {
    let mut exchanges: Vec<(u64, &Exchange)> = trajectory.exchanges().collect();
    exchanges.sort_by(|(a_seq, a), (b_seq, b)| a.started.total_cmp(&b.started).then(a_seq.cmp(b_seq)));
    let mut pages = Pages::default();
    let entries: Vec<Value> = exchanges
        .iter()
        .map(|(seq, exchange)| {
            let page = pages.page_of(exchange);
            entry(*seq, exchange, page, blobs)
        })
        .collect();
    let (name, version) = browser(trajectory);
    json!({
        "log": {
            "version": "1.2",
            "creator": {"name": "Umpire", "version": env!("CARGO_PKG_VERSION")},
            "browser": {"name": name, "version": version},
            "_selfCheck": self_check(trajectory, entries.len()),
            "pages": pages.into_json(),
            "entries": entries,
        }
    })
}

fn self_check(trajectory: &Trajectory, entries: usize) -> Value {
    let exchanges = trajectory.exchanges().count();
    let recorded = trajectory.events.iter().rev().find_map(|event| match event.body {
        EventBody::Recorded { requests_seen, requests_written } => Some((requests_seen, requests_written)),
        _ => None,
    });
    let nothing_lost_before =
        recorded.is_none_or(|(seen, written)| seen == written && written == exchanges as u64);
    json!({
        "entries": entries,
        "exchanges": exchanges,
        "requestsSeen": recorded.map(|(seen, _)| seen),
        "requestsWritten": recorded.map(|(_, written)| written),
        "damagedLines": trajectory.damaged_lines,
        "complete": entries == exchanges && nothing_lost_before && trajectory.damaged_lines == 0,
    })
}

/// Name and version from what the browser calls itself, such as `Chromium/148.0.1`.
fn browser(trajectory: &Trajectory) -> (&str, &str) {
    let called = trajectory.events.iter().find_map(|event| match &event.body {
        EventBody::Started { browser, .. } => Some(browser.as_str()),
        _ => None,
    });
    let called = called.unwrap_or_default();
    called.split_once(['/', ' ']).unwrap_or((called, ""))
}

fn entry(seq: u64, exchange: &Exchange, page: Option<usize>, blobs: &dyn BlobSource) -> Value {
    let took = exchange.took_ms.max(0.0);
    let mut entry = json!({
        "startedDateTime": date_time(exchange.started),
        "time": took,
        "request": request(&exchange.request, blobs),
        "response": response(exchange.response.as_ref(), exchange.error.as_deref(), blobs),
        "cache": {},
        // The journal holds the whole time only; HAR asks that the parts add up to it.
        "timings": {"blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": took, "receive": 0},
        "_resourceType": exchange.resource.to_ascii_lowercase(),
        "_mainFrame": exchange.main_frame,
        "_target": exchange.target,
        "_seq": seq,
    });
    let mut add = |name: &str, value: Value| {
        entry[name] = value;
    };
    if let Some(page) = page {
        add("pageref", page_name(page).into());
    }
    if let Some(frame) = &exchange.frame {
        add("_frameId", frame.as_str().into());
    }
    if let Some(error) = &exchange.error {
        add("_error", error.as_str().into());
    }
    if let Some(response) = &exchange.response {
        if let Some(remote) = &response.remote {
            let (address, port) = remote.rsplit_once(':').unwrap_or((remote, ""));
            add("serverIPAddress", address.trim_matches(['[', ']']).into());
            add("connection", port.into());
        }
        if response.from_cache {
            add("_fromCache", "disk".into());
        }
    }
    entry
}

fn request(request: &ExchangeRequest, blobs: &dyn BlobSource) -> Value {
    let mut out = json!({
        "method": request.method,
        "url": request.url,
        "httpVersion": request.http_version,
        "cookies": request_cookies(&request.headers),
        "headers": headers(&request.headers),
        "queryString": query_string(&request.url),
        "headersSize": -1,
        "bodySize": request.body.as_ref().map_or(Some(0), size_of).map_or(-1, as_size),
    });
    if let Some(body) = &request.body {
        let mime = header(&request.headers, "content-type").unwrap_or_default();
        out["postData"] = post_data(body, mime, blobs);
    }
    out
}

fn response(response: Option<&ExchangeResponse>, error: Option<&str>, blobs: &dyn BlobSource) -> Value {
    let Some(response) = response else {
        return json!({
            "status": 0,
            "statusText": "",
            "httpVersion": "",
            "cookies": [],
            "headers": [],
            "content": {"size": 0, "mimeType": "x-unknown"},
            "redirectURL": "",
            "headersSize": -1,
            "bodySize": -1,
            "comment": error.unwrap_or("no response was received"),
        });
    };
    let redirect = match response.status {
        300..=399 => header(&response.headers, "location").unwrap_or_default(),
        _ => "",
    };
    json!({
        "status": response.status,
        "statusText": response.status_text,
        "httpVersion": response.http_version,
        "cookies": response_cookies(&response.headers),
        "headers": headers(&response.headers),
        "content": content(response.body.as_ref(), &response.mime, blobs),
        "redirectURL": redirect,
        "headersSize": -1,
        "bodySize": if response.from_cache { 0 } else { as_size(response.encoded_bytes) },
    })
}

fn headers(headers: &[(String, String)]) -> Vec<Value> {
    headers
        .iter()
        // The browser reports repeated headers as lines of one.
        .flat_map(|(name, value)| value.split('\n').map(move |line| json!({"name": name, "value": line})))
        .collect()
}

fn header<'a>(headers: &'a [(String, String)], wanted: &str) -> Option<&'a str> {
    headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.as_str())
}

fn query_string(url: &str) -> Vec<Value> {
    let Ok(url) = url::Url::parse(url) else { return Vec::new() };
    url.query_pairs().map(|(name, value)| json!({"name": name, "value": value})).collect()
}

fn as_size(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(-1)
}

/// ISO 8601 with milliseconds; the epoch for a time that is none.
fn date_time(epoch_ms: f64) -> String {
    let whole = if epoch_ms.is_finite() { epoch_ms.round() as i64 } else { 0 };
    let time = Timestamp::from_millisecond(whole).unwrap_or(Timestamp::UNIX_EPOCH);
    format!("{time:.3}")
}

fn page_name(index: usize) -> String {
    format!("page_{}", index + 1)
}

/// The documents that main frames showed. A chain of redirects is one page, named after where it led.
#[derive(Default)]
struct Pages {
    shown: Vec<Page>,
    /// The page each tab shows.
    current: HashMap<String, usize>,
    latest: Option<usize>,
}

struct Page {
    started: f64,
    title: String,
    redirects: bool,
}

impl Pages {
    /// The page an exchange belongs to; exchanges must come in the order in which they started.
    fn page_of(&mut self, exchange: &Exchange) -> Option<usize> {
        let known = self.current.get(&exchange.target).copied();
        if !exchange.is_navigation() {
            // Workers and frames of another process are targets of their own, without a main frame.
            return known.or(self.latest);
        }
        let redirects =
            exchange.response.as_ref().is_some_and(|response| (300..400).contains(&response.status));
        let index = match known {
            Some(index) if self.shown[index].redirects => index,
            _ => {
                self.shown.push(Page { started: exchange.started, title: String::new(), redirects });
                self.shown.len() - 1
            }
        };
        exchange.request.url.clone_into(&mut self.shown[index].title);
        self.shown[index].redirects = redirects;
        self.current.insert(exchange.target.clone(), index);
        self.latest = Some(index);
        Some(index)
    }

    fn into_json(self) -> Vec<Value> {
        let page = |(index, page): (usize, Page)| {
            let mut out = Map::new();
            out.insert("startedDateTime".to_owned(), date_time(page.started).into());
            out.insert("id".to_owned(), page_name(index).into());
            out.insert("title".to_owned(), page.title.into());
            out.insert("pageTimings".to_owned(), json!({"onContentLoad": -1, "onLoad": -1}));
            Value::Object(out)
        };
        self.shown.into_iter().enumerate().map(page).collect()
    }
}
