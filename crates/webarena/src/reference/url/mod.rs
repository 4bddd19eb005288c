//! Addresses: a base, compared as text or pattern, and query parameters, compared one by one.
//!
//! Everything that makes two spellings of an address equal happens when it is read: the normal form of
//! [`url_normalise`](super::url_normalise), placeholders in the place of the task's sites, decoded parameters without
//! those the task ignores.

mod parameters;

use std::any::Any;
use std::sync::OnceLock;

use indexmap::IndexMap;

use self::parameters::Parameters;
use super::error::EvaluatorError;
use super::query;
use super::schema::Schema;
use super::url_normalise;
use super::values::{Context, Leaf, Rewrite, Typed, Unreadable};
use crate::config::Strictness;
use crate::python::urllib::{self, SplitUrl};
use crate::python::{Dict, Pattern, PatternFlags, Value, is_regex_literal, strip};

/// How the query parameters of an address are read.
#[derive(Debug, Clone, Copy, Default)]
pub struct QueryOptions<'a> {
    /// Parameters in the place of those the address has.
    pub instead: Option<&'a Dict>,
    /// Path segments may be base64 of further parameters.
    pub decode_base64: bool,
    pub ignored_names: &'a [String],
    /// Searched in a name; made with [`ignoring_patterns`].
    pub ignored_patterns: &'a [Pattern],
    /// Types of the values, by name.
    pub schema: Option<&'a Schema>,
}

/// Patterns for names of parameters to ignore, in any case. Those that are no patterns ignore nothing.
pub fn ignoring_patterns(patterns: &[String]) -> Vec<Pattern> {
    const ANY_CASE: PatternFlags = PatternFlags { ignore_case: true, dot_matches_newline: false };
    patterns.iter().filter_map(|pattern| Pattern::found_anywhere(pattern, ANY_CASE).ok()).collect()
}

/// An address in one or several acceptable forms; never empty.
#[derive(Debug)]
pub struct UrlValue {
    alternatives: Vec<Address>,
    render: Renderer,
}

/// Turns placeholders into addresses, as strictly as the address it belongs to was read.
struct Renderer {
    render: Option<Rewrite>,
    strictness: Strictness,
}

#[derive(Debug)]
struct Address {
    base: String,
    parameters: Parameters,
    is_pattern: bool,
    /// The pattern with its placeholder rendered, compiled when first needed.
    compiled: OnceLock<Result<Pattern, EvaluatorError>>,
}

/// Reads an address that stands alone, such as retrieved data: nothing is ignored, nothing typed.
pub fn read(value: &Value, context: &Context) -> Result<Typed, Unreadable> {
    Ok(Typed::Leaf(Box::new(UrlValue::read(value, QueryOptions::default(), context)?)))
}

impl UrlValue {
    /// Reads an address, or several alternatives given as an array.
    pub fn read(value: &Value, options: QueryOptions<'_>, context: &Context) -> Result<Self, Unreadable> {
        let items = match value {
            Value::List(items) | Value::Tuple(items) if items.len() < 2 => {
                return Err(Unreadable("an array of alternatives needs at least two"));
            }
            Value::List(items) | Value::Tuple(items) => items.as_slice(),
            single => std::slice::from_ref(single),
        };
        let read_one = |item: &Value| match item {
            Value::Str(text) => Address::read(text, options, context),
            _ => Err(Unreadable("an address has to be text")),
        };
        Ok(Self {
            alternatives: items.iter().map(read_one).collect::<Result<_, _>>()?,
            render: Renderer { render: context.render.clone(), strictness: context.strictness },
        })
    }

    /// Every alternative, as result files show the first.
    pub fn report_all(&self) -> impl Iterator<Item = Value> + '_ {
        self.alternatives.iter().map(Address::report)
    }

    /// Whether the bases match, whatever the parameters.
    pub fn matches_path(&self, actual: &Self) -> Result<bool, EvaluatorError> {
        any_pair(&self.alternatives, &actual.alternatives, |expected, actual| {
            expected.matches_path(actual, &self.render)
        })
    }

    /// Whether a base matches a text no address could be made of.
    pub fn matches_path_text(&self, actual: &str) -> Result<bool, EvaluatorError> {
        let actual = Address::literal(actual.trim_end_matches('/').to_owned(), IndexMap::new());
        any_pair(&self.alternatives, &[actual], |expected, actual| {
            expected.matches_path(actual, &self.render)
        })
    }

    /// The reference writes both sides into its message when they differ, and cannot write a parameter that is a
    /// single typed value instead of a list of them.
    fn can_be_shown(&self) -> bool {
        let first = self.alternatives.first();
        !first.is_some_and(|first| first.parameters.values().any(|values| matches!(values, Typed::Leaf(_))))
    }
}

