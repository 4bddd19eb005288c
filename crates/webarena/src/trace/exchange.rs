//! A recorded request of a foreign trace as an exchange of ours.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use umpire_model::{Body, Exchange, ExchangeRequest, ExchangeResponse};
use url::form_urlencoded;

use super::{Body as TraceBody, BodyMember, Event};

/// Keeps the bytes of a body that was not written down as text.
type Keep<'a> = &'a dyn Fn(&[u8]) -> Body;

/// `None` if it does not say what was asked for. Where a trace has no clock, its order stands for the time.
pub fn exchange(event: &Event, position: usize, keep: Keep<'_>) -> Option<Exchange> {
    let (url, method) = (event.url().ok()?, event.method().ok()?);
    let mut headers: Vec<(String, String)> = event
        .headers
        .well_formed()
        .iter()
        .map(|header| (header.name.clone(), header.value.clone()))
        .collect();
    let post_data = event.post_data.as_ref().ok().and_then(Option::as_ref);
    let (body, mime) = post_data.map_or((None, None), |body| read_body(body, keep));
    if let Some(mime) = mime
        && event.header("content-type").is_none_or(|given| post_data.is_some() && given != mime)
    {
        headers.retain(|(name, _)| name != "content-type");
        headers.push(("content-type".to_owned(), mime));
    }
    let is_page = is_page(event);
    let around = event.surroundings.clone().unwrap_or_default();
    let response =
        event.status_code().filter(|status| *status > 0).map(|status| response(event, status, keep));
    let started = around.started.as_deref().and_then(|text| text.parse::<Timestamp>().ok());
    Some(Exchange {
        target: "trace".to_owned(),
        frame: around.frame,
        main_frame: around.main_frame.unwrap_or(is_page),
        resource: resource(around.resource_type.as_deref(), is_page),
        started: started.map_or(position as f64, |time| time.as_microsecond() as f64 / 1000.0),
        took_ms: number(around.time.as_deref()).unwrap_or(0.0).max(0.0),
        error: around.error.or_else(|| response.is_none().then(|| "no answer was recorded".to_owned())),
        request: ExchangeRequest {
            method: method.to_owned(),
            url: url.to_owned(),
            http_version: around.request_version.unwrap_or_default(),
            headers,
            body,
        },
        response,
    })
}

/// Chromium's name of a resource type, whichever way the recorder spells it.
fn resource(told: Option<&str>, is_page: bool) -> String {
    let Some(told) = told.filter(|told| !told.is_empty()) else {
        return if is_page { "Document" } else { "Other" }.to_owned();
    };
    match told.to_ascii_lowercase().as_str() {
        "xhr" => "XHR".to_owned(),
        "eventsource" => "EventSource".to_owned(),
        "websocket" => "WebSocket".to_owned(),
        "cspviolationreport" => "CSPViolationReport".to_owned(),
        "texttrack" => "TextTrack".to_owned(),
        lower => {
            let (first, rest) = lower.split_at(lower.chars().next().map_or(0, char::len_utf8));
            format!("{}{rest}", first.to_uppercase())
        }
    }
}

fn number(text: Option<&str>) -> Option<f64> {
    text?.parse::<f64>().ok().filter(|number| number.is_finite())
}

fn response(event: &Event, status: u16, keep: Keep<'_>) -> ExchangeResponse {
    let content = event.content.as_ref().ok().and_then(Option::as_ref);
    let (body, mime) = content.map_or((None, None), |body| read_body(body, keep));
    let around = event.surroundings.clone().unwrap_or_default();
    let headers = if around.response_headers.is_empty() {
        headers_of_the_essentials(event, status)
    } else {
        around.response_headers.iter().map(|header| (header.name.clone(), header.value.clone())).collect()
    };
    ExchangeResponse {
        status,
        status_text: around.status_text.unwrap_or_default(),
        http_version: around.response_version.unwrap_or_default(),
        headers,
        mime: mime.unwrap_or_default(),
        encoded_bytes: number(around.body_size.as_deref()).unwrap_or(0.0).max(0.0) as u64,
        from_cache: false,
        remote: None,
        body,
    }
}

/// What is left of the headers where only their taken-apart forms were kept.
fn headers_of_the_essentials(event: &Event, status: u16) -> Vec<(String, String)> {
    let cookies = event.cookies.well_formed().iter();
    // Already unescaped there, and about to be unescaped again.
    let escaped =
        |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
    let mut headers: Vec<(String, String)> = cookies
        .map(|cookie| ("set-cookie".to_owned(), format!("{}={}", cookie.name, escaped(&cookie.value))))
        .collect();
    if matches!(status, 301 | 302 | 303 | 307 | 308) {
        headers.push(("location".to_owned(), event.redirect_url.clone().unwrap_or_default()));
    }
    headers
}

/// The body with its media type. Form fields that were listed one by one become the form they were.
fn read_body(body: &TraceBody, keep: Keep<'_>) -> (Option<Body>, Option<String>) {
    let mime = match &body.mime_type {
        BodyMember::Text(mime) if !mime.is_empty() => Some(mime.clone()),
        _ => None,
    };
    match &body.text {
        BodyMember::Text(text) if !text.is_empty() => {
            let is_base64 =
                body.encoding.as_deref().is_some_and(|encoding| encoding.eq_ignore_ascii_case("base64"));
            let body = match is_base64.then(|| STANDARD.decode(text.trim())) {
                None => Body::Text(text.clone()),
                Some(Ok(bytes)) => keep(&bytes),
                Some(Err(_)) => Body::Omitted("it is not base64".to_owned()),
            };
            (Some(body), mime)
        }
        BodyMember::TooLong => (Some(Body::Omitted("it is too long".to_owned())), mime),
        _ if !body.parameters.is_empty() => {
            let mut form = form_urlencoded::Serializer::new(String::new());
            form.extend_pairs(&body.parameters);
            (Some(Body::Text(form.finish())), Some("application/x-www-form-urlencoded".to_owned()))
        }
        _ => (None, mime),
    }
}

/// Whether a document was loaded into a tab. Browsers say what a request is for; only where they do not, a wish for
/// HTML has to do. A frame inside a page is no page.
fn is_page(event: &Event) -> bool {
    let lowered = |name| event.header(name).map(str::to_lowercase);
    let accepts_html = lowered("accept").is_some_and(|accept| accept.contains("text/html"));
    let is_get = event.method().is_ok_and(|method| method.eq_ignore_ascii_case("get"));
    match (lowered("sec-fetch-dest"), lowered("sec-fetch-mode")) {
        (Some(destination), mode) => {
            destination == "document" && mode.is_none_or(|mode| mode == "navigate") && accepts_html
        }
        (None, _) => is_get && lowered("accept").is_some_and(|accept| accept.starts_with("text/html")),
    }
}
