//! Secrets by reference.
//!
//! A vault is one file, encrypted with [age](https://age-encryption.org): by a passphrase, or to the key of an identity
//! file. Inside is TOML. Nothing but its own code ever sees the whole content; others ask for one secret by name, and
//! what they get does not print itself.

mod keyring;
mod name;

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use age::secrecy::{ExposeSecret, SecretString};
use age::{DecryptError, scrypt, x25519};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

pub use keyring::{Keyring, NoSecret};
pub use name::{BadSecretName, SecretName};

const VAULT_VERSION: u32 = 1;
/// Cost of trying one passphrase, as a power of two: about half a second and 64 MiB.
const WORK_FACTOR: u8 = 16;
/// A file that asks for more is hostile.
const MAX_WORK_FACTOR: u8 = 20;
const MAX_BYTES: u64 = 16 << 20;

#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    #[error("there is no vault at {}", .0.display())]
    Missing(PathBuf),
    #[error("{}: the passphrase is wrong", .0.display())]
    WrongPassphrase(PathBuf),
    #[error("{}: the identity file does not open it", .0.display())]
    WrongIdentity(PathBuf),
    #[error("{}: it is opened by {}", path.display(), if *by_passphrase { "a passphrase, not by an identity file" } else { "an identity file, not by a passphrase" })]
    OtherKey { path: PathBuf, by_passphrase: bool },
    #[error("{}: {problem}", path.display())]
    Damaged { path: PathBuf, problem: String },
    #[error("{}: somebody else is changing it", .0.display())]
    Busy(PathBuf),
    #[error("{}: it holds no age identity (a line that begins with AGE-SECRET-KEY-1)", .0.display())]
    NoIdentity(PathBuf),
}

/// What opens a vault.
pub enum Key {
    Passphrase(SecretString),
    Identity(x25519::Identity),
}

impl Key {
    pub fn passphrase(text: &str) -> Self {
        Self::Passphrase(SecretString::from(text))
    }

    /// Makes an identity, and a file for it that only its owner reads.
    pub fn new_identity_file(path: &Path) -> Result<Self, VaultError> {
        if path.exists() {
            return Err(VaultError::Exists(path.to_owned()));
        }
        let identity = x25519::Identity::generate();
        let text =
            format!("# public key: {}\n{}\n", identity.to_public(), identity.to_string().expose_secret());
        write_privately(path, Zeroizing::new(text).as_bytes())?;
        Ok(Self::Identity(identity))
    }

    /// The first identity of a file such as `age-keygen` writes.
    pub fn from_identity_file(path: &Path) -> Result<Self, VaultError> {
        let text = fs::read_to_string(path)
            .map_err(|source| VaultError::File { path: path.to_owned(), source })
            .map(Zeroizing::new)?;
        let mut lines = text.lines().map(str::trim);
        let identity = lines.find_map(|line| line.parse().ok());
        identity.map(Self::Identity).ok_or_else(|| VaultError::NoIdentity(path.to_owned()))
    }

    fn seal(&self, content: &[u8]) -> Result<Vec<u8>, age::EncryptError> {
        match self {
            Self::Passphrase(passphrase) => {
                let mut recipient = scrypt::Recipient::new(passphrase.clone());
                recipient.set_work_factor(WORK_FACTOR);
                age::encrypt(&recipient, content)
            }
            Self::Identity(identity) => age::encrypt(&identity.to_public(), content),
        }
    }

    fn unseal(&self, content: &[u8]) -> Result<Vec<u8>, DecryptError> {
        match self {
            Self::Passphrase(passphrase) => {
                let mut identity = scrypt::Identity::new(passphrase.clone());
                identity.set_max_work_factor(MAX_WORK_FACTOR);
                age::decrypt(&identity, content)
            }
            Self::Identity(identity) => age::decrypt(identity, content),
        }
    }
}

/// What is in the file, once it is open.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    version: u32,
    /// Seals the files beside the vault, so that the passphrase is needed once.
    key: Zeroizing<String>,
    #[serde(default)]
    secrets: BTreeMap<SecretName, Zeroizing<String>>,
}

/// An open vault.
pub struct Vault {
    path: PathBuf,
    contents: Contents,
    beside: x25519::Identity,
}

impl Vault {
    /// Makes an empty vault where there is none.
    pub fn create(path: &Path, key: &Key) -> Result<Self, VaultError> {
        let _lock = lock(path)?;
        if path.exists() {
            return Err(VaultError::Exists(path.to_owned()));
        }
        let beside = x25519::Identity::generate();
        let text = Zeroizing::new(beside.to_string().expose_secret().to_owned());
        let contents = Contents { version: VAULT_VERSION, key: text, secrets: BTreeMap::new() };
        let vault = Self { path: path.to_owned(), contents, beside };
        vault.write(key)?;
        Ok(vault)
    }

    pub fn open(path: &Path, key: &Key) -> Result<Self, VaultError> {
        let sealed = read(path)?;
        let opened = key.unseal(&sealed).map_err(|error| refusal(path, key, &error))?;
        let opened = Zeroizing::new(opened);
        let damaged = |problem: String| VaultError::Damaged { path: path.to_owned(), problem };
        let text = std::str::from_utf8(&opened).map_err(|_| damaged("its content is not text".to_owned()))?;
        // The parser's own message may quote a secret.
        let contents: Contents =
            toml::from_str(text).map_err(|_| damaged("its content is not a vault's".to_owned()))?;
        if contents.version != VAULT_VERSION {
            return Err(damaged(format!("version {} is not known", contents.version)));
        }
        let beside = contents.key.parse().map_err(|_| damaged("its own key cannot be read".to_owned()))?;
        Ok(Self { path: path.to_owned(), contents, beside })
    }

