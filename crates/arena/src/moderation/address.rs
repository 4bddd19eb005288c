//! Addresses that a visitor may send agents to. Whatever could reach into the operator's own network is refused, in every
//! spelling a browser would accept.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use umpire_model::is_public_address;
use url::{Host, Url};

#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "problem", rename_all = "kebab-case")]
pub enum AddressProblem {
    #[error("this is no address")]
    Unreadable,
    #[error("only http and https are allowed")]
    Scheme,
    #[error("an address with a user name or password in it is not allowed")]
    UserInfo,
    #[error("this port is not allowed")]
    Port,
    #[error("this host is not among those that may be visited here")]
    HostNotAllowed,
    #[error("private, local and reserved addresses are not allowed")]
    NotPublic,
    #[error("white space and backslashes are not allowed in an address")]
    Characters,
}

/// A host that may be visited: `example.org`, `*.example.org` (with everything below it), `*` (any public host), each with
/// a port if it is not the usual one: `shop.localhost:8080`.
///
/// A name that is written out in full is allowed even if it is local: the operator said so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HostRule {
    host: String,
    is_below: bool,
    port: Option<u16>,
}

#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is no host such as example.org, *.example.org or shop.localhost:8080")]
pub struct HostRuleError(String);

impl FromStr for HostRule {
    type Err = HostRuleError;

    fn from_str(text: &str) -> Result<Self, HostRuleError> {
        let bad = || HostRuleError(text.to_owned());
        if text == "*" {
            return Ok(Self { host: String::new(), is_below: true, port: None });
        }
        let (is_below, rest) = match text.strip_prefix("*.") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let url = Url::parse(&format!("http://{rest}/")).map_err(|_| bad())?;
        let written = url.username().is_empty() && url.password().is_none() && url.path() == "/";
        let host = url
            .host_str()
            .filter(|_| written && url.query().is_none() && !rest.contains(['/', '@', '\\', '*']));
        let host = host.ok_or_else(bad)?.trim_end_matches('.').to_owned();
        let port = rest.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
        Ok(Self { host, is_below, port })
    }
}

impl TryFrom<String> for HostRule {
    type Error = HostRuleError;
    fn try_from(text: String) -> Result<Self, HostRuleError> {
        text.parse()
    }
}

impl From<HostRule> for String {
    fn from(rule: HostRule) -> Self {
        let port = rule.port.map(|port| format!(":{port}")).unwrap_or_default();
        match (rule.is_below, rule.host.as_str()) {
            (true, "") => "*".to_owned(),
            (true, host) => format!("*.{host}{port}"),
            (false, host) => format!("{host}{port}"),
        }
    }
}

impl HostRule {
    fn names(&self, host: &str) -> bool {
        if self.is_below {
            self.host.is_empty()
                || host == self.host
                || host.strip_suffix(&self.host).is_some_and(|rest| rest.ends_with('.'))
        } else {
            host == self.host
        }
    }

    /// An operator who writes a local name out wants it; one who writes a pattern wants the web.
    fn is_exact(&self) -> bool {
        !self.is_below
    }

    /// Whether this very host is named though it is not on the public internet: the operator's own, on purpose.
    pub fn is_local(&self) -> bool {
        let host = Host::parse(&self.host);
        self.is_exact() && host.is_ok_and(|host| is_local(&host, &self.host))
    }

    /// Whether the rule speaks of the host of an address, whatever its port.
    pub fn is_about(&self, url: &Url) -> bool {
        self.names(url.host_str().unwrap_or_default().trim_end_matches('.'))
    }

    fn allows_port(&self, url: &Url) -> bool {
        match (self.port, url.port_or_known_default()) {
            (Some(wanted), Some(port)) => wanted == port,
            (None, port) => matches!(port, Some(80 | 443)),
            (Some(_), None) => false,
        }
    }
}

