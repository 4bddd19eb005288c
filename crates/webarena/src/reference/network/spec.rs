//! A request in the shape in which expectations and recordings are compared.

use indexmap::IndexMap;

use super::NetworkCheck;
use super::projection::{Absent, Projection};
use crate::config::Strictness;
use crate::python::{Dict, Int, Value, parse_int};
use crate::reference::values::{Context, STRING, Typed, read_or_keep};
use crate::reference::{EvaluatorError, body, normalise};
use crate::task::{NetworkEvaluator, UrlTemplates};
use crate::trace::{Event, Scalar};

/// A request, expected or recorded. Absent parts are not compared.
#[derive(Debug)]
pub(super) struct Spec {
    url: Value,
    headers: Option<Dict>,
    query_params: Option<Dict>,
    post_data: Option<Dict>,
    response_content: Option<Dict>,
    response_status: Int,
    http_method: String,
    response_cookies: Option<Dict>,
}

pub(super) fn expected_url(config: &NetworkEvaluator) -> Value {
    match &config.expected.url {
        UrlTemplates::One(url) => Value::from(url.as_str()),
        UrlTemplates::Alternatives(urls) => {
            Value::List(urls.iter().map(|url| Value::from(url.as_str())).collect())
        }
    }
}

/// An expected part that is asked about at all: an empty one is not.
fn asked(part: Option<&Dict>) -> Option<&Dict> {
    part.filter(|part| !part.is_empty())
}

impl Spec {
    pub fn expected(config: &NetworkEvaluator) -> Self {
        let expected = &config.expected;
        Self {
            url: expected_url(config),
            headers: expected.headers.clone(),
            query_params: expected.query_params.clone(),
            post_data: expected.post_data.clone(),
            response_content: expected.response_content.clone(),
            response_status: Int::from(expected.response_status),
            http_method: expected.http_method.clone(),
            response_cookies: expected.response_cookies.clone(),
        }
    }

    /// The parts of a recorded request the expectation asks about.
    pub fn recorded(event: &Event, config: &NetworkEvaluator) -> Result<Self, EvaluatorError> {
        let url = event.url()?;
        if url.is_empty() {
            return Err(EvaluatorError::EmptyUrl);
        }
        let expected = &config.expected;
        let fields = |recorded: &Result<Option<crate::trace::Body>, crate::trace::Defect>| {
            let recorded = recorded.as_ref().map_err(|&defect| defect)?;
            Ok::<_, EvaluatorError>(recorded.as_ref().map(body::fields).transpose()?.flatten())
        };
        Ok(Self {
            url: Value::from(url),
            headers: match asked(expected.headers.as_ref()) {
                Some(names) => recorded_headers(event, names)?,
                None => None,
            },
            query_params: None,
            post_data: match asked(expected.post_data.as_ref()) {
                Some(_) => fields(&event.post_data)?,
                None => None,
            },
            response_content: match asked(expected.response_content.as_ref()) {
                Some(_) => fields(&event.content)?,
                None => None,
            },
            response_status: recorded_status(event)?,
            http_method: event.method()?.to_owned(),
            response_cookies: match asked(expected.response_cookies.as_ref()) {
                Some(names) => recorded_cookies(event, names)?,
                None => None,
            },
        })
    }

    /// The request as result files show it, without what it lacks.
    pub fn report(&self) -> Value {
        let dict = |part: &Option<Dict>| part.clone().map(Value::Dict);
        let parts = [
            ("url", Some(self.url.clone())),
            ("headers", dict(&self.headers)),
            ("query_params", dict(&self.query_params)),
            ("post_data", dict(&self.post_data)),
            ("response_content", dict(&self.response_content)),
            ("response_status", Some(Value::Int(self.response_status.clone()))),
            ("http_method", Some(Value::from(self.http_method.as_str()))),
            ("response_cookies", dict(&self.response_cookies)),
        ];
        Value::Dict(parts.into_iter().filter_map(|(name, part)| Some((name.to_owned(), part?))).collect())
    }
}

/// The asked headers under the names they are asked by; `None` if the request has none of them.
fn recorded_headers(event: &Event, names: &Dict) -> Result<Option<Dict>, EvaluatorError> {
    event.headers.all()?;
    let found = names.keys().filter_map(|name| {
        let value = event.header(&name.to_lowercase())?;
        Some((name.clone(), Value::from(value)))
    });
    Ok(Some(found.collect::<Dict>()).filter(|found| !found.is_empty()))
}

/// The asked cookies; of several with one name, the last.
fn recorded_cookies(event: &Event, names: &Dict) -> Result<Option<Dict>, EvaluatorError> {
    let cookies = event.cookies.all()?;
    let found = names.keys().filter_map(|name| {
        let cookie = cookies.iter().rev().find(|cookie| cookie.name == *name)?;
        Some((name.clone(), Value::from(cookie.value.as_str())))
    });
    Ok(Some(found.collect::<Dict>()).filter(|found| !found.is_empty()))
}

