//! The connections that checks name: `[backends.NAME]` of the user's configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use umpire_model::Redactor;
use url::Url;

/// An answer longer than this cannot be judged; the check has to ask for less.
pub const LARGEST_ANSWER: usize = 4 << 20;

const DEFAULT_SECONDS: u64 = 10;

/// One connection as it is written in the configuration.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConnectionSpec {
    /// `https://…`, `http://…`, `postgres://…`, `mysql://…`, `sqlite:FILE`, or `env:VARIABLE` that holds one of these.
    url: String,
    /// Sent with every REST request. A value may end in `env:VARIABLE`: `"Bearer env:SHOP_TOKEN"`.
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// What one question may take.
    #[serde(default)]
    seconds: Option<u64>,
    /// The user's word that suites may change what is there, to set their initial states up.
    #[serde(default)]
    writable: bool,
}

impl ConnectionSpec {
    /// A relative database file is meant relative to the configuration that names it.
    #[must_use]
    pub fn anchored(mut self, folder: &Path) -> Self {
        if let Some(file) = sqlite_file(&self.url).filter(|file| Path::new(file).is_relative()) {
            self.url = format!("sqlite:{}", folder.join(file).display());
        }
        self
    }
}

fn sqlite_file(url: &str) -> Option<&str> {
    let file = url.strip_prefix("sqlite:")?.trim_start_matches("//");
    (!file.is_empty() && file != ":memory:").then_some(file)
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadConnection {
    #[error(
        "the suite names the backend `{backend}`, which the configuration does not have: it needs [backends.{backend}]"
    )]
    Unknown { backend: String },
    #[error("backend `{backend}`: the variable {variable} is not set")]
    Unset { backend: String, variable: String },
    // The URL itself may hold a password, so it is not shown.
    #[error(
        "backend `{backend}`: its url cannot be used: {problem} (known: https, http, postgres, mysql, sqlite)"
    )]
    Url { backend: String, problem: String },
    #[error("backend `{backend}`: the header `{header}` cannot be sent")]
    Header { backend: String, header: String },
}

/// Where a connection leads.
#[derive(Clone)]
pub(crate) enum Address {
    Rest { base: Url, headers: Vec<(String, String)> },
    Sqlite(String),
    Postgres(String),
    MySql(String),
}

#[derive(Clone)]
pub(crate) struct Connection {
    pub(crate) address: Address,
    pub(crate) limit: Duration,
    pub(crate) is_writable: bool,
}

/// All configured connections, with their variables read.
#[derive(Clone, Default)]
pub struct Connections {
    by_name: BTreeMap<String, Connection>,
    secrets: Vec<String>,
    redactor: Redactor,
}

impl Connections {
    /// The connections that checks and orders name; others need not work. Variables are read from `variable`, which usually is
    /// `|name| std::env::var(name).ok()`.
    pub fn for_names<'c>(
        names: impl IntoIterator<Item = &'c str>,
        specs: &BTreeMap<String, ConnectionSpec>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, BadConnection> {
        let mut connections = Self::default();
        for name in names.into_iter().collect::<BTreeSet<_>>() {
            let spec = specs.get(name).ok_or_else(|| BadConnection::Unknown { backend: name.to_owned() })?;
            let mut reader = VariableReader { backend: name, variable: &variable, read: Vec::new() };
            let url = reader.expand(&spec.url)?;
            let headers = spec
                .headers
                .iter()
                .map(|(header, value)| Ok((header.clone(), reader.expand(value)?)))
                .collect::<Result<Vec<_>, _>>()?;
            connections.secrets.append(&mut reader.read);
            connections.secrets.extend(password_of(&url));
            let address = Address::parse(name, &url, headers)?;
            let limit = Duration::from_secs(spec.seconds.unwrap_or(DEFAULT_SECONDS));
            connections
                .by_name
                .insert(name.to_owned(), Connection { address, limit, is_writable: spec.writable });
        }
        connections.redactor = Redactor::new(&connections.secrets);
        Ok(connections)
    }

    /// Values that must never be written, for the journal's own redactor.
    pub fn secret_values(&self) -> &[String] {
        &self.secrets
    }

