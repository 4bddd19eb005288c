//! What the vault promises: nothing readable on the disk, nothing lost, clear words when it does not open.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::OnceLock;

use umpire_stage::vault::{Key, SecretName, Vault, VaultError};
use zeroize::Zeroizing;

const CANARY: &str = "CANARY-päss \"w&rd\"";

fn name(text: &str) -> SecretName {
    text.parse().expect("a name")
}

fn passphrase(text: &str) -> Key {
    Key::passphrase(text)
}

fn secret(text: &str) -> Zeroizing<String> {
    Zeroizing::new(text.to_owned())
}

/// Trying a passphrase is expensive on purpose; one vault serves all tests that need one.
fn by_passphrase() -> &'static Path {
    static VAULT: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = VAULT.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("v");
        Vault::create(&file, &passphrase("open sesame")).expect("created");
        Vault::change(&file, &passphrase("open sesame"), |vault| vault.set(name("a/b"), secret(CANARY)))
            .expect("set");
        folder
    });
    Box::leak(folder.path().join("v").into_boxed_path())
}

#[test]
fn a_secret_comes_back_and_is_readable_nowhere() {
    let file = by_passphrase();
    let vault = Vault::open(file, &passphrase("open sesame")).expect("opened");
    assert_eq!(vault.get(&name("a/b")).map(|value| value.as_str()), Some(CANARY));
    assert_eq!(vault.names().map(SecretName::as_str).collect::<Vec<_>>(), ["a/b"]);
    assert_eq!(fs::metadata(file).expect("a file").permissions().mode() & 0o777, 0o600);
    for entry in fs::read_dir(file.parent().expect("a folder")).expect("entries").flatten() {
        let content = fs::read(entry.path()).expect("a file");
        for needle in [CANARY.as_bytes(), b"CANARY", b"a/b"] {
            assert!(!content.windows(needle.len()).any(|window| window == needle), "{:?}", entry.path());
        }
    }
}

#[test]
fn what_does_not_open_it_is_told_apart() {
    let file = by_passphrase();
    let wrong = Vault::open(file, &passphrase("guess")).err().expect("refused");
    assert!(matches!(wrong, VaultError::WrongPassphrase(_)), "{wrong}");
    let folder = tempfile::tempdir().expect("a folder");
    let identity = Key::new_identity_file(&folder.path().join("id")).expect("an identity");
    let other = Vault::open(file, &identity).err().expect("refused");
    assert!(matches!(other, VaultError::OtherKey { by_passphrase: true, .. }), "{other}");
    let own = folder.path().join("v");
    Vault::create(&own, &identity).expect("created");
    let stranger = Key::new_identity_file(&folder.path().join("id2")).expect("an identity");
    let refused = Vault::open(&own, &stranger).err().expect("refused");
    assert!(matches!(refused, VaultError::WrongIdentity(_)), "{refused}");
    let refused = Vault::open(&own, &passphrase("x")).err().expect("refused");
    assert!(matches!(refused, VaultError::OtherKey { by_passphrase: false, .. }), "{refused}");
    assert!(matches!(Vault::open(&folder.path().join("none"), &identity), Err(VaultError::Missing(_))));
    assert!(matches!(Vault::create(&own, &identity), Err(VaultError::Exists(_))));
    fs::write(folder.path().join("junk"), b"junk").expect("written");
    assert!(matches!(Vault::open(&folder.path().join("junk"), &identity), Err(VaultError::Damaged { .. })));
}

#[test]
fn an_identity_file_opens_it_even_if_it_is_armored() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, id) = (folder.path().join("v"), folder.path().join("id"));
    let key = Key::new_identity_file(&id).expect("an identity");
    assert_eq!(fs::metadata(&id).expect("a file").permissions().mode() & 0o777, 0o600);
    Vault::create(&file, &key).expect("created");
    let key = Key::from_identity_file(&id).expect("read again");
    Vault::change(&file, &key, |vault| vault.set(name("a"), secret("1"))).expect("set");
    Vault::change(&file, &key, |vault| assert!(vault.remove(&name("a")) && !vault.remove(&name("a"))))
        .expect("removed");
    Vault::change(&file, &key, |vault| vault.set(name("b"), secret("2"))).expect("set");
    // The armored form of age, as its own tools write it.
    let identity: age::x25519::Identity = fs::read_to_string(&id)
        .expect("text")
        .lines()
        .find_map(|line| line.parse().ok())
        .expect("an identity");
    let content = age::decrypt(&identity, &fs::read(&file).expect("a file")).expect("decrypted");
    let armored = age::encrypt_and_armor(&identity.to_public(), &content).expect("armored");
    fs::write(&file, armored).expect("written");
    let vault = Vault::open(&file, &key).expect("opened");
    assert_eq!(vault.names().map(SecretName::as_str).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn files_beside_it_are_opened_by_it_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let key = Key::new_identity_file(&folder.path().join("id")).expect("an identity");
    let vault = Vault::create(&folder.path().join("v"), &key).expect("created");
    let other = Vault::create(&folder.path().join("w"), &key).expect("created");
    let file = folder.path().join("accounts/shop.state.age");
    vault.seal_file(&file, CANARY.as_bytes()).expect("sealed");
    assert_eq!(vault.unseal_file(&file).expect("unsealed").as_slice(), CANARY.as_bytes());
    let refused = other.unseal_file(&file).expect_err("another vault").to_string();
    assert!(refused.contains("not sealed by the vault"), "{refused}");
    // One that was opened again has the same key.
    let again = Vault::open(&folder.path().join("v"), &key).expect("opened");
    assert!(again.unseal_file(&file).is_ok());
}

#[test]
fn changes_do_not_overtake_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("v");
    let key = Key::new_identity_file(&folder.path().join("id")).expect("an identity");
    Vault::create(&file, &key).expect("created");
    let nested = Vault::change(&file, &key, |vault| {
        vault.set(name("outer"), secret("1"));
        Vault::change(&file, &key, |_| ()).err()
    });
    assert!(matches!(nested.expect("the outer change"), Some(VaultError::Busy(_))));
    // A write that cannot be done leaves the old vault as it was.
    let before = fs::read(&file).expect("a file");
    let blocked = folder.path().join("full");
    fs::write(&blocked, b"").expect("a file where a folder should be");
    let vault = Vault::open(&file, &key).expect("opened");
    assert!(vault.seal_file(&blocked.join("x"), b"1").is_err());
    assert_eq!(fs::read(&file).expect("a file"), before);
}