/// A whole number in any of the spellings the reference's data model accepts.
fn recorded_status(event: &Event) -> Result<Int, EvaluatorError> {
    let status = match event.status.as_ref().map_err(|&defect| defect)? {
        Scalar::Null => None,
        Scalar::Bool(truth) => Some(Int::from(i64::from(*truth))),
        Scalar::Number(number) => Int::from_decimal(number).or_else(|| whole_float(number)),
        Scalar::Text(text) => {
            let text = text.trim();
            let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
            let is_whole = !fraction.is_empty() && fraction.bytes().all(|digit| digit == b'0');
            parse_int(whole).filter(|_| is_whole)
        }
    };
    status.ok_or(EvaluatorError::StatusNotWhole)
}

fn whole_float(number: &str) -> Option<Int> {
    let float: f64 = number.parse().ok()?;
    let fits = float.is_finite() && float.fract() == 0.0 && float.abs() < i64::MAX as f64;
    fits.then(|| Int::from(float as i64))
}

impl NetworkCheck<'_> {
    /// Brings a request into comparable shape. A projection is given for recorded requests only.
    pub(super) fn normalise(
        &self,
        spec: Spec,
        projection: Option<&Projection>,
        context: &Context,
    ) -> Result<Typed, EvaluatorError> {
        let mut parts = IndexMap::new();
        let url = self.url(&spec.url, spec.query_params.as_ref(), context)?;
        parts.insert("url".to_owned(), Typed::Leaf(Box::new(url)));
        if let Some(headers) = spec.headers {
            let headers = headers.into_iter().map(|(name, value)| {
                let typed = self.header(&name, &value, context)?;
                Ok::<_, EvaluatorError>((name, typed))
            });
            parts.insert("headers".to_owned(), Typed::Object(headers.collect::<Result<_, _>>()?));
        }
        parts.insert("response_status".to_owned(), Typed::Raw(Value::Int(spec.response_status)));
        parts.insert("http_method".to_owned(), Typed::Raw(Value::Str(spec.http_method)));
        parts.insert("post_data".to_owned(), self.post_data(spec.post_data, projection, context)?);
        let answer = match asked(spec.response_content.as_ref()) {
            None => Typed::NULL,
            Some(answer) => match projection.and_then(|projection| projection.response_content.as_ref()) {
                Some(keys) => Typed::raw(&Value::Dict(keys.project(answer, Absent::LeftOut)?)),
                None => Typed::raw(&Value::Dict(answer.clone())),
            },
        };
        parts.insert("response_content".to_owned(), answer);
        parts.insert("response_cookies".to_owned(), cookies(spec.response_cookies, context)?);
        Ok(Typed::Object(parts))
    }

    /// Addresses in headers are compared as addresses, everything else as text.
    fn header(&self, name: &str, value: &Value, context: &Context) -> Result<Typed, EvaluatorError> {
        if matches!(name, "referer" | "redirect_url") && value.truthy() {
            return match self.url(value, None, context) {
                Ok(url) => Ok(Typed::Leaf(Box::new(url))),
                Err(_) if context.strictness == Strictness::Lenient => Ok(Typed::raw(value)),
                Err(error) => Err(error),
            };
        }
        let derendered = match value {
            Value::Str(text) => derender(text, context),
            Value::List(items) => items
                .iter()
                .map(|item| derender(item.as_str()?, context))
                .collect::<Option<_>>()
                .map(Value::List),
            _ => None,
        };
        let typed = derendered.and_then(|text| STRING(&text, &without_sites(context)).ok());
        Ok(typed.unwrap_or_else(|| Typed::raw(value)))
    }

    fn post_data(
        &self,
        post_data: Option<Dict>,
        projection: Option<&Projection>,
        context: &Context,
    ) -> Result<Typed, EvaluatorError> {
        let Some(mut fields) = post_data.filter(|fields| !fields.is_empty()) else { return Ok(Typed::NULL) };
        fields.retain(|name, _| !self.ignored_post_patterns.iter().any(|pattern| pattern.is_match(name)));
        if let Some(keys) = projection.and_then(|projection| projection.post_data.as_ref()) {
            fields = keys.project(&fields, Absent::Null)?;
        }
        if fields.is_empty() {
            return Ok(Typed::Object(IndexMap::new()));
        }
        normalise::root(&Value::Dict(fields), &self.post_schema, context)
    }
}

fn derender(text: &str, context: &Context) -> Option<Value> {
    match &context.derender {
        Some(derender) => derender(text, Strictness::Lenient).ok().map(Value::Str),
        None => Some(Value::from(text)),
    }
}

/// Headers and cookies are text as it stands: no address in them is looked for.
fn without_sites(context: &Context) -> Context {
    Context { derender: None, render: None, ..context.clone() }
}

fn cookies(cookies: Option<Dict>, context: &Context) -> Result<Typed, EvaluatorError> {
    let Some(cookies) = cookies.filter(|cookies| !cookies.is_empty()) else { return Ok(Typed::NULL) };
    let context = without_sites(context);
    let typed = cookies.into_iter().map(|(name, value)| {
        let typed = read_or_keep("string", STRING, &value, &context)?;
        Ok::<_, EvaluatorError>((name, typed))
    });
    Ok(Typed::Object(typed.collect::<Result<_, _>>()?))
}
