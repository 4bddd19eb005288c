//! Under which address a remote browser sees this machine.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ops::RangeInclusive;
use std::str::FromStr;

use tokio::net::TcpListener;
use url::Host;

use super::address::is_loopback;

/// A host, and the ports that lead from there to here if not any of them does.
///
/// ```text
/// 127.0.0.1                  the browser is on this machine; the default
/// 10.0.0.5                   it is elsewhere, and every port of this machine can be reached
/// umpire.internal:7100-7199  only these can, by a firewall or a container's published ports
/// 127.0.0.1:7100-7199        the same ports of the browser's own machine lead here, by a tunnel
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    host: Host,
    ports: Option<RangeInclusive<u16>>,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no place to be reached at; write HOST, HOST:PORT or HOST:FROM-TO, such as 10.0.0.5 or 10.0.0.5:7100-7199"
)]
pub struct NotAPlace(String);

impl Default for Reach {
    fn default() -> Self {
        Self { host: Host::Ipv4(Ipv4Addr::LOCALHOST), ports: None }
    }
}

impl FromStr for Reach {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || NotAPlace(text.to_owned());
        let text = text.trim();
        // An IPv6 address may stand alone, without brackets.
        if let Ok(address) = text.parse::<Ipv6Addr>() {
            return Ok(Self { host: Host::Ipv6(address), ports: None });
        }
        let (host, ports) = match text.rsplit_once(':') {
            Some((host, ports)) if !text.ends_with(']') => (host, Some(port_range(ports).ok_or_else(bad)?)),
            _ => (text, None),
        };
        let host = Host::parse(host).map_err(|_| bad())?;
        Ok(Self { host, ports })
    }
}

fn port_range(text: &str) -> Option<RangeInclusive<u16>> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (from > 0 && from <= to).then_some(from..=to)
}

impl Reach {
    /// The host as a URL has it.
    pub(crate) fn host(&self) -> String {
        self.host.to_string()
    }

    /// The ports that lead here, if not any does.
    pub(super) fn ports(&self) -> impl Iterator<Item = u16> {
        self.ports.clone().into_iter().flatten()
    }

    /// Listens where the browser will look: to this machine alone unless another place was named.
    pub(crate) async fn listen(&self) -> io::Result<TcpListener> {
        let addresses: &[IpAddr] = match (&self.host, is_loopback(&self.host)) {
            (Host::Ipv6(_), true) => &[IpAddr::V6(Ipv6Addr::LOCALHOST)],
            (_, true) => &[IpAddr::V4(Ipv4Addr::LOCALHOST)],
            // Takes both families where the system does; a system without IPv6 has only the other.
            (_, false) => &[IpAddr::V6(Ipv6Addr::UNSPECIFIED), IpAddr::V4(Ipv4Addr::UNSPECIFIED)],
        };
        let mut problem = io::Error::from(io::ErrorKind::AddrInUse);
        for port in self.ports.clone().unwrap_or(0..=0) {
            for address in addresses {
                match TcpListener::bind(SocketAddr::new(*address, port)).await {
                    Ok(listener) => return Ok(listener),
                    Err(error) => problem = error,
                }
            }
        }
        match &self.ports {
            Some(ports) => Err(io::Error::other(format!(
                "none of the ports {}-{} is free: {problem}; each attempt at a time needs one, and each spare browser",
                ports.start(),
                ports.end()
            ))),
            None => Err(problem),
        }
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.ports {
            Some(ports) if ports.start() == ports.end() => write!(f, "{}:{}", self.host, ports.start()),
            Some(ports) => write!(f, "{}:{}-{}", self.host, ports.start(), ports.end()),
            None => write!(f, "{}", self.host),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn places_are_read() {
        for (text, shown, is_here) in [
            ("127.0.0.1", "127.0.0.1", true),
            (" localhost:7100-7199 ", "localhost:7100-7199", true),
            ("::1", "[::1]", true),
            ("[::1]:9", "[::1]:9", true),
            ("10.0.0.5", "10.0.0.5", false),
            ("[fd00::1]", "[fd00::1]", false),
            ("umpire.internal:7100", "umpire.internal:7100", false),
        ] {
            let reach: Reach = text.parse().expect(text);
            assert_eq!((reach.to_string().as_str(), is_loopback(&reach.host)), (shown, is_here), "{text}");
        }
        for text in ["", ":80", "host:", "host:0", "host:9-8", "host:x", "http://host", "a b", "host:70000"] {
            assert!(text.parse::<Reach>().is_err(), "{text}");
        }
    }

    #[tokio::test]
    async fn ports_are_taken_in_turn_and_a_full_range_says_so() {
        let free = TcpListener::bind("127.0.0.1:0").await.expect("bound").local_addr().expect("an address");
        let reach: Reach = format!("127.0.0.1:{}", free.port()).parse().expect("a place");
        let first = reach.listen().await.expect("free");
        assert_eq!(first.local_addr().expect("an address"), free);
        let taken = reach.listen().await.expect_err("taken").to_string();
        assert!(taken.contains("is free"), "{taken}");
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read_again(text in "[a-z0-9.:\\[\\]-]{0,24}") {
            if let Ok(reach) = text.parse::<Reach>() {
                prop_assert_eq!(reach.to_string().parse::<Reach>(), Ok(reach));
            }
        }
    }
}
