//! Randomness, digests, and the key that ids and tokens are signed with.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use umpire_model::Digest;

/// Signs what is handed out and comes back. Nothing of it is stored.
pub(crate) struct Keys {
    key: [u8; 32],
}

impl Keys {
    /// From a secret of the operator's, or fresh: then what was signed before a restart is not known after it.
    pub(crate) fn new(secret: Option<&str>) -> Result<Self, getrandom::Error> {
        let mut key = [0; 32];
        match secret {
            Some(secret) => {
                let derived = mac(b"umpire server key", &[secret.as_bytes()]).finalize().into_bytes();
                key.copy_from_slice(&derived);
            }
            None => getrandom::fill(&mut key)?,
        }
        Ok(Self { key })
    }

    /// What `text` is signed with for `purpose`; one signature is worth nothing for another purpose.
    pub(crate) fn sign(&self, purpose: &str, text: &str) -> String {
        let signed = mac(&self.key, &[purpose.as_bytes(), b"\0", text.as_bytes()]).finalize().into_bytes();
        URL_SAFE_NO_PAD.encode(signed)
    }

    /// In time that does not depend on where they differ.
    pub(crate) fn is_signed(&self, purpose: &str, text: &str, signature: &str) -> bool {
        let Ok(given) = URL_SAFE_NO_PAD.decode(signature) else { return false };
        mac(&self.key, &[purpose.as_bytes(), b"\0", text.as_bytes()]).verify_slice(&given).is_ok()
    }
}

fn mac(key: &[u8], parts: &[&[u8]]) -> Hmac<Sha256> {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("any length");
    for part in parts {
        mac.update(part);
    }
    mac
}

/// A token nobody can guess: 256 bits.
pub(crate) fn random_token() -> String {
    URL_SAFE_NO_PAD.encode(random::<32>())
}

/// A name for a row or a visitor: 128 bits.
pub(crate) fn random_id() -> String {
    URL_SAFE_NO_PAD.encode(random::<16>()).replace(['-', '_'], "0")
}

/// A seed nobody can foresee.
pub(crate) fn random_seed() -> u64 {
    u64::from_le_bytes(random::<8>())
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    #[expect(
        clippy::expect_used,
        reason = "it worked when the server started; without it no id is safe to give out"
    )]
    getrandom::fill(&mut bytes).expect("the system has randomness");
    bytes
}

/// As tokens are kept.
pub(crate) fn digest_of(token: &str) -> String {
    Digest::of(token.as_bytes()).as_str().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_its_text_its_purpose_and_its_key() {
        let keys = Keys::new(Some("s3cret")).expect("a key");
        let signature = keys.sign("visitor", "abc");
        assert!(keys.is_signed("visitor", "abc", &signature));
        assert!(!keys.is_signed("visitor", "abd", &signature));
        assert!(!keys.is_signed("form", "abc", &signature));
        assert!(!keys.is_signed("visitor", "abc", ""));
        assert!(Keys::new(Some("s3cret")).expect("a key").is_signed("visitor", "abc", &signature));
        assert!(!Keys::new(None).expect("a key").is_signed("visitor", "abc", &signature));
    }

    #[test]
    fn ids_are_made_of_letters_and_digits() {
        assert!(random_id().chars().all(|c| c.is_ascii_alphanumeric()));
        assert_ne!(random_id(), random_id());
    }
}
