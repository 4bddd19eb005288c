//! Values that a session only refers to.

/// Knows passwords and the account's own details by reference: `accounts/shop/password`, `account.email`.
pub trait Secrets: Send + Sync {
    fn secret(&self, reference: &str) -> Option<String>;
}

/// Knows nothing: for sessions that need no account.
pub struct NoSecrets;

impl Secrets for NoSecrets {
    fn secret(&self, _reference: &str) -> Option<String> {
        None
    }
}

/// Fills in every `{{reference}}`; the error names one that nobody knows.
pub fn fill(text: &str, secrets: &dyn Secrets) -> Result<String, String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((reference, behind)) = after.split_once("}}") else { break };
        filled.push_str(before);
        let reference = reference.trim();
        filled.push_str(&secrets.secret(reference).ok_or_else(|| reference.to_owned())?);
        rest = behind;
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Account;

    impl Secrets for Account {
        fn secret(&self, reference: &str) -> Option<String> {
            (reference == "account.email").then(|| "noor@murmur.localhost".to_owned())
        }
    }

    #[test]
    fn references_are_filled_in_and_unknown_ones_named() {
        for (text, filled) in [
            ("plain", Ok("plain")),
            ("{{account.email}}", Ok("noor@murmur.localhost")),
            ("<{{ account.email }}>", Ok("<noor@murmur.localhost>")),
            ("{{account.name}}", Err("account.name")),
            ("{{unfinished", Ok("{{unfinished")),
        ] {
            assert_eq!(fill(text, &Account), filled.map(str::to_owned).map_err(str::to_owned));
        }
    }
}
