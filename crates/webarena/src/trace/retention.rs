//! What a trace reader keeps of each recorded request.

use std::collections::BTreeSet;

/// Request headers every evaluation needs.
const ALWAYS_KEPT: [&str; 8] = [
    "accept",
    "content-type",
    "referer",
    "sec-fetch-dest",
    "sec-fetch-mode",
    "sec-fetch-site",
    "sec-fetch-user",
    "x-requested-with",
];

/// What to keep. The less, the larger the trace that fits into memory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a part of a request that is kept or not")]
pub struct Retention {
    /// Names in lower case; `None` keeps all headers.
    header_names: Option<BTreeSet<String>>,
    pub request_bodies: bool,
    pub response_bodies: bool,
    /// Requests for stylesheets, scripts, pictures and fonts.
    pub static_assets: bool,
    /// What no evaluator looks at.
    pub surroundings: bool,
    /// Longer strings are not kept.
    pub longest_text: usize,
}

impl Retention {
    /// Bodies beyond this size are pages and downloads, not forms and API answers.
    pub const LONGEST_TEXT: usize = 16 << 20;

    /// URL, method, status and the headers that tell navigations from other requests.
    pub fn outline() -> Self {
        Self {
            header_names: Some(ALWAYS_KEPT.map(str::to_owned).into()),
            request_bodies: false,
            response_bodies: false,
            static_assets: false,
            surroundings: false,
            longest_text: Self::LONGEST_TEXT,
        }
    }

    /// All that any evaluation can look at.
    pub fn everything() -> Self {
        Self {
            header_names: None,
            request_bodies: true,
            response_bodies: true,
            static_assets: true,
            surroundings: false,
            longest_text: Self::LONGEST_TEXT,
        }
    }

    /// All a reader can keep, with texts up to a length.
    pub fn whole(longest_text: usize) -> Self {
        Self { surroundings: true, longest_text, ..Self::everything() }
    }

    /// Keeps a request header as well.
    pub fn keep_header(&mut self, name: &str) {
        if let Some(names) = &mut self.header_names {
            names.insert(name.to_lowercase());
        }
    }

    pub(super) fn keeps_header(&self, lower_case_name: &str) -> bool {
        self.header_names.as_ref().is_none_or(|names| names.contains(lower_case_name))
    }
}
