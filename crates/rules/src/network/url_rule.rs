//! When a URL is the one a check means.
//!
//! Compared are scheme, host, port and path, normalised as the URL standard does it: lower-case scheme and host, no
//! default port, dot segments resolved, an empty path is `/`. Percent-encoding is unified on top of that: what needs
//! none has none, and hex digits are upper case; an encoded slash stays different from a slash. Letter by letter a
//! trailing slash is part of the path; by meaning it is not, nor are empty segments and case. Fragment and user name are
//! never looked at: they do not reach the server.

use std::collections::BTreeMap;

use umpire_model::{Comparison, NetworkCheck};
use url::Url;

use super::base64_path;
use super::query_rule::{Ignored, Parameters, QueryRule};
use crate::pattern::{Case, Pattern};
use crate::ruling::Undecided;

/// A URL that was recorded, read once for all rules.
pub(super) struct Address {
    /// The place in normal form, then other spellings of it that mean the same by the check.
    spellings: Vec<String>,
    query: Parameters,
}

impl Address {
    /// `None` for what is not on the web (`data:`, `about:`, nonsense).
    pub(super) fn of(url: &str, check: &NetworkCheck) -> Option<Self> {
        let mut spellings = vec![place(url)?];
        let mut query = parameters_of(url);
        if check.base64_path {
            let (rest, hidden) = base64_path::split(&spellings[0]);
            if !hidden.is_empty() {
                spellings.push(rest);
                query.extend(hidden);
            }
        }
        if check.comparison == Comparison::Meaning {
            let bare: Vec<String> = spellings.iter().map(|place| without_empty_segments(place)).collect();
            spellings.extend(bare);
        }
        Some(Self { spellings, query })
    }
}

pub(super) struct UrlRule {
    place: PlaceRule,
    query: QueryRule,
}

#[derive(Debug)]
enum PlaceRule {
    Exact(String),
    Meaning(String),
    Pattern(Pattern),
}

impl UrlRule {
    /// `query`, if there is one, replaces the query written into the URL.
    pub(super) fn new(
        expected: &str,
        query: &BTreeMap<String, Vec<String>>,
        check: &NetworkCheck,
        ignored: &Ignored<'_>,
    ) -> Result<Self, Undecided> {
        let broken = |problem: &str| Undecided::Broken(format!("the URL `{expected}` {problem}"));
        let (place, own_query) = if let Some(pattern) = Pattern::of(expected, Case::Exact)? {
            (PlaceRule::Pattern(pattern), Parameters::new())
        } else {
            let place = place(expected).ok_or_else(|| broken("is not an http(s) URL"))?;
            if expected.contains('#') {
                return Err(broken("has a fragment, which would not be looked at"));
            }
            let place = match check.comparison {
                Comparison::Exact => PlaceRule::Exact(place),
                Comparison::Meaning => PlaceRule::Meaning(without_empty_segments(&place).to_lowercase()),
            };
            (place, parameters_of(expected))
        };
        let mut parameters = query.clone();
        if parameters.is_empty() {
            for (name, value) in own_query {
                parameters.entry(name).or_default().push(value);
            }
        }
        Ok(Self { place, query: QueryRule::new(parameters, check, ignored)? })
    }

    /// True if it is the right place, whatever the query is.
    pub(super) fn accepts(&self, address: &Address) -> bool {
        match &self.place {
            PlaceRule::Exact(expected) => address.spellings.first() == Some(expected),
            PlaceRule::Meaning(expected) => {
                address.spellings.iter().any(|place| place.to_lowercase() == *expected)
            }
            PlaceRule::Pattern(pattern) => address.spellings.iter().any(|place| pattern.is_match(place)),
        }
    }

    pub(super) fn query_differences(&self, address: &Address, ignored: &Ignored<'_>) -> Vec<String> {
        self.query.differences(&address.query, ignored)
    }
}

/// Of several accepted URLs those at the right place, and what is wrong with the query by the one that fits best;
/// `None` if the place is another.
pub(super) fn best_fit(rules: &[UrlRule], address: &Address, ignored: &Ignored<'_>) -> Option<Vec<String>> {
    rules
        .iter()
        .filter(|rule| rule.accepts(address))
        .map(|rule| rule.query_differences(address, ignored))
        .min_by_key(Vec::len)
}

/// The parameters of a URL's query, decoded once.
pub(super) fn parameters_of(url: &str) -> Parameters {
    Url::parse(url).map(|url| url.query_pairs().into_owned().collect()).unwrap_or_default()
}

/// Scheme, host, port and path in normal form; `None` for what is not on the web (`data:`, `about:`, nonsense).
pub(crate) fn place(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    if !matches!(url.scheme(), "http" | "https" | "ws" | "wss") {
        return None;
    }
    Some(format!("{}{}", url.origin().ascii_serialization(), unified_encoding(url.path())))
}

fn unified_encoding(path: &str) -> String {
    let mut unified = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        unified.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some(byte) = rest.get(1..3).and_then(|hex| u8::from_str_radix(hex, 16).ok()) else {
            // A percent sign that encodes nothing must not begin to, once what follows it is decoded.
            unified.push_str("%25");
            rest = &rest[1..];
            continue;
        };
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte) {
            unified.push(char::from(byte));
        } else {
            unified.push_str(&rest[..3].to_ascii_uppercase());
        }
        rest = &rest[3..];
    }
    unified + rest
}

