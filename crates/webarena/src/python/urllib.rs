//! URLs as Python's `urllib.parse` takes them apart: more forgiving than the URL standard, and with its own refusals.
//!
//! The reference splits, decodes and rejoins every URL with these functions, so the exact point where a text stops
//! being a scheme, a host or a parameter decides verdicts.

use std::net::Ipv6Addr;

use unicode_normalization::UnicodeNormalization;

/// Schemes whose last path segment may carry `;parameters`.
const SCHEMES_WITH_PARAMETERS: [&str; 16] = [
    "", "ftp", "hdl", "prospero", "http", "imap", "https", "shttp", "rtsp", "rtsps", "rtspu", "sip", "sips",
    "mms", "sftp", "tel",
];

/// Schemes that keep `//` before the path even when there is no authority.
const SCHEMES_WITH_AUTHORITY: [&str; 26] = [
    "", "ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews",
    "prospero", "rtsp", "rtsps", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws",
    "wss",
];

/// A text that cannot be split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    #[error("the brackets of the host do not enclose an IPv6 address")]
    Brackets,
    #[error("the host contains a character that stands for a URL delimiter")]
    DelimiterInHost,
}

/// The five parts of a URL. The scheme is lower-case; everything else is as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitUrl {
    pub scheme: String,
    pub authority: String,
    pub path: String,
    pub query: String,
    pub fragment: String,
}

impl SplitUrl {
    /// The path without the `;parameters` of its last segment, and those parameters.
    pub fn path_and_parameters(&self) -> (&str, &str) {
        if !SCHEMES_WITH_PARAMETERS.contains(&self.scheme.as_str()) {
            return (&self.path, "");
        }
        let last_segment = self.path.rfind('/').unwrap_or(0);
        match self.path[last_segment..].find(';') {
            Some(at) => (&self.path[..last_segment + at], &self.path[last_segment + at + 1..]),
            None => (&self.path, ""),
        }
    }

    /// The URL written out again.
    pub fn join(&self) -> String {
        let mut url = String::with_capacity(
            self.scheme.len()
                + self.authority.len()
                + self.path.len()
                + self.query.len()
                + self.fragment.len()
                + 5,
        );
        if !self.scheme.is_empty() {
            url.push_str(&self.scheme);
            url.push(':');
        }
        let keeps_slashes = !self.scheme.is_empty()
            && SCHEMES_WITH_AUTHORITY.contains(&self.scheme.as_str())
            && !self.path.starts_with("//");
        if !self.authority.is_empty() || keeps_slashes {
            url.push_str("//");
            url.push_str(&self.authority);
            if !self.path.is_empty() && !self.path.starts_with('/') {
                url.push('/');
            }
        }
        url.push_str(&self.path);
        if !self.query.is_empty() {
            url.push('?');
            url.push_str(&self.query);
        }
        if !self.fragment.is_empty() {
            url.push('#');
            url.push_str(&self.fragment);
        }
        url
    }
}

/// Takes a URL apart, as `urlsplit` does.
pub fn split(url: &str) -> Result<SplitUrl, UrlError> {
    let cleaned: String = url
        .trim_start_matches(|c: char| c <= ' ')
        .chars()
        .filter(|c| !matches!(c, '\t' | '\r' | '\n'))
        .collect();
    let mut rest = cleaned.as_str();

    let mut scheme = String::new();
    if let Some(colon) = rest.find(':')
        && rest.starts_with(|c: char| c.is_ascii_alphabetic())
        && rest[..colon].bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    {
        scheme = rest[..colon].to_ascii_lowercase();
        rest = &rest[colon + 1..];
    }

    let mut authority = "";
    if let Some(after) = rest.strip_prefix("//") {
        let end = after.find(['/', '?', '#']).unwrap_or(after.len());
        (authority, rest) = after.split_at(end);
        check_brackets(authority)?;
    }
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    check_authority(authority)?;

    Ok(SplitUrl {
        scheme,
        authority: authority.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        fragment: fragment.to_owned(),
    })
}

fn check_brackets(authority: &str) -> Result<(), UrlError> {
    let (opens, closes) = (authority.contains('['), authority.contains(']'));
    if !opens && !closes {
        return Ok(());
    }
    if opens != closes {
        return Err(UrlError::Brackets);
    }
    let after = authority.split_once('[').map_or("", |(_, after)| after);
    let host = after.split_once(']').map_or(after, |(host, _)| host);
    let valid = match host.strip_prefix('v') {
        Some(future) => future.split_once('.').is_some_and(|(version, address)| {
            !version.is_empty()
                && version.bytes().all(|b| b.is_ascii_hexdigit())
                && !address.is_empty()
                && !address.contains('\n')
        }),
        None => is_ipv6(host),
    };
    if valid { Ok(()) } else { Err(UrlError::Brackets) }
}

/// Python allows a zone (`%eth0`) after the address, as long as it is not empty and has no second `%`.
fn is_ipv6(host: &str) -> bool {
    let address = match host.split_once('%') {
        Some((_, zone)) if zone.is_empty() || zone.contains('%') => return false,
        Some((address, _)) => address,
        None => host,
    };
    address.parse::<Ipv6Addr>().is_ok()
}

