//! Accounts: who somebody is on a website, and how an attempt begins as that somebody.
//!
//! What a browser remembered of being logged in is put into a fresh context; then a page says whether that still holds.
//! If not, the recorded session logs in again and the page is asked once more. An attempt never begins on a guess.

mod enter;
mod logged_in;
mod turn;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use umpire_browser::{HostPattern, StorageState, StoredDatabase};
use umpire_model::{AccountSpec, LoginCheck};
use url::Url;
use zeroize::Zeroizing;

use crate::replay::Secrets;
use crate::session::{Deed, Entry};
use crate::vault::{BadSecretName, Keyring, NoSecret, SecretName, VaultError};
use crate::{Session, SessionError};

pub use enter::{Entered, EntryError, captured, enter, log_in_anew};
pub use turn::{AccountTurn, InUseBy, TurnError};

/// Shorter cookies are flags, not keys to anything.
const SHORTEST_KEY: usize = 8;
/// Shorter items of local storage, and texts in databases, are settings.
const SHORTEST_ITEM: usize = 16;
const MAX_STATE_BYTES: usize = 16 << 20;

#[derive(Debug, thiserror::Error)]
#[error("account `{account}`: {problem}")]
pub struct AccountError {
    pub account: String,
    pub problem: AccountProblem,
}

