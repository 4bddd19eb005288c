//! Requests a task expects to have been made, or not, against those that were recorded.
//!
//! First the requests that could be meant are selected, by method and address; then each of them and the expectation
//! are brought into the same shape and compared. A recorded request that cannot be read, anywhere among those looked
//! at, ends the check with an error.

mod projection;
mod spec;

use self::projection::Projection;
use self::spec::Spec;
use super::EvaluatorError;
use super::compare::{Assertion, CompareOptions, compare};
use super::schema::Schema;
use super::sides::Sides;
use super::url::{QueryOptions, UrlValue, ignoring_patterns};
use super::values::{Context, Typed};
use crate::python::{Dict, Pattern, PatternFlags, Value};
use crate::task::NetworkEvaluator;
use crate::trace::Event;

/// One expectation with its patterns compiled.
#[derive(Debug)]
pub struct NetworkCheck<'a> {
    config: &'a NetworkEvaluator,
    ignored_query_patterns: Vec<Pattern>,
    ignored_post_patterns: Vec<Pattern>,
    query_schema: Option<Schema>,
    post_schema: Schema,
}

/// What a check found, with both sides as result files show them.
#[derive(Debug)]
pub struct NetworkFinding {
    /// The recorded requests that were compared; null if it never came to that.
    pub actual: Value,
    pub actual_normalized: Value,
    pub expected: Value,
    /// No assertions mean success.
    pub outcome: Result<Vec<Assertion>, EvaluatorError>,
}

impl<'a> NetworkCheck<'a> {
    pub fn new(config: &'a NetworkEvaluator) -> Self {
        let schema = |schema: &Dict| Schema::from_value(&Value::Dict(schema.clone()));
        let patterns = config.ignored_post_data_params_patterns.as_deref().unwrap_or_default();
        Self {
            config,
            ignored_query_patterns: ignoring_patterns(
                config.ignored_query_params_patterns.as_deref().unwrap_or_default(),
            ),
            ignored_post_patterns: patterns
                .iter()
                .filter_map(|pattern| Pattern::found_anywhere(pattern, PatternFlags::default()).ok())
                .collect(),
            query_schema: config.query_params_schema.as_ref().filter(|schema| !schema.is_empty()).map(schema),
            post_schema: schema(config.post_data_schema.as_ref().unwrap_or(&Dict::new())),
        }
    }

    /// Judges recorded requests. `navigates` tells whether the task is to reach a page.
    pub fn evaluate(&self, events: &[Event], navigates: bool, sides: &Sides) -> NetworkFinding {
        let mut finding = NetworkFinding {
            actual: Value::None,
            actual_normalized: Value::None,
            expected: Value::None,
            outcome: Ok(Vec::new()),
        };
        finding.outcome = self.judge(events, navigates, sides, &mut finding);
        finding
    }

    fn judge(
        &self,
        events: &[Event],
        navigates: bool,
        sides: &Sides,
        finding: &mut NetworkFinding,
    ) -> Result<Vec<Assertion>, EvaluatorError> {
        let mut selected = self.select(events, navigates, sides)?;
        if self.config.last_event_only && selected.len() > 1 {
            selected.drain(..selected.len() - 1);
        }
        let recorded: Vec<Spec> =
            selected.into_iter().map(|event| Spec::recorded(event, self.config)).collect::<Result<_, _>>()?;
        finding.actual = Value::List(recorded.iter().map(Spec::report).collect());

        let expected = self.normalise(Spec::expected(self.config), None, &sides.expected)?;
        finding.expected = expected.report();
        let projection = Projection::onto(&expected)?;
        let mut actual = Vec::with_capacity(recorded.len());
        for spec in recorded {
            actual.push(self.normalise(spec, Some(&projection), &sides.actual)?);
        }
        if !actual.is_empty() {
            finding.actual_normalized = Value::List(actual.iter().map(Typed::report).collect());
        }
        self.decide(&expected, &actual)
    }

    fn decide(&self, expected: &Typed, actual: &[Typed]) -> Result<Vec<Assertion>, EvaluatorError> {
        let count = actual.len();
        if self.config.should_not_exist {
            return Ok(match count {
                0 => Vec::new(),
                _ => vec![Assertion::new(
                    "unexpected_navigation_event",
                    format!("Found {count} matching event(s) where none was expected"),
                )],
            });
        }
        let options = CompareOptions { ordered: false, ignore_extra_keys: true };
        for candidate in actual {
            if compare(expected, candidate, "network_event", options)?.is_empty() {
                return Ok(Vec::new());
            }
        }
        let message = match count {
            0 => "No recorded request has the expected method and address".to_owned(),
            _ => format!("Of {count} request(s) to the expected address, none is as expected"),
        };
        Ok(vec![Assertion::new("missing_navigation_event", message)])
    }

