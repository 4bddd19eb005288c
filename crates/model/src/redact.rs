//! Secrets stop at the writer: values known to be secret, and headers that carry them, never reach the disk.

use std::borrow::Cow;

use base64::Engine as _;
use serde_json::Value;

pub const REDACTED: &str = "«redacted»";

/// Headers whose values are credentials whatever they say. Cookie names stay readable; their values do not.
const SECRET_HEADERS: [&str; 5] =
    ["authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"];

/// Replaces known secret values, in every spelling a channel may give them.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    /// Longest first, so that a secret containing another is removed whole.
    needles: Vec<String>,
}

impl Redactor {
    pub fn new<S: AsRef<str>>(secrets: impl IntoIterator<Item = S>) -> Self {
        let mut needles = Vec::new();
        for secret in secrets {
            let secret = secret.as_ref();
            // Shorter values would blank half of every page; they are no secrets.
            if secret.chars().count() >= 4 {
                needles.extend(spellings(secret));
            }
        }
        needles.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        needles.dedup();
        Self { needles }
    }

    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut out = Cow::Borrowed(text);
        for needle in &self.needles {
            if out.contains(needle.as_str()) {
                out = Cow::Owned(out.replace(needle.as_str(), REDACTED));
            }
        }
        out
    }

    /// Redacts textual content; binary content holds no spelling we could find and is left alone.
    pub fn bytes<'a>(&self, content: &'a [u8]) -> Cow<'a, [u8]> {
        match std::str::from_utf8(content) {
            Ok(text) => match self.text(text) {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            },
            Err(_) => Cow::Borrowed(content),
        }
    }

    /// Redacts every string in a JSON value, keys included.
    pub fn json(&self, value: &mut Value) {
        if self.needles.is_empty() {
            return;
        }
        match value {
            Value::String(text) => {
                if let Cow::Owned(clean) = self.text(text) {
                    *text = clean;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.json(item)),
            Value::Object(map) => {
                let dirty = map.keys().any(|key| matches!(self.text(key), Cow::Owned(_)));
                if dirty {
                    *map = std::mem::take(map)
                        .into_iter()
                        .map(|(key, value)| (self.text(&key).into_owned(), value))
                        .collect();
                }
                map.values_mut().for_each(|item| self.json(item));
            }
            _ => {}
        }
    }

    /// A header's value as it may be written.
    pub fn header<'a>(&self, name: &str, value: &'a str) -> Cow<'a, str> {
        let name = name.to_ascii_lowercase();
        if !SECRET_HEADERS.contains(&name.as_str()) {
            return self.text(value);
        }
        match name.as_str() {
            "cookie" => Cow::Owned(value.split(';').map(mask_cookie).collect::<Vec<_>>().join("; ")),
            // A browser reports several Set-Cookie headers as lines of one.
            "set-cookie" => Cow::Owned(value.lines().map(mask_set_cookie).collect::<Vec<_>>().join("\n")),
            _ => Cow::Borrowed(REDACTED),
        }
    }
}

fn mask_cookie(pair: &str) -> String {
    let name = pair.split('=').next().unwrap_or_default().trim();
    format!("{name}={REDACTED}")
}

fn mask_set_cookie(line: &str) -> String {
    match line.split_once(';') {
        Some((pair, attributes)) => format!("{};{attributes}", mask_cookie(pair)),
        None => mask_cookie(line),
    }
}

fn spellings(secret: &str) -> Vec<String> {
    let percent: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let json = serde_json::to_string(secret).unwrap_or_default();
    let base64 = base64::engine::general_purpose::STANDARD.encode(secret);
    let base64_url = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(secret);
    let html = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    vec![
        secret.to_owned(),
        percent.replace('+', "%20"),
        percent,
        json.trim_matches('"').to_owned(),
        base64.trim_end_matches('=').to_owned(),
        base64_url,
        html,
    ]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_spelling_of_a_secret_is_replaced() {
        let redactor = Redactor::new(["p@ss \"w&rd"]);
        for text in [
            "p@ss \"w&rd",
            "user=a&pass=p%40ss+%22w%26rd",
            "p%40ss%20%22w%26rd",
            r#"{"pass":"p@ss \"w&rd"}"#,
            "cEBzcyAidyZyZA==",
            "<input value='p@ss &quot;w&amp;rd'>",
        ] {
            let clean = redactor.text(text);
            assert!(clean.contains(REDACTED), "{text} stayed {clean}");
        }
        assert_eq!(redactor.text("nothing here"), "nothing here");
    }

    #[test]
    fn a_secret_inside_a_longer_one_leaves_no_tail() {
        let redactor = Redactor::new(["hunter2", "hunter2-extended"]);
        assert_eq!(redactor.text("hunter2-extended"), REDACTED);
    }

    #[test]
    fn cookies_keep_their_names_only() {
        let redactor = Redactor::default();
        assert_eq!(
            redactor.header("Cookie", "sid=abc; theme=dark"),
            format!("sid={REDACTED}; theme={REDACTED}")
        );
        assert_eq!(redactor.header("set-cookie", "sid=abc; Path=/"), format!("sid={REDACTED}; Path=/"));
        assert_eq!(redactor.header("Authorization", "Bearer x"), REDACTED);
        assert_eq!(redactor.header("Accept", "text/html"), "text/html");
    }

    #[test]
    fn json_is_cleaned_in_depth_and_in_keys() {
        let mut value = json!({"a": ["s3cret", {"s3cret": 1}], "n": 5});
        Redactor::new(["s3cret"]).json(&mut value);
        assert_eq!(value, json!({"a": [REDACTED, {REDACTED: 1}], "n": 5}));
    }
}
