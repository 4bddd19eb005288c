//! Questions and orders to REST endpoints.
//!
//! Redirects are followed inside the connection's own origin only: anywhere else the configured headers, which are
//! credentials, would be shown to a stranger.

mod exchange;
mod tls;

use hyper::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HOST, LOCATION, USER_AGENT};
use hyper::{Method, Request, StatusCode};
use serde_json::Value;
use umpire_model::{CallOrder, PostQuestion};
use url::Url;

use crate::problem::Problem;
use exchange::{Answer, send};

const MOST_REDIRECTS: u32 = 5;

type Headers = [(String, String)];

pub(crate) async fn get(base: &Url, headers: &Headers, path: &str) -> Result<Option<Value>, Problem> {
    follow(base, headers, Method::GET, path, None).await
}

pub(crate) async fn post(
    base: &Url,
    headers: &Headers,
    question: &PostQuestion,
) -> Result<Option<Value>, Problem> {
    if !question.read_only {
        return Err(Problem::refused("a POST may change something; one that does not says `read_only`"));
    }
    follow(base, headers, Method::POST, &question.path, Some(&question.body)).await
}

/// Makes a call that changes something. No redirect is followed: what it would do elsewhere nobody wrote down.
pub(crate) async fn call(base: &Url, headers: &Headers, order: &CallOrder) -> Result<(), Problem> {
    let method = Method::from_bytes(order.method.as_bytes())
        .map_err(|_| Problem::refused(format!("`{}` is no method", order.method)))?;
    let url = below(base, &order.path)?;
    let body = (!order.body.is_null()).then_some(&order.body);
    let answer = send(&url, request(&url, headers, &method, body)?).await?;
    match answer.status.as_u16() {
        200..=299 => Ok(()),
        status if order.also_fine.contains(&status) => Ok(()),
        status @ (401 | 403 | 407) => {
            Err(Problem::unreachable(format!("it does not let us in (status {status})")))
        }
        status @ (408 | 425 | 429 | 500..) => {
            Err(Problem::unreachable(format!("it is not well (status {status})")))
        }
        status => Err(Problem::refused(format!("it does not do it (status {status})"))),
    }
}

/// Posts a JSON document to an address that is nobody's connection, and gives the text of the answer back. No redirect is
/// followed.
pub async fn post_json(url: &Url, body: &Value) -> Result<String, String> {
    let told = |problem: Problem| problem.to_string();
    let answer =
        send(url, request(url, &[], &Method::POST, Some(body)).map_err(told)?).await.map_err(told)?;
    match answer.status.as_u16() {
        200..=299 => String::from_utf8(answer.body.into()).map_err(|error| error.to_string()),
        status => Err(format!("it answered with status {status}")),
    }
}