    /// Opens the vault, changes it and writes it back, alone.
    pub fn change<T>(path: &Path, key: &Key, change: impl FnOnce(&mut Self) -> T) -> Result<T, VaultError> {
        let _lock = lock(path)?;
        let mut vault = Self::open(path, key)?;
        let result = change(&mut vault);
        vault.write(key)?;
        Ok(result)
    }

    pub fn set(&mut self, name: SecretName, value: Zeroizing<String>) {
        self.contents.secrets.insert(name, value);
    }

    /// Whether it was there.
    pub fn remove(&mut self, name: &SecretName) -> bool {
        self.contents.secrets.remove(name).is_some()
    }

    pub fn get(&self, name: &SecretName) -> Option<&Zeroizing<String>> {
        self.contents.secrets.get(name)
    }

    pub fn names(&self) -> impl Iterator<Item = &SecretName> {
        self.contents.secrets.keys()
    }

    /// Writes a file beside the vault that only this vault opens.
    pub fn seal_file(&self, file: &Path, content: &[u8]) -> Result<(), VaultError> {
        let sealed = Key::Identity(self.beside.clone()).seal(content);
        let sealed = sealed
            .map_err(|error| VaultError::Damaged { path: file.to_owned(), problem: error.to_string() })?;
        write_privately(file, &sealed)
    }

    pub fn unseal_file(&self, file: &Path) -> Result<Zeroizing<Vec<u8>>, VaultError> {
        let key = Key::Identity(self.beside.clone());
        let opened = key.unseal(&read(file)?).map_err(|_| VaultError::Damaged {
            path: file.to_owned(),
            problem: format!("it was not sealed by the vault {}", self.path.display()),
        })?;
        Ok(Zeroizing::new(opened))
    }

    fn write(&self, key: &Key) -> Result<(), VaultError> {
        let damaged = |problem: String| VaultError::Damaged { path: self.path.clone(), problem };
        let text = toml::to_string(&self.contents).map_err(|error| damaged(error.to_string()))?;
        let text = Zeroizing::new(text);
        let sealed = key.seal(text.as_bytes()).map_err(|error| damaged(error.to_string()))?;
        write_privately(&self.path, &sealed)
    }
}

/// Reads a whole file that is not larger than any vault.
fn read(path: &Path) -> Result<Vec<u8>, VaultError> {
    let explain = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::NotFound => VaultError::Missing(path.to_owned()),
        _ => VaultError::File { path: path.to_owned(), source },
    };
    if fs::metadata(path).map_err(explain)?.len() > MAX_BYTES {
        let problem = format!("it has more than {MAX_BYTES} bytes");
        return Err(VaultError::Damaged { path: path.to_owned(), problem });
    }
    fs::read(path).map_err(explain)
}

/// All of it or nothing, readable by its owner alone.
fn write_privately(path: &Path, content: &[u8]) -> Result<(), VaultError> {
    let explain = |source: std::io::Error| VaultError::File { path: path.to_owned(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(explain)?;
    // Temporary files are made with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(explain)?;
    file.write_all(content).map_err(explain)?;
    file.as_file().sync_all().map_err(explain)?;
    file.persist(path).map_err(|error| explain(error.error))?;
    Ok(())
}

fn lock(path: &Path) -> Result<File, VaultError> {
    let beside = path.with_added_extension("lock");
    let explain = |source: std::io::Error| VaultError::File { path: beside.clone(), source };
    let file = File::create(&beside).map_err(explain)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(VaultError::Busy(path.to_owned())),
        Err(TryLockError::Error(source)) => Err(explain(source)),
    }
}

fn refusal(path: &Path, key: &Key, error: &DecryptError) -> VaultError {
    let path = path.to_owned();
    match (error, key) {
        (DecryptError::KeyDecryptionFailed | DecryptError::DecryptionFailed, Key::Passphrase(_)) => {
            VaultError::WrongPassphrase(path)
        }
        (DecryptError::NoMatchingKeys, Key::Passphrase(_)) => {
            VaultError::OtherKey { path, by_passphrase: false }
        }
        (DecryptError::NoMatchingKeys, Key::Identity(_)) => {
            if is_by_passphrase(&path) {
                VaultError::OtherKey { path, by_passphrase: true }
            } else {
                VaultError::WrongIdentity(path)
            }
        }
        (DecryptError::ExcessiveWork { .. }, _) => {
            let problem = "it asks for more work than any vault does".to_owned();
            VaultError::Damaged { path, problem }
        }
        _ => VaultError::Damaged { path, problem: "it is no age file, or it is damaged".to_owned() },
    }
}

fn is_by_passphrase(path: &Path) -> bool {
    read(path).is_ok_and(|sealed| {
        let reader = age::armor::ArmoredReader::new(sealed.as_slice());
        age::Decryptor::new_buffered(reader).is_ok_and(|decryptor| decryptor.is_scrypt())
    })
}
