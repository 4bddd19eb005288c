//! Which question a request asks, by its method and path, and who asks it.

use hyper::header::AUTHORIZATION;
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method};
use url::form_urlencoded;

use crate::wire::WireFormat;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// The model's name is in the body.
    Talk(WireFormat),
    /// Gemini has the model's name, and whether to stream, in the path.
    TalkTo {
        model: String,
        streams: bool,
    },
    Embeddings,
    Models,
}

/// Why there is no route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Astray {
    NotFound,
    /// A stream that is no event stream.
    NotSse,
}

impl Route {
    /// With and without a version before it: clients differ in what they take for part of the base URL.
    pub(super) fn of(parts: &Parts) -> Result<Self, Astray> {
        let path = parts.uri.path().trim_matches('/');
        let segments: Vec<&str> = path.split('/').collect();
        let has_version = matches!(segments.first(), Some(&("v1" | "v1beta" | "v1alpha")));
        let rest = &segments[usize::from(has_version)..];
        match (&parts.method, rest) {
            (&Method::POST, ["chat", "completions"]) => Ok(Self::Talk(WireFormat::Chat)),
            (&Method::POST, ["responses"]) => Ok(Self::Talk(WireFormat::Responses)),
            (&Method::POST, ["messages"]) => Ok(Self::Talk(WireFormat::Messages)),
            (&Method::POST, ["embeddings"]) => Ok(Self::Embeddings),
            (&Method::POST, ["models", rest @ ..]) => {
                let named = rest.join("/");
                let (model, verb) = named.rsplit_once(':').ok_or(Astray::NotFound)?;
                let streams = match verb {
                    "generateContent" => false,
                    "streamGenerateContent" if query(parts, "alt").as_deref() == Some("sse") => true,
                    "streamGenerateContent" => return Err(Astray::NotSse),
                    _ => return Err(Astray::NotFound),
                };
                Ok(Self::TalkTo { model: decoded(model), streams })
            }
            (&Method::GET, ["models"]) => Ok(Self::Models),
            _ => Err(Astray::NotFound),
        }
    }

    /// The format that errors are told in.
    pub(super) fn format(&self) -> WireFormat {
        match self {
            Self::Talk(format) => *format,
            Self::TalkTo { .. } => WireFormat::Gemini,
            Self::Embeddings | Self::Models => WireFormat::Chat,
        }
    }
}

/// The key, from where each vendor's clients put it.
pub(super) fn key(parts: &Parts) -> Option<String> {
    let header = |headers: &HeaderMap, name: &str| headers.get(name)?.to_str().ok().map(str::to_owned);
    let bearer = header(&parts.headers, AUTHORIZATION.as_str()).and_then(|value| {
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim().to_owned())
    });
    bearer
        .or_else(|| header(&parts.headers, "x-api-key"))
        .or_else(|| header(&parts.headers, "x-goog-api-key"))
        .or_else(|| query(parts, "key"))
}

fn query(parts: &Parts, name: &str) -> Option<String> {
    let pairs = form_urlencoded::parse(parts.uri.query()?.as_bytes());
    pairs.into_iter().find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
}

/// Only `+` is special in a query and not in a path.
fn decoded(segment: &str) -> String {
    let query = segment.replace('+', "%2B");
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.next().map(|(name, _)| name.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(method: &str, uri: &str, headers: &[(&str, &str)]) -> Parts {
        let mut request = hyper::Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).expect("a request").into_parts().0
    }

    #[test]
    fn routes_are_those_of_the_vendors() {
        let gemini = |model: &str, streams| Ok(Route::TalkTo { model: model.to_owned(), streams });
        for (method, uri, expected) in [
            ("POST", "/v1/chat/completions", Ok(Route::Talk(WireFormat::Chat))),
            ("POST", "/chat/completions", Ok(Route::Talk(WireFormat::Chat))),
            ("POST", "/v1/responses", Ok(Route::Talk(WireFormat::Responses))),
            ("POST", "/v1/messages?beta=true", Ok(Route::Talk(WireFormat::Messages))),
            ("POST", "/v1beta/models/my-model:generateContent", gemini("my-model", false)),
            ("POST", "/v1beta/models/a%20b/c+d:streamGenerateContent?alt=sse", gemini("a b/c+d", true)),
            ("POST", "/v1beta/models/m:streamGenerateContent", Err(Astray::NotSse)),
            ("POST", "/v1beta/models/m:countTokens", Err(Astray::NotFound)),
            ("POST", "/v1/embeddings", Ok(Route::Embeddings)),
            ("GET", "/v1/models", Ok(Route::Models)),
            ("GET", "/v1/chat/completions", Err(Astray::NotFound)),
            ("POST", "/", Err(Astray::NotFound)),
        ] {
            assert_eq!(Route::of(&parts(method, uri, &[])), expected, "{method} {uri}");
        }
    }

    #[test]
    fn a_key_is_found_wherever_a_client_puts_it() {
        for (uri, headers, expected) in [
            ("/", vec![("authorization", "Bearer k1")], Some("k1")),
            ("/", vec![("authorization", "bearer  k1 ")], Some("k1")),
            ("/", vec![("x-api-key", "k2")], Some("k2")),
            ("/", vec![("x-goog-api-key", "k3")], Some("k3")),
            ("/?alt=sse&key=k%344", vec![], Some("k44")),
            ("/", vec![("authorization", "Basic abc")], None),
            ("/", vec![], None),
        ] {
            assert_eq!(key(&parts("POST", uri, &headers)).as_deref(), expected, "{uri} {headers:?}");
        }
    }
}