/// The place without trailing and doubled slashes.
fn without_empty_segments(place: &str) -> String {
    let (scheme, rest) = place.split_once("://").unwrap_or(("", place));
    let segments: Vec<&str> = rest.split('/').filter(|segment| !segment.is_empty()).collect();
    format!("{scheme}://{}", segments.join("/"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use serde_json::{Value, json};

    use super::*;

    fn rules(check: &NetworkCheck) -> Result<Vec<UrlRule>, Undecided> {
        let ignored = Ignored::new(check)?;
        check.url.iter().map(|url| UrlRule::new(url, &check.query, check, &ignored)).collect()
    }

    fn accepts(check: &Value, url: &str) -> bool {
        let check: NetworkCheck = serde_json::from_value(check.clone()).expect("a check");
        let rules = rules(&check).expect("a good rule");
        let ignored = Ignored::new(&check).expect("readable");
        let address = Address::of(url, &check);
        address.and_then(|address| best_fit(&rules, &address, &ignored)).is_some_and(|wrong| wrong.is_empty())
    }

    #[test]
    fn places_letter_by_letter() {
        for (expected, url, accepted) in [
            ("http://shop.localhost/cart", "http://shop.localhost/cart", true),
            ("http://shop.localhost/cart", "HTTP://Shop.LocalHost:80/x/../cart?a=1#top", true),
            ("http://shop.localhost", "http://shop.localhost/", true),
            ("http://shop.localhost/cart", "http://shop.localhost/cart/", false),
            ("http://shop.localhost/cart", "http://shop.localhost/Cart", false),
            ("http://shop.localhost/cart", "https://shop.localhost/cart", false),
            ("http://shop.localhost/cart", "http://shop.localhost:8080/cart", false),
            ("http://shop.localhost/cart", "http://shop.localhost.evil.example/cart", false),
            ("http://shop.localhost/cart", "http://shop.localhost@evil.example/cart", false),
            ("http://shop.localhost/~ann/é", "http://shop.localhost/%7eann/%c3%a9", true),
            ("http://shop.localhost/a%2fb", "http://shop.localhost/a/b", false),
            ("http://shop.localhost/100%", "http://shop.localhost/100%25", true),
            ("http://shop.localhost/%A%61", "http://shop.localhost/%AA", false),
            ("^http://shop\\.localhost/product/\\d+$", "http://shop.localhost/product/17?tab=2", true),
            ("^http://shop\\.localhost/product/\\d+$", "http://shop.localhost/product/17/edit", false),
            ("http://shop.localhost/", "http://[bad", false),
            ("http://shop.localhost/", "", false),
            ("^.*$", "data:text/html,hello", false),
        ] {
            assert_eq!(accepts(&json!({"url": [expected]}), url), accepted, "{expected} on {url}");
        }
    }

    #[test]
    fn rules_that_could_never_be_right_are_broken() {
        for expected in ["/cart", "", "ftp://x.example/", "http://x.example/#top", "^($"] {
            let check = NetworkCheck::to(vec![expected.to_owned()]);
            assert!(matches!(rules(&check), Err(Undecided::Broken(_))), "{expected}");
        }
    }

    #[test]
    fn places_by_meaning() {
        let todos = json!({"comparison": "meaning", "only_query": true,
            "url": ["http://git.localhost:8023/Dashboard/todos", "http://git.localhost:8023/dashboard/todos?state=open"]});
        let product = json!({"comparison": "meaning", "url": ["^http://shop\\.localhost/product/\\d+$"]});
        for (check, url, accepted) in [
            (&todos, "http://git.localhost:8023/dashboard/Todos/", true),
            (&todos, "http://git.localhost:8023//dashboard//todos/#top", true),
            (&todos, "http://git.localhost:8023/dashboard/todos?utm=1#top", true),
            (&todos, "http://git.localhost:8023/dashboard/todos?state=open", true),
            (&todos, "http://git.localhost:8023/dashboard/todos?state=closed", false),
            (&todos, "http://git.localhost:80230/dashboard/todos", false),
            (&todos, "https://git.localhost:8023/dashboard/todos", false),
            (&todos, "http://git.localhost:8023/dashboard", false),
            (&product, "http://shop.localhost/product/5/", true),
            (&product, "http://shop.localhost/Product/5", false),
        ] {
            assert_eq!(accepts(check, url), accepted, "{url}");
        }
    }

    #[test]
    fn a_query_hidden_in_the_path() {
        // `state=open` in base64.
        let url = "http://shop.localhost/list/filter/c3RhdGU9b3Blbg==/";
        let mut check = json!({"url": ["http://shop.localhost/list/filter"], "query": {"state": ["open"]},
            "comparison": "meaning", "base64_path": true});
        assert!(accepts(&check, url));
        check["url"] = json!(["^http://shop\\.localhost/list/filter/.+$"]);
        assert!(accepts(&check, url), "a pattern may mean the whole path");
        check["query"] = json!({"state": ["closed"]});
        assert!(!accepts(&check, url));
    }

    proptest! {
        #[test]
        fn no_url_breaks_it_and_normal_form_is_stable(path in "[%0-9a-fA-F/.~é -]{0,20}") {
            if let Some(place) = place(&format!("http://x.example/{path}")) {
                prop_assert_eq!(super::place(&place), Some(place));
            }
        }
    }
}