    /// Database files, which an agent must not be able to open.
    pub fn files(&self) -> Vec<PathBuf> {
        self.by_name
            .values()
            .filter_map(|connection| match &connection.address {
                Address::Sqlite(file) => Some(PathBuf::from(file)),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Connection> {
        self.by_name.get(name)
    }

    pub(crate) fn redactor(&self) -> &Redactor {
        &self.redactor
    }
}

/// Names alone: everything else may be a secret.
impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.by_name.keys()).finish()
    }
}

impl fmt::Debug for ConnectionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConnectionSpec").field("seconds", &self.seconds).finish_non_exhaustive()
    }
}

struct VariableReader<'a, F> {
    backend: &'a str,
    variable: &'a F,
    read: Vec<String>,
}

impl<F: Fn(&str) -> Option<String>> VariableReader<'_, F> {
    /// Replaces a last word `env:NAME` by the variable's value.
    fn expand(&mut self, text: &str) -> Result<String, BadConnection> {
        let last_word = text.rfind(' ').map_or(0, |space| space + 1);
        let (before, word) = text.split_at(last_word);
        let Some(name) = word.strip_prefix("env:") else {
            return Ok(text.to_owned());
        };
        let value = (self.variable)(name).ok_or_else(|| BadConnection::Unset {
            backend: self.backend.to_owned(),
            variable: name.to_owned(),
        })?;
        let expanded = format!("{before}{value}");
        self.read.push(value);
        Ok(expanded)
    }
}

impl Address {
    fn parse(backend: &str, text: &str, headers: Vec<(String, String)>) -> Result<Self, BadConnection> {
        let bad =
            |problem: &str| BadConnection::Url { backend: backend.to_owned(), problem: problem.to_owned() };
        let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme).to_ascii_lowercase();
        let is_rest = matches!(scheme.as_str(), "http" | "https");
        if !is_rest && !headers.is_empty() {
            return Err(bad("only a REST connection has headers"));
        }
        match scheme.as_str() {
            "http" | "https" => {
                let base = Url::parse(text).map_err(|error| bad(&error.to_string()))?;
                if base.query().is_some() || base.fragment().is_some() || !base.username().is_empty() {
                    return Err(bad("a REST connection has a scheme, a host and a path, nothing else"));
                }
                Ok(Self::Rest { base, headers: sendable(backend, headers)? })
            }
            "sqlite" => match sqlite_file(text) {
                Some(file) => Ok(Self::Sqlite(file.to_owned())),
                None => Err(bad("it names no file")),
            },
            "postgres" | "postgresql" => Ok(Self::Postgres(text.to_owned())),
            "mysql" | "mariadb" => Ok(Self::MySql(text.to_owned())),
            _ => Err(bad("its scheme is unknown")),
        }
    }
}

/// Refuses what would break a request in two, and what only the client itself may set.
fn sendable(backend: &str, headers: Vec<(String, String)>) -> Result<Vec<(String, String)>, BadConnection> {
    const OURS: [&str; 5] = ["host", "content-length", "transfer-encoding", "connection", "accept-encoding"];
    let is_sendable = |name: &str, value: &str| {
        !OURS.contains(&name.to_ascii_lowercase().as_str())
            && hyper::header::HeaderName::try_from(name).is_ok()
            && hyper::header::HeaderValue::try_from(value).is_ok()
    };
    match headers.iter().find(|(name, value)| !is_sendable(name, value)) {
        Some((header, _)) => {
            Err(BadConnection::Header { backend: backend.to_owned(), header: header.clone() })
        }
        None => Ok(headers),
    }
}

