use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// SHA-256 of some content, in lower-case hex. Names blobs, suites, rules and prompts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(String);

impl Digest {
    pub fn of(bytes: &[u8]) -> Self {
        let mut hex = String::with_capacity(64);
        for byte in Sha256::digest(bytes) {
            use fmt::Write as _;
            let _ = write!(hex, "{byte:02x}");
        }
        Self(hex)
    }

    /// Digest of a value's canonical JSON. Maps in our formats are ordered, so equal values give equal bytes.
    pub fn of_json<T: Serialize>(value: &T) -> Self {
        Self::of(&serde_json::to_vec(value).unwrap_or_default())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Accepts only what [`Digest::of`] can produce, so that a digest is safe as a file name.
    pub fn parse(text: &str) -> Option<Self> {
        let plausible =
            text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        plausible.then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", &self.0[..self.0.len().min(8)])
    }
}
