//! All conditions a check puts on one request.

use std::collections::BTreeMap;

use serde_json::Value;
use umpire_model::{BlobSource, Exchange, NetworkCheck};
use url::Url;

use super::body::{FieldRule, Fields};
use super::url_rule::{UrlRule, place};
use crate::ruling::Undecided;
use crate::text_rule::TextRule;
use crate::words;

/// How well a request fits a check.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fit {
    Yes,
    /// Another method or URL: not the request the check is about.
    No,
    /// Right method and URL, but something else differs.
    Almost {
        differences: Vec<String>,
    },
    /// Everything that can be seen fits; its body would decide, and is not there.
    Unknown {
        problem: String,
    },
}

impl Fit {
    pub(super) fn difference(&self) -> Option<&str> {
        match self {
            Self::Almost { differences } => differences.first().map(String::as_str),
            _ => None,
        }
    }

    pub(super) fn doubt(&self) -> Option<&str> {
        match self {
            Self::Unknown { problem } => Some(problem),
            _ => None,
        }
    }
}

pub(super) struct RequestRule<'a> {
    check: &'a NetworkCheck,
    urls: Vec<UrlRule>,
    query: BTreeMap<&'a str, Vec<TextRule>>,
    post: BTreeMap<&'a str, FieldRule<'a>>,
    headers: BTreeMap<&'a str, TextRule>,
}

impl<'a> RequestRule<'a> {
    pub(super) fn new(check: &'a NetworkCheck) -> Result<Self, Undecided> {
        if check.url.is_empty() {
            return Err(Undecided::Broken("it accepts no URL at all".to_owned()));
        }
        if check.method.is_empty() {
            return Err(Undecided::Broken("its method is empty".to_owned()));
        }
        let texts = |values: &'a Vec<String>| values.iter().map(|value| TextRule::new(value)).collect();
        Ok(Self {
            check,
            urls: check.url.iter().map(|url| UrlRule::new(url)).collect::<Result<_, _>>()?,
            query: read_each(&check.query, texts)?,
            post: read_each(&check.post, FieldRule::new)?,
            headers: read_each(&check.headers, |value| TextRule::new(value))?,
        })
    }

    pub(super) fn fit(&self, exchange: &Exchange, blobs: &dyn BlobSource) -> Fit {
        let request = &exchange.request;
        let right_place = request.method.eq_ignore_ascii_case(&self.check.method)
            && place(&request.url).is_some_and(|place| self.urls.iter().any(|url| url.accepts(&place)));
        if !right_place {
            return Fit::No;
        }
        let mut differences = Vec::new();
        self.compare_status(exchange, &mut differences);
        self.compare_query(&request.url, &mut differences);
        self.compare_headers(&request.headers, &mut differences);
        if !self.post.is_empty() {
            match Fields::of(request, blobs) {
                Ok(fields) => self.compare_body(&fields, &mut differences),
                // A body that is not there decides only what nothing else has decided.
                Err(problem) if differences.is_empty() => return Fit::Unknown { problem },
                Err(_) => {}
            }
        }
        if differences.is_empty() { Fit::Yes } else { Fit::Almost { differences } }
    }

    fn compare_status(&self, exchange: &Exchange, differences: &mut Vec<String>) {
        let Some(expected) = self.check.status else { return };
        match exchange.response.as_ref().map(|response| response.status) {
            Some(status) if status == expected => {}
            Some(status) => differences.push(format!("status {status}, expected {expected}")),
            None => differences.push(format!("no response, expected status {expected}")),
        }
    }

    fn compare_query(&self, url: &str, differences: &mut Vec<String>) {
        if self.query.is_empty() {
            return;
        }
        let url = Url::parse(url);
        for (name, expected) in &self.query {
            let values: Vec<_> = url
                .iter()
                .flat_map(Url::query_pairs)
                .filter(|(key, _)| key == name)
                .map(|(_, value)| value)
                .collect();
            let same = values.len() == expected.len()
                && expected.iter().zip(&values).all(|(expected, value)| expected.accepts(value));
            if !same {
                let wanted = self.check.query.get(*name).map_or_else(String::new, |values| listed(values));
                differences
                    .push(format!("query parameter `{name}` is {}, expected {wanted}", listed(&values)));
            }
        }
    }

    fn compare_headers(&self, headers: &[(String, String)], differences: &mut Vec<String>) {
        for (name, expected) in &self.headers {
            let values: Vec<&str> = headers
                .iter()
                .filter(|(key, _)| key.eq_ignore_ascii_case(name))
                .map(|(_, v)| v.as_str())
                .collect();
            if !values.iter().any(|value| expected.accepts(value)) {
                let wanted = words::shorten(self.check.headers.get(*name).map_or("", String::as_str));
                differences.push(format!("header `{name}` is {}, expected `{wanted}`", listed(&values)));
            }
        }
    }

    fn compare_body(&self, fields: &Fields, differences: &mut Vec<String>) {
        for (name, expected) in &self.post {
            if !expected.accepts(fields, name) {
                let wanted = self.check.post.get(*name).map_or_else(String::new, words::value);
                differences.push(format!("field `{name}` is {}, expected {wanted}", fields.describe(name)));
            }
        }
    }
}

fn read_each<'a, V, R>(
    written: &'a BTreeMap<String, V>,
    read: impl Fn(&'a V) -> Result<R, Undecided>,
) -> Result<BTreeMap<&'a str, R>, Undecided> {
    written.iter().map(|(name, value)| Ok((name.as_str(), read(value)?))).collect()
}

fn listed<T: AsRef<str>>(values: &[T]) -> String {
    match values {
        [] => "missing".to_owned(),
        values => words::joined(values.iter().map(|value| format!("`{}`", value.as_ref())), ", "),
    }
}

/// Method and URL: `POST to http://shop.localhost/cart`.
pub(super) fn name(check: &NetworkCheck) -> String {
    format!("{} to {}", words::shorten(&check.method), words::joined(check.url.iter().cloned(), " or "))
}

/// The request a check is about, in words.
pub(super) fn in_words(check: &NetworkCheck) -> String {
    let mut conditions = Vec::new();
    if let Some(status) = check.status {
        conditions.push(format!("status {status}"));
    }
    conditions.extend(check.query.iter().map(|(name, values)| format!("query {name} = {}", listed(values))));
    conditions
        .extend(check.post.iter().map(|(name, value)| format!("field {name} = {}", expected_field(value))));
    conditions.extend(
        check.headers.iter().map(|(name, value)| format!("header {name} = `{}`", words::shorten(value))),
    );
    let with = if conditions.is_empty() { "" } else { " with " };
    format!("{}{with}{}", name(check), words::joined(conditions, ", "))
}

fn expected_field(value: &Value) -> String {
    if value.is_null() { "missing".to_owned() } else { words::value(value) }
}
