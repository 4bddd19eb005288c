//! `umpire vault`: secrets by name. A value comes in by a prompt or standard input, never on the command line, where
//! every process could read it.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;

use serde_json::json;
use umpire_stage::vault::{Key, Keyring, SecretName, Vault, VaultError};
use zeroize::Zeroizing;

use crate::args::{VaultArgs, VaultCommand};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

const PASSPHRASE: &str = "UMPIRE_VAULT_PASSPHRASE";
/// Longer ones are files, not secrets.
const MAX_SECRET: u64 = 64 << 10;

pub fn vault(command: &VaultCommand, config: &Config, as_json: bool) -> Result<Exit, Failure> {
    match command {
        VaultCommand::Init(place) => init(&Place::of(place, config)),
        VaultCommand::Set { name, place } => {
            let place = Place::of(place, config);
            let name = secret_name(name)?;
            let value = new_value(&name)?;
            Vault::change(&place.file, &place.key()?, |vault| vault.set(name.clone(), value))
                .map_err(|error| explained(&error))?;
            say!("{name} is in {}", place.file.display());
            Ok(Exit::Ok)
        }
        VaultCommand::Get { name, reveal, place } => {
            let name = secret_name(name)?;
            let vault = Place::of(place, config).open()?;
            let value = vault.get(&name).ok_or_else(|| unknown(&name))?;
            if *reveal {
                say!("{}", value.as_str());
            } else {
                say!("{name} is there; --reveal prints it");
            }
            Ok(Exit::Ok)
        }
        VaultCommand::List(place) => {
            let vault = Place::of(place, config).open()?;
            if as_json {
                say!("{}", json!(vault.names().map(SecretName::as_str).collect::<Vec<_>>()));
            } else {
                vault.names().for_each(|name| say!("{name}"));
            }
            Ok(Exit::Ok)
        }
        VaultCommand::Remove { name, place } => {
            let place = Place::of(place, config);
            let name = secret_name(name)?;
            let there = Vault::change(&place.file, &place.key()?, |vault| vault.remove(&name))
                .map_err(|error| explained(&error))?;
            if !there {
                return Err(unknown(&name));
            }
            say!("{name} is gone");
            Ok(Exit::Ok)
        }
    }
}

/// Where secrets come from in a run: the environment, and the vault if there is one.
pub fn keyring(config: &Config) -> Result<Keyring, Failure> {
    let place = Place::of(&VaultArgs::default(), config);
    let vault = if place.file.exists() { Some(place.open()?) } else { None };
    Ok(Keyring::new(vault))
}

/// The vault's file.
pub fn file(config: &Config) -> PathBuf {
    Place::of(&VaultArgs::default(), config).file
}

/// Which file, and what opens it.
struct Place {
    file: PathBuf,
    identity: Option<PathBuf>,
}

impl Place {
    fn of(args: &VaultArgs, config: &Config) -> Self {
        let variable =
            |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let configured = config.vault();
        Self {
            file: args
                .vault
                .clone()
                .or_else(|| variable("UMPIRE_VAULT"))
                .or_else(|| configured.file.clone())
                .unwrap_or_else(|| PathBuf::from("umpire.vault")),
            identity: args
                .identity
                .clone()
                .or_else(|| variable("UMPIRE_VAULT_IDENTITY"))
                .or_else(|| configured.identity.clone()),
        }
    }

    fn open(&self) -> Result<Vault, Failure> {
        if !self.file.exists() {
            return Err(explained(&VaultError::Missing(self.file.clone())));
        }
        Vault::open(&self.file, &self.key()?).map_err(|error| explained(&error))
    }

    fn key(&self) -> Result<Key, Failure> {
        if let Some(identity) = &self.identity {
            return Key::from_identity_file(identity).map_err(|error| explained(&error));
        }
        if let Some(passphrase) = given_passphrase() {
            return Ok(Key::passphrase(&passphrase));
        }
        Ok(Key::passphrase(&asked(&format!("Passphrase of {}: ", self.file.display()))?))
    }
}

fn given_passphrase() -> Option<Zeroizing<String>> {
    std::env::var(PASSPHRASE).ok().filter(|passphrase| !passphrase.is_empty()).map(Zeroizing::new)
}

fn init(place: &Place) -> Result<Exit, Failure> {
    let key = match &place.identity {
        Some(identity) if identity.exists() => {
            Key::from_identity_file(identity).map_err(|error| explained(&error))?
        }
        Some(identity) => {
            let key = Key::new_identity_file(identity).map_err(|error| explained(&error))?;
            say!("a new identity is in {}: whoever has it opens the vault", identity.display());
            key
        }
        None => new_passphrase()?,
    };
    Vault::create(&place.file, &key).map_err(|error| explained(&error))?;
    say!("{} is a vault now", place.file.display());
    say!("    next: umpire vault set accounts/NAME/password");
    Ok(Exit::Ok)
}

fn new_passphrase() -> Result<Key, Failure> {
    if let Some(passphrase) = given_passphrase() {
        return Ok(Key::passphrase(&passphrase));
    }
    let first = asked("New passphrase: ")?;
    if first.is_empty() {
        return Err(Failure::new("an empty passphrase protects nothing"));
    }
    if *first != *asked("Once more: ")? {
        return Err(Failure::new("the two passphrases differ"));
    }
    Ok(Key::passphrase(&first))
}

fn asked(question: &str) -> Result<Zeroizing<String>, Failure> {
    let answer = rpassword::prompt_password(question).map(Zeroizing::new);
    answer.map_err(|error| {
        Failure::new(format!("there is no terminal to ask at: {error}"))
            .help(format!("set {PASSPHRASE}, or name an identity file with --identity"))
    })
}

/// The secret's value, without the line's end.
fn new_value(name: &SecretName) -> Result<Zeroizing<String>, Failure> {
    if std::io::stdin().is_terminal() {
        return asked(&format!("Value of {name}: "));
    }
    let mut value = Zeroizing::new(String::new());
    std::io::stdin()
        .take(MAX_SECRET + 1)
        .read_to_string(&mut value)
        .map_err(|error| Failure::new(format!("standard input: {error}")))?;
    if value.len() as u64 > MAX_SECRET {
        return Err(Failure::new(format!("a secret has at most {MAX_SECRET} bytes")));
    }
    let value = Zeroizing::new(value.trim_end_matches(['\r', '\n']).to_owned());
    if value.is_empty() {
        return Err(Failure::new("nothing came in on standard input"));
    }
    Ok(value)
}

fn secret_name(text: &str) -> Result<SecretName, Failure> {
    text.parse().map_err(|error: umpire_stage::vault::BadSecretName| Failure::new(error.to_string()))
}

fn unknown(name: &SecretName) -> Failure {
    Failure::new(format!("the vault has no `{name}`")).help("umpire vault list shows the names it has")
}

fn explained(error: &VaultError) -> Failure {
    let failure = Failure::new(error.to_string());
    match error {
        VaultError::Missing(_) => failure.help("umpire vault init makes one; --vault FILE names another"),
        VaultError::OtherKey { by_passphrase: true, .. } => {
            failure.help(format!("leave --identity out and set {PASSPHRASE}, or type it when asked"))
        }
        VaultError::OtherKey { .. } => failure.help("name the identity file with --identity"),
        _ => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_beats_the_configuration() {
        let args = VaultArgs { vault: Some("a.vault".into()), identity: None };
        assert_eq!(Place::of(&args, &Config::default()).file.as_os_str(), "a.vault");
        assert_eq!(Place::of(&VaultArgs::default(), &Config::default()).file.as_os_str(), "umpire.vault");
    }
}
