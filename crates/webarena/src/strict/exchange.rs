//! A recorded request of a foreign trace as an exchange of ours.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use umpire_model::{Body, Exchange, ExchangeRequest, ExchangeResponse};
use url::form_urlencoded;

use crate::trace::{self, BodyMember, Event};

/// `None` if it does not say what was asked for. Traces have no clock worth trusting: their order is the order.
pub(super) fn of(event: &Event, position: usize) -> Option<Exchange> {
    let (url, method) = (event.url().ok()?, event.method().ok()?);
    let mut headers: Vec<(String, String)> = event
        .headers
        .well_formed()
        .iter()
        .map(|header| (header.name.clone(), header.value.clone()))
        .collect();
    let post_data = event.post_data.as_ref().ok().and_then(Option::as_ref);
    let (body, mime) = post_data.map_or((None, None), read_body);
    if let Some(mime) = mime
        && event.header("content-type").is_none_or(|given| post_data.is_some() && given != mime)
    {
        headers.retain(|(name, _)| name != "content-type");
        headers.push(("content-type".to_owned(), mime));
    }
    let is_page = is_page(event);
    let response = event.status_code().filter(|status| *status > 0).map(|status| response(event, status));
    Some(Exchange {
        target: "trace".to_owned(),
        frame: None,
        main_frame: is_page,
        resource: if is_page { "Document" } else { "Other" }.to_owned(),
        started: position as f64,
        took_ms: 0.0,
        error: response.is_none().then(|| "no answer was recorded".to_owned()),
        request: ExchangeRequest {
            method: method.to_owned(),
            url: url.to_owned(),
            http_version: String::new(),
            headers,
            body,
        },
        response,
    })
}

fn response(event: &Event, status: u16) -> ExchangeResponse {
    let content = event.content.as_ref().ok().and_then(Option::as_ref);
    let (body, mime) = content.map_or((None, None), read_body);
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
    ExchangeResponse {
        status,
        status_text: String::new(),
        http_version: String::new(),
        headers,
        mime: mime.unwrap_or_default(),
        encoded_bytes: 0,
        from_cache: false,
        remote: None,
        body,
    }
}

/// The body as text with its media type. Form fields that were listed one by one become the form they were.
fn read_body(body: &trace::Body) -> (Option<Body>, Option<String>) {
    let mime = match &body.mime_type {
        BodyMember::Text(mime) if !mime.is_empty() => Some(mime.clone()),
        _ => None,
    };
    match &body.text {
        BodyMember::Text(text) if !text.is_empty() => {
            let is_base64 =
                body.encoding.as_deref().is_some_and(|encoding| encoding.eq_ignore_ascii_case("base64"));
            let text = if is_base64 { decoded(text) } else { Some(text.clone()) };
            let body = text.map_or_else(|| Body::Omitted("it is not base64".to_owned()), Body::Text);
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

fn decoded(text: &str) -> Option<String> {
    let bytes = STANDARD.decode(text.trim()).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
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