#[derive(Debug, thiserror::Error)]
pub enum AccountProblem {
    #[error("nobody says what it is; write [accounts.NAME] into suite.toml or umpire.toml")]
    Unknown,
    #[error("`site` is missing or no http(s) address")]
    Site,
    #[error("`check` is missing: without it nobody can tell whether one is logged in")]
    NoCheck,
    #[error("it has neither a recorded `login` nor a stored state; `umpire account capture` makes one")]
    NoWayIn,
    #[error("`password`: {0}")]
    Reference(#[from] BadSecretName),
    #[error(transparent)]
    Secret(#[from] NoSecret),
    #[error("{}: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{}: {source}", path.display())]
    Login { path: PathBuf, source: SessionError },
    #[error("{}: it is no storage state: {problem}", path.display())]
    State { path: PathBuf, problem: String },
    #[error(transparent)]
    Vault(#[from] VaultError),
}

/// An account with everything read that it needs.
pub struct Account {
    name: String,
    site: Url,
    check: LoginCheck,
    details: BTreeMap<&'static str, String>,
    /// By the names that sessions use.
    secrets: BTreeMap<String, Zeroizing<String>>,
    login: Option<Session>,
    hosts: Vec<String>,
    /// Held while it is used; see [`Account::take_turn`].
    lock: Option<PathBuf>,
    /// What the last browser that was logged in remembered.
    state: Mutex<Option<Arc<StorageState>>>,
}

impl Account {
    /// Reads session, secrets and stored state. `sealed` is where a captured state is kept, and who uses the account is
    /// noted beside it.
    pub fn resolve(
        name: &str,
        spec: &AccountSpec,
        keyring: &Keyring,
        sealed: Option<&Path>,
    ) -> Result<Self, AccountError> {
        Self::read(name, spec, keyring, sealed)
            .map_err(|problem| AccountError { account: name.to_owned(), problem })
    }

    fn read(
        name: &str,
        spec: &AccountSpec,
        keyring: &Keyring,
        sealed: Option<&Path>,
    ) -> Result<Self, AccountProblem> {
        let site = spec.site.as_deref().and_then(|site| Url::parse(site).ok());
        let site = site.filter(|url| matches!(url.scheme(), "http" | "https")).ok_or(AccountProblem::Site)?;
        let check = spec.check.clone().filter(|check| !check.is_empty()).ok_or(AccountProblem::NoCheck)?;
        let login = spec.login.as_deref().map(read_session).transpose()?;
        let secrets = secrets(spec, login.as_ref(), keyring)?;
        let state = stored_state(spec, keyring, sealed)?;
        let details =
            [("account.user", &spec.user), ("account.email", &spec.email), ("account.name", &spec.name)];
        let details = details.into_iter().filter_map(|(key, value)| Some((key, value.clone()?))).collect();
        Ok(Self {
            name: name.to_owned(),
            site,
            check,
            details,
            secrets,
            login,
            hosts: spec.hosts.clone(),
            lock: sealed.map(|sealed| sealed.with_file_name(format!("{name}.lock"))),
            state: Mutex::new(state.map(Arc::new)),
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn site(&self) -> &Url {
        &self.site
    }

    pub fn has_login(&self) -> bool {
        self.login.is_some()
    }

    /// Refused where an attempt could only fail: nothing to restore and nothing to replay.
    pub fn check_way_in(&self) -> Result<(), AccountError> {
        if self.has_login() || self.state().is_some() {
            return Ok(());
        }
        Err(AccountError { account: self.name.clone(), problem: AccountProblem::NoWayIn })
    }

    pub fn state(&self) -> Option<Arc<StorageState>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn remember(&self, state: StorageState) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(state));
    }

    /// Hosts that logging in may reach: the site's, those of the recording, and those that were named.
    pub fn hosts(&self) -> Vec<HostPattern> {
        let visited = self.login.iter().flat_map(|session| {
            session.steps.iter().map(|step| step.url.as_str()).chain([session.start_url.as_str()])
        });
        let of_address = |address: &str| Url::parse(address).ok()?.host_str().map(str::to_owned);
        let mut hosts: Vec<String> = visited.filter_map(of_address).collect();
        hosts.extend(self.site.host_str().map(str::to_owned));
        hosts.extend(self.hosts.iter().cloned());
        hosts.sort();
        hosts.dedup();
        hosts.iter().map(|host| HostPattern::parse(host)).collect()
    }

    /// Everything that must never be written: passwords, and what opens the stored sessions.
    pub fn secret_values(&self) -> Vec<String> {
        let mut values: Vec<String> = self.secrets.values().map(|value| value.as_str().to_owned()).collect();
        if let Some(state) = self.state() {
            let cookies = state.cookies.iter().map(|cookie| &cookie.value);
            let items = state.origins.iter().flat_map(|origin| &origin.local_storage).map(|item| &item.value);
            values.extend(cookies.filter(|value| value.len() >= SHORTEST_KEY).cloned());
            values.extend(items.filter(|value| value.len() >= SHORTEST_ITEM).cloned());
            let databases = state.origins.iter().flat_map(|origin| &origin.databases);
            let texts = databases.flat_map(StoredDatabase::texts);
            values.extend(texts.filter(|text| text.len() >= SHORTEST_ITEM).map(str::to_owned));
        }
        values
    }
}

/// What it knows is secret; its name is not.
impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Account").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Secrets for Account {
    fn secret(&self, reference: &str) -> Option<String> {
        let detail = self.details.get(reference).cloned();
        detail.or_else(|| self.secrets.get(reference).map(|value| value.as_str().to_owned()))
    }
}

fn read_session(path: &Path) -> Result<Session, AccountProblem> {
    let text = read_text(path)?;
    Session::read(&text).map_err(|source| AccountProblem::Login { path: path.to_owned(), source })
}

fn read_text(path: &Path) -> Result<String, AccountProblem> {
    std::fs::read_to_string(path)
        .map_err(|source| AccountProblem::Unreadable { path: path.to_owned(), source })
}

/// The account's password, and every secret that the session asks for. A password that the session knows by another name,
/// because it was recorded or imported elsewhere, is the account's.
fn secrets(
    spec: &AccountSpec,
    login: Option<&Session>,
    keyring: &Keyring,
) -> Result<BTreeMap<String, Zeroizing<String>>, AccountProblem> {
    let mut secrets = BTreeMap::new();
    let password = spec.password.as_deref().map(str::parse::<SecretName>).transpose()?;
    let password = password.map(|name| keyring.get(&name).map(|value| (name, value))).transpose()?;
    if let Some((name, value)) = &password {
        secrets.insert(name.to_string(), value.clone());
    }
    let asked = login.into_iter().flat_map(|session| &session.steps).filter_map(|step| match &step.deed {
        Deed::Type { text: Entry::Secret(reference) } => Some(reference),
        _ => None,
    });
    for reference in asked {
        if secrets.contains_key(reference) {
            continue;
        }
        let name: SecretName = reference.parse()?;
        let value = match (keyring.get(&name), &password) {
            (Ok(value), _) => value,
            (Err(_), Some((_, value))) if reference.ends_with("/password") => value.clone(),
            (Err(missing), _) => return Err(missing.into()),
        };
        secrets.insert(reference.clone(), value);
    }
    Ok(secrets)
}

fn stored_state(
    spec: &AccountSpec,
    keyring: &Keyring,
    sealed: Option<&Path>,
) -> Result<Option<StorageState>, AccountProblem> {
    let (path, content) = match (&spec.state, sealed, keyring.vault()) {
        (Some(path), _, _) => (path.as_path(), Zeroizing::new(read_text(path)?.into_bytes())),
        (None, Some(path), Some(vault)) if path.exists() => (path, vault.unseal_file(path)?),
        _ => return Ok(None),
    };
    parse_state(&content)
        .map(Some)
        .map_err(|problem| AccountProblem::State { path: path.to_owned(), problem })
}

/// A storage state from a file of Playwright's format. What is wrong is said without quoting the file.
pub fn parse_state(content: &[u8]) -> Result<StorageState, String> {
    if content.len() > MAX_STATE_BYTES {
        return Err(format!("it has more than {MAX_STATE_BYTES} bytes"));
    }
    serde_json::from_slice(content)
        .map_err(|error| format!("line {}, column {}", error.line(), error.column()))
}
