//! Where a remote browser is, as a user writes it.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

/// Parts of an address that are at least this long may be tokens, whatever they are called. Shorter ones are words, and
/// would be blanked out of every page.
const TOKEN: usize = 16;
/// Names of parameters whose value is a secret of any length.
const SECRET_NAMES: [&str; 5] = ["token", "key", "secret", "auth", "pass"];

/// How a remote browser is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A WebSocket that speaks the protocol.
    Socket,
    /// A debugging port, which says where its WebSocket is.
    DevTools,
    /// A WebDriver server, such as a Selenium Grid, which starts a browser for each session.
    WebDriver,
}

/// An address of a browser, a token in it perhaps. Shown without whatever may be secret: scheme, host and port.
///
/// ```text
/// ws://HOST:PORT/…  wss://…          a WebSocket
/// http://HOST:9222  https://…        a debugging port
/// grid+http://HOST:4444  grid+https://…   a WebDriver server
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct RemoteAddress {
    pub(super) kind: Kind,
    pub(super) url: Url,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0}; a remote browser is ws://…, wss://…, http://HOST:PORT, https://…, grid+http://… or grid+https://…"
)]
pub struct NotAnAddress(&'static str);

impl FromStr for RemoteAddress {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let (grid, plain) = match text.strip_prefix("grid+") {
            Some(plain) => (true, plain),
            None => (false, text),
        };
        let url = Url::parse(plain).map_err(|_| NotAnAddress("this is no URL"))?;
        if url.host().is_none() {
            return Err(NotAnAddress("the address names no host"));
        }
        let kind = match (grid, url.scheme()) {
            (true, "http" | "https") => Kind::WebDriver,
            (true, _) => return Err(NotAnAddress("a Grid is reached over http or https")),
            (false, "ws" | "wss") => Kind::Socket,
            (false, "http" | "https") => Kind::DevTools,
            (false, _) => return Err(NotAnAddress("the address has another scheme")),
        };
        Ok(Self { kind, url })
    }
}

impl RemoteAddress {
    /// What must not be written anywhere: credentials, values of the query, and long parts of the path, which name a
    /// browser that nobody else knows of.
    pub fn secret_values(&self) -> Vec<String> {
        let is_secret = |name: &str, value: &str| {
            let name = name.to_ascii_lowercase();
            value.len() >= TOKEN || SECRET_NAMES.iter().any(|secret| name.contains(secret))
        };
        let decoded = self.url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned()));
        let raw = self.url.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
        let raw = raw.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let path = self.url.path_segments().into_iter().flatten();
        let path = path.map(|segment| ("path".to_owned(), segment.to_owned()));
        let password = self.url.password().map(|password| ("password".to_owned(), password.to_owned()));
        let mut values: Vec<String> = decoded
            .chain(raw)
            .chain(path)
            .chain(password)
            .filter(|(name, value)| is_secret(name, value))
            .map(|(_, value)| value)
            .collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// The port by which programs on this machine could get at the browser past the gate, unless it is a port that
    /// they need for everything else as well.
    pub(super) fn port_to_close(&self) -> Option<u16> {
        self.url.port_or_known_default().filter(|port| !matches!(port, 80 | 443))
    }

    /// On this machine, by its name.
    pub(super) fn is_here(&self) -> bool {
        self.url.host().is_some_and(|host| is_loopback(&host))
    }
}

/// Whether a host is whichever machine its name is used on.
pub(super) fn is_loopback<S: AsRef<str>>(host: &Host<S>) -> bool {
    match host {
        Host::Domain(name) => name.as_ref() == "localhost" || name.as_ref().ends_with(".localhost"),
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

impl fmt::Display for RemoteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = if self.kind == Kind::WebDriver { "grid+" } else { "" };
        write!(f, "{grid}{}://{}", self.url.scheme(), self.url.host_str().unwrap_or_default())?;
        self.url.port().map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

impl fmt::Debug for RemoteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RemoteAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(text: &str) -> Result<(Kind, String), NotAnAddress> {
        text.parse::<RemoteAddress>().map(|address| (address.kind, address.to_string()))
    }

    #[test]
    fn addresses_are_read_and_shown_without_secrets() {
        for (text, kind, shown) in [
            ("ws://127.0.0.1:9222/devtools/browser/0c6f-11", Kind::Socket, "ws://127.0.0.1:9222"),
            ("wss://chrome.example.com?token=s3cret-key", Kind::Socket, "wss://chrome.example.com"),
            (" http://chrome:9222 ", Kind::DevTools, "http://chrome:9222"),
            ("https://me:pass@chrome.example.com/x", Kind::DevTools, "https://chrome.example.com"),
            ("grid+http://grid:4444/wd/hub", Kind::WebDriver, "grid+http://grid:4444"),
            ("grid+https://u:key@grid.example.com", Kind::WebDriver, "grid+https://grid.example.com"),
            ("http://[::1]:9222", Kind::DevTools, "http://[::1]:9222"),
        ] {
            assert_eq!(parsed(text), Ok((kind, shown.to_owned())), "{text}");
        }
        for text in ["", "9222", "chrome:9222", "grid+ws://x", "ftp://x", "file:///x", "grid+", "http://"] {
            assert!(parsed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn tokens_are_known_as_secrets() {
        let secrets = |text: &str| text.parse::<RemoteAddress>().expect("an address").secret_values();
        assert_eq!(secrets("ws://h?token=a%2Fbcdefgh&x=1"), ["a%2Fbcdefgh", "a/bcdefgh"]);
        assert_eq!(secrets("grid+http://me:password-1@h:4444/wd/hub"), ["password-1"]);
        assert_eq!(secrets("ws://h:1/devtools/browser/0123456789abcdef"), ["0123456789abcdef"]);
        assert_eq!(secrets("ws://h?launch=stealthy&blockAds=true"), [""; 0]);
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader_and_no_token_is_shown(token in "[a-zA-Z0-9]{16,40}", text in ".{0,60}") {
            let _ = text.parse::<RemoteAddress>();
            for written in [format!("ws://h.example/?token={token}"), format!("http://u:{token}@h.example:1/{token}")] {
                let address: RemoteAddress = written.parse().expect("an address");
                let shown = format!("{address} {address:?}");
                prop_assert!(!shown.contains(&token));
                prop_assert!(address.secret_values().contains(&token));
            }
        }
    }
}
