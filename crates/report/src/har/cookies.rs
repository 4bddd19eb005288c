use jiff::Timestamp;
use jiff::fmt::rfc2822;
use serde_json::{Value, json};

/// Cookies a request carried.
pub(super) fn request_cookies(headers: &[(String, String)]) -> Vec<Value> {
    values_of(headers, "cookie")
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| {
            let (name, value) = name_and_value(pair)?;
            Some(json!({"name": name, "value": value}))
        })
        .collect()
}

/// Cookies a response set, with their attributes.
pub(super) fn response_cookies(headers: &[(String, String)]) -> Vec<Value> {
    values_of(headers, "set-cookie").flat_map(|value| value.split('\n')).filter_map(set_cookie).collect()
}

fn values_of<'a>(headers: &'a [(String, String)], wanted: &str) -> impl Iterator<Item = &'a str> {
    headers.iter().filter(move |(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.as_str())
}

fn set_cookie(line: &str) -> Option<Value> {
    let mut parts = line.split(';');
    let (name, value) = name_and_value(parts.next()?)?;
    let mut cookie = json!({"name": name, "value": value, "httpOnly": false, "secure": false});
    for attribute in parts {
        let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
        let value = value.trim();
        match name.trim().to_ascii_lowercase().as_str() {
            "httponly" => cookie["httpOnly"] = true.into(),
            "secure" => cookie["secure"] = true.into(),
            "path" => cookie["path"] = value.into(),
            "domain" => cookie["domain"] = value.into(),
            "samesite" => cookie["sameSite"] = value.into(),
            "expires" => {
                if let Some(time) = http_date(value) {
                    cookie["expires"] = format!("{time:.3}").into();
                }
            }
            _ => {}
        }
    }
    Some(cookie)
}

fn name_and_value(pair: &str) -> Option<(&str, &str)> {
    let (name, value) = pair.trim().split_once('=').unwrap_or(("", pair.trim()));
    (!name.is_empty() || !value.is_empty()).then_some((name.trim(), value.trim()))
}

/// `Wed, 21 Oct 2015 07:28:00 GMT`, and the older spelling with dashes that servers still send.
fn http_date(text: &str) -> Option<Timestamp> {
    let parser = rfc2822::DateTimeParser::new();
    parser.parse_timestamp(text.replace('-', " ").as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn headers(name: &str, value: &str) -> Vec<(String, String)> {
        vec![(name.to_owned(), value.to_owned())]
    }

    #[test]
    fn a_cookie_header_is_a_list_of_pairs() {
        assert_eq!(
            request_cookies(&headers("Cookie", "sid=a=b; theme=dark;; bare")),
            [
                json!({"name": "sid", "value": "a=b"}),
                json!({"name": "theme", "value": "dark"}),
                json!({"name": "", "value": "bare"}),
            ]
        );
    }

    #[test]
    fn attributes_of_a_set_cookie_are_kept() {
        let set = "sid=1; Path=/a; Domain=x.org; HttpOnly; Secure; SameSite=Lax; Expires=Wed, 21 Oct 2015 07:28:00 GMT\nb=2; expires=never";
        assert_eq!(
            response_cookies(&headers("set-cookie", set)),
            [
                json!({"name": "sid", "value": "1", "httpOnly": true, "secure": true, "path": "/a", "domain": "x.org",
                       "sameSite": "Lax", "expires": "2015-10-21T07:28:00.000Z"}),
                json!({"name": "b", "value": "2", "httpOnly": false, "secure": false}),
            ]
        );
        let dashes = response_cookies(&headers("Set-Cookie", "a=1; expires=Wed, 21-Oct-2015 07:28:00 GMT"));
        assert_eq!(dashes[0]["expires"], "2015-10-21T07:28:00.000Z");
    }

    proptest! {
        #[test]
        fn any_header_is_parsed(text in "[ -~\n]*") {
            for cookie in response_cookies(&headers("set-cookie", &text)).iter().chain(&request_cookies(&headers("cookie", &text))) {
                prop_assert!(cookie["name"].is_string() && cookie["value"].is_string());
            }
        }
    }
}