fn any_pair(
    expected: &[Address],
    actual: &[Address],
    matches: impl Fn(&Address, &Address) -> Result<bool, EvaluatorError>,
) -> Result<bool, EvaluatorError> {
    for expected in expected {
        for actual in actual {
            if matches(expected, actual)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

impl Leaf for UrlValue {
    fn accepts(&self, actual: &Typed) -> Result<bool, EvaluatorError> {
        let Typed::Leaf(leaf) = actual else { return Ok(false) };
        let leaf: &dyn Any = leaf.as_ref();
        let Some(actual) = leaf.downcast_ref::<Self>() else { return Ok(false) };
        let accepted = any_pair(&self.alternatives, &actual.alternatives, |expected, actual| {
            Ok(expected.matches_path(actual, &self.render)?
                && parameters::accept(&expected.parameters, &actual.parameters)?)
        })?;
        if accepted || (self.can_be_shown() && actual.can_be_shown()) {
            Ok(accepted)
        } else {
            Err(EvaluatorError::ParameterNotAList)
        }
    }

    fn report(&self) -> Value {
        self.alternatives.first().map_or(Value::None, Address::report)
    }
}

impl Renderer {
    fn rendered(&self, text: &str) -> Result<String, EvaluatorError> {
        match &self.render {
            Some(render) if text.starts_with("__") => render(text, self.strictness).map_err(|reason| {
                EvaluatorError::Unreadable { value: text.to_owned(), type_name: "url".to_owned(), reason }
            }),
            _ => Ok(text.to_owned()),
        }
    }
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Renderer").field("strictness", &self.strictness).finish_non_exhaustive()
    }
}

impl Address {
    fn literal(base: String, parameters: Parameters) -> Self {
        Self { base, parameters, is_pattern: false, compiled: OnceLock::new() }
    }

    fn read(text: &str, options: QueryOptions<'_>, context: &Context) -> Result<Self, Unreadable> {
        let text = strip(text);
        if text.is_empty() {
            return Err(Unreadable("an address cannot be empty"));
        }
        if is_regex_literal(text) {
            let parameters = match options.instead {
                Some(parameters) => parameters::read(parameters.clone(), options, context)?,
                None => IndexMap::new(),
            };
            return Ok(Self { is_pattern: true, ..Self::literal(text.to_owned(), parameters) });
        }
        let text = text.trim_end_matches('/');
        let rendered = match &context.render {
            Some(render) if text.starts_with("__") => render(text, context.strictness)?,
            _ => text.to_owned(),
        };
        if let Some(base) = repository_base(&rendered)? {
            return Ok(Self::literal(base, IndexMap::new()));
        }

        let normal =
            url_normalise::normalise(&rendered).map_err(|_| Unreadable("no address can be made of it"))?;
        let normal = match &context.derender {
            Some(derender) => derender(&normal, context.strictness)?,
            None => normal,
        };
        let url = urllib::split(&normal).map_err(|_| Unreadable("no address can be made of it"))?;
        let mut base = base_parts(&url);
        let parameters = if let Some(parameters) = options.instead {
            parameters.clone()
        } else {
            let mut queries = Vec::new();
            if options.decode_base64 {
                (base.path, queries) = query::take_base64_segments(&base.path);
            }
            if !url.query.is_empty() {
                queries.push(strip(&url.query).to_owned());
            }
            let values = |values: Vec<String>| Value::Tuple(values.into_iter().map(Value::Str).collect());
            query::parse(&queries.join("&")).into_iter().map(|(name, list)| (name, values(list))).collect()
        };
        Ok(Self::literal(base.join(), parameters::read(parameters, options, context)?))
    }

    fn report(&self) -> Value {
        let parameters = self.parameters.iter().map(|(name, values)| (name.clone(), values.report()));
        let mut report = Dict::new();
        report.insert("base_url".to_owned(), Value::from(self.base.as_str()));
        report.insert("query_params".to_owned(), Value::Dict(parameters.collect()));
        Value::Dict(report)
    }

    fn matches_path(&self, actual: &Self, render: &Renderer) -> Result<bool, EvaluatorError> {
        if !self.is_pattern && !actual.is_pattern {
            let bare = |base: &str| base.to_lowercase().trim_end_matches('/').to_owned();
            return Ok(bare(&self.base) == bare(&actual.base));
        }
        if self.is_pattern {
            let compiled = self.compiled.get_or_init(|| compile(&self.base, render));
            let pattern = compiled.as_ref().map_err(Clone::clone)?;
            if pattern.is_match(&render.rendered(&actual.base)?) {
                return Ok(true);
            }
        }
        if actual.is_pattern {
            return Ok(compile(&actual.base, render)?.is_match(&render.rendered(&self.base)?));
        }
        Ok(false)
    }
}

/// `^…$` with the placeholder it may start with rendered.
fn compile(literal: &str, render: &Renderer) -> Result<Pattern, EvaluatorError> {
    let body = render.rendered(&literal[1..literal.len() - 1])?;
    Pattern::matching_start(&format!("^{body}$"), PatternFlags::default()).map_err(EvaluatorError::Pattern)
}

/// `user@__SSH_HOST__:path` for the address of a repository over SSH, in either of its two spellings.
fn repository_base(text: &str) -> Result<Option<String>, Unreadable> {
    let lower = text.to_lowercase();
    let (user, path) = if lower.starts_with("ssh://") {
        let url = urllib::split(text).map_err(|_| Unreadable("no address can be made of it"))?;
        let user = url.authority.split_once('@').map_or("git", |(user, _)| user).to_lowercase();
        (user, url.path.trim_start_matches('/').to_lowercase())
    } else if lower.starts_with("git@") && text.contains(':') && !text.contains("://") {
        let path = text.split_once('@').and_then(|(_, rest)| rest.split_once(':')).map(|(_, path)| path);
        let path = path.ok_or(Unreadable("the address of a repository has its path after a colon"))?;
        ("git".to_owned(), path.trim_start_matches('/').to_lowercase())
    } else {
        return Ok(None);
    };
    Ok(Some(format!("{user}@__SSH_HOST__:{path}")))
}

/// The address without its query, its scheme and authority in lower case, a default port dropped.
fn base_parts(url: &SplitUrl) -> SplitUrl {
    let (path, parameters) = url.path_and_parameters();
    let path = if parameters.is_empty() { path.to_owned() } else { format!("{path};{parameters}") };
    let authority = url.authority.to_lowercase();
    let default_port = match url.scheme.as_str() {
        "http" => "80",
        "https" => "443",
        _ => "none",
    };
    let (host, port) = host_and_port(&authority);
    let drop_port = !host.is_empty() && port.trim_start_matches('0') == default_port;
    let authority = if drop_port { host.to_owned() } else { authority };
    SplitUrl {
        scheme: url.scheme.clone(),
        authority,
        path,
        query: String::new(),
        fragment: url.fragment.clone(),
    }
}

fn host_and_port(authority: &str) -> (&str, &str) {
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    match host.split_once('[') {
        Some((_, bracketed)) => {
            let (host, rest) = bracketed.split_once(']').unwrap_or((bracketed, ""));
            (host, rest.split_once(':').map_or("", |(_, port)| port))
        }
        None => host.split_once(':').unwrap_or((host, "")),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use jiff::civil::date;

    use super::*;
    use crate::config::{Environment, Environments, SiteUrls};
    use crate::python::parse_json;
    use crate::site::Site;

    fn context(strictness: Strictness) -> Context {
        let environment = Environment { urls: vec!["http://shop".to_owned()], active_url_idx: None };
        let environments = Environments::from([(Site::Shopping, environment)]);
        let sites = Arc::new(SiteUrls::new(Some(&environments), &[Site::Shopping]).expect("covered"));
        let for_derender = Arc::clone(&sites);
        Context {
            strictness,
            today: date(2026, 11, 15),
            derender: Some(Arc::new(move |url, how| {
                for_derender.derender(url, how).map_err(|_| Unreadable("not at a site"))
            })),
            render: Some(Arc::new(move |url, how| sites.render(url, how).map_err(|_| Unreadable("no site")))),
        }
    }

    fn expected(json: &str, options: QueryOptions<'_>) -> Result<UrlValue, Unreadable> {
        UrlValue::read(&parse_json(json).expect("JSON"), options, &context(Strictness::Strict))
    }

    fn accepts(expected: &UrlValue, actual: &str, options: QueryOptions<'_>) -> Result<bool, EvaluatorError> {
        let actual =
            UrlValue::read(&actual.into(), options, &context(Strictness::Lenient)).expect("an address");
        expected.accepts(&Typed::Leaf(Box::new(actual)))
    }

    #[test]
    fn spellings_of_one_address_are_equal() {
        let options = QueryOptions::default();
        for (wanted, given, equal) in [
            (r#""__SHOPPING__/A/?b=2&c""#, "HTTP://SHOP:80//a?b=2", true),
            (r#""__SHOPPING__/a""#, "http://shop/a#part", false),
            (r#""__SHOPPING__/a?b=1""#, "http://shop/a?b=1&b=0", false),
            (r#""__SHOPPING__/a?b=0""#, "http://shop/a?b=1&b=0", true),
            (r#"["__SHOPPING__/a", "__SHOPPING__/b"]"#, "http://shop/b", true),
            (r#""^__SHOPPING__/\\d+$""#, "http://shop/12", true),
            (r#""^__SHOPPING__/\\d+$""#, "http://shop/x", false),
            (r#""__SHOPPING__/12""#, "^http://shop/\\d+$", true),
            (r#""ssh://git@host:22/A/b.git""#, "git@elsewhere:a/B.git", true),
        ] {
            let url = expected(wanted, options).expect(wanted);
            assert_eq!(accepts(&url, given, options), Ok(equal), "{wanted} and {given}");
        }
    }

    #[test]
    fn expected_addresses_belong_to_a_site() {
        for json in
            [r#""http://elsewhere/""#, r#""__GITLAB__/""#, r#"["__SHOPPING__"]"#, r#"" ""#, "null", "5"]
        {
            assert!(expected(json, QueryOptions::default()).is_err(), "{json}");
        }
    }

    #[test]
    fn parameters_can_be_replaced_ignored_and_typed() {
        let Ok(Value::Dict(instead)) = parse_json(r#"{"q": ["^A.c$"], "on": ["02/01/2023"]}"#) else {
            panic!()
        };
        let patterns = ignoring_patterns(&["^UTM".to_owned(), "(".to_owned()]);
        let names = ["page".to_owned()];
        let actual_options =
            QueryOptions { ignored_names: &names, ignored_patterns: &patterns, ..QueryOptions::default() };
        let url =
            expected(r#""__SHOPPING__/a?z=1""#, QueryOptions { instead: Some(&instead), ..actual_options });
        let url = url.expect("an address");
        for (given, equal) in [
            ("http://shop/a?q=ABC&on=02/01/2023&page=3&utm_source=x", true),
            ("http://shop/a?q=ABC&on=02/01/2023&other=3", false),
            ("http://shop/a?q=ab&on=02/01/2023", false),
        ] {
            assert_eq!(accepts(&url, given, actual_options), Ok(equal), "{given}");
        }
    }

    #[test]
    fn a_parameter_outside_the_schema_raises_with_two_values() {
        let schema = parse_json(r#"{"type": "object", "properties": {}}"#).expect("JSON");
        let schema = Schema::from_value(&schema);
        let options = QueryOptions { schema: Some(&schema), ..QueryOptions::default() };
        let url = expected(r#""__SHOPPING__/a""#, options).expect("an address");
        assert_eq!(accepts(&url, "http://shop/a?b=1&b=2", options), Err(EvaluatorError::ParameterNotAList));
        assert_eq!(
            accepts(&url, "http://shop/other?b=1&b=2", options),
            Err(EvaluatorError::ParameterNotAList)
        );
        assert_eq!(accepts(&url, "http://shop/a?b=1", options), Ok(false));
    }
}
