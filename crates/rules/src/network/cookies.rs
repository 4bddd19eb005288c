//! The cookies a response sets.

use umpire_model::ExchangeResponse;
use url::form_urlencoded;

/// Name and value of each, in order. Servers escape what a cookie may not hold, so values are unescaped.
pub(super) fn set_by(response: &ExchangeResponse) -> Vec<(String, String)> {
    response
        .headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"))
        // Chromium joins several of them with line breaks.
        .flat_map(|(_, value)| value.split('\n'))
        .filter_map(|cookie| {
            let pair = cookie.split(';').next()?;
            let (name, value) = pair.split_once('=')?;
            Some((name.trim().to_owned(), unescaped(value.trim())))
        })
        .collect()
}

/// Percent escapes only: a plus is a plus in a cookie.
fn unescaped(value: &str) -> String {
    let escaped_plus = value.replace('+', "%2B");
    form_urlencoded::parse(format!("v={}", escaped_plus.replace('&', "%26")).as_bytes())
        .next()
        .map_or_else(String::new, |(_, value)| value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let response = ExchangeResponse {
            status: 302,
            status_text: String::new(),
            http_version: String::new(),
            headers: vec![
                header("Set-Cookie", "a=1%20%2B+2&3; Path=/; HttpOnly\nb=x=y"),
                header("set-cookie", " c = ; Secure"),
                header("set-cookie", "nonsense"),
                header("cookie", "d=4"),
            ],
            mime: String::new(),
            encoded_bytes: 0,
            from_cache: false,
            remote: None,
            body: None,
        };
        let expected = [("a", "1 ++2&3"), ("b", "x=y"), ("c", "")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(set_by(&response), expected);
    }
}
