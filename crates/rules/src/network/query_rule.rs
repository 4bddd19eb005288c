//! When the query of a URL is the one a check means.
//!
//! A query is decoded once, as forms are: `+` is a space, `%2B` is a plus. All values of a parameter are compared. What
//! a check does not mention is not looked at, unless the check says that it lists the query in full; even then empty
//! parameters and those that only tell where a visitor came from are harmless.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use umpire_model::{Comparison, NetworkCheck};

use crate::pattern::{Case, Pattern};
use crate::ruling::Undecided;
use crate::text_rule::TextRule;
use crate::values::{Expected, Order, ValueType, compare_lists};
use crate::words;

pub(super) type Parameters = Vec<(String, String)>;

/// Names that advertisers and mailings add to links. No site chooses what to show by them.
const TRACKING: [&str; 14] = [
    "_ga", "_gl", "dclid", "fbclid", "gbraid", "gclid", "igshid", "mc_cid", "mc_eid", "msclkid", "twclid",
    "utm", "wbraid", "yclid",
];

/// The parameters that do not count, on either side.
pub(super) struct Ignored<'a> {
    names: &'a [String],
    patterns: Vec<Pattern>,
}

impl<'a> Ignored<'a> {
    pub(super) fn new(check: &'a NetworkCheck) -> Result<Self, Undecided> {
        let pattern = |written: &String| Pattern::anywhere(written, Case::Ignored);
        let patterns = check.ignored_query_patterns.iter().map(pattern).collect::<Result<_, _>>()?;
        Ok(Self { names: &check.ignored_query, patterns })
    }

    fn covers(&self, name: &str) -> bool {
        self.names.iter().any(|ignored| ignored == name)
            || self.patterns.iter().any(|pattern| pattern.is_match(name))
    }
}

pub(super) struct QueryRule {
    parameters: BTreeMap<String, ParameterRule>,
    only: bool,
}

struct ParameterRule {
    written: Vec<String>,
    values: ValuesRule,
}

enum ValuesRule {
    /// In this order.
    Exact(Vec<TextRule>),
    /// In any order, by their type.
    Meaning(Vec<Expected>),
}

impl QueryRule {
    pub(super) fn new(
        parameters: BTreeMap<String, Vec<String>>,
        check: &NetworkCheck,
        ignored: &Ignored<'_>,
    ) -> Result<Self, Undecided> {
        let parameters = parameters
            .into_iter()
            .filter(|(name, _)| !ignored.covers(name))
            .map(|(name, written)| {
                let values = match check.comparison {
                    Comparison::Exact => ValuesRule::Exact(
                        written.iter().map(|value| TextRule::new(value)).collect::<Result<_, _>>()?,
                    ),
                    Comparison::Meaning => {
                        ValuesRule::Meaning(by_meaning(&name, &written, &check.query_schema)?)
                    }
                };
                Ok((name, ParameterRule { written, values }))
            })
            .collect::<Result<_, Undecided>>()?;
        Ok(Self { parameters, only: check.only_query })
    }

    /// What is wrong with a query, one line each.
    pub(super) fn differences(&self, query: &Parameters, ignored: &Ignored<'_>) -> Vec<String> {
        let mut differences = Vec::new();
        for (name, rule) in &self.parameters {
            let values: Vec<&str> =
                query.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str()).collect();
            if !rule.values.accept(&values) {
                let wanted = listed(&rule.written);
                differences
                    .push(format!("query parameter `{name}` is {}, expected {wanted}", listed(&values)));
            }
        }
        if self.only {
            let unexpected = query.iter().filter(|(name, value)| {
                !self.parameters.contains_key(name)
                    && !value.is_empty()
                    && !is_tracking(name)
                    && !ignored.covers(name)
            });
            differences.extend(unexpected.map(|(name, value)| {
                let (name, value) = (words::shorten(name), words::shorten(value));
                format!("query parameter `{name}` is `{value}`, expected none")
            }));
        }
        differences
    }
}