/// Whether agents may be sent to an address.
pub(super) fn check_address(address: &str, hosts: &[HostRule]) -> Result<Url, AddressProblem> {
    // A browser takes these out or turns them round before it reads the rest; nobody writes them by accident.
    if address.chars().any(|c| c.is_whitespace() || c.is_control() || c == '\\') {
        return Err(AddressProblem::Characters);
    }
    let url = Url::parse(address).map_err(|_| AddressProblem::Unreadable)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(AddressProblem::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() || has_user_info(address) {
        return Err(AddressProblem::UserInfo);
    }
    let host = url.host().ok_or(AddressProblem::Unreadable)?;
    let name = url.host_str().unwrap_or_default().trim_end_matches('.').to_owned();
    let public = !is_local(&host, &name);
    let naming: Vec<&HostRule> = hosts.iter().filter(|rule| rule.names(&name)).collect();
    if !public && !naming.iter().any(|rule| rule.is_exact()) {
        return Err(AddressProblem::NotPublic);
    }
    if naming.is_empty() {
        return Err(AddressProblem::HostNotAllowed);
    }
    if !naming.iter().any(|rule| rule.allows_port(&url) && (public || rule.is_exact())) {
        return Err(AddressProblem::Port);
    }
    Ok(url)
}

fn is_local<S>(host: &Host<S>, name: &str) -> bool {
    match host {
        Host::Ipv4(address) => !is_public_address((*address).into()),
        Host::Ipv6(address) => !is_public_address((*address).into()),
        Host::Domain(_) => is_local_name(name),
    }
}

/// An empty user name (`http://@host/`) is gone after parsing, and is a trick all the same.
fn has_user_info(address: &str) -> bool {
    let after_scheme = address.split_once(':').map_or(address, |(_, rest)| rest).trim_start_matches('/');
    after_scheme.split(['/', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
}

/// Names that never leave a machine or a local network, and those that only spell an address out.
fn is_local_name(name: &str) -> bool {
    const LOCAL: [&str; 12] = [
        "localhost",
        "local",
        "internal",
        "intranet",
        "lan",
        "home",
        "corp",
        "private",
        "home.arpa",
        "localdomain",
        "test",
        "invalid",
    ];
    const SPELLED_OUT: [&str; 5] = ["nip.io", "sslip.io", "xip.io", "localtest.me", "lvh.me"];
    let below =
        |domain: &&str| name == *domain || name.strip_suffix(*domain).is_some_and(|rest| rest.ends_with('.'));
    !name.contains('.') || LOCAL.iter().any(&below) || SPELLED_OUT.iter().any(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(hosts: &[&str]) -> Vec<HostRule> {
        hosts.iter().map(|host| host.parse().expect("a rule")).collect()
    }

    #[test]
    fn an_arena_open_to_the_web_is_not_open_to_its_own_network() {
        use AddressProblem::{Characters, NotPublic, Port, Scheme, Unreadable, UserInfo};
        let open = rules(&["*"]);
        for (address, problem) in [
            ("http://127.0.0.1/", NotPublic),
            ("http://127.1/", NotPublic),
            ("http://2130706433/", NotPublic),
            ("http://0x7f000001/", NotPublic),
            ("http://0x7f.0.0.1/", NotPublic),
            ("http://0177.0.0.1/", NotPublic),
            ("http://017700000001/", NotPublic),
            ("http://0/", NotPublic),
            ("http://0.0.0.0/", NotPublic),
            ("http://127.0.0.1./", NotPublic),
            ("http://１２７.０.０.１/", NotPublic),
            ("http://127。0。0。1/", NotPublic),
            ("http://①②⑦.0.0.1/", NotPublic),
            ("http://%31%32%37.0.0.1/", NotPublic),
            ("http://10.1.2.3/", NotPublic),
            ("http://172.16.0.1/", NotPublic),
            ("http://172.31.255.255/", NotPublic),
            ("http://192.168.1.1/", NotPublic),
            ("http://169.254.169.254/latest/meta-data/", NotPublic),
            ("http://100.64.0.1/", NotPublic),
            ("http://198.18.0.1/", NotPublic),
            ("http://224.0.0.1/", NotPublic),
            ("http://255.255.255.255/", NotPublic),
            ("http://[::1]/", NotPublic),
            ("http://[::]/", NotPublic),
            ("http://[0:0:0:0:0:0:0:1]/", NotPublic),
            ("http://[::ffff:127.0.0.1]/", NotPublic),
            ("http://[::ffff:7f00:1]/", NotPublic),
            ("http://[::ffff:169.254.169.254]/", NotPublic),
            ("http://[::127.0.0.1]/", NotPublic),
            ("http://[64:ff9b::7f00:1]/", NotPublic),
            ("http://[64:ff9b:1::1]/", NotPublic),
            ("http://[2002:7f00:1::]/", NotPublic),
            ("http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/", NotPublic),
            ("http://[fe80::1]/", NotPublic),
            ("http://[fc00::1]/", NotPublic),
            ("http://[fd12:3456::1]/", NotPublic),
            ("http://[ff02::1]/", NotPublic),
            ("http://localhost/", NotPublic),
            ("http://LOCALHOST./", NotPublic),
            ("http://shop.localhost/", NotPublic),
            ("http://ｌｏｃａｌｈｏｓｔ/", NotPublic),
            ("http://router/", NotPublic),
            ("http://printer.local/", NotPublic),
            ("http://metadata.google.internal/", NotPublic),
            ("http://127.0.0.1.nip.io/", NotPublic),
            ("http://example.org@127.0.0.1/", UserInfo),
            ("http://user:word@example.org/", UserInfo),
            ("http://@example.org/", UserInfo),
            ("http:/\\127.0.0.1/", Characters),
            ("http://example.org\\@127.0.0.1/", Characters),
            ("http://exam\nple.org/", Characters),
            ("http://example.org:22/", Port),
            ("http://example.org:6379/", Port),
            ("ftp://example.org/", Scheme),
            ("file:///etc/passwd", Scheme),
            ("javascript:alert(1)", Scheme),
            ("data:text/html,x", Scheme),
            ("gopher://example.org/", Scheme),
            ("view-source:http://example.org/", Scheme),
            ("example.org", Unreadable),
            ("http://", Unreadable),
            ("http://[::1/", Unreadable),
            ("http://999.1.1.1/", Unreadable),
        ] {
            assert_eq!(check_address(address, &open), Err(problem), "{address}");
        }
        for address in [
            "http://example.org/",
            "https://example.org:443/a?b=c@d#e",
            "https://1.1.1.1/",
            "http://8.8.8.8/",
            "http://[2606:4700::1111]/",
            "http://172.32.0.1/",
            "http://bücher.example.org/",
        ] {
            assert!(check_address(address, &open).is_ok(), "{address}");
        }
    }

    #[test]
    fn only_hosts_that_are_named_may_be_visited() {
        use AddressProblem::{HostNotAllowed, NotPublic, Port};
        let some = rules(&["example.org", "*.wiki.net", "shop.localhost:8080"]);
        for (address, wanted) in [
            ("http://example.org/", None),
            ("http://EXAMPLE.org./", None),
            ("http://www.example.org/", Some(HostNotAllowed)),
            ("http://example.org.evil.com/", Some(HostNotAllowed)),
            ("http://evilexample.org/", Some(HostNotAllowed)),
            ("http://wiki.net/", None),
            ("https://en.wiki.net/", None),
            ("https://notwiki.net/", Some(HostNotAllowed)),
            ("http://shop.localhost:8080/", None),
            ("http://shop.localhost/", Some(Port)),
            ("http://bank.localhost:8080/", Some(NotPublic)),
            ("http://example.org:8080/", Some(Port)),
        ] {
            assert_eq!(check_address(address, &some).err(), wanted, "{address}");
        }
        // A pattern that happens to cover local names does not make them public.
        assert_eq!(check_address("http://db.internal/", &rules(&["*.internal"])).err(), Some(NotPublic));
    }

    #[test]
    fn a_rule_reads_back_as_it_was_written() {
        for text in
            ["*", "example.org", "*.example.org", "shop.localhost:8080", "*.example.org:8443", "127.0.0.1"]
        {
            assert_eq!(String::from(text.parse::<HostRule>().expect(text)), text);
        }
        let local = |text: &str| text.parse::<HostRule>().expect(text).is_local();
        assert!(local("shop.localhost:8080") && local("127.0.0.1") && local("[::1]:80"));
        assert!(!local("example.org") && !local("*.internal") && !local("*") && !local("1.1.1.1"));
        for text in
            ["", "http://example.org", "a b", "example.org/path", "me@example.org", "*.*.org", "a*.org"]
        {
            assert!(text.parse::<HostRule>().is_err(), "{text}");
        }
    }
}
