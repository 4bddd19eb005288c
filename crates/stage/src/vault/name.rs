use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a secret is called, such as `accounts/shop/password`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SecretName(String);

#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` is no name of a secret: write words of letters, digits, `-`, `_`, `.` and `@`, with `/` between them"
)]
pub struct BadSecretName(String);

const MAX_LENGTH: usize = 200;

impl SecretName {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The variable that holds it where there is no vault: `UMPIRE_SECRET_ACCOUNTS_SHOP_PASSWORD`.
    pub fn variable(&self) -> String {
        let letter =
            |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
        format!("UMPIRE_SECRET_{}", self.0.chars().map(letter).collect::<String>())
    }
}

impl FromStr for SecretName {
    type Err = BadSecretName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.@".contains(letter);
        let fits = |word: &str| !word.is_empty() && word.chars().all(allowed);
        if text.len() > MAX_LENGTH || !text.split('/').all(fits) {
            return Err(BadSecretName(text.chars().take(60).collect()));
        }
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for SecretName {
    type Error = BadSecretName;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<SecretName> for String {
    fn from(name: SecretName) -> Self {
        name.0
    }
}

impl fmt::Display for SecretName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_paths_of_words() {
        for good in ["accounts/shop/password", "a", "accounts/a.example/one-time_code", "jo@example"] {
            assert_eq!(good.parse::<SecretName>().expect(good).as_str(), good);
        }
        for bad in ["", "/", "a/", "/a", "a//b", "a b", "ä", "a\nb", &"a".repeat(201)] {
            assert!(bad.parse::<SecretName>().is_err(), "{bad}");
        }
        let name: SecretName = "accounts/a.example/pass-word".parse().expect("a name");
        assert_eq!(name.variable(), "UMPIRE_SECRET_ACCOUNTS_A_EXAMPLE_PASS_WORD");
    }
}
