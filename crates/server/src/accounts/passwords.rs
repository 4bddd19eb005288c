//! Passwords, as Argon2id hashes.

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher as _, PasswordVerifier as _, SaltString};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

const SHORTEST: usize = 10;
/// Hashing is not for free: nobody types a longer one.
const LONGEST: usize = 200;

#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    #[error("a password has {SHORTEST} to {LONGEST} characters")]
    Length,
    #[error("the password cannot be hashed: {0}")]
    Hash(String),
}

/// Takes tens of milliseconds and 19 MB, on purpose: not for an async thread.
pub(crate) fn hashed(password: &str) -> Result<String, PasswordError> {
    if !(SHORTEST..=LONGEST).contains(&password.chars().count()) {
        return Err(PasswordError::Length);
    }
    let told = |error: &dyn std::fmt::Display| PasswordError::Hash(error.to_string());
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| told(&error))?;
    let salt = SaltString::from_b64(&STANDARD_NO_PAD.encode(bytes)).map_err(|error| told(&error))?;
    let hash = Argon2::default().hash_password(password.as_bytes(), &salt).map_err(|error| told(&error))?;
    Ok(hash.to_string())
}

pub(crate) fn is_right(password: &str, hash: &str) -> bool {
    password.chars().count() <= LONGEST
        && PasswordHash::new(hash)
            .is_ok_and(|known| Argon2::default().verify_password(password.as_bytes(), &known).is_ok())
}

/// A hash that no password has, for names that do not exist: checking it takes as long, so time tells nothing.
pub(crate) fn decoy() -> &'static str {
    "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_known_again_and_no_other_is() {
        let hash = hashed("correct horse battery").expect("hashed");
        assert!(hash.starts_with("$argon2id$"));
        assert!(is_right("correct horse battery", &hash));
        assert!(!is_right("correct horse batterx", &hash));
        assert_ne!(hash, hashed("correct horse battery").expect("hashed"), "each has a salt of its own");
    }

    #[test]
    fn short_passwords_are_refused() {
        assert!(matches!(hashed("short"), Err(PasswordError::Length)));
    }

    #[test]
    fn the_decoy_is_a_hash_that_takes_the_work_of_one() {
        assert!(PasswordHash::new(decoy()).is_ok());
        assert!(!is_right("", decoy()));
    }
}