/// Refuses hosts with characters that turn into URL delimiters once the name is normalised (`℀` becomes `a/c`).
fn check_authority(authority: &str) -> Result<(), UrlError> {
    if authority.is_ascii() {
        return Ok(());
    }
    let host: String = authority.chars().filter(|c| !matches!(c, '@' | ':' | '#' | '?')).collect();
    let normalised: String = host.nfkc().collect();
    if normalised != host && normalised.contains(['/', '?', '#', '@', ':']) {
        return Err(UrlError::DelimiterInHost);
    }
    Ok(())
}

/// Decodes `%xx`, reading each run of ASCII text as UTF-8 with U+FFFD for what is not.
pub fn unquote(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let ascii_end = rest.find(|c: char| !c.is_ascii()).unwrap_or(rest.len());
        let (ascii, other) = rest.split_at(ascii_end);
        decoded.push_str(&String::from_utf8_lossy(&unquote_bytes(ascii)));
        let other_end = other.find(|c: char| c.is_ascii()).unwrap_or(other.len());
        decoded.push_str(&other[..other_end]);
        rest = &other[other_end..];
    }
    decoded
}

fn unquote_bytes(ascii: &str) -> Vec<u8> {
    let bytes = ascii.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let pair = (bytes[at] == b'%').then(|| bytes.get(at + 1..at + 3)).flatten();
        if let Some((high, low)) = pair.and_then(|pair| Some((hex_digit(pair[0])?, hex_digit(pair[1])?))) {
            decoded.push(high << 4 | low);
            at += 3;
        } else {
            decoded.push(bytes[at]);
            at += 1;
        }
    }
    decoded
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

/// Percent-encodes everything but letters, digits, `_.-~` and the characters of `safe`.
pub fn quote(text: &str, safe: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut quoted = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"_.-~".contains(&byte) || safe.as_bytes().contains(&byte) {
            quoted.push(char::from(byte));
        } else {
            quoted.push('%');
            quoted.push(char::from(HEX[usize::from(byte >> 4)]));
            quoted.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
    quoted
}

/// The fields of a form or query text in their order; a field without `=` has an empty value.
pub fn form_fields(text: &str) -> impl Iterator<Item = (String, String)> + '_ {
    text.split('&').filter(|field| !field.is_empty()).map(|field| {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        (unquote(&name.replace('+', " ")), unquote(&value.replace('+', " ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(url: &str) -> [String; 5] {
        let split = split(url).expect(url);
        [split.scheme, split.authority, split.path, split.query, split.fragment]
    }

    #[test]
    fn a_url_is_split_where_python_splits_it() {
        for (url, expected) in [
            ("http://h:80/p;x?q#f", ["http", "h:80", "/p;x", "q", "f"]),
            ("HTTP:/p", ["http", "", "/p", "", ""]),
            ("1a://h/p", ["", "", "1a://h/p", "", ""]),
            ("//h?q", ["", "h", "", "q", ""]),
            ("\u{1} ht\ntp://h", ["http", "h", "", "", ""]),
            ("p#a?b#c", ["", "", "p", "", "a?b#c"]),
            ("http://[::1%eth0]:1/", ["http", "[::1%eth0]:1", "/", "", ""]),
        ] {
            assert_eq!(parts(url), expected, "{url}");
        }
    }

    #[test]
    fn broken_hosts_are_refused() {
        for url in
            ["http://[::1/x", "http://a]/x", "http://[1.2.3.4]/", "http://[v.]/", "http://ex\u{2100}.com/"]
        {
            assert!(split(url).is_err(), "{url}");
        }
    }

    #[test]
    fn parameters_belong_to_the_last_segment() {
        for (url, expected) in [
            ("http://h/a;b/c.css;d=1;e", ("/a;b/c.css", "d=1;e")),
            ("http://h/a;b/c", ("/a;b/c", "")),
            ("data:a;b", ("a;b", "")),
        ] {
            assert_eq!(split(url).expect(url).path_and_parameters(), expected, "{url}");
        }
    }

    #[test]
    fn joining_restores_what_was_split() {
        for (url, expected) in [
            ("http://h/p?q#f", "http://h/p?q#f"),
            ("http:p", "http:///p"),
            ("mailto:a@b", "mailto:a@b"),
            ("http://h?", "http://h"),
            ("//h/p", "//h/p"),
        ] {
            assert_eq!(split(url).expect(url).join(), expected, "{url}");
        }
    }

    #[test]
    fn percent_signs_decode_per_ascii_run() {
        for (text, expected) in [
            ("a%20b", "a b"),
            ("%zz%4", "%zz%4"),
            ("%C3%A9é%C3", "éé\u{fffd}"),
            ("%ff%fe", "\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(unquote(text), expected, "{text}");
        }
        assert_eq!(quote("a b/é~", "/"), "a%20b/%C3%A9~");
    }

    #[test]
    fn a_form_field_needs_no_equals_sign() {
        let fields: Vec<_> = form_fields("a=1&&b&c=d=e+f").collect();
        let expected = [("a", "1"), ("b", ""), ("c", "d=e f")];
        assert_eq!(fields, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}
