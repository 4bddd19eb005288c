//! All conditions a check puts on one request.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use umpire_model::{BlobSource, Comparison, Exchange, ExchangeRequest, ExchangeResponse, NetworkCheck};

use super::body::{self, Fields};
use super::cookies;
use super::field_rule::FieldRule;
use super::query_rule::{Ignored, listed};
use super::url_rule::{Address, UrlRule, best_fit};
use crate::pattern::{Case, Pattern};
use crate::ruling::Undecided;
use crate::text_rule::TextRule;
use crate::values::{Expected, Order, ValueType};
use crate::words;

/// How well a request fits a check.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fit {
    Yes,
    /// Another method, URL or page it was made from: not the request the check is about.
    No,
    /// Right method and URL, but something else differs.
    Almost {
        differences: Vec<String>,
        /// False if it was answered with another status than expected, or not at all.
        effective: bool,
    },
    /// Everything that can be seen fits; a body would decide, and is not there.
    Unknown {
        problem: String,
    },
}

impl Fit {
    pub(super) fn difference(&self) -> Option<&str> {
        match self {
            Self::Almost { differences, .. } => differences.first().map(String::as_str),
            _ => None,
        }
    }

    pub(super) fn doubt(&self) -> Option<&str> {
        match self {
            Self::Unknown { problem } => Some(problem),
            _ => None,
        }
    }

    /// True for a request the check is about that was answered as expected, so that it did what such requests do.
    pub(super) fn is_effective(&self) -> bool {
        !matches!(self, Self::No | Self::Almost { effective: false, .. })
    }
}

pub(super) struct RequestRule<'a> {
    check: &'a NetworkCheck,
    ignored: Ignored<'a>,
    urls: Vec<UrlRule>,
    referers: Vec<UrlRule>,
    headers: BTreeMap<&'a str, HeaderRule>,
    cookies: BTreeMap<&'a str, HeaderRule>,
    post: Vec<FieldRule<'a>>,
    response: Vec<FieldRule<'a>>,
}

impl<'a> RequestRule<'a> {
    pub(super) fn new(check: &'a NetworkCheck) -> Result<Self, Undecided> {
        if check.url.is_empty() {
            return Err(Undecided::Broken("it accepts no URL at all".to_owned()));
        }
        if check.method.is_empty() {
            return Err(Undecided::Broken("its method is empty".to_owned()));
        }
        let ignored = Ignored::new(check)?;
        let url = |url: &String| UrlRule::new(url, &check.query, check, &ignored);
        let referer = |url: &String| UrlRule::new(url, &BTreeMap::new(), check, &ignored);
        let text = |value: &String| HeaderRule::new(value, check.comparison);
        Ok(Self {
            check,
            urls: check.url.iter().map(url).collect::<Result<_, _>>()?,
            referers: check.referer.iter().map(referer).collect::<Result<_, _>>()?,
            headers: read_each(&check.headers, text)?,
            cookies: read_each(&check.cookies, text)?,
            post: field_rules(&check.post, &ignored_fields(check)?, check.comparison, &check.post_schema)?,
            response: field_rules(&check.response, &[], Comparison::Exact, &Value::Null)?,
            ignored,
        })
    }

    pub(super) fn fit(&self, exchange: &Exchange, blobs: &dyn BlobSource) -> Fit {
        let request = &exchange.request;
        let Some(mut differences) = self.differences_in_url(request) else { return Fit::No };
        let Some(in_referer) = self.differences_in_referer(&request.headers) else { return Fit::No };
        differences.extend(in_referer);
        let unlike = self.unlike_status(exchange);
        let effective = unlike.is_none();
        differences.splice(0..0, unlike);
        for (name, expected) in &self.headers {
            let sent = request.headers.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
            let values: Vec<&str> = sent.map(|(_, value)| value.as_str()).collect();
            differences.extend(expected.difference("header", name, &values));
        }
        // A body that is not there decides only what nothing else has decided.
        let mut missing = None;
        if !self.post.is_empty() {
            match Fields::sent(request, blobs) {
                Ok(fields) => differences.extend(differences_in(&self.post, &fields)),
                Err(problem) => missing = Some(problem),
            }
        }
        if let Some(response) = &exchange.response
            && let Err(problem) = self.compare_response(response, blobs, &mut differences)
        {
            missing = Some(problem);
        } else if exchange.response.is_none() && !(self.response.is_empty() && self.cookies.is_empty()) {
            differences.push("there is no response".to_owned());
        }
        match (differences.is_empty(), missing) {
            (false, _) => Fit::Almost { differences, effective },
            (true, Some(problem)) => Fit::Unknown { problem },
            (true, None) => Fit::Yes,
        }
    }

    /// `None` if method or place are not the expected ones.
    fn differences_in_url(&self, request: &ExchangeRequest) -> Option<Vec<String>> {
        if !request.method.eq_ignore_ascii_case(&self.check.method) {
            return None;
        }
        best_fit(&self.urls, &Address::of(&request.url, self.check)?, &self.ignored)
    }

    /// `None` if the request was made from another page. One that does not say where from is the right request with
    /// something missing.
    fn differences_in_referer(&self, headers: &[(String, String)]) -> Option<Vec<String>> {
        if self.referers.is_empty() {
            return Some(Vec::new());
        }
        let Some(referer) = body::header(headers, "referer") else {
            return Some(vec!["it does not say from which page it was made".to_owned()]);
        };
        best_fit(&self.referers, &Address::of(referer, self.check)?, &self.ignored)
    }

