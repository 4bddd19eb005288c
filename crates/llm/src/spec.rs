//! Models as `[models.NAME]` of the configuration names them. Whatever is peculiar about a provider or a server is said
//! here, not known by code elsewhere.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};
use url::Url;

use crate::price::PriceSpec;
use crate::secret::is_variable_name;
use crate::wire::WireFormat;

const DEFAULT_TIMEOUT: u64 = 120;
const DEFAULT_TRIES: u32 = 4;
const DEFAULT_CONCURRENCY: usize = 8;
const DEFAULT_BREAKER_CALLS: u32 = 5;
const DEFAULT_BREAKER_PAUSE: u64 = 30;
const MOST_TRIES: u32 = 20;

/// Anthropic's API does not answer without a limit.
const ANTHROPIC_MAX_TOKENS: u32 = 8192;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch a user writes")]
pub struct ModelSpec {
    pub provider: Provider,
    /// What the provider calls it.
    pub model: String,
    /// Where the provider is, if not at the vendor's own address.
    pub base_url: Option<Url>,
    /// Name of the environment variable that holds the key; without one no key is sent.
    pub key: Option<String>,
    /// False for a model that cannot see.
    #[serde(default = "yes")]
    pub images: bool,
    /// False for a server that knows no system role: its text then stands before the first user message.
    #[serde(default = "yes")]
    pub system_role: bool,
    pub max_tokens: Option<u32>,
    /// How an OpenAI-shaped server calls the limit.
    pub max_tokens_field: Option<MaxTokensField>,
    pub temperature: Option<f64>,
    pub reasoning_effort: Option<String>,
    /// How a reply is held to its shape.
    #[serde(default)]
    pub structured: Structured,
    /// Drops `<think>…</think>` from replies.
    #[serde(default)]
    pub strip_reasoning: bool,
    /// Asks for replies in pieces, for servers behind proxies that close quiet connections.
    #[serde(default)]
    pub stream: bool,
    /// Merged into every request of ours, over what is there.
    #[serde(default)]
    pub extra: Map<String, Value>,
    /// Sent with every request. A value may end in `env:VARIABLE`.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// What one try may take.
    pub timeout_seconds: Option<u64>,
    pub tries: Option<u32>,
    /// Calls at the same time.
    pub concurrency: Option<usize>,
    /// Calls that fail in a row, each after all its tries, before the model is left alone for a while.
    pub breaker_calls: Option<u32>,
    pub breaker_pause_seconds: Option<u64>,
    /// Over what the price file says.
    pub price: Option<PriceSpec>,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Provider {
    OpenAi,
    OpenAiResponses,
    Anthropic,
    Gemini,
    OpenAiCompatible,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaxTokensField {
    MaxTokens,
    MaxCompletionTokens,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// The JSON Schema goes with the request.
    #[default]
    Schema,
    /// Only that it has to be JSON.
    Json,
    /// A grammar in llama.cpp's notation where the agent has one, else the schema.
    Grammar,
    None,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadModel {
    #[error(
        "model `{model}`: an openai-compatible provider needs a base_url, such as http://127.0.0.1:8080/v1"
    )]
    NoBaseUrl { model: String },
    #[error("model `{model}`: its base_url must be http or https, without user, query and fragment")]
    BaseUrl { model: String },
    #[error("model `{model}`: `model` is empty; it is the name the provider knows")]
    NoName { model: String },
    // What stands there may be the key, so it is not shown.
    #[error(
        "model `{model}`: `key` is the name of an environment variable, such as OPENAI_API_KEY, never a key"
    )]
    NotAVariable { model: String },
    #[error("model `{model}`: {field} must be between {least} and {most}")]
    OutOfRange { model: String, field: &'static str, least: u64, most: u64 },
    #[error("model `{model}`: structured = \"grammar\" is for OpenAI-shaped chat servers")]
    NoGrammar { model: String },
    #[error("model `{model}`: the header `{header}` cannot be sent")]
    Header { model: String, header: String },
}

impl Provider {
    pub const ALL: [Self; 5] =
        [Self::OpenAi, Self::OpenAiResponses, Self::Anthropic, Self::Gemini, Self::OpenAiCompatible];

    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::OpenAiCompatible => "openai-compatible",
        }
    }

    /// The format our own calls are made in.
    pub fn format(self) -> WireFormat {
        match self {
            Self::OpenAi | Self::OpenAiCompatible => WireFormat::Chat,
            Self::OpenAiResponses => WireFormat::Responses,
            Self::Anthropic => WireFormat::Messages,
            Self::Gemini => WireFormat::Gemini,
        }
    }

    /// True if a request in this format can be passed on as it is. Of a compatible server only the chat format is certain.
    pub fn speaks(self, format: WireFormat) -> bool {
        let is_openai = matches!(self, Self::OpenAi | Self::OpenAiResponses);
        self.format() == format || (is_openai && matches!(format, WireFormat::Chat | WireFormat::Responses))
    }

    fn vendor_url(self) -> Option<&'static str> {
        match self {
            Self::OpenAi | Self::OpenAiResponses => Some("https://api.openai.com/v1"),
            Self::Anthropic => Some("https://api.anthropic.com"),
            Self::Gemini => Some("https://generativelanguage.googleapis.com"),
            Self::OpenAiCompatible => None,
        }
    }
}

