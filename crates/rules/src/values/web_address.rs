//! URLs as answers, and addresses of repositories over SSH.
//!
//! Compared are scheme, host, port, path and query, in the normal form of the URL standard with percent-encoding
//! unified and decoded once: `c%2B%2B` is not `c  `. Not compared: a slash at the end of the path, the order of
//! parameters with different names, parameters that are empty or only track visitors, and a fragment the task does not ask for. A
//! scheme that was left out is http or https.
//!
//! In an SSH address (`git@host:group/project.git`) the host `__SSH_HOST__` of a task stands for any: the task was
//! written before its sites had a name.

use std::fmt;

use serde_json::Value;
use url::Url;

use super::folding::plain;
use crate::network::place;

const ANY_HOST: &str = "__ssh_host__";

/// Longer than any browser's address bar takes.
const LONGEST: usize = 8192;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WebAddress {
    Page {
        /// `http` or `https`; none if it was left out.
        scheme: Option<String>,
        /// Host, port and path.
        place: String,
        /// Sorted by name; values of one name in their order.
        query: Vec<(String, String)>,
        fragment: Option<String>,
    },
    Ssh {
        user: String,
        host: String,
        path: String,
    },
}

impl WebAddress {
    /// `self` is the expected one: what it leaves open is not looked at.
    pub(super) fn same_as(&self, actual: &Self) -> bool {
        match (self, actual) {
            (
                Self::Page { scheme, place, query, fragment },
                Self::Page { scheme: its_scheme, place: its_place, query: its_query, fragment: its_fragment },
            ) => {
                (scheme.is_none() || its_scheme.is_none() || scheme == its_scheme)
                    && place == its_place
                    && query == its_query
                    && (fragment.is_none() || fragment == its_fragment)
            }
            (
                Self::Ssh { user, host, path },
                Self::Ssh { user: its_user, host: its_host, path: its_path },
            ) => user == its_user && (host == ANY_HOST || host == its_host) && path == its_path,
            _ => false,
        }
    }
}

pub(super) fn read(value: &Value) -> Option<WebAddress> {
    let text = value.as_str().filter(|text| text.len() <= LONGEST)?.trim();
    if text.is_empty() || text.contains(char::is_whitespace) {
        return None;
    }
    read_ssh(text).or_else(|| read_page(text))
}