/// The password in a URL, in the spelling of the URL and in plain.
fn password_of(url: &str) -> Vec<String> {
    let Some(password) = Url::parse(url).ok().and_then(|url| url.password().map(str::to_owned)) else {
        return Vec::new();
    };
    let plain: String = url::form_urlencoded::parse(format!("p={}", password.replace('+', "%2B")).as_bytes())
        .map(|(_, value)| value.into_owned())
        .collect();
    vec![password, plain]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(toml: &str) -> Result<Connections, BadConnection> {
        let specs: BTreeMap<String, ConnectionSpec> = toml::from_str(toml).expect("well-formed");
        let names: Vec<&str> = specs.keys().map(String::as_str).collect();
        Connections::for_names(names, &specs, |name| (name == "TOKEN").then(|| "t0ken value".to_owned()))
    }

    #[test]
    fn variables_are_read_and_remembered_as_secrets() {
        let connections = resolve(
            "[api]\nurl = 'https://shop.example/rest'\nheaders = { Authorization = 'Bearer env:TOKEN', Accept = 'application/json' }\nseconds = 3\n\
             [db]\nurl = 'postgres://ann:p%40ss+word@db/shop'\n",
        )
        .expect("good connections");
        let api = connections.get("api").expect("configured");
        assert_eq!(api.limit, Duration::from_secs(3));
        let Address::Rest { headers, .. } = &api.address else { panic!("a REST connection") };
        assert!(headers.contains(&("Authorization".to_owned(), "Bearer t0ken value".to_owned())));
        assert_eq!(connections.secret_values(), ["t0ken value", "p%40ss+word", "p@ss+word"]);
        let shown = format!("{connections:?}");
        assert_eq!(shown, r#"{"api", "db"}"#);
    }

    #[test]
    fn a_connection_that_cannot_work_is_refused_without_showing_its_url() {
        for (toml, problem) in [
            ("[x]\nurl = 'env:NOWHERE'", "the variable NOWHERE is not set"),
            ("[x]\nurl = 'ftp://secret@host/'", "its scheme is unknown"),
            ("[x]\nurl = 'secret'", "its scheme is unknown"),
            ("[x]\nurl = 'https://user:secret@host/'", "a scheme, a host and a path"),
            ("[x]\nurl = 'https://host/?key=secret'", "a scheme, a host and a path"),
            ("[x]\nurl = 'https://'", "empty host"),
            ("[x]\nurl = 'sqlite::memory:'", "it names no file"),
            ("[x]\nurl = 'sqlite:f.db'\nheaders = { A = 'b' }", "only a REST connection has headers"),
            ("[x]\nurl = 'https://host'\nheaders = { Host = 'b' }", "the header `Host` cannot be sent"),
            ("[x]\nurl = 'https://host'\nheaders = { A = \"b\\nc\" }", "the header `A` cannot be sent"),
        ] {
            let error = resolve(toml).expect_err(toml).to_string();
            assert!(error.contains(problem), "{toml}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn only_what_checks_name_has_to_work() {
        let specs: BTreeMap<String, ConnectionSpec> =
            toml::from_str("[a]\nurl = 'sqlite:a.db'\n[b]\nurl = 'env:NOWHERE'\n").expect("well-formed");
        let resolve = |backend: &str| Connections::for_names([backend], &specs, |_| None);
        assert!(resolve("a").is_ok());
        assert!(matches!(resolve("b"), Err(BadConnection::Unset { .. })));
        assert_eq!(resolve("c").err(), Some(BadConnection::Unknown { backend: "c".to_owned() }));
    }

    #[test]
    fn relative_files_lie_beside_the_configuration() {
        for (url, anchored) in [
            ("sqlite:shop.db", "sqlite:/conf/shop.db"),
            ("sqlite://data/shop.db", "sqlite:/conf/data/shop.db"),
            ("sqlite:/abs/shop.db", "sqlite:/abs/shop.db"),
            ("env:URL", "env:URL"),
        ] {
            let spec: ConnectionSpec = toml::from_str(&format!("url = '{url}'")).expect("well-formed");
            assert_eq!(spec.anchored(Path::new("/conf")).url, anchored);
        }
    }

    #[test]
    fn database_files_are_known() {
        let connections =
            resolve("[a]\nurl = 'sqlite:///tmp/a.db'\n[b]\nurl = 'sqlite:b.db'\n").expect("good");
        assert_eq!(connections.files(), [PathBuf::from("/tmp/a.db"), PathBuf::from("b.db")]);
    }
}
