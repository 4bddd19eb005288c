//! When a URL is the one a check means.
//!
//! Compared are scheme, host, port and path, normalised as the URL standard does it: lower-case scheme and host, no
//! default port, dot segments resolved, an empty path is `/`. Percent-encoding is unified on top of that: what needs
//! none has none, and hex digits are upper case; an encoded slash stays different from a slash. A trailing slash is
//! part of the path. Query, fragment and user name are not looked at.

use url::Url;

use crate::pattern::{Case, Pattern};
use crate::ruling::Undecided;

#[derive(Debug)]
pub(super) enum UrlRule {
    Place(String),
    Pattern(Pattern),
}

impl UrlRule {
    pub(super) fn new(expected: &str) -> Result<Self, Undecided> {
        if let Some(pattern) = Pattern::of(expected, Case::Exact)? {
            return Ok(Self::Pattern(pattern));
        }
        let broken = |problem: &str| Undecided::Broken(format!("the URL `{expected}` {problem}"));
        let place = place(expected).ok_or_else(|| broken("is not an http(s) URL"))?;
        if expected.contains(['?', '#']) {
            return Err(broken("has a query or fragment, which would not be looked at; use `query`"));
        }
        Ok(Self::Place(place))
    }

    /// `place` is what [`place`] made of a recorded URL.
    pub(super) fn accepts(&self, place: &str) -> bool {
        match self {
            Self::Place(expected) => expected == place,
            Self::Pattern(pattern) => pattern.is_match(place),
        }
    }
}

/// Scheme, host, port and path in normal form; `None` for what is not on the web (`data:`, `about:`, nonsense).
pub(super) fn place(url: &str) -> Option<String> {
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
            unified.push('%');
            rest = &rest[1..];
            continue;
        };
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            unified.push(char::from(byte));
        } else {
            unified.push_str(&rest[..3].to_ascii_uppercase());
        }
        rest = &rest[3..];
    }
    unified + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn places() {
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
            ("^http://shop\\.localhost/product/\\d+$", "http://shop.localhost/product/17?tab=2", true),
            ("^http://shop\\.localhost/product/\\d+$", "http://shop.localhost/product/17/edit", false),
            ("http://shop.localhost/", "http://[bad", false),
            ("http://shop.localhost/", "", false),
            ("^.*$", "data:text/html,hello", false),
        ] {
            let rule = UrlRule::new(expected).expect("a good rule");
            assert_eq!(place(url).is_some_and(|place| rule.accepts(&place)), accepted, "{expected} on {url}");
        }
    }

    #[test]
    fn rules_that_could_never_be_right_are_broken() {
        for expected in
            ["/cart", "", "ftp://x.example/", "http://x.example/?q=1", "http://x.example/#top", "^($"]
        {
            assert!(matches!(UrlRule::new(expected), Err(Undecided::Broken(_))), "{expected}");
        }
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