impl TryFrom<String> for Provider {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|provider| provider.name() == name);
        known.ok_or_else(|| {
            let closeness = |provider: &Self| strsim::jaro_winkler(&name, provider.name());
            let near = Self::ALL
                .into_iter()
                .filter(|provider| closeness(provider) > 0.8)
                .max_by(|a, b| closeness(a).total_cmp(&closeness(b)));
            if let Some(near) = near {
                return format!("there is no provider `{name}`; did you mean {}?", near.name());
            }
            let all: Vec<&str> = Self::ALL.into_iter().map(Self::name).collect();
            format!("there is no provider `{name}`; known are {}", all.join(", "))
        })
    }
}

impl MaxTokensField {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::MaxTokens => "max_tokens",
            Self::MaxCompletionTokens => "max_completion_tokens",
        }
    }
}

impl ModelSpec {
    /// A model with nothing peculiar about it.
    pub fn new(provider: Provider, model: impl Into<String>) -> Self {
        Self {
            provider,
            model: model.into(),
            base_url: None,
            key: None,
            images: true,
            system_role: true,
            max_tokens: None,
            max_tokens_field: None,
            temperature: None,
            reasoning_effort: None,
            structured: Structured::default(),
            strip_reasoning: false,
            stream: false,
            extra: Map::new(),
            headers: BTreeMap::new(),
            timeout_seconds: None,
            tries: None,
            concurrency: None,
            breaker_calls: None,
            breaker_pause_seconds: None,
            price: None,
        }
    }

