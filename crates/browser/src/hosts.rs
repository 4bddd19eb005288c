//! Which hosts an attempt may reach.

use std::net::IpAddr;

use umpire_model::is_public_address;
use url::{Host, Url};

/// One entry of an allow-list.
///
/// ```text
/// example.com         that host, on the usual ports 80 and 443
/// example.com:8080    that host, on that port
/// example.com:*       that host, on any port
/// *.example.com       hosts below it, and itself
/// *                   every host of the open web; never this machine or its network
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPattern {
    host: HostPart,
    port: PortPart,
    /// Even a host that was named outright is not reached at a private address.
    is_public_only: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum HostPart {
    Exactly(String),
    Below(String),
    OpenWeb,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PortPart {
    Usual,
    Exactly(u16),
    Any,
}

impl HostPattern {
    /// Every text is a pattern; one that names no possible host matches nothing.
    pub fn parse(text: &str) -> Self {
        let text = text.trim().to_ascii_lowercase();
        let (host, port) = match text.rsplit_once(':') {
            Some((host, "*")) => (host, PortPart::Any),
            Some((host, port)) => match port.parse() {
                Ok(port) => (host, PortPart::Exactly(port)),
                Err(_) => (text.as_str(), PortPart::Usual),
            },
            None => (text.as_str(), PortPart::Usual),
        };
        let host = match host.strip_prefix("*.") {
            Some(parent) => HostPart::Below(parent.to_owned()),
            None if host == "*" => HostPart::OpenWeb,
            None => HostPart::Exactly(host.to_owned()),
        };
        Self { host, port, is_public_only: false }
    }

    /// The same, where whoever named the host did not choose what its name leads to.
    #[must_use]
    pub fn public_only(mut self) -> Self {
        self.is_public_only = true;
        self
    }

    pub fn matches(&self, place: &Place) -> bool {
        let port = match self.port {
            PortPart::Usual => place.port == 80 || place.port == 443,
            PortPart::Exactly(port) => place.port == port,
            PortPart::Any => true,
        };
        port && match &self.host {
            HostPart::Exactly(host) => place.host == *host,
            HostPart::Below(parent) => {
                place.host == *parent
                    || place.host.strip_suffix(parent).is_some_and(|rest| rest.ends_with('.'))
            }
            HostPart::OpenWeb => !place.is_private(),
        }
    }

    /// Whether an address that a matching name resolved to may be connected to: only a host that was named
    /// outright may be this machine.
    pub fn admits(&self, address: IpAddr) -> bool {
        let is_named_outright = matches!(self.host, HostPart::Exactly(_)) && !self.is_public_only;
        is_named_outright || is_public_address(address)
    }
}

/// A host and port a request wants to reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub host: String,
    pub port: u16,
}

impl Place {
    /// `None` for URLs without a host or without a known port.
    pub fn of(url: &Url) -> Option<Self> {
        let port = match url.scheme() {
            "ws" => url.port().or(Some(80)),
            "wss" => url.port().or(Some(443)),
            _ => url.port_or_known_default(),
        };
        let host = url.host_str()?.trim_end_matches('.');
        Some(Self { host: host.to_ascii_lowercase(), port: port? })
    }

    /// This machine, or an address of a private network, by its literal spelling.
    pub fn is_private(&self) -> bool {
        match Host::parse(&self.host) {
            Ok(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Ok(Host::Ipv4(address)) => !is_public_address(address.into()),
            Ok(Host::Ipv6(address)) => !is_public_address(address.into()),
            Err(_) => true,
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(url: &str) -> Place {
        Place::of(&Url::parse(url).expect("a URL")).expect("a place")
    }

    #[test]
    fn patterns_match_what_they_say() {
        for (pattern, url, expected) in [
            ("shop.localhost", "http://shop.localhost/a", true),
            ("shop.localhost", "http://SHOP.localhost./a", true),
            ("shop.localhost", "https://shop.localhost/", true),
            ("shop.localhost", "http://shop.localhost:8080/", false),
            ("shop.localhost", "http://evil-shop.localhost/", false),
            ("shop.localhost", "http://shop.localhost.evil.com/", false),
            ("127.0.0.1:8080", "http://127.0.0.1:8080/", true),
            ("127.0.0.1:8080", "http://127.0.0.1:8081/", false),
            ("127.0.0.1:8080", "http://127.1:8080/", true),
            ("127.0.0.1:*", "http://127.0.0.1:9/", true),
            ("[::1]:8080", "http://[::1]:8080/", true),
            ("*.example.com", "https://cdn.example.com/", true),
            ("*.example.com", "https://example.com/", true),
            ("*.example.com", "https://badexample.com/", false),
            ("*", "https://example.org/", true),
            ("*", "http://example.org:8080/", false),
            ("*:*", "http://example.org:8080/", true),
            ("*:*", "http://127.0.0.1:8080/", false),
            ("*:*", "http://2130706433:8080/", false),
            ("*:*", "http://[::ffff:127.0.0.1]/", false),
            ("*:*", "http://192.168.0.1/", false),
            ("*", "http://localhost/", false),
            ("*", "ws://example.org/socket", true),
            ("", "http://example.org/", false),
        ] {
            assert_eq!(HostPattern::parse(pattern).matches(&place(url)), expected, "{pattern} against {url}");
        }
    }

    #[test]
    fn a_public_name_must_not_lead_to_this_machine() {
        let loopback = IpAddr::from([127, 0, 0, 1]);
        assert!(!HostPattern::parse("*").admits(loopback));
        assert!(!HostPattern::parse("*.example.com").admits(loopback));
        let named = HostPattern::parse("staging.example.com");
        assert!(named.admits(loopback));
        assert!(!named.clone().public_only().admits(loopback));
        assert!(named.public_only().admits(IpAddr::from([1, 1, 1, 1])));
        let shared_by_carriers = IpAddr::from([100, 64, 0, 1]);
        assert!(!HostPattern::parse("*").admits(shared_by_carriers));
    }
}