impl ValuesRule {
    fn accept(&self, values: &[&str]) -> bool {
        match self {
            Self::Exact(expected) => {
                values.len() == expected.len()
                    && expected.iter().zip(values).all(|(expected, value)| expected.accepts(value))
            }
            Self::Meaning(expected) => {
                // The same value twice says nothing more than once, and an empty one says nothing.
                let distinct: BTreeSet<&str> =
                    values.iter().copied().filter(|value| !value.is_empty()).collect();
                let actual: Vec<Value> = distinct.into_iter().map(Value::from).collect();
                compare_lists(expected, &actual, Order::Any).is_match()
            }
        }
    }
}

fn by_meaning(name: &str, written: &[String], schema: &Value) -> Result<Vec<Expected>, Undecided> {
    let item = schema.get("properties").and_then(|properties| properties.get(name));
    let item = item.map(|list| list.get("items").unwrap_or(list)).cloned();
    let value_type = ValueType::of_schema(&item.unwrap_or_else(|| serde_json::json!({"type": "string"})))?;
    let distinct: BTreeSet<&String> = written.iter().filter(|value| !value.is_empty()).collect();
    distinct.into_iter().map(|value| value_type.expect(&Value::from(value.as_str()), Order::Any)).collect()
}

fn is_tracking(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utm_") || TRACKING.contains(&name.as_str())
}

pub(super) fn listed<T: AsRef<str>>(values: &[T]) -> String {
    match values {
        [] => "missing".to_owned(),
        values => words::joined(values.iter().map(|value| format!("`{}`", value.as_ref())), ", "),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::network::url_rule::parameters_of;

    fn fits(check: &Value, query: &str) -> bool {
        let mut check = check.clone();
        check["url"] = json!(["http://x.example/"]);
        let check: NetworkCheck = serde_json::from_value(check).expect("a check");
        let ignored = Ignored::new(&check).expect("readable");
        let rule = QueryRule::new(check.query.clone(), &check, &ignored).expect("readable");
        let query = parameters_of(&format!("http://x.example/?{query}"));
        rule.differences(&query, &ignored).is_empty()
    }

    #[test]
    fn by_meaning_all_values_count_in_any_order() {
        let labels = json!({"comparison": "meaning", "only_query": true, "query": {"label": ["Bug", "ui"], "q": ["c++"]}});
        for (query, accepted) in [
            ("label=bug&label=ui&q=c%2B%2B", true),
            ("label=UI&q=C%2B%2B&label=bug", true),
            ("label=bug&label=ui&label=bug&q=c%2B%2B", true),
            ("label=bug&q=c%2B%2B", false),
            ("label=bug&label=ui&label=new&q=c%2B%2B", false),
            ("label=bug&label=ui&q=c++", false),
            ("label=bug&label=ui&q=c", false),
            ("label=bug&label=ui&q=c%252B%252B", false),
            ("Label=bug&label=ui&q=c%2B%2B", false),
            ("label=bug&label=ui&q=c%2B%2B&utm=1&utm_source=x&gclid=2&page=", true),
            ("label=bug&label=ui&q=c%2B%2B&page=2", false),
        ] {
            assert_eq!(fits(&labels, query), accepted, "{query}");
        }
    }

    #[test]
    fn what_is_ignored_counts_on_neither_side() {
        let check = |patterns: &[&str]| {
            json!({"comparison": "meaning", "only_query": true, "query": {"price": ["0-25"], "sort": ["asc"]},
                "ignored_query": ["mode"], "ignored_query_patterns": patterns})
        };
        assert!(fits(&check(&["sort", "^page"]), "price=0-25&mode=list&Page=2&sortBy=x"));
        assert!(!fits(&check(&[]), "price=0-25&sort=asc&modes=list"));
        assert!(fits(&check(&["^(?!price$).+$"]), "price=0-25&anything=else"));
        assert!(!fits(&check(&["^(?!price$).+$"]), "price=0-30"));
        assert!(fits(&check(&[".*"]), "price=9-9"));
    }

    #[test]
    fn typed_values_and_patterns() {
        let dates = json!({"comparison": "meaning", "query": {"from": ["01/02/2023"], "kind": ["^(bug|ui)$"]},
            "query_schema": {"type": "object", "properties":
                {"from": {"type": "array", "items": {"type": "string", "format": "date"}}}}});
        assert!(fits(&dates, "from=2023-01-02&kind=UI"));
        assert!(!fits(&dates, "from=2023-02-01&kind=ui"));
        assert!(!fits(&dates, "from=2023-01-02&kind=%5E.*%24"));
    }
}
