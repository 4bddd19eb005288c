//! Values that are sent to a provider and shown to nobody else.

use std::fmt;

/// A key, or a header that holds one.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// For the request that needs it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Environment variables as people name them; a pasted key is none.
pub(crate) fn is_variable_name(text: &str) -> bool {
    let starts_well = text.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase() || byte == b'_');
    starts_well && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Replaces a last word `env:NAME` of a header by the variable's value; `Err` has the name of one that is not set.
pub(crate) fn expand(
    text: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<(String, Option<Secret>), String> {
    let last_word = text.rfind(' ').map_or(0, |space| space + 1);
    let (before, word) = text.split_at(last_word);
    match word.strip_prefix("env:") {
        None => Ok((text.to_owned(), None)),
        Some(name) => {
            let value = variable(name).ok_or_else(|| name.to_owned())?;
            Ok((format!("{before}{value}"), Some(Secret::new(value))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_print_itself() {
        assert_eq!(format!("{:?}", Secret::new("sk-1")), "Secret(…)");
    }

    #[test]
    fn the_last_word_of_a_header_may_be_a_variable() {
        let variable = |name: &str| (name == "TOKEN").then(|| "t0".to_owned());
        assert_eq!(expand("Bearer env:TOKEN", &variable), Ok(("Bearer t0".into(), Some(Secret::new("t0")))));
        assert_eq!(expand("plain text", &variable), Ok(("plain text".into(), None)));
        assert_eq!(expand("env:OTHER", &variable), Err("OTHER".into()));
    }

    #[test]
    fn names_of_variables() {
        for (text, is_name) in [
            ("OPENAI_API_KEY", true),
            ("_X1", true),
            ("sk-abc", false),
            ("1X", false),
            ("", false),
            ("Key", false),
        ] {
            assert_eq!(is_variable_name(text), is_name, "{text}");
        }
    }
}
