//! Requests and responses as a site sees them: parsed once, at the edge.

use bytes::Bytes;
use maud::Markup;
use serde_json::Value;

/// A request with its parts decoded.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: http::Method,
    pub host: String,
    /// Percent-decoded segments of the path; `/c/home%20office/` is `["c", "home office"]`.
    pub path: Vec<String>,
    /// Path and query as sent, for "return to" links.
    pub target: String,
    pub query: Vec<(String, String)>,
    pub form: Vec<(String, String)>,
    pub json: Option<Value>,
    pub cookies: Vec<(String, String)>,
    pub body: Bytes,
}

impl Request {
    pub fn parse(request: http::Request<Bytes>) -> Self {
        let (parts, body) = request.into_parts();
        let header =
            |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let host = parts.uri.host().map_or_else(|| header("host").to_owned(), str::to_owned);
        let host = host.split(':').next().unwrap_or_default().to_ascii_lowercase();
        let content_type = header("content-type").to_ascii_lowercase();
        let form = if content_type.starts_with("application/x-www-form-urlencoded") {
            url::form_urlencoded::parse(&body).into_owned().collect()
        } else {
            Vec::new()
        };
        let json = content_type
            .starts_with("application/json")
            .then(|| serde_json::from_slice(&body).ok())
            .flatten();
        let cookies = header("cookie")
            .split(';')
            .filter_map(|pair| pair.trim().split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        Self {
            host,
            path: decode_path(parts.uri.path()),
            target: parts.uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string),
            query: url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes())
                .into_owned()
                .collect(),
            form,
            json,
            cookies,
            method: parts.method,
            body,
        }
    }

    /// Path segments as slices, for `match`.
    pub fn segments(&self) -> Vec<&str> {
        self.path.iter().map(String::as_str).collect()
    }

    pub fn is_post(&self) -> bool {
        self.method == http::Method::POST
    }

    pub fn query(&self, name: &str) -> Option<&str> {
        find(&self.query, name)
    }

    pub fn queries<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.query.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub fn form(&self, name: &str) -> Option<&str> {
        find(&self.form, name)
    }

    pub fn cookie(&self, name: &str) -> Option<&str> {
        find(&self.cookies, name)
    }
}

fn find<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

fn decode_path(path: &str) -> Vec<String> {
    path.split('/').filter(|part| !part.is_empty()).map(decode_segment).collect()
}

fn decode_segment(segment: &str) -> String {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        if let (b'%', Some(value)) = (byte, hex.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            bytes.push(value);
            rest = &tail[2..];
        } else {
            bytes.push(byte);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A response under construction.
#[derive(Clone, Debug)]
pub struct Response {
    status: http::StatusCode,
    headers: Vec<(&'static str, String)>,
    body: Bytes,
}

impl Response {
    fn of(status: http::StatusCode, content_type: &str, body: impl Into<Bytes>) -> Self {
        Self { status, headers: vec![("content-type", content_type.to_owned())], body: body.into() }
    }

    pub fn html(page: Markup) -> Self {
        Self::of(http::StatusCode::OK, "text/html; charset=utf-8", page.into_string())
    }

    pub fn json(value: &Value) -> Self {
        Self::of(http::StatusCode::OK, "application/json", value.to_string())
    }

    pub fn css(text: &'static str) -> Self {
        Self::of(http::StatusCode::OK, "text/css; charset=utf-8", text)
    }

    pub fn script(text: &'static str) -> Self {
        Self::of(http::StatusCode::OK, "text/javascript; charset=utf-8", text)
    }

    pub fn svg(text: String) -> Self {
        Self::of(http::StatusCode::OK, "image/svg+xml", text)
    }

    pub fn empty() -> Self {
        Self { status: http::StatusCode::NO_CONTENT, headers: Vec::new(), body: Bytes::new() }
    }

    /// After a form: the browser fetches `location` with GET.
    pub fn see_other(location: &str) -> Self {
        Self { status: http::StatusCode::SEE_OTHER, headers: Vec::new(), body: Bytes::new() }
            .header("location", location.to_owned())
    }

    #[must_use]
    pub fn status(mut self, status: http::StatusCode) -> Self {
        self.status = status;
        self
    }

    #[must_use]
    pub fn header(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    #[must_use]
    pub fn cookie(self, name: &str, value: &str) -> Self {
        self.header("set-cookie", format!("{name}={value}; Path=/; SameSite=Lax"))
    }

    pub fn into_http(self) -> http::Response<Bytes> {
        let mut builder = http::Response::builder().status(self.status).header("cache-control", "no-store");
        for (name, value) in &self.headers {
            builder = builder.header(*name, value.as_str());
        }
        builder.body(self.body).unwrap_or_else(|_| {
            // Only a header value with control characters gets here, from text a visitor typed.
            let mut response = http::Response::new(Bytes::from_static(b"bad header"));
            *response.status_mut() = http::StatusCode::INTERNAL_SERVER_ERROR;
            response
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(method: &str, uri: &str, headers: &[(&str, &str)], body: &str) -> Request {
        let mut builder = http::Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            builder = builder.header(*name, *value);
        }
        Request::parse(builder.body(Bytes::from(body.to_owned())).expect("request"))
    }

    #[test]
    fn parts_are_decoded_once() {
        let request = parse(
            "POST",
            "/c/home%20office/?sort=price&tag=a&tag=b%26c",
            &[
                ("host", "Shop.localhost:8080"),
                ("cookie", "sid=1; t=2"),
                ("content-type", "application/x-www-form-urlencoded"),
            ],
            "name=A+B&n=%C3%A9",
        );
        assert_eq!(request.host, "shop.localhost");
        assert_eq!(request.segments(), ["c", "home office"]);
        assert_eq!(request.queries("tag").collect::<Vec<_>>(), ["a", "b&c"]);
        assert_eq!((request.form("name"), request.form("n")), (Some("A B"), Some("é")));
        assert_eq!(request.cookie("t"), Some("2"));
    }

    #[test]
    fn odd_bytes_do_not_panic() {
        assert_eq!(parse("GET", "/%zz/%e", &[], "").segments(), ["%zz", "%e"]);
        assert!(Response::see_other("/a\nb").into_http().status().is_server_error());
    }
}