    /// The requests that could be meant, in recorded order.
    fn select<'e>(
        &self,
        events: &'e [Event],
        navigates: bool,
        sides: &Sides,
    ) -> Result<Vec<&'e Event>, EvaluatorError> {
        let mut relevant = Vec::with_capacity(events.len());
        for event in events {
            if event.is_evaluation_event()? {
                relevant.push(event);
            }
        }
        if relevant.is_empty() {
            return Ok(relevant);
        }
        if navigates && self.config.expected.http_method == "GET" {
            return last_navigation(&relevant);
        }
        self.by_method_and_address(relevant, sides)
    }

    fn by_method_and_address<'e>(
        &self,
        events: Vec<&'e Event>,
        sides: &Sides,
    ) -> Result<Vec<&'e Event>, EvaluatorError> {
        let expected_method = self.config.expected.http_method.to_lowercase();
        let expected_url = self.url(&spec::expected_url(self.config), None, &sides.expected)?;
        let referer = self.config.expected.headers.as_ref().and_then(|headers| headers.get("referer"));
        let expected_referer = referer.map(|referer| self.url(referer, None, &sides.expected)).transpose()?;

        let mut matching = Vec::new();
        for event in events {
            if !expected_method.is_empty() && event.method()?.to_lowercase() != expected_method {
                continue;
            }
            let url = self.url(&Value::from(event.url()?), None, &sides.actual)?;
            if !expected_url.matches_path(&url)? {
                continue;
            }
            event.headers.all()?;
            let referer = event.header("referer").filter(|referer| !referer.is_empty());
            if let (Some(expected), Some(referer)) = (&expected_referer, referer) {
                let referer = referer.to_lowercase();
                let fits = match self.url(&Value::from(referer.as_str()), None, &sides.actual) {
                    Ok(referer) => expected.matches_path(&referer)?,
                    Err(_) => expected.matches_path_text(&referer)?,
                };
                if !fits {
                    continue;
                }
            }
            matching.push(event);
        }
        Ok(matching)
    }

    fn url(
        &self,
        value: &Value,
        instead: Option<&Dict>,
        context: &Context,
    ) -> Result<UrlValue, EvaluatorError> {
        let options = QueryOptions {
            instead,
            decode_base64: self.config.decode_base64_query,
            ignored_names: self.config.ignored_query_params.as_deref().unwrap_or_default(),
            ignored_patterns: &self.ignored_query_patterns,
            schema: self.query_schema.as_ref(),
        };
        UrlValue::read(value, options, context).map_err(|reason| EvaluatorError::Unreadable {
            value: crate::python::repr_of(value),
            type_name: "url".to_owned(),
            reason,
        })
    }
}