    /// What serde cannot see. `name` is the model's name in the configuration.
    pub fn check(&self, name: &str) -> Result<(), BadModel> {
        let model = || name.to_owned();
        if self.model.trim().is_empty() {
            return Err(BadModel::NoName { model: model() });
        }
        let base = self.base().ok_or_else(|| BadModel::NoBaseUrl { model: model() })?;
        let is_plain = matches!(base.scheme(), "http" | "https")
            && base.has_host()
            && base.query().is_none()
            && base.fragment().is_none()
            && base.username().is_empty()
            && base.password().is_none();
        if !is_plain {
            return Err(BadModel::BaseUrl { model: model() });
        }
        if self.key.as_deref().is_some_and(|key| !is_variable_name(key)) {
            return Err(BadModel::NotAVariable { model: model() });
        }
        if self.structured == Structured::Grammar && self.provider.format() != WireFormat::Chat {
            return Err(BadModel::NoGrammar { model: model() });
        }
        for (field, value, least, most) in [
            ("max_tokens", self.max_tokens.map(u64::from), 1, 10_000_000),
            ("timeout_seconds", self.timeout_seconds, 1, 24 * 3600),
            ("tries", self.tries.map(u64::from), 1, u64::from(MOST_TRIES)),
            ("concurrency", self.concurrency.map(|count| count as u64), 1, 10_000),
            ("breaker_calls", self.breaker_calls.map(u64::from), 1, 10_000),
            ("breaker_pause_seconds", self.breaker_pause_seconds, 1, 24 * 3600),
        ] {
            if value.is_some_and(|value| !(least..=most).contains(&value)) {
                return Err(BadModel::OutOfRange { model: model(), field, least, most });
            }
        }
        for (header, value) in &self.headers {
            let is_sendable = http::HeaderName::try_from(header.as_str()).is_ok()
                && http::HeaderValue::try_from(value.as_str()).is_ok();
            if !is_sendable {
                return Err(BadModel::Header { model: model(), header: header.clone() });
            }
        }
        Ok(())
    }

    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds.unwrap_or(DEFAULT_TIMEOUT))
    }

    pub fn tries(&self) -> u32 {
        self.tries.unwrap_or(DEFAULT_TRIES)
    }

    pub fn concurrency(&self) -> usize {
        self.concurrency.unwrap_or(DEFAULT_CONCURRENCY)
    }

    pub fn breaker_calls(&self) -> u32 {
        self.breaker_calls.unwrap_or(DEFAULT_BREAKER_CALLS)
    }

    pub fn breaker_pause(&self) -> Duration {
        Duration::from_secs(self.breaker_pause_seconds.unwrap_or(DEFAULT_BREAKER_PAUSE))
    }

    /// The limit of our own calls; none means the provider's.
    pub fn limit_of_reply(&self) -> Option<u32> {
        let needed = (self.provider == Provider::Anthropic).then_some(ANTHROPIC_MAX_TOKENS);
        self.max_tokens.or(needed)
    }

    pub fn max_tokens_field(&self) -> MaxTokensField {
        // OpenAI's newer models refuse the older name; most other servers know only that one.
        let usual = match self.provider {
            Provider::OpenAi => MaxTokensField::MaxCompletionTokens,
            _ => MaxTokensField::MaxTokens,
        };
        self.max_tokens_field.unwrap_or(usual)
    }

    pub(crate) fn base(&self) -> Option<Url> {
        let vendor = || self.provider.vendor_url().and_then(|url| Url::parse(url).ok());
        self.base_url.clone().or_else(vendor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<ModelSpec, String> {
        toml::from_str(text).map_err(|error: toml::de::Error| error.message().to_owned())
    }

    #[test]
    fn a_model_is_a_provider_and_a_name() {
        let spec = parsed("provider = 'openai'\nmodel = 'gpt-4o'\nkey = 'OPENAI_API_KEY'").expect("a model");
        assert_eq!(spec.check("big"), Ok(()));
        assert!(spec.images && spec.system_role && !spec.stream);
        assert_eq!(spec.structured, Structured::Schema);
        assert_eq!(spec.max_tokens_field(), MaxTokensField::MaxCompletionTokens);
        assert_eq!(spec.limit_of_reply(), None);
        assert_eq!(
            ModelSpec { key: Some("OPENAI_API_KEY".into()), ..ModelSpec::new(Provider::OpenAi, "gpt-4o") },
            spec
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("provider = 'openia'\nmodel = 'm'", "did you mean openai"),
            ("provider = 'antropic'\nmodel = 'm'", "did you mean anthropic?"),
            ("provider = 'xyz'\nmodel = 'm'", "known are openai, openai-responses, anthropic, gemini"),
            ("provider = 'gemini'\nmodel = 'm'\nmodle = 1", "unknown field `modle`"),
            ("provider = 'gemini'\nmodel = 'm'\nstructured = 'yaml'", "unknown variant `yaml`"),
            ("provider = 'gemini'\nmodel = 'm'\nbase_url = 'nowhere'", "relative URL without a base"),
        ] {
            let problem = parsed(text).expect_err(text);
            assert!(problem.contains(part), "{text}: {problem}");
        }
        for (text, part) in [
            ("provider = 'openai-compatible'\nmodel = 'm'", "needs a base_url"),
            ("provider = 'openai'\nmodel = ' '", "`model` is empty"),
            ("provider = 'openai'\nmodel = 'm'\nbase_url = 'file:///x'", "must be http or https"),
            ("provider = 'openai'\nmodel = 'm'\nbase_url = 'http://a:b@c/'", "must be http or https"),
            ("provider = 'openai'\nmodel = 'm'\nkey = 'sk-abc123'", "never a key"),
            ("provider = 'openai'\nmodel = 'm'\ntries = 0", "tries must be between 1 and 20"),
            ("provider = 'openai'\nmodel = 'm'\nconcurrency = 0", "concurrency must be between 1"),
            ("provider = 'gemini'\nmodel = 'm'\nstructured = 'grammar'", "OpenAI-shaped chat servers"),
            (
                "provider = 'openai'\nmodel = 'm'\nheaders = { 'a b' = 'c' }",
                "the header `a b` cannot be sent",
            ),
        ] {
            let problem = parsed(text).expect(text).check("mine").expect_err(text).to_string();
            assert!(problem.starts_with("model `mine`: ") && problem.contains(part), "{text}: {problem}");
        }
    }

    #[test]
    fn a_pasted_key_is_not_repeated() {
        let spec = ModelSpec { key: Some("sk-abc123".into()), ..ModelSpec::new(Provider::OpenAi, "m") };
        assert!(!spec.check("mine").expect_err("a key").to_string().contains("sk-abc123"));
    }

    #[test]
    fn openai_takes_both_of_its_formats_and_others_their_own() {
        use WireFormat::{Chat, Gemini, Messages, Responses};
        for (provider, formats) in [
            (Provider::OpenAi, vec![Chat, Responses]),
            (Provider::OpenAiResponses, vec![Chat, Responses]),
            (Provider::OpenAiCompatible, vec![Chat]),
            (Provider::Anthropic, vec![Messages]),
            (Provider::Gemini, vec![Gemini]),
        ] {
            let spoken: Vec<_> =
                WireFormat::ALL.into_iter().filter(|format| provider.speaks(*format)).collect();
            assert_eq!(spoken, formats, "{provider:?}");
        }
    }
}
