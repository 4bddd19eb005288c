//! One spelling per URL: the rules of the `url-normalize` library the reference relies on.

use unicode_normalization::UnicodeNormalization;

use super::host::{self, HostError};
use crate::python::urllib::{self, SplitUrl, UrlError};
use crate::python::{strip, to_ascii_digits};

/// A text no URL can be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAUrl {
    #[error(transparent)]
    Url(#[from] UrlError),
    #[error(transparent)]
    Host(#[from] HostError),
    #[error("the port is of digits that make no number")]
    Port,
}

/// Schemes that always stand before `//`.
const SCHEMES_WITH_SLASHES: [&str; 4] = ["http", "https", "ftp", "ftps"];
const SAFE_IN_PATH: &str = "~:/#[]@!$&'()*+,;=";
const SAFE_IN_QUERY: &str = "~:/?[]@!$'()*+,;";
const SAFE_IN_FRAGMENT: &str = "~=";

/// The normal form of a URL; a text without a scheme is taken for an `https` address.
pub fn normalise(url: &str) -> Result<String, NotAUrl> {
    if url.is_empty() {
        return Ok(String::new());
    }
    let url = with_scheme(url).replace("#!", "?_escaped_fragment_=");
    let url = strip(url.trim_end_matches(['&', '?', ' ']));
    let parts = urllib::split(url)?;

    let (user, host_and_port) = match parts.authority.split_once('@') {
        Some((user, rest)) => (format!("{user}@"), rest),
        None => (String::new(), parts.authority.as_str()),
    };
    let (host, port) = host_and_port.split_once(':').unwrap_or((host_and_port, ""));
    let mut authority = if matches!(user.as_str(), "@" | ":@") { String::new() } else { user };
    authority.push_str(&host::to_ascii(host)?);
    let port = normal_port(port, &parts.scheme)?;
    if !port.is_empty() {
        authority.push(':');
        authority.push_str(&port);
    }

    let normal = SplitUrl {
        authority,
        path: normal_path(&parts.path, &parts.scheme),
        query: normal_query(&parts.query),
        fragment: requote(&parts.fragment, SAFE_IN_FRAGMENT),
        scheme: parts.scheme,
    };
    Ok(normal.join())
}

fn with_scheme(url: &str) -> String {
    let is_file_path = url == "-" || (url.starts_with('/') && !url.starts_with("//"));
    if is_file_path {
        return url.to_owned();
    }
    if !url.chars().take(7).any(|c| c == ':') {
        return format!("https://{}", url.trim_start_matches('/'));
    }
    match url.split_once(':') {
        Some((scheme, rest)) if SCHEMES_WITH_SLASHES.contains(&scheme.to_lowercase().as_str()) => {
            format!("{scheme}://{}", rest.trim_start_matches('/'))
        }
        _ => url.to_owned(),
    }
}

/// Drops leading zeros and the scheme's own port. A port that is not of digits stays as it is.
fn normal_port(port: &str, scheme: &str) -> Result<String, NotAUrl> {
    let digits = to_ascii_digits(port);
    if port.is_empty() || !digits.chars().all(|c| c.is_ascii_digit() || is_other_digit(c)) {
        return Ok(port.to_owned());
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NotAUrl::Port);
    }
    let significant = digits.trim_start_matches('0');
    let number = if significant.is_empty() { "0" } else { significant };
    let default = match scheme {
        "ftp" => "21",
        "telnet" => "23",
        "gopher" => "70",
        "http" | "ws" => "80",
        "news" | "nntp" => "119",
        "https" | "wss" => "443",
        "snews" | "snntp" => "563",
        _ => "",
    };
    Ok(if number == default { String::new() } else { number.to_owned() })
}

/// Superscript, subscript and circled digits: Python calls them digits and cannot count with them.
fn is_other_digit(c: char) -> bool {
    matches!(c, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' | '₀'..='₉' | '①'..='⑨')
}

fn normal_path(path: &str, scheme: &str) -> String {
    let path = requote(path, SAFE_IN_PATH);
    let is_hierarchical = matches!(scheme, "" | "http" | "https" | "ftp" | "file");
    let path = if is_hierarchical { without_dot_segments(&path) } else { path };
    if path.is_empty() && is_hierarchical && !scheme.is_empty() { "/".to_owned() } else { path }
}

fn without_dot_segments(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut last = "";
    for segment in path.split('/') {
        last = segment;
        match segment {
            "" if kept.is_empty() => kept.push(segment),
            "" | "." => {}
            ".." => {
                if kept.len() > 1 {
                    kept.pop();
                }
            }
            _ => kept.push(segment),
        }
    }
    if matches!(last, "" | "." | "..") {
        kept.push("");
    }
    kept.join("/")
}

fn normal_query(query: &str) -> String {
    let fields = query.split('&').filter(|field| !field.is_empty()).map(|field| {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        let name = requote(name, SAFE_IN_QUERY);
        let value = requote(value, SAFE_IN_QUERY);
        if value.is_empty() { name } else { format!("{name}={value}") }
    });
    fields.collect::<Vec<_>>().join("&")
}

fn requote(text: &str, safe: &str) -> String {
    let decoded = urllib::unquote(text);
    if decoded.is_ascii() {
        return urllib::quote(&decoded, safe);
    }
    urllib::quote(&decoded.nfc().collect::<String>(), safe)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_part_has_one_spelling() {
        for (url, expected) in [
            ("Example.com/a b", "https://example.com/a%20b"),
            ("http:/h//a/./b/../c/", "http://h/a/c/"),
            ("http://u:p@h:080/?b=2&&a=", "http://u:p@h/?b=2&a"),
            ("http://:@h:x1", "http://h:x1/"),
            ("https://h/p#!state", "https://h/p?_escaped_fragment_=state"),
            ("mailto:a b@c", "mailto:a%20b@c"),
            ("http://h/%7e%2fx?q=%2B%26", "http://h/~/x?q=+%26"),
            ("http://h:٠٨٠٨", "http://h:808/"),
            ("/only/path", "/only/path"),
            ("", ""),
        ] {
            assert_eq!(normalise(url).as_deref(), Ok(expected), "{url}");
        }
    }

    #[test]
    fn a_host_that_cannot_be_is_refused() {
        assert!(normalise("http://[bad").is_err());
        assert_eq!(normalise("http://h:8²"), Err(NotAUrl::Port));
        assert!(normalise(&format!("http://{}.com", "a".repeat(64))).is_err());
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>(), url in r"(https?:|//|/)?[a-zß。_\[\]:@%/?#&;=²٣.\-]{0,30}") {
            let _ = (normalise(&text), normalise(&url));
        }

        #[test]
        fn a_normal_form_is_its_own(path in r"[a-zA-Z0-9_/.é\- ]{0,20}", query in r"([a-z]{1,3}=[a-z0-9+]{1,3}&){0,3}") {
            let normal = normalise(&format!("http://host/{path}?{query}")).expect("an address");
            prop_assert_eq!(normalise(&normal), Ok(normal));
        }
    }
}
