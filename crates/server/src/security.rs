//! What every response says and every request must bear, whatever page it is for.

use std::time::Duration;

use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{StatusCode, Uri};

use umpire_model::RunId;

use crate::accounts::Who;
use crate::error::PageError;
use crate::state::App;

/// Nothing inline, nothing from elsewhere, nothing around us.
const POLICY: &str = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// For whatever was recorded: even where a browser takes it for a page, it has no origin and runs nothing.
pub(crate) const SANDBOX: &str = "sandbox; default-src 'none'; frame-ancestors 'none'";

/// Longest a page may take to be made. Streams are made at once and last as long as they are watched.
const LONGEST: Duration = Duration::from_secs(30);
/// Films and archives, and groups of what went wrong, are made one after the other, and each takes its time.
const LONGEST_IN_TURN: Duration = Duration::from_mins(10);

const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");

pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = if app.hosts.knows(&request) {
        match tokio::time::timeout(longest(request.uri().path()), next.run(request)).await {
            Ok(response) => response,
            Err(_) => PageError::TooSlow.into_response(),
        }
    } else {
        (StatusCode::MISDIRECTED_REQUEST, "This server does not go by that name.\n").into_response()
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ] {
        headers.entry(name).or_insert(value);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, SAME_ORIGIN);
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), SAME_ORIGIN);
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), SAME_ORIGIN);
    response
}

fn longest(path: &str) -> Duration {
    let is_export = path.starts_with("/runs/") && path.rsplit('/').nth(1) == Some("download");
    if is_export || path == "/failures" { LONGEST_IN_TURN } else { LONGEST }
}

/// Runs of battles that are not voted on are nowhere, to everybody but operators: whatever of them is asked for.
pub(crate) async fn withhold(
    State(app): State<App>,
    names: Result<RawPathParams, RawPathParamsRejection>,
    who: Who,
    request: Request,
    next: Next,
) -> Response {
    let run = names.iter().flatten().find(|(name, _)| *name == "run").and_then(|(_, run)| run.parse().ok());
    if !who.is_operator() && run.is_some_and(|run: RunId| app.withheld.has(&run)) {
        return PageError::NotFound.into_response();
    }
    next.run(request).await
}

/// The names this server answers to. A page elsewhere can make its own name point at this machine; it cannot choose the
/// name that the browser then sends.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    names: Vec<String>,
    /// Bound to an address that others reach by names nobody told us.
    any: bool,
}

impl Hosts {
    pub(crate) fn new(listens_on_loopback: bool, told: &[String]) -> Self {
        let mut names = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).to_vec();
        names.extend(told.iter().map(|name| name.to_ascii_lowercase()));
        Self { names, any: !listens_on_loopback && told.is_empty() }
    }

    fn knows(&self, request: &Request) -> bool {
        let Some(host) = request.headers().get(HOST).and_then(|host| host.to_str().ok()) else {
            return self.any;
        };
        self.any || self.is_ours(host)
    }

    fn is_ours(&self, host: &str) -> bool {
        let Ok(uri) = format!("http://{host}/").parse::<Uri>() else { return false };
        uri.host().is_some_and(|name| self.names.iter().any(|known| known.eq_ignore_ascii_case(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_in_turn_has_more_time_than_other_pages() {
        for page in ["/runs/r/attempts/a/i/1/download/webm", "/failures"] {
            assert_eq!(longest(page), LONGEST_IN_TURN, "{page}");
        }
        for page in ["/", "/runs/r/attempts/a/i/1", "/runs/r/attempts/download/i/1", "/x/download/film"] {
            assert_eq!(longest(page), LONGEST, "{page}");
        }
    }

    #[test]
    fn only_our_own_names_are_answered_to() {
        let hosts = Hosts::new(true, &["arena.example.org".to_owned()]);
        for (host, ours) in [
            ("127.0.0.1:8080", true),
            ("localhost", true),
            ("[::1]:80", true),
            ("Arena.Example.org", true),
            ("evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("localhost@evil.example", false),
            ("", false),
        ] {
            assert_eq!(hosts.is_ours(host), ours, "{host}");
        }
    }
}
