//! A HAR reduced to what evaluations read, without secrets, for handing in.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use super::is_evaluation_url;

const REDACTED: &str = "[REDACTED]";
/// A header with one of these in its name is taken for a credential. Cookies are kept: checks read them.
const SECRET_NAMES: [&str; 4] = ["auth", "token", "key", "secret"];

#[derive(Debug, thiserror::Error)]
pub enum TrimError {
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("not a HAR file: log.entries is missing or empty")]
    NoEntries,
    #[error("entry {index} has no URL that can be taken apart")]
    NoUrl { index: usize },
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

/// What trimming did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TrimReport {
    pub original_entries: usize,
    pub trimmed_entries: usize,
    pub removed_entries: usize,
    pub request_headers_sanitized: usize,
    pub response_headers_sanitized: usize,
    pub original_size: usize,
    pub trimmed_size: usize,
}

/// Writes the HAR without page furniture and with its credentials redacted.
pub fn trim_har(har: &[u8], mut output: impl Write) -> Result<TrimReport, TrimError> {
    let mut document: Value = serde_json::from_slice(har)?;
    let entries = document.pointer_mut("/log/entries").and_then(Value::as_array_mut);
    let entries = entries.filter(|entries| !entries.is_empty()).ok_or(TrimError::NoEntries)?;

    let mut report =
        TrimReport { original_entries: entries.len(), original_size: har.len(), ..Default::default() };
    let mut kept = Vec::new();
    for (index, mut entry) in std::mem::take(entries).into_iter().enumerate() {
        let url = entry.pointer("/request/url").and_then(Value::as_str).ok_or(TrimError::NoUrl { index })?;
        if is_evaluation_url(url).map_err(|_| TrimError::NoUrl { index })? {
            report.request_headers_sanitized += redact(entry.pointer_mut("/request/headers"));
            report.response_headers_sanitized += redact(entry.pointer_mut("/response/headers"));
            kept.push(entry);
        }
    }
    report.trimmed_entries = kept.len();
    report.removed_entries = report.original_entries - kept.len();
    *entries = kept;

    let trimmed = serde_json::to_vec_pretty(&document)?;
    report.trimmed_size = trimmed.len();
    output.write_all(&trimmed)?;
    Ok(report)
}

fn redact(headers: Option<&mut Value>) -> usize {
    let mut redacted = 0;
    for header in headers.and_then(Value::as_array_mut).into_iter().flatten() {
        let name = header.get("name").and_then(Value::as_str).unwrap_or_default().to_lowercase();
        if SECRET_NAMES.iter().any(|secret| name.contains(secret)) {
            header["value"] = REDACTED.into();
            redacted += 1;
        }
    }
    redacted
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn furniture_and_credentials_go() {
        let entry = |url: &str| {
            json!({"request": {"url": url, "headers": [
                {"name": "X-Api-Key", "value": "s"}, {"name": "Cookie", "value": "c"}]},
                "response": {"headers": [{"name": "Set-Cookie", "value": "c"}, {"name": "X-Auth", "value": "s"}]}})
        };
        let har =
            json!({"log": {"version": "1.2", "entries": [entry("http://h/"), entry("http://h/a.css?b")]}});
        let mut output = Vec::new();
        let report = trim_har(har.to_string().as_bytes(), &mut output).expect("a HAR");
        let trimmed: Value = serde_json::from_slice(&output).expect("JSON");
        assert_eq!((report.original_entries, report.trimmed_entries, report.removed_entries), (2, 1, 1));
        assert_eq!((report.request_headers_sanitized, report.response_headers_sanitized), (1, 1));
        assert_eq!(report.trimmed_size, output.len());
        let entry = &trimmed["log"]["entries"][0];
        assert_eq!(entry["request"]["headers"][0]["value"], REDACTED);
        assert_eq!(entry["request"]["headers"][1]["value"], "c");
        assert_eq!(entry["response"]["headers"][0]["value"], "c");
        assert_eq!(entry["response"]["headers"][1]["value"], REDACTED);
    }

    #[test]
    fn a_har_without_entries_is_refused() {
        for har in ["{}", r#"{"log": {"entries": []}}"#, "[", r#"{"log": {"entries": [{}]}}"#] {
            assert!(trim_har(har.as_bytes(), Vec::new()).is_err(), "{har}");
        }
    }
}
