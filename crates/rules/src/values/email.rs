//! E-mail addresses, alone, as `mailto:` link, or with a name before them in angle brackets (the name is not compared).
//!
//! The domain has no case, and in practice the local part has none either. Dots and `+tags` belong to the address.

use serde_json::Value;
use url::Host;

use super::folding::{caseless, plain};

/// 64 for the local part, 255 for the domain, and room for a name.
const LONGEST: usize = 1000;

pub(super) fn read(value: &Value) -> Option<String> {
    let text = value.as_str().filter(|text| text.len() <= LONGEST)?;
    let text = caseless(&plain(text));
    let text = text.trim_end_matches(['.', ',', ';']);
    let address = match text.split_once('<') {
        Some((_, rest)) => rest.strip_suffix('>')?,
        None => text,
    };
    let address = address.strip_prefix("mailto:").unwrap_or(address).trim();
    let (local, domain) = address.rsplit_once('@')?;
    let readable_local = !local.is_empty()
        && local.len() <= 64
        && !local.starts_with('.')
        && !local.ends_with('.')
        && local.chars().all(|c| c.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~.-".contains(c));
    let Ok(Host::Domain(domain)) = Host::parse(domain) else { return None };
    (readable_local && domain.contains('.') && !domain.starts_with('.')).then(|| format!("{local}@{domain}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn addresses() {
        for (text, expected) in [
            ("ann.lee@shop.example", Some("ann.lee@shop.example")),
            (" Ann.Lee@Shop.Example. ", Some("ann.lee@shop.example")),
            ("mailto:ann@shop.example", Some("ann@shop.example")),
            ("Ann Lee <ann@shop.example>", Some("ann@shop.example")),
            ("ann+news@shop.example", Some("ann+news@shop.example")),
            ("ann@bücher.example", Some("ann@xn--bcher-kva.example")),
            ("ann", None),
            ("@shop.example", None),
            ("ann@", None),
            ("ann@shop", None),
            ("ann lee@shop.example", None),
            ("ann@shop.example, bob@shop.example", None),
            ("a@b@shop.example", None),
            (".ann@shop.example", None),
            ("^.*$", None),
            ("^.*@.*$", None),
        ] {
            assert_eq!(read(&json!(text)).as_deref(), expected, "{text}");
        }
        assert_ne!(read(&json!("ann@shop.example")), read(&json!("an.n@shop.example")));
        assert_eq!(read(&json!(["ann@shop.example"])), None);
    }

    proptest! {
        #[test]
        fn case_does_not_matter(text in "[a-zA-Z0-9.+_-]{1,12}@[a-zA-Z0-9-]{1,8}\\.example") {
            let read = |text: &str| super::read(&json!(text));
            prop_assert_eq!(read(&text.to_uppercase()), read(&text.to_lowercase()));
        }

        #[test]
        fn no_text_breaks_it(text in any::<String>(), near in "[a-z@<>.:]{0,20}") {
            read(&json!(text));
            read(&json!(near));
        }
    }
}
