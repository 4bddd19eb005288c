//! Base64: what it decodes to, in either alphabet, with or without padding. Text is compared with line ends made one and
//! blank ends taken off; other bytes as they are.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::Value;

const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// In bytes; as encoded.
const LONGEST: usize = 128 * 1024;

pub(super) fn read(value: &Value) -> Option<Vec<u8>> {
    let digits: String = value.as_str().filter(|text| text.len() <= LONGEST)?.split_whitespace().collect();
    if digits.is_empty() {
        return None;
    }
    let bytes = STANDARD.decode(&digits).or_else(|_| URL_SAFE.decode(&digits)).ok()?;
    Some(match String::from_utf8(bytes) {
        Ok(text) => text.replace("\r\n", "\n").replace('\r', "\n").trim().as_bytes().to_vec(),
        Err(other) => other.into_bytes(),
    })
}

/// The decoded text, if it is text.
pub(super) fn text(value: &Value) -> Option<String> {
    String::from_utf8(read(value)?).ok()
}

pub(super) fn encode(text: &str) -> String {
    STANDARD.encode(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_it_decodes_to() {
        for (text, expected) in [
            ("aGVsbG8=", Some("hello")),
            ("aGVsbG8", Some("hello")),
            (" aGVs\nbG8= ", Some("hello")),
            ("aGVsbG8NCg==", Some("hello")),
            ("w7/Dvw==", Some("ÿÿ")),
            ("w7_Dvw", Some("ÿÿ")),
            ("", None),
            ("hello!", None),
            ("aGVsbG8==", None),
            ("^.*$", None),
        ] {
            assert_eq!(super::text(&json!(text)).as_deref(), expected, "{text}");
        }
        assert_eq!(read(&json!("/w==")), Some(vec![0xff]));
        assert_eq!(super::text(&json!("/w==")), None);
        assert_eq!(read(&json!(5)), None);
    }

    proptest! {
        #[test]
        fn bytes_are_read_back(bytes in prop::collection::vec(128..=255_u8, 1..40)) {
            prop_assume!(std::str::from_utf8(&bytes).is_err());
            prop_assert_eq!(read(&json!(STANDARD.encode(&bytes))), Some(bytes.clone()));
            prop_assert_eq!(read(&json!(URL_SAFE.encode(&bytes))), Some(bytes));
        }

        #[test]
        fn no_text_breaks_it(text in any::<String>()) {
            read(&json!(text));
        }
    }
}