fn read_page(text: &str) -> Option<WebAddress> {
    let (text, has_scheme) = match text.find("://") {
        Some(_) => (text.to_owned(), true),
        None => (format!("http://{text}"), false),
    };
    let url = Url::parse(&text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let host = url.host_str()?;
    // A user name in front of a host is a trick or, without a scheme, no address of a page at all.
    if !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    // `lamp` alone is a word, and `__SHOP__` a placeholder nobody filled in.
    if host.contains("__") || (!has_scheme && !host.contains('.') && host != "localhost") {
        return None;
    }
    let place = place(&text)?;
    let place = place.split_once("://")?.1.trim_end_matches('/').to_owned();
    let mut query: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    query.retain(|(name, value)| !value.is_empty() && !only_tracks(name));
    query.sort_by(|(name, _), (other, _)| name.cmp(other));
    Some(WebAddress::Page {
        scheme: has_scheme.then(|| url.scheme().to_owned()),
        place,
        query,
        fragment: url.fragment().filter(|fragment| !fragment.is_empty()).map(str::to_owned),
    })
}

fn only_tracks(parameter: &str) -> bool {
    parameter.starts_with("utm_") || matches!(parameter, "utm" | "gclid" | "fbclid" | "msclkid")
}

/// `git@host:path` and `ssh://git@host:22/path`.
fn read_ssh(text: &str) -> Option<WebAddress> {
    let (user, host, path) = match text.strip_prefix("ssh://") {
        Some(rest) => {
            let (user, rest) = rest.split_once('@')?;
            let (host, path) = rest.split_once('/')?;
            (user, host.split_once(':').map_or(host, |(host, _)| host), path)
        }
        None if !text.contains("://") => {
            let (user, rest) = text.split_once('@')?;
            let (host, path) = rest.split_once(':')?;
            (user, host, path)
        }
        None => return None,
    };
    let path = path.trim_matches('/').to_owned();
    let is_name = |text: &str| !text.is_empty() && !text.contains(['/', '@', ':']);
    (is_name(user) && is_name(host) && !path.is_empty()).then(|| WebAddress::Ssh {
        user: user.to_owned(),
        host: host.to_lowercase(),
        path,
    })
}

impl fmt::Display for WebAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page { scheme, place, query, fragment } => {
                if let Some(scheme) = scheme {
                    write!(f, "{scheme}://")?;
                }
                f.write_str(place)?;
                for (at, (name, value)) in query.iter().enumerate() {
                    write!(f, "{}{name}={}", if at == 0 { '?' } else { '&' }, plain(value))?;
                }
                fragment.as_ref().map_or(Ok(()), |fragment| write!(f, "#{fragment}"))
            }
            Self::Ssh { user, host, path } => write!(f, "{user}@{host}:{path}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn same(expected: &str, actual: &str) -> bool {
        match (read(&json!(expected)), read(&json!(actual))) {
            (Some(expected), Some(actual)) => expected.same_as(&actual),
            _ => false,
        }
    }

    #[test]
    fn addresses_that_are_the_same() {
        for (expected, actual) in [
            ("http://shop.example/a", "HTTP://Shop.Example:80/x/../a"),
            ("http://shop.example/a", "http://shop.example/a/"),
            ("http://shop.example", "http://shop.example/"),
            ("http://shop.example/a", "http://shop.example/a#top"),
            ("http://shop.example/a", "shop.example/a"),
            ("shop.example/a", "https://shop.example/a"),
            ("http://localhost:7770/a?x=1&y=2", "localhost:7770/a?y=2&x=1"),
            ("http://shop.example/?q=c%2B%2B", "http://shop.example/?q=c%2b%2b"),
            ("http://shop.example/?q=a+b", "http://shop.example/?q=a%20b"),
            ("http://shop.example/a", "http://shop.example/a?utm_source=mail&gclid=1"),
            ("http://shop.example/a", "http://shop.example/a?page=&"),
            ("http://shop.example/~ann/é", "http://shop.example/%7Eann/%C3%A9"),
            ("http://bücher.example/", "http://xn--bcher-kva.example/"),
            ("git@__SSH_HOST__:group/app.git", "git@metis.example:group/app.git"),
            ("git@__SSH_HOST__:group/app.git", "ssh://git@localhost:2222/group/app.git"),
        ] {
            assert!(same(expected, actual), "{expected} and {actual}");
        }
    }

    #[test]
    fn addresses_that_differ() {
        for (expected, actual) in [
            ("http://shop.example/a", "https://shop.example/a"),
            ("http://shop.example/a", "http://shop.example/b"),
            ("http://shop.example/a", "http://shop.example/A"),
            ("http://shop.example/a", "http://shop.example:8080/a"),
            ("http://shop.example/a", "http://shop.example/a?page=2"),
            ("http://shop.example/?q=c%2B%2B", "http://shop.example/?q=c++"),
            ("http://shop.example/?q=c%2B%2B", "http://shop.example/?q=c"),
            ("http://shop.example/?t=a&t=b", "http://shop.example/?t=a"),
            ("http://shop.example/?t=a&t=b", "http://shop.example/?t=b&t=a"),
            ("http://shop.example/?q=%2520", "http://shop.example/?q=%20"),
            ("http://shop.example/a#reviews", "http://shop.example/a"),
            ("http://shop.example/a", "http://shop.example@evil.example/a"),
            ("git@__SSH_HOST__:group/app.git", "git@metis.example:group/other.git"),
            ("git@__SSH_HOST__:group/app.git", "https://metis.example/group/app.git"),
            ("http://shop.example/a", "^.*$"),
        ] {
            assert!(!same(expected, actual), "{expected} and {actual}");
        }
    }

    #[test]
    fn what_is_no_address() {
        for value in [
            json!(""),
            json!("lamp"),
            json!("/a"),
            json!("see http://shop.example/a"),
            json!("javascript:alert(1)"),
            json!("ftp://shop.example/a"),
            json!("http://[bad"),
            json!("http://"),
            json!("__SHOPPING__/a"),
            json!("http://__SHOPPING__/a"),
            json!("git@:a"),
            json!("mailto:ann@shop.example"),
            json!("http://ann:pw@shop.example/"),
            json!(5),
            json!(null),
            json!(["http://shop.example/"]),
        ] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    proptest! {
        #[test]
        fn the_normal_form_is_stable(path in "[a-zA-Z0-9%/.~é_-]{0,20}", query in "([a-z]=[a-z%0-9+]{0,4}&?){0,3}") {
            let text = format!("http://shop.example/{path}?{query}");
            if let Some(address) = read(&json!(text)) {
                prop_assert!(address.same_as(&address));
                prop_assert!(!address.to_string().is_empty());
            }
        }

        #[test]
        fn no_text_breaks_it(text in any::<String>(), near in "[a-z:/@.?#=&%\\[\\]0-9]{0,30}") {
            read(&json!(text));
            read(&json!(near));
        }
    }
}
