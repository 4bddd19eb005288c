use zeroize::Zeroizing;

use super::{SecretName, Vault};

/// Where secrets come from: the environment first, then the vault.
pub struct Keyring {
    vault: Option<Vault>,
    variable: fn(&str) -> Option<String>,
}

#[derive(Debug, thiserror::Error)]
#[error("the secret `{name}` is not known: put it into the vault (`umpire vault set {name}`) or into {variable}", variable = name.variable())]
pub struct NoSecret {
    pub name: SecretName,
}

impl Keyring {
    pub fn new(vault: Option<Vault>) -> Self {
        Self { vault, variable: |name| std::env::var(name).ok() }
    }

    pub fn vault(&self) -> Option<&Vault> {
        self.vault.as_ref()
    }

    pub fn get(&self, name: &SecretName) -> Result<Zeroizing<String>, NoSecret> {
        if let Some(value) = (self.variable)(&name.variable()).filter(|value| !value.is_empty()) {
            return Ok(Zeroizing::new(value));
        }
        let kept = self.vault.as_ref().and_then(|vault| vault.get(name));
        kept.cloned().ok_or_else(|| NoSecret { name: name.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_goes_first_and_what_is_missing_is_named() {
        let keyring = Keyring {
            vault: None,
            variable: |name| (name == "UMPIRE_SECRET_A_B").then(|| "from-outside".to_owned()),
        };
        let name = |text: &str| text.parse::<SecretName>().expect("a name");
        assert_eq!(keyring.get(&name("a/b")).expect("set").as_str(), "from-outside");
        let error = keyring.get(&name("a/c")).expect_err("not set").to_string();
        assert!(error.contains("umpire vault set a/c") && error.contains("UMPIRE_SECRET_A_C"), "{error}");
    }
}
