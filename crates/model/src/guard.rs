//! What cannot be undone, and what is to happen when an agent is about to do it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A kind of action that no later one takes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Irreversible {
    AccountDeletion,
    /// A work that people put together is deleted with all in it, such as a project.
    Deletion,
    /// Money is spent or a booking made.
    Purchase,
    /// Something is published or sent to other people.
    ExternalPost,
}

impl Irreversible {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AccountDeletion => "account deletion",
            Self::Deletion => "deletion",
            Self::Purchase => "purchase",
            Self::ExternalPost => "external post",
        }
    }
}

impl fmt::Display for Irreversible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Which requests are of such a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardRule {
    pub kind: Irreversible,
    #[serde(default = "post")]
    pub method: String,
    /// Address without its query; `*` stands for anything within a part of the path or host, `**` for anything.
    pub url: String,
}

fn post() -> String {
    "POST".to_owned()
}

impl GuardRule {
    pub fn new(kind: Irreversible, url: &str) -> Self {
        Self { kind, method: post(), url: url.to_owned() }
    }

    pub fn matches(&self, method: &str, url: &str) -> bool {
        let place = url.split(['?', '#']).next().unwrap_or_default();
        self.method.eq_ignore_ascii_case(method) && matches_stars(&self.address(), place)
    }

    /// The address as browsers say it, with scheme and host in lower case.
    pub fn address(&self) -> String {
        let Some((scheme, rest)) = self.url.split_once("://") else { return self.url.clone() };
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        format!("{}://{}{path}", scheme.to_ascii_lowercase(), host.to_ascii_lowercase())
    }
}

/// Whether the text is the pattern with its stars replaced by something.
fn matches_stars(pattern: &str, text: &str) -> bool {
    let Some((literal, after)) = pattern.split_once('*') else { return pattern == text };
    let Some(rest) = text.strip_prefix(literal) else { return false };
    let (after, any) = match after.strip_prefix('*') {
        Some(after) => (after, true),
        None => (after, false),
    };
    // As far as this star may reach; patterns are short and written by people.
    let reach = if any { rest.len() } else { rest.find('/').unwrap_or(rest.len()) };
    (0..=reach).filter(|at| rest.is_char_boundary(*at)).any(|at| matches_stars(after, &rest[at..]))
}

/// What happens when a rule matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GuardMode {
    /// It goes through and is recorded.
    #[default]
    Record,
    /// It is held back and recorded.
    Deny,
    /// A person is asked; without one, or without an answer in time, it is held back.
    Ask,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{0}` is not a guard; it is record, deny or ask")]
pub struct UnknownGuard(pub String);

impl FromStr for GuardMode {
    type Err = UnknownGuard;

    fn from_str(text: &str) -> Result<Self, UnknownGuard> {
        match text {
            "record" => Ok(Self::Record),
            "deny" => Ok(Self::Deny),
            "ask" => Ok(Self::Ask),
            other => Err(UnknownGuard(other.to_owned())),
        }
    }
}

impl fmt::Display for GuardMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Record => "record",
            Self::Deny => "deny",
            Self::Ask => "ask",
        })
    }
}

/// The guard was tripped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guarded {
    pub kind: Irreversible,
    /// Method and address.
    pub request: String,
    pub decision: GuardDecision,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GuardDecision {
    /// Went through, as it would have without a guard.
    Recorded,
    /// A person let it through.
    Allowed,
    /// Was held back.
    Denied,
}

impl fmt::Display for GuardDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Recorded => "recorded",
            Self::Allowed => "allowed",
            Self::Denied => "denied",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_match_by_method_and_address() {
        let rule = |url: &str| GuardRule::new(Irreversible::Purchase, url);
        for (pattern, url, matches) in [
            ("http://shop.localhost/checkout", "http://shop.localhost/checkout", true),
            ("http://shop.localhost/checkout", "http://shop.localhost/checkout?step=2", true),
            ("http://shop.localhost/checkout", "http://shop.localhost/checkout/", false),
            ("HTTPS://Shop.Example/Order", "https://shop.example/Order", true),
            ("https://Shop.Example/Order", "https://shop.example/order", false),
            ("https://*.Example", "https://shop.example", true),
            ("http://*/book/*", "http://a.localhost/book/7", true),
            ("http://*/book/*", "http://a.localhost/books/7", false),
            ("http://*/book/*", "http://a.localhost/book/7/undo", false),
            ("http://*/book/**", "http://a.localhost/book/7/undo", true),
            ("**/order", "https://b.example/order", true),
            ("**/order", "https://b.example/order/1", false),
            ("**/order", "https://b.example/?next=/order", false),
            ("**", "", true),
            ("a*b*b", "ab", false),
            ("a*b*b", "abxb", true),
            ("*", "ü", true),
        ] {
            assert_eq!(rule(pattern).matches("POST", url), matches, "{pattern} on {url}");
        }
        assert!(!rule("**").matches("GET", "http://shop.localhost/checkout"));
        assert!(rule("*").matches("post", "x"));
    }
}
