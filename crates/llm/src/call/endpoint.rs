//! Where a model's provider is and what it wants to see in the headers.

use hyper::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT,
};
use url::Url;

use crate::secret::Secret;
use crate::spec::{ModelSpec, Provider};
use crate::wire::WireFormat;

const ANTHROPIC_VERSION: &str = "2023-06-01";

/// A provider's address and credentials.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    provider: Provider,
    base: Url,
    model: String,
    key: Option<Secret>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// A header that can be configured and not sent, named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnsendableHeader(pub(crate) String);

impl Endpoint {
    pub(crate) fn new(
        spec: &ModelSpec,
        base: Url,
        key: Option<Secret>,
        headers: &[(String, String)],
    ) -> Result<Self, UnsendableHeader> {
        let mut sendable = Vec::new();
        for (name, value) in headers {
            let unsendable = || UnsendableHeader(name.clone());
            let mut sent = HeaderValue::try_from(value.as_str()).map_err(|_| unsendable())?;
            sent.set_sensitive(true);
            sendable.push((HeaderName::try_from(name.as_str()).map_err(|_| unsendable())?, sent));
        }
        let key_can_be_sent =
            key.as_ref().is_none_or(|key| HeaderValue::try_from(format!("Bearer {}", key.reveal())).is_ok());
        if !key_can_be_sent {
            return Err(UnsendableHeader("key".to_owned()));
        }
        Ok(Self { provider: spec.provider, base, model: spec.model.clone(), key, headers: sendable })
    }

    /// The address of a call in one of the formats the provider speaks.
    pub(crate) fn url(&self, format: WireFormat, streams: bool) -> Url {
        match format {
            WireFormat::Chat => self.below("chat/completions"),
            WireFormat::Responses => self.below("responses"),
            WireFormat::Messages => self.below(&self.versioned("v1", "messages")),
            WireFormat::Gemini => {
                let model = self.model.trim_start_matches("models/");
                let verb = if streams { "streamGenerateContent" } else { "generateContent" };
                let mut url = self.below(&self.versioned("v1beta", &format!("models/{model}:{verb}")));
                if streams {
                    url.set_query(Some("alt=sse"));
                }
                url
            }
        }
    }

    pub(crate) fn embeddings(&self) -> Url {
        self.below("embeddings")
    }

    /// People write these vendors' addresses with and without the version.
    fn versioned(&self, version: &str, path: &str) -> String {
        let last = self.base.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
        let has_version =
            last.strip_prefix('v').is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()));
        if has_version { path.to_owned() } else { format!("{version}/{path}") }
    }

    fn below(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}/{path}", self.base.path().trim_end_matches('/')));
        url
    }

    /// What nobody else may see of it.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let headers = self.headers.iter().filter_map(|(_, value)| value.to_str().ok().map(str::to_owned));
        headers.chain(self.key.as_ref().map(|key| key.reveal().to_owned())).collect()
    }

    /// Headers of every request; they hold the key and are never recorded.
    pub(crate) fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers.insert(USER_AGENT, HeaderValue::from_static("umpire"));
        let key = self.key.as_ref().map(Secret::reveal);
        let (name, value) = match self.provider {
            Provider::Anthropic => {
                headers.insert("anthropic-version", HeaderValue::from_static(ANTHROPIC_VERSION));
                (HeaderName::from_static("x-api-key"), key.map(str::to_owned))
            }
            Provider::Gemini => (HeaderName::from_static("x-goog-api-key"), key.map(str::to_owned)),
            _ => (AUTHORIZATION, key.map(|key| format!("Bearer {key}"))),
        };
        if let Some(mut value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        for (name, value) in &self.headers {
            headers.insert(name.clone(), value.clone());
        }
        headers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(provider: Provider, base: &str, model: &str) -> Endpoint {
        let spec = ModelSpec::new(provider, model);
        Endpoint::new(&spec, Url::parse(base).expect("a URL"), Some(Secret::new("k-1")), &[])
            .expect("sendable")
    }

    #[test]
    fn addresses_are_the_vendors_own() {
        for (provider, base, format, streams, expected) in [
            (
                Provider::OpenAi,
                "https://api.openai.com/v1",
                WireFormat::Chat,
                true,
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                Provider::OpenAi,
                "https://api.openai.com/v1/",
                WireFormat::Responses,
                false,
                "https://api.openai.com/v1/responses",
            ),
            (
                Provider::Anthropic,
                "https://api.anthropic.com",
                WireFormat::Messages,
                false,
                "https://api.anthropic.com/v1/messages",
            ),
            (
                Provider::Anthropic,
                "https://proxy.example/a/v1/",
                WireFormat::Messages,
                true,
                "https://proxy.example/a/v1/messages",
            ),
            (
                Provider::Gemini,
                "https://g.example",
                WireFormat::Gemini,
                false,
                "https://g.example/v1beta/models/m-1:generateContent",
            ),
            (
                Provider::Gemini,
                "https://g.example/v1",
                WireFormat::Gemini,
                true,
                "https://g.example/v1/models/m-1:streamGenerateContent?alt=sse",
            ),
        ] {
            assert_eq!(endpoint(provider, base, "m-1").url(format, streams).as_str(), expected);
        }
    }

    #[test]
    fn each_vendor_gets_its_key_where_it_looks() {
        for (provider, header, value) in [
            (Provider::OpenAi, "authorization", "Bearer k-1"),
            (Provider::OpenAiCompatible, "authorization", "Bearer k-1"),
            (Provider::Anthropic, "x-api-key", "k-1"),
            (Provider::Gemini, "x-goog-api-key", "k-1"),
        ] {
            let headers = endpoint(provider, "http://x.example", "m").headers();
            assert_eq!(
                headers.get(header).map(HeaderValue::as_bytes),
                Some(value.as_bytes()),
                "{provider:?}"
            );
            assert!(!format!("{headers:?}").contains("k-1"), "a key is not printed");
        }
        let keyless = Endpoint::new(
            &ModelSpec::new(Provider::OpenAiCompatible, "m"),
            Url::parse("http://x").expect("a URL"),
            None,
            &[],
        );
        assert!(!keyless.expect("sendable").headers().contains_key("authorization"));
    }
}