/// The last page that was loaded, if any.
fn last_navigation<'e>(events: &[&'e Event]) -> Result<Vec<&'e Event>, EvaluatorError> {
    let mut last = None;
    for &event in events {
        if event.is_navigation_event()? {
            last = Some(event);
        }
    }
    Ok(last.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::config::{Environments, SiteUrls};
    use crate::site::Site;
    use crate::trace::{Retention, Trace};

    fn sides() -> Sides {
        let environments: Environments =
            serde_json::from_value(json!({"shopping": {"urls": ["http://shop"]}})).expect("environments");
        Sides::new(
            SiteUrls::new(Some(&environments), &[Site::Shopping]).expect("covered"),
            date(2026, 11, 15),
        )
    }

    /// The names of the assertions, or `error`.
    fn found(config: &Json, trace: &Json, navigates: bool) -> String {
        let config: NetworkEvaluator = serde_json::from_value(config.clone()).expect("an evaluator");
        let trace =
            Trace::from_list(trace.to_string().as_bytes(), &Retention::everything()).expect("a trace");
        let finding = NetworkCheck::new(&config).evaluate(&trace.events, navigates, &sides());
        match finding.outcome {
            Ok(assertions) => assertions.into_iter().map(|assertion| assertion.name).collect(),
            Err(_) => "error".to_owned(),
        }
    }

    fn request(method: &str, path: &str, changes: &Json) -> Json {
        let mut entry = json!({
            "request": {"method": method, "url": format!("http://shop{path}"), "headers": []},
            "response": {"status": 200},
        });
        for (pointer, value) in changes.as_object().into_iter().flatten() {
            let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
            entry.pointer_mut(parent).expect("a place")[key] = value.clone();
        }
        entry
    }

    const MISSING: &str = "missing_navigation_event";

    #[test]
    fn the_last_request_to_the_address_decides() {
        let post = json!({"expected": {"url": "__SHOPPING__/cart", "http_method": "POST"}});
        let any = json!({"expected": {"url": "__SHOPPING__/cart", "http_method": "POST"}, "last_event_only": false});
        let good = request("POST", "/cart", &json!({}));
        let bad = request("POST", "/cart", &json!({"/response/status": 500}));
        let other = request("GET", "/cart", &json!({}));
        for (config, trace, expected) in [
            (&post, json!([bad, good, other]), ""),
            (&post, json!([good, bad]), MISSING),
            (&any, json!([good, bad]), ""),
            (&post, json!([other]), MISSING),
        ] {
            assert_eq!(found(config, &trace, false), expected, "{trace}");
        }
    }

    #[test]
    fn a_request_that_must_not_exist_is_told_by_method_and_address() {
        let config =
            json!({"expected": {"url": "__SHOPPING__/buy", "http_method": "POST"}, "should_not_exist": true});
        let failed = request("POST", "/buy?x=1", &json!({"/response/status": 500}));
        assert_eq!(found(&config, &json!([failed]), false), "unexpected_navigation_event");
        assert_eq!(found(&config, &json!([request("GET", "/buy", &json!({}))]), false), "");
    }

    #[test]
    fn a_page_to_reach_is_the_last_one_loaded() {
        let config = json!({"expected": {"url": "__SHOPPING__/a"}});
        let html = json!({"/request/headers": [{"name": "Accept", "value": "text/html"}]});
        let (wanted, elsewhere) = (request("GET", "/a", &html), request("GET", "/b", &html));
        let data = request("GET", "/b", &json!({}));
        assert_eq!(found(&config, &json!([elsewhere, wanted, data]), true), "");
        assert_eq!(found(&config, &json!([wanted, elsewhere]), true), MISSING);
    }

    #[test]
    fn every_asked_part_of_a_request_counts() {
        let expected = json!({
            "url": "__SHOPPING__/cart", "http_method": "POST",
            "headers": {"Referer-Policy": "http://shop/from", "referer": "__SHOPPING__/from"},
            "post_data": {"sku": "^B\\d+$", "$.o.n": "2"},
            "response_content": {"ok": true},
            "response_cookies": {"m": "^.*added.*$"},
        });
        let good = json!({
            "/request/headers": [
                {"name": "referer-policy", "value": "http://shop/from"}, {"name": "REFERER", "value": "http://shop/FROM"}],
            "/request/postData":
                {"mimeType": "application/json", "text": r#"{"sku": "b12", "o": {"n": 2}, "more": 1}"#},
            "/response/content": {"mimeType": "application/json", "text": r#"{"ok": 1, "more": 2}"#},
            "/response/cookies": [{"name": "m", "value": "It%20was%20Added"}],
        });
        let config = json!({ "expected": expected });
        assert_eq!(found(&config, &json!([request("POST", "/cart", &good)]), false), "");
        for (pointer, value) in [
            ("/request/headers", json!([{"name": "referer", "value": "http://shop/from"}])),
            (
                "/request/postData",
                json!({"mimeType": "application/json", "text": r#"{"sku": "b12", "o": {}}"#}),
            ),
            ("/response/content", json!({"mimeType": "application/json", "text": r#"{"more": 2}"#})),
            ("/response/cookies", json!([])),
            ("/response/status", json!(201)),
        ] {
            let mut changes = good.clone();
            changes[pointer] = value;
            assert_eq!(
                found(&config, &json!([request("POST", "/cart", &changes)]), false),
                MISSING,
                "{pointer}"
            );
        }
    }

    #[test]
    fn a_broken_recording_is_an_error_where_it_is_looked_at() {
        let config = json!({"expected": {"url": "__SHOPPING__/a", "http_method": "POST"}});
        let good = request("POST", "/a", &json!({}));
        for (changes, expected) in [
            (json!({"/request/url": " "}), "error"),
            (json!({"/request/url": "http://[bad"}), "error"),
            (json!({"/request/url": null}), "error"),
            (json!({"/request/method": null}), "error"),
            (json!({"/request/headers": null}), "error"),
            (json!({"/response/status": "2e2"}), "error"),
            (json!({"/response/status": " 2_00.0 "}), ""),
            (json!({"/request/method": "GET", "/request/headers": null}), ""),
        ] {
            let broken = request("POST", "/a", &changes);
            assert_eq!(found(&config, &json!([good, broken]), false), expected, "{changes}");
        }
    }

    #[test]
    fn an_expectation_that_cannot_be_read_is_an_error_on_every_trace() {
        let trace = json!([request("GET", "/", &json!({}))]);
        for expected in [
            json!({"url": "__GITLAB__/a", "http_method": "POST"}),
            json!({"url": ["__SHOPPING__/a"], "http_method": "POST"}),
            json!({"url": "__SHOPPING__/a", "http_method": "POST", "post_data": {"a": [1]}}),
            json!({"url": "__SHOPPING__/a", "http_method": "POST", "headers": {"referer": "http://elsewhere/"}}),
        ] {
            assert_eq!(found(&json!({ "expected": expected }), &trace, false), "error", "{expected}");
        }
    }
}