async fn follow(
    base: &Url,
    headers: &Headers,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Result<Option<Value>, Problem> {
    let mut url = below(base, path)?;
    for _ in 0..=MOST_REDIRECTS {
        let answer = send(&url, request(&url, headers, &method, body)?).await?;
        match answer.location() {
            Some(location) => url = redirected(&url, location, &method, answer.status)?,
            None => return read(&answer),
        }
    }
    Err(Problem::refused(format!("more than {MOST_REDIRECTS} redirects")))
}

/// The URL of a path, which must stay below the connection's own.
fn below(base: &Url, path: &str) -> Result<Url, Problem> {
    let refused = || Problem::refused(format!("`{path}` is no path below the connection's URL"));
    if !path.starts_with('/') {
        return Err(refused());
    }
    let prefix = base.as_str().trim_end_matches('/');
    let url = Url::parse(&format!("{prefix}{path}")).map_err(|_| refused())?;
    let root = Url::parse(prefix).map_err(|_| refused())?;
    let folder = format!("{}/", root.path().trim_end_matches('/'));
    if url.origin() == base.origin() && url.path().starts_with(&folder) { Ok(url) } else { Err(refused()) }
}

fn redirected(from: &Url, location: &str, method: &Method, status: StatusCode) -> Result<Url, Problem> {
    let to = from.join(location).map_err(|_| Problem::refused("it redirects to something that is no URL"))?;
    if to.origin() != from.origin() {
        let stranger = to.origin().ascii_serialization();
        return Err(Problem::refused(format!("it redirects elsewhere, to {stranger}")));
    }
    // These two alone promise that the question stays the same one.
    let keeps_the_body = matches!(status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
    if method == Method::POST && !keeps_the_body {
        return Err(Problem::refused(format!("it redirects a POST with {}", status.as_u16())));
    }
    Ok(to)
}

fn request(
    url: &Url,
    headers: &Headers,
    method: &Method,
    body: Option<&Value>,
) -> Result<Request<String>, Problem> {
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let mut builder = Request::builder().method(method).uri(target).header(HOST, host);
    for (name, value) in headers {
        builder = builder.header(name, value);
    }
    if let Some(map) = builder.headers_mut() {
        map.entry(ACCEPT).or_insert(hyper::header::HeaderValue::from_static("application/json"));
        map.entry(USER_AGENT).or_insert(hyper::header::HeaderValue::from_static("umpire"));
        map.insert(ACCEPT_ENCODING, hyper::header::HeaderValue::from_static("identity"));
        if body.is_some() {
            map.insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static("application/json"));
        }
    }
    let body = body.map(Value::to_string).unwrap_or_default();
    builder.body(body).map_err(|error| Problem::refused(format!("the request cannot be made: {error}")))
}

/// What the status says about whose turn it is: the deployment's (credentials, load, faults) or the check's.
fn read(answer: &Answer) -> Result<Option<Value>, Problem> {
    let status = answer.status.as_u16();
    match status {
        204 => return Ok(Some(Value::Null)),
        200..=299 => {}
        404 | 410 => return Ok(None),
        401 | 403 | 407 => {
            return Err(Problem::unreachable(format!("it does not let us in (status {status})")));
        }
        408 | 425 | 429 | 500.. => {
            return Err(Problem::unreachable(format!("it is not well (status {status})")));
        }
        _ => return Err(Problem::refused(format!("it does not take the question (status {status})"))),
    }
    if let Some(encoding) = answer.headers.get(CONTENT_ENCODING).filter(|encoding| *encoding != "identity") {
        let encoding = String::from_utf8_lossy(encoding.as_bytes());
        return Err(Problem::refused(format!(
            "the answer is encoded ({encoding}) although it was asked plain"
        )));
    }
    serde_json::from_slice(&answer.body)
        .map(Some)
        .map_err(|error| Problem::refused(format!("the answer is no JSON: {error}")))
}

impl Answer {
    fn location(&self) -> Option<&str> {
        let is_redirect = matches!(self.status.as_u16(), 301 | 302 | 303 | 307 | 308);
        self.headers.get(LOCATION).filter(|_| is_redirect)?.to_str().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_the_connection() {
        let base = Url::parse("https://shop.example/rest/v1/").expect("a URL");
        for (path, expected) in [
            ("/orders", Some("https://shop.example/rest/v1/orders")),
            ("/orders?a=b&c=%20", Some("https://shop.example/rest/v1/orders?a=b&c=%20")),
            ("//other.example/x", Some("https://shop.example/rest/v1//other.example/x")),
            ("orders", None),
            ("https://other.example/", None),
            ("/../../admin", None),
            ("/%2e%2e/admin", None),
            ("@other.example/", None),
        ] {
            let url = below(&base, path).ok();
            assert_eq!(url.as_ref().map(Url::as_str), expected, "{path}");
        }
        let plain = Url::parse("http://localhost:8080").expect("a URL");
        assert_eq!(below(&plain, "/x").expect("below").as_str(), "http://localhost:8080/x");
        assert!(below(&plain, ":9/x").is_err());
    }

    #[test]
    fn redirects_stay_at_home() {
        let from = Url::parse("https://shop.example/a/b").expect("a URL");
        for (location, method, status, allowed) in [
            ("c", Method::GET, 302, true),
            ("/c?d", Method::GET, 301, true),
            ("https://shop.example:443/x", Method::GET, 308, true),
            ("http://shop.example/x", Method::GET, 302, false),
            ("https://shop.example:444/x", Method::GET, 302, false),
            ("//other.example/", Method::GET, 302, false),
            ("https://shop.example.evil/", Method::GET, 302, false),
            ("file:///etc/passwd", Method::GET, 302, false),
            ("/c", Method::POST, 302, false),
            ("/c", Method::POST, 307, true),
        ] {
            let status = StatusCode::from_u16(status).expect("a status");
            assert_eq!(redirected(&from, location, &method, status).is_ok(), allowed, "{method} {location}");
        }
    }
}
