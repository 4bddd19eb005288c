//! Query parameters: of a URL's query, and of the base64 path segments some pages hide them in.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::python::{strip, urllib};

/// Parameter names in order of first appearance, each with its values in code point order.
pub type QueryValues = Vec<(String, Vec<String>)>;

/// Python's decoder wants enough padding, which is always added, and looks at no bits beyond the last full byte.
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(
    &alphabet::URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// Groups the parameters of a query text by name. Names and values are percent-decoded twice, as the reference does.
pub fn parse(query: &str) -> QueryValues {
    let mut parameters: QueryValues = Vec::new();
    // Grouping happens on the names decoded once; of two groups that meet after the second time, the last one stays.
    let mut decoded_once: Vec<(String, Vec<String>)> = Vec::new();
    for (name, value) in urllib::form_fields(query) {
        match decoded_once.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => decoded_once.push((name, vec![value])),
        }
    }
    for (name, values) in decoded_once {
        let name = urllib::unquote(&name);
        let mut values: Vec<String> = values.iter().map(|value| urllib::unquote(value)).collect();
        values.sort_unstable();
        match parameters.iter_mut().find(|(known, _)| *known == name) {
            Some((_, replaced)) => *replaced = values,
            None => parameters.push((name, values)),
        }
    }
    parameters
}

/// Takes the segments of a path that are queries in base64 out of it; returns the remaining path and the queries.
pub fn take_base64_segments(path: &str) -> (String, Vec<String>) {
    if path.is_empty() {
        return (String::new(), Vec::new());
    }
    let mut queries = Vec::new();
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        match decode_query(segment) {
            Some(query) => queries.push(query),
            None => kept.push(segment),
        }
    }
    let mut remaining = String::new();
    if path.starts_with('/') {
        remaining.push('/');
    }
    remaining.push_str(&kept.join("/"));
    if path.ends_with('/') && !kept.is_empty() {
        remaining.push('/');
    }
    (remaining, queries)
}

fn decode_query(segment: &str) -> Option<String> {
    let unpadded = segment.trim_end_matches('=');
    let padding = segment.len() - unpadded.len();
    let is_candidate = padding <= 2
        && unpadded.len() >= 4
        && unpadded.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    if !is_candidate {
        return None;
    }
    let decoded = String::from_utf8(URL_SAFE.decode(unpadded).ok()?).ok()?;
    if !decoded.contains('=') {
        return None;
    }
    let query = urllib::unquote(&decoded);
    let query = strip(&query);
    if query.is_empty() {
        return None;
    }
    Some(query.trim_start_matches(['?', '&']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_grouped_decoded_twice_and_sorted() {
        let parsed = parse("b=2&a=%2531&b=10&c&=x");
        let expected = [("b", vec!["10", "2"]), ("a", vec!["1"]), ("c", vec![""]), ("", vec!["x"])];
        let expected: QueryValues = expected
            .map(|(name, values)| (name.to_owned(), values.into_iter().map(str::to_owned).collect()))
            .into();
        assert_eq!(parsed, expected);
    }

    #[test]
    fn only_segments_that_hold_a_query_are_taken() {
        for (path, remaining, queries) in [
            ("/rep/YT0xJmI9Mg==/", "/rep/", vec!["a=1&b=2"]),
            ("/YT0xJmI9Mg", "/", vec!["a=1&b=2"]),
            ("YT0xJmI9Mg", "", vec!["a=1&b=2"]),
            ("/a//aGVsbG8gd29ybGQ=", "/a/aGVsbG8gd29ybGQ=", vec![]),
            ("", "", vec![]),
        ] {
            let queries = queries.into_iter().map(str::to_owned).collect();
            assert_eq!(take_base64_segments(path), (remaining.to_owned(), queries), "{path}");
        }
    }
}