    fn unlike_status(&self, exchange: &Exchange) -> Option<String> {
        let expected = self.check.status?;
        match exchange.response.as_ref().map(|response| response.status) {
            Some(status) if status == expected => None,
            None if expected == 0 => None,
            Some(status) if expected == 0 => Some(format!("status {status}, expected no answer")),
            Some(status) => Some(format!("status {status}, expected {expected}")),
            None => Some(format!("no response, expected status {expected}")),
        }
    }

    fn compare_response(
        &self,
        response: &ExchangeResponse,
        blobs: &dyn BlobSource,
        differences: &mut Vec<String>,
    ) -> Result<(), String> {
        if !self.cookies.is_empty() {
            let cookies = cookies::set_by(response);
            for (name, expected) in &self.cookies {
                let values: Vec<&str> = body::values_of(&cookies, name).collect();
                differences.extend(expected.difference("cookie", name, &values));
            }
        }
        if !self.response.is_empty() {
            let fields = Fields::received(response, blobs)?;
            let wrong = differences_in(&self.response, &fields).into_iter();
            differences.extend(wrong.map(|difference| format!("response {difference}")));
        }
        Ok(())
    }
}

/// The value of a header or cookie.
struct HeaderRule {
    written: String,
    expected: HeaderValue,
}

enum HeaderValue {
    Exact(TextRule),
    Meaning(Expected),
}

impl HeaderRule {
    fn new(written: &str, comparison: Comparison) -> Result<Self, Undecided> {
        let expected = match comparison {
            Comparison::Exact => HeaderValue::Exact(TextRule::new(written)?),
            Comparison::Meaning => {
                let value_type = ValueType::of_schema(&json!({"type": "string"}))?;
                HeaderValue::Meaning(value_type.expect(&Value::from(written), Order::Any)?)
            }
        };
        Ok(Self { written: written.to_owned(), expected })
    }

    /// What is wrong with the values of that name, in one line; one good value is enough.
    fn difference(&self, what: &str, name: &str, values: &[&str]) -> Option<String> {
        let accepts = |value: &&str| match &self.expected {
            HeaderValue::Exact(rule) => rule.accepts(value),
            HeaderValue::Meaning(expected) => expected.accepts(&Value::from(*value)),
        };
        if values.iter().any(accepts) {
            return None;
        }
        let wanted = words::shorten(&self.written);
        Some(format!("{what} `{name}` is {}, expected `{wanted}`", listed(values)))
    }
}

fn differences_in(rules: &[FieldRule<'_>], fields: &Fields) -> Vec<String> {
    let json = fields.as_json();
    rules.iter().filter_map(|rule| rule.difference(fields, &json)).collect()
}

fn ignored_fields(check: &NetworkCheck) -> Result<Vec<Pattern>, Undecided> {
    check.ignored_post_patterns.iter().map(|written| Pattern::anywhere(written, Case::Exact)).collect()
}

fn field_rules<'a>(
    written: &'a BTreeMap<String, Value>,
    ignored: &[Pattern],
    comparison: Comparison,
    schema: &Value,
) -> Result<Vec<FieldRule<'a>>, Undecided> {
    written
        .iter()
        .filter(|(name, _)| !ignored.iter().any(|pattern| pattern.is_match(name)))
        .map(|(name, value)| FieldRule::new(name, value, comparison, schema))
        .collect()
}

fn read_each<'a, V, R>(
    written: &'a BTreeMap<String, V>,
    read: impl Fn(&'a V) -> Result<R, Undecided>,
) -> Result<BTreeMap<&'a str, R>, Undecided> {
    written.iter().map(|(name, value)| Ok((name.as_str(), read(value)?))).collect()
}

/// Method and URL: `POST to http://shop.localhost/cart`.
pub(super) fn name(check: &NetworkCheck) -> String {
    format!("{} to {}", words::shorten(&check.method), words::joined(check.url.iter().cloned(), " or "))
}

/// The request a check is about, in words.
pub(super) fn in_words(check: &NetworkCheck) -> String {
    let mut conditions = Vec::new();
    match check.status {
        Some(0) => conditions.push("no answer".to_owned()),
        Some(status) => conditions.push(format!("status {status}")),
        None => {}
    }
    if !check.referer.is_empty() {
        conditions.push(format!("made from {}", words::joined(check.referer.iter().cloned(), " or ")));
    }
    conditions.extend(check.query.iter().map(|(name, values)| format!("query {name} = {}", listed(values))));
    conditions
        .extend(check.post.iter().map(|(name, value)| format!("field {name} = {}", expected_field(value))));
    conditions.extend(
        check.headers.iter().map(|(name, value)| format!("header {name} = `{}`", words::shorten(value))),
    );
    conditions.extend(
        check
            .response
            .iter()
            .map(|(name, value)| format!("response field {name} = {}", expected_field(value))),
    );
    conditions.extend(
        check.cookies.iter().map(|(name, value)| format!("cookie {name} = `{}`", words::shorten(value))),
    );
    let with = if conditions.is_empty() { "" } else { " with " };
    format!("{}{with}{}", name(check), words::joined(conditions, ", "))
}

fn expected_field(value: &Value) -> String {
    if value.is_null() { "missing".to_owned() } else { words::value(value) }
}
